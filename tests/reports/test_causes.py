"""What several checks fail for is one cause: by mistake, by the line that raised, by the sentence."""

from dataclasses import replace

from graders.results.result import Finding, Outcome, Place
from reports.causes import count_same, group_by_cause, have_one_cause, refer_to
from tests.reports import sample


def grouped(*findings: Finding) -> list[list[str]]:
    return [[finding.check for finding in cause.all] for cause in group_by_cause(findings)]


def failed(check: str, **changes) -> Finding:
    return sample.finding(Outcome.FAILED, check=check, **({"mistake": None} | changes))


def raised(check: str, line: int | None, message: str = "NameError: no h") -> Finding:
    place = Place("rendu.ipynb", 9, line) if line else None
    return sample.finding(Outcome.RAISED, check=check, message=message, place=place)


def test_an_error_is_one_cause_for_each_line_that_raises_it() -> None:
    findings = raised("a", 1), raised("b", 2), raised("c", 1), raised("d", 1, "RuntimeError: size (2, 3)")
    assert grouped(*findings) == [["a", "c", "d"], ["b"]]


def test_without_a_line_the_sentence_tells_errors_apart() -> None:
    assert grouped(raised("a", None), raised("b", None), raised("c", None, "other")) == [["a", "b"], ["c"]]
    stopped = [sample.finding(Outcome.TIMED_OUT, check=name, place=None) for name in "ab"]
    assert grouped(*stopped, raised("c", None)) == [["a", "b"], ["c"]]


def test_a_mistake_is_one_cause_whatever_each_check_says_of_it() -> None:
    one = failed("a", message="x", mistake=sample.MISTAKE)
    other = replace(sample.MISTAKE, name="concat_heads__other")
    two = replace(one, check="c", mistakes=((sample.MISTAKE, other),))
    again = replace(raised("b", 1), mistake=sample.MISTAKE)
    assert grouped(one, again, two, failed("d", mistake=other)) == [["a", "b"], ["c"], ["d"]]
    assert have_one_cause(one, again) and not have_one_cause(one, two)


def test_wrong_answers_have_one_cause_where_their_sentence_is_one() -> None:
    findings = failed("a", message="m"), failed("b", message="n"), failed("c", message="m")
    assert grouped(*findings) == [["a", "c"], ["b"]]
    assert grouped(failed("a", message=None), failed("b", message=None)) == [["a"], ["b"]]
    assert not have_one_cause(findings[0], sample.finding(Outcome.SKIPPED, message="m"))


def test_of_a_mistake_only_the_hint_is_said_to_be_the_same() -> None:
    (known,) = group_by_cause([failed("a", mistake=sample.MISTAKE), failed("b", mistake=sample.MISTAKE)])
    (line,) = group_by_cause([raised(name, 1) for name in "abc"])
    assert count_same(known) == "the same hint for 1 further check"
    assert count_same(line) == "the same in 2 further checks"
    assert refer_to(known.finding) == "the same hint as for a"
    assert refer_to(line.finding) == "the same as for a"
