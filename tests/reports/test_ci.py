"""What runners and classrooms read: annotations, summaries, scores. Whatever a student wrote, it is text."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from graders.language import speaking
from graders.results.result import Definition, ExerciseResult, Mistake, Outcome, Place, Remark, Result
from reports.ci import classroom, classroom50, github, summary
from reports.ci.check_text import points_lost
from reports.ci.classroom50 import Identity
from reports.ci.escape import clean, code_block, command, escape_markdown, stop_commands, without_commands
from reports.ci.github import MAX_ANNOTATIONS, Spot
from reports.ci.lines import line_of
from tests.reports import sample
from tests.reports.on_github import RESULT_V1, Command, read_commands, read_report

WHO = Identity(
    *("ml", "attention", "individual", "alice", "submit/2026-06-01T14-32-05Z-a1b2c3d"),
    *("https://github.com/o/r/commit/1", "https://github.com/o/r/releases/tag/t", "https://github.com/o/r/2"),
)
BAIT = (
    *(
        "::",
        "##[",
        "##[error]",
        "]",
        "\n",
        "\r",
        "```",
        "````",
        "~~~",
        "|",
        "%0A",
        "%25",
        "error",
        "notice title=x::1",
    ),
    *(
        "stop-commands::",
        "<img src=x onerror=a>",
        "![a](http://b.example)",
        "[a](http://b.example)",
        "\t",
        " ",
    ),
    *("<!--", "</details>", "@all", "#1", "- ", "1. ", "> ", "    ", "\\", "`", "*", "_", ",", "=", "\u2028"),
)
written = st.lists(st.sampled_from(BAIT) | st.text(max_size=5), max_size=12).map("".join)


def here(place: Place) -> Spot:
    return Spot(f"work/{place.file}", place.line)


def wrong(
    text: str = "one value differs", outcome: Outcome = Outcome.FAILED, **changes: Any
) -> ExerciseResult:
    return sample.exercise(sample.finding(outcome, message=text, output=text, **changes))


def untrusted(text: str) -> Result:
    """A result with a student's text wherever there can be one."""
    definition = Definition(text, 1, 2, text)
    exercises = [
        replace(wrong(text), definitions=(definition,)),
        wrong(text, Outcome.RAISED, place=Place(text, None, 3)),
        sample.exercise(message=text),
        sample.exercise(sample.finding(Outcome.BROKEN, message=text), message=text, undecided_points=1),
    ]
    remarks = (Remark(text, text, 1, 2), Remark(text))
    return sample.result(*exercises, remarks=remarks)


@given(written, written, st.integers(1, 10**6))
def test_a_runner_parses_our_commands_back(message: str, title: str, line: int) -> None:
    given_title = {"title": clean(title).strip()} if clean(title).strip() else {}
    meant = Command("error", clean(message).strip(), {"line": str(line)} | given_title)
    assert read_commands(command("error", message, line=line, title=title) + "\n::debug::") == [
        meant,
        Command("debug", ""),
    ]


@given(written)
def test_a_students_text_neither_adds_nor_hides_an_annotation(text: str) -> None:
    log = github.annotations(untrusted(text), here) + github.printed_output(untrusted(text))
    plain = github.annotations(untrusted("a"), here) + github.printed_output(untrusted("a"))
    kinds = [(item.name, item.properties.get("title")) for item in read_commands(log)]
    assert kinds == [(item.name, item.properties.get("title")) for item in read_commands(plain)]
    assert [kind for kind, _ in kinds] == [
        "error",
        "error",
        "warning",
        "notice",
        "notice",
        "notice",
        "notice",
    ]


@given(written)
def test_a_runner_finds_no_command_between_stop_commands(text: str) -> None:
    assert read_commands(stop_commands(text) + "::notice::after") == [Command("notice", "after")]


@given(written)
def test_a_runner_finds_no_command_in_a_text_without_commands(text: str) -> None:
    assert read_commands(without_commands(text)) == []


def test_the_end_marker_is_random() -> None:
    assert len({stop_commands("a") for _ in range(10)}) == 10


def test_without_stop_commands_a_runner_would_find_the_commands() -> None:
    forged = '::notice title=Autograding report::{"totalPoints":10}'
    assert [item.name for item in read_commands(f"  {forged}\nsays ##[error]gone")] == ["notice", "error"]


def test_an_annotation_is_on_the_line_that_raised_with_the_case_and_the_hint() -> None:
    at = Place("rendu.ipynb", 9, 6)
    item = sample.result(wrong(place=at), remarks=())
    [error, notice] = read_commands(github.annotations(item, here))
    assert error.properties == {
        "file": "work/rendu.ipynb",
        "line": "6",
        "title": "Joining the heads: failed, 0 / 1",
    }
    assert error.data.split("\n") == [
        "cell 9, line 6",
        "putting the heads back together undoes taking them apart",
        "x (2, 3) float32 = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]",
        "one value differs",
        "expected: [[0.10, 1.00, 0.20], [0.30, 0.40, 0.50]]",
        "yours:    [[0.10, 0.67, 0.20], [0.30, 0.40, 0.50]]",
        "they differ most at [0, 1]: expected 1, yours 0.67",
        f"hint: {sample.MISTAKE.hint}",
    ]
    assert notice == Command("notice", "0 / 1", {"title": "Multi-head attention"})


def test_a_hint_is_in_the_language_of_the_result() -> None:
    with speaking("fr"):
        said = github.annotations(sample.result(wrong(), language="fr"), here)
    assert clean(sample.MISTAKE.hint_fr) in read_commands(said)[0].data
    assert sample.MISTAKE.hint not in read_commands(said)[0].data


def test_a_place_outside_the_repository_has_no_line() -> None:
    [error, _] = read_commands(github.annotations(sample.result(wrong(), remarks=()), lambda place: None))
    assert list(error.properties) == ["title"]


def test_there_are_at_most_ten_annotations_most_points_first() -> None:
    exercises = [
        replace(wrong(), title=f"{points}", max_points=points, definitions=()) for points in range(1, 15)
    ]
    commands = read_commands(github.annotations(sample.result(*exercises), here))
    titles = [item.properties["title"].partition(":")[0] for item in commands if item.name == "error"]
    assert titles == [str(points) for points in range(14, 4, -1)]
    assert len(titles) == MAX_ANNOTATIONS


def test_each_wrong_exercise_has_an_annotation_before_another_has_its_second() -> None:
    places = [Place("a.py", None, line) for line in (1, 2, 2)]
    several = sample.exercise(*(sample.finding(Outcome.RAISED, place=place) for place in places))
    commands = read_commands(
        github.annotations(sample.result(several, replace(wrong(), title="other")), here)
    )
    titles = [(e.properties["title"], e.properties.get("line")) for e in commands if e.name == "error"]
    assert [line for title, line in titles if not title.startswith("other")] == ["1", "2"]
    assert titles[1][0].startswith("other")


def parsed(text: str) -> list[Any]:
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    return [item for token in tokens for item in (token, *(token.children or ()))]


@given(written)
def test_a_summary_shows_a_students_text_only_as_code(text: str) -> None:
    with_text, without = (parsed(summary.markdown(untrusted(t))) for t in (f"{text}a", "a"))
    shape = [token.type for token in without if token.type != "text"]
    assert [token.type for token in with_text if token.type != "text"] == shape
    assert not {"link_open", "image", "html_block", "html_inline"} & set(shape)
    for token in with_text:
        if token.type in ("text", "text_special", "inline"):
            assert "b.example" not in token.content


@given(written)
def test_a_block_of_code_holds_all_of_the_text_and_ends_with_it(text: str) -> None:
    [fence, after, *_] = parsed(code_block(text) + "after")
    assert fence.type == "fence" and after.type == "paragraph_open"
    assert fence.content.strip("\n") == clean(text).strip("\n")


@given(st.text(st.characters(min_codepoint=32, max_codepoint=0x2000), max_size=20))
def test_our_own_text_is_escaped_in_a_line_and_in_a_table(text: str) -> None:
    words = " ".join(clean(text).split())
    for page in (f"x {escape_markdown(text)} x", f"| a |\n| --- |\n| x {escape_markdown(text)} x |\n"):
        shown = "".join(t.content for t in parsed(page) if t.type in ("text", "text_special"))
        assert shown.removeprefix("a") == (f"x {words} x" if words else "x  x")


def test_a_summary_shows_a_repeated_error_once() -> None:
    same = sample.finding(Outcome.RAISED)
    text = summary.markdown(sample.result(sample.exercise(same, same, same), remarks=()))
    assert text.count("RuntimeError") == text.count("```text") == 1
    assert "the same as above" not in text


def test_a_summary_has_the_outcome_of_each_exercise() -> None:
    text = summary.markdown(sample.result(remarks=()))
    for exercise in sample.every_outcome():
        assert escape_markdown(exercise.title) in text
    rows = [token for token in parsed(text) if token.type == "tr_open"]
    assert len(rows) == 1 + len(sample.every_outcome())


def test_a_summary_begins_with_what_is_wrong_and_folds_what_has_no_reason_of_its_own() -> None:
    scale = Mistake("scale", "The scores are not scaled. Look at sqrt.", "Sans échelle.")
    named = sample.finding(Outcome.FAILED, says="values", mistake=scale, mistakes=((scale,),))
    other = sample.finding(Outcome.FAILED, says="gradients", mistake=None, mistakes=())
    exercises = sample.exercise(sample.finding(), name="right"), sample.exercise(other, named, name="wrong")
    text = summary.markdown(sample.result(*exercises, remarks=()))
    rows = [line for line in text.split("\n") if line.startswith("| ")][2:]
    assert ["failed" in row for row in rows] == [True, False]
    assert "The scores are not scaled" in rows[0]
    before, _, folded = text.partition("<details><summary>1 further check fails</summary>\n\n")
    assert "**values**" in before and "**gradients**" in folded and "\n</details>\n" in folded


@given(st.integers(0, 30_000), st.integers(0, 40))
def test_a_summary_stays_within_its_bytes_and_says_what_is_missing(limit: int, count: int) -> None:
    item = sample.result(*(wrong("é" * 300) for _ in range(count)))
    text = summary.markdown(item, limit)
    assert len(text.encode()) <= limit
    whole = summary.markdown(item)
    assert text == whole or not text or "no room here" in text
    assert text or limit < 1_500
    assert text.count("```") % 2 == 0
    if limit > len(whole.encode()) + 1_000:
        assert text == whole


lines_of_code = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=8)
sources = st.lists(lines_of_code, min_size=1, max_size=5)


@given(st.lists(sources, min_size=1, max_size=4), st.sampled_from([None, 0, 1, "\t"]), st.data())
def test_a_line_of_a_cell_is_found_in_the_notebooks_json(
    cells: list[list[str]], indent: int | str | None, data: st.DataObject
) -> None:
    content = {
        "metadata": {"cells": [{"source": ["decoy"]}]},
        "cells": [
            {
                "outputs": [{"text": ['{"source": [\n']}],
                "source": [f"{source_line}\n" for source_line in cell[:-1]] + cell[-1:],
                "cell_type": "code",
            }
            for cell in cells
        ],
        "nbformat": 4,
    }
    text = json.dumps(content, indent=indent, ensure_ascii=data.draw(st.booleans()))
    cell = data.draw(st.integers(1, len(cells)))
    line = data.draw(st.integers(1, len(cells[cell - 1])))
    position = line_of(text.encode(data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))), cell, line)
    assert position is not None
    stands = text.split("\n")[position - 1].strip().rstrip(",")
    if indent is None:
        assert position == 1
    else:
        assert json.loads(stands).rstrip("\n") == cells[cell - 1][line - 1].rstrip("\n")


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b'{"cells": 3}', b'{"cells": [{}]}', b'{"cells": [{"source": [1]}]}', b"\xff", b"[" * 99_999],
    ids=["empty", "cut", "no list", "no source", "no text", "no UTF-8", "deep"],
)
def test_a_file_that_is_not_a_notebook_has_no_lines(data: bytes) -> None:
    assert line_of(data, 1, 1) is None


def test_a_missing_line_is_not_found() -> None:
    data = json.dumps({"cells": [{"source": ["a\n", "b"]}]}, indent=1).encode()
    assert [line_of(data, cell, line) for cell, line in ((1, 3), (2, 1), (0, 1), (1, 0))] == [None] * 4


def test_a_source_in_one_string_is_on_one_line() -> None:
    data = b'{"cells": [\n{"source":\n"a\\nb\\nc"}]}'
    assert [line_of(data, 1, line) for line in (1, 2, 3)] == [3, 3, 3]


def passed(points: float = 1, **changes: Any) -> ExerciseResult:
    return sample.exercise(sample.finding(points=points, max_points=points), **changes)


FULL = sample.result(passed(2), passed(0.25))
PARTIAL = sample.result(passed(2.25), sample.exercise(sample.finding(), sample.finding(Outcome.FAILED)))
ZERO = sample.result(wrong(), sample.exercise(message="there is no concat_heads"))
TIMED_OUT = sample.result(*(wrong(outcome=Outcome.TIMED_OUT) for _ in range(3)))
BROKEN = sample.result(passed(), wrong(outcome=Outcome.BROKEN), undecided_points=1)
UNDECIDED = sample.result(
    passed(),
    sample.exercise(
        sample.finding(), sample.finding(Outcome.SKIPPED), outcome=Outcome.PASSED, undecided_points=1
    ),
)
FIVE = pytest.mark.parametrize(
    ("result", "fails"),
    [
        (FULL, ""),
        (PARTIAL, "Some tests failed."),
        (ZERO, "Some tests failed."),
        (TIMED_OUT, "Some tests failed."),
        (BROKEN, "Some tests errored."),
        (UNDECIDED, ""),
    ],
    ids=["full", "partial", "zero", "timed out", "broken", "undecided"],
)


@FIVE
def test_classroom_counts_the_points_that_we_count(result: Result, fails: str) -> None:
    assert read_report(classroom.output(result, here)) == (result.points, result.max_points, fails)


def test_a_test_passes_only_with_all_points_and_undecided_ones_are_named() -> None:
    tests = json.loads(classroom.results_json(UNDECIDED, here))["tests"]
    assert [test["status"] for test in tests] == ["pass", "error"]
    assert "1 point still to be decided" in tests[1]["message"]
    assert [t["status"] for t in json.loads(classroom.results_json(PARTIAL, here))["tests"]] == [
        "pass",
        "fail",
    ]


def test_the_reporter_shows_no_line_of_a_notebook() -> None:
    at = [Place("rendu.ipynb", 9, 6), Place("rendu.py", None, 6)]
    item = sample.result(*(wrong(outcome=Outcome.RAISED, place=place) for place in at))
    tests = json.loads(classroom.results_json(item, here))["tests"]
    assert [(t["line_no"], t["filename"]) for t in tests] == [(0, "work/rendu.ipynb"), (6, "work/rendu.py")]


NO_NUMBERS = (math.nan, math.inf, -math.inf)
numbers = st.sampled_from(NO_NUMBERS) | st.floats(-1e9, 1e9) | st.integers(0, 160).map(lambda n: n / 8)


@st.composite
def results(draw: st.DrawFn) -> Result:
    """Any result, also such as grading does not make."""
    exercises = [
        replace(
            wrong(draw(written), draw(st.sampled_from(Outcome))),
            **{key: draw(numbers) for key in ("points", "max_points", "undecided_points")},
        )
        for _ in range(draw(st.integers(0, 5)))
    ]
    some: Sequence[ExerciseResult] = exercises or [wrong()]
    item = sample.result(*some, points=draw(numbers), max_points=draw(numbers), seconds=draw(numbers))
    return replace(item, exercises=tuple(exercises), undecided_points=0)


@given(results())
def test_classroom_always_gets_points_within_the_maximum(result: Result) -> None:
    points, most, fails = read_report(classroom.output(result, here))
    assert 0 <= points <= most < math.inf
    if not fails and result.exercises:
        assert all(points_lost(exercise) == 0 for exercise in result.exercises)
    for test in json.loads(classroom.results_json(result, here))["tests"]:
        assert read_commands(f"{test['name']}\n{test['message']}\n{test['test_code']}") == []


def test_the_output_for_classroom_fits_into_an_environment_variable() -> None:
    long = sample.result(*(wrong("é" * 4_000) for _ in range(100)))
    assert read_report(classroom.output(long, here))[:2] == (0, 100)


@FIVE
def test_classroom_50_gets_our_points_times_100(result: Result, fails: str) -> None:
    data = json.loads(classroom50.result_json(result, WHO))
    jsonschema.validate(data, RESULT_V1)
    assert (data["score"], data["max-score"]) == (result.points * 100, result.max_points * 100)
    assert [test["points"] for test in data["tests"]] == [e.points for e in result.exercises]
    assert all(test["score"] <= test["max-score"] for test in data["tests"])
    assert [test["passed"] for test in data["tests"]] == [
        e.points == e.max_points and e.outcome is Outcome.PASSED for e in result.exercises
    ]
    states = {"": "success", "Some tests failed.": "failure", "Some tests errored.": "error"}
    assert classroom50.outputs(result).split("\n")[0] == f"status={states[fails]}"


ACCEPTS = jsonschema.validators.validator_for(RESULT_V1)(RESULT_V1)  # made once: making it checks the schema


@settings(max_examples=40)
@given(results())
@pytest.mark.slow
def test_classroom_50_accepts_every_result(result: Result) -> None:
    data = json.loads(classroom50.result_json(result, WHO))
    ACCEPTS.validate(data)
    assert data["score"] <= data["max-score"]
    assert all(test["score"] <= test["max-score"] for test in data["tests"])


def test_the_time_of_submission_is_that_of_the_tag() -> None:
    data = [
        json.loads(classroom50.result_json(FULL, replace(WHO, submission=tag)))
        for tag in (WHO.submission, "submit/by-hand")
    ]
    assert [item["datetime"] for item in data] == ["2026-06-01T14:32:05Z", "2026-11-21T10:00:00Z"]
    assert {item["graded_at"] for item in data} == {"2026-11-21T10:00:00Z"}


@pytest.mark.parametrize("key", ["extra", "score", "submission", "datetime", "tests"])
def test_the_schema_refuses_what_classroom_50_refuses(key: str) -> None:
    data = json.loads(classroom50.result_json(FULL, WHO))
    data[key] = {"score": 0.5, "tests": [{"test-name": "a", "passed": True, "score": 0.25}]}.get(key, "x")
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, RESULT_V1)


def test_the_release_page_is_short_enough_and_names_the_report() -> None:
    long = sample.result(*(wrong("é" * 4_000) for _ in range(100)))
    for result in (FULL, long):
        text = classroom50.release_body(result)
        assert len(text) < 125_000 and len(text.encode()) <= classroom50.RELEASE_LIMIT
        assert text.rstrip().endswith("below\\.")
        assert "softmark\\-report\\.html" in text
