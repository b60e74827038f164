import io

from rich.console import Console

from graders.result import Case, Mistake, Outcome, Remark
from reports.terminal import show
from tests.reports import sample

WHOLE = """\
Multi-head attention  alice  box: nested

Joining the heads  raised an error                                     1 / 4
✓  putting the heads back together undoes taking them apart            1 / 1
✗  putting the heads back together undoes taking them apart            0 / 1
   x (2, 3) float32
   1 of 6 values of the output differ
   they differ most at [0, 1]: expected 1, yours 0.67
   hint: reshape alone mixes the heads: transpose first
   printed: debug: torch.Size([2, 3])
○  putting the heads back together undoes taking them apart (to  1 undecided
   be decided)
   decided at hand-in: it needs the reference
!  putting the heads back together undoes taking them apart (raised    0 / 1
   an error)
   x (1, 2, 4, 3) float32
   RuntimeError: shape '[1, 2, 6]' is invalid for input of size 24
   at cell 9, line 6

Splitting into heads  not attempted                                    0 / 2
   there is no split_heads

Remarks
   cell 3 does not run as it stands (cell 3, line 1)

1 / 6, 2 points still to be decided
"""


def test_a_result_in_a_narrow_terminal_without_colour() -> None:
    tried = sample.exercise(
        sample.finding(),
        sample.finding(Outcome.FAILED),
        sample.finding(Outcome.SKIPPED),
        sample.finding(Outcome.RAISED),
        undecided_points=2,
    )
    absent = sample.exercise(
        name="split_heads", title="Splitting into heads", message="there is no split_heads"
    )
    assert shown(sample.result(tried, absent)) == WHOLE


def test_every_outcome_has_a_mark_of_its_own() -> None:
    marks = {line[0] for line in shown(sample.result()).splitlines() if line[1:3] == "  "}
    assert {"✓", "✗", "!", "◷", "▤", "○", "?"} <= marks


def test_marks_are_plain_where_the_terminal_knows_no_others() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    show(Console(file=stream, width=76, force_terminal=False), sample.result())
    stream.flush()


def test_students_text_is_neither_markup_nor_an_escape() -> None:
    evil = "[bold red]x[/] [link=http://e]y[/link] \x1b[31mred\x9b31m \x07:smile: \u202eabc \ud800"
    finding = sample.finding(
        Outcome.FAILED, says=evil, message=evil, case=Case(evil), mistake=Mistake("m", evil), output=evil
    )
    exercise = sample.exercise(finding, title=evil, message=evil)
    result = sample.result(exercise, id=evil, title=evil, remarks=(Remark(evil, evil),))
    text = shown(result, force_terminal=True, color_system=None)
    assert "[bold red]x[/] [link=http://e]y[/link]" in text.replace("\n", " ")
    assert ":smile:" in text
    assert not any(c in text for c in "\x1b\x9b\x07\u202e\ud800")


def test_a_long_output_is_cut() -> None:
    text = shown(sample.result(sample.exercise(sample.finding(Outcome.FAILED, output="line\n" * 500))))
    assert text.count("line\n") == 12 and "[... 488 more lines]" in text


def test_a_run_without_a_box_says_so() -> None:
    assert "without a sandbox" in shown(sample.result(sandbox="open"))


def test_lines_end_where_their_words_end() -> None:
    assert all(line == line.rstrip() for line in shown(sample.result()).splitlines())


def shown(result, **console) -> str:
    text = io.StringIO()
    show(Console(file=text, width=76, **({"force_terminal": False} | console)), result)
    return text.getvalue()
