"""Who is like whom: the measures of the class page against their own definitions."""

import base64

from hypothesis import given
from hypothesis import strategies as st

from graders.results.result import Mistake, Outcome, Result
from reports.class_statistics import rows, similar, tally
from tests.reports import sample

PATTERNS = st.lists(st.sets(st.sampled_from("abcdefgh")), max_size=12)


def results(patterns: list[set[str]]) -> list[Result]:
    """A submission for each set of failing checks."""
    return [
        sample.result(
            sample.exercise(
                *(sample.finding(Outcome.FAILED if c in p else Outcome.PASSED, check=c) for c in "abcdefgh")
            ),
            id=f"s{i:02}",
        )
        for i, p in enumerate(patterns)
    ]


def _wrong(who: str, checks: str, mistake: Mistake | None = None, answers: str | None = None) -> Result:
    mistakes = ((mistake,),) if mistake else ()
    failed = {"mistake": mistake, "mistakes": mistakes, "answers": answers}
    findings = (sample.finding(Outcome.FAILED, check=check, **failed) for check in checks)
    return sample.result(sample.exercise(*findings), id=who)


def test_a_group_answers_alike_or_makes_the_same_mistakes_whichever_checks_fail() -> None:
    half = Mistake("half", "no half", "pas de moitié")
    groups = similar.group_by_answers(
        [
            _wrong("s0", "ab", answers="1f"),
            _wrong("s1", "abc", answers="1f"),
            _wrong("s2", "ab", answers="2e"),
            _wrong("s3", "ab", half),
            _wrong("s4", "b", half, answers="3d"),
            _wrong("s5", "ab"),
            _wrong("s6", "ba"),
        ]
    )
    assert [(set(group.ids), group.answer_alike) for group in groups] == [
        ({"s0", "s1"}, True),
        ({"s3", "s4"}, False),
        ({"s5", "s6"}, False),
    ]


@given(PATTERNS)
def test_an_outlier_differs_from_the_nearest_submission_in_as_many_checks(patterns: list[set[str]]) -> None:
    distances = {item.id: item.checks for item in similar.find_outliers(results(patterns), most=100)}
    for i, pattern in enumerate(patterns):
        others = [len(pattern ^ other) for j, other in enumerate(patterns) if j != i]
        nearest = min(others, default=0)
        assert distances.get(f"s{i:02}") == (nearest if nearest >= similar.MIN_DISTANCE else None)


@given(PATTERNS)
def test_a_share_counts_only_submissions_for_which_the_check_was_decided(patterns: list[set[str]]) -> None:
    for item in tally.tally_exercises(results(patterns)):
        for check in item.checks:
            assert check.decided == len(patterns)
        failing = sorted((sum(c in p for p in patterns) for c in "abcdefgh"), reverse=True)
        assert [len(check.failing) for check in item.checks] == [count for count in failing if count]


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_a_list_has_a_bit_for_each_row(chosen: tuple[int, set[int]]) -> None:
    count, places = chosen
    class_rows = rows.collect_rows(results([set()] * count), ())
    bits = base64.b64decode(class_rows.list_people(f"s{i:02}" for i in places).bits)
    assert {i for i in range(count) if i >> 3 < len(bits) and bits[i >> 3] >> (i & 7) & 1} == places
