"""A compact result says the same of a class, and takes little room."""

import tracemalloc
from dataclasses import replace

import pytest

from graders.classroom.class_record import ClassRecord
from graders.classroom.marks import compute_marks
from graders.results.compact import compact, pack, unpack
from graders.results.result import Mistake, Outcome, from_json, to_json
from reports.gradebook.grades import grades_csv
from tests.reports import class_of_twelve, sample

EACH = 3_000  # bytes that a result may take beside what it shares with others


@pytest.mark.parametrize("result", class_of_twelve.results(), ids=lambda result: result.submission.id)
def test_outcomes_points_and_mistakes_stay(result):
    kept = compact(result)
    assert compact(kept) == kept
    marks = [compute_marks([one], ClassRecord("attention", 20), [], None) for one in (kept, result)]
    assert grades_csv([kept], marks[0]) == grades_csv([result], marks[1])
    for before, after in zip(result.exercises, kept.exercises, strict=True):
        assert [(f.check, f.outcome, f.points, f.says, f.mistake) for f in before.findings] == [
            (f.check, f.outcome, f.points, f.says, f.mistake) for f in after.findings
        ]
        assert after.definitions == ()
        assert not any(f.case or f.place or f.output for f in after.findings)


@pytest.mark.parametrize("result", class_of_twelve.results(), ids=lambda result: result.submission.id)
def test_what_another_process_packed_is_the_compact_result_and_shares_its_parts(result):
    result = from_json(to_json(result))  # as commands that send one have it
    kept, unpacked = compact(result), unpack(pack(result))
    assert unpacked == kept
    assert to_json(unpacked) == to_json(kept)
    assert all(map(lambda one, other: one is other, unpacked.exercises, kept.exercises))


@pytest.mark.parametrize("result", class_of_twelve.results(), ids=lambda result: result.submission.id)
def test_of_an_exercise_all_stays_but_what_its_own_page_shows(result):
    for before, after in zip(result.exercises, compact(result).exercises, strict=True):
        left_out = {"findings": after.findings, "definitions": (), "trained": after.trained, "timing": None}
        assert after == replace(before, **left_out)


def test_answers_that_nothing_explains_are_known_by_the_first_finding():
    finding = sample.finding(Outcome.FAILED, answers="1f")
    [exercise] = compact(sample.result(sample.exercise(finding, finding))).exercises
    assert [f.answers for f in exercise.findings] == ["1f", None]


def test_a_long_message_keeps_its_beginning_and_its_end():
    finding = replace(sample.finding(Outcome.RAISED), staff="first line" + "." * 10_000 + "last line")
    [[cut]] = [e.findings for e in compact(sample.result(sample.exercise(finding))).exercises]
    assert cut.staff is not None
    assert len(cut.staff) == 400
    assert cut.staff.startswith("first line")
    assert cut.staff.endswith("last line")


def test_a_hundred_thousand_fit_in_some_hundred_megabytes():
    hint = Mistake("concat_heads__reshaped", "h" * 300, "i" * 300)
    finding = replace(sample.finding(Outcome.FAILED), mistake=hint, mistakes=((hint,),))
    wrong = [replace(finding, message=f"m{n}" * 30) for n in range(8)]
    exercises = [replace(sample.exercise(*wrong), name=f"exercise_{n}") for n in range(8)]
    text = to_json(sample.result(*exercises))

    def keep(numbers: range):
        # Each has other numbers in its messages, as a class has.
        return [compact(from_json(text.replace('"m0', f'"{number}'))) for number in numbers]

    def bytes_kept(numbers: range) -> int:
        tracemalloc.start()
        try:
            kept = keep(numbers)
            size = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        assert kept[0].exercises[0] is first[0].exercises[0]
        return size

    first = keep(range(10))  # what all share
    # The smallest of three: a table of shared parts that doubles during one is not that one's own.
    fifties = [range(10, 60), range(60, 110), range(110, 160)]
    assert min(map(bytes_kept, fifties)) / 50 < EACH
