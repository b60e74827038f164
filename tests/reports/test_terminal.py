import io
from dataclasses import replace

from rich.console import Console

from graders.results.case import Case
from graders.results.measurements import Timing
from graders.results.result import Mistake, Outcome, Remark
from reports.terminal import show
from tests.reports import sample

WHOLE = """\
Multi-head attention  alice  box: nested

Joining the heads  raised an error                                     2 / 6
✗  putting the heads back together undoes taking them apart            0 / 1
   x (2, 3) float32 = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]]
   1 of 6 values of the output differ
   expected: [[0.10, 1.00, 0.20], [0.30, 0.40, 0.50]]
   yours:    [[0.10, 0.67, 0.20], [0.30, 0.40, 0.50]]
   they differ most at [0, 1]: expected 1, yours 0.67
   hint: reshape alone mixes the heads: transpose first
   printed: debug: torch.Size([2, 3])
   the same hint for 1 further check:
   ✗  putting the heads back together undoes taking them apart         0 / 1
!  RuntimeError: shape '[1, 2, 6]' is invalid for input of size 24     0 / 1
   at cell 9, line 6
   x (1, 2, 4, 3) float32
   seen in the check: putting the heads back together undoes taking them
   apart
○  putting the heads back together undoes taking them apart (to  1 undecided
   be decided)
   decided at hand-in: it needs the reference
✓  2 checks hold                                                       2 / 2

Splitting into heads  not attempted                                    0 / 2
   there is no split_heads

Remarks
   cell 3 does not run as it stands (cell 3, line 1)

2 / 8, 2 points still to be decided
next: mend concat_heads
To read on: softmark explain undecided
"""


def test_a_result_in_a_narrow_terminal_without_colour() -> None:
    tried = sample.exercise(
        sample.finding(),
        sample.finding(Outcome.FAILED),
        sample.finding(Outcome.FAILED, message="another message"),
        sample.finding(Outcome.SKIPPED),
        sample.finding(),
        sample.finding(Outcome.RAISED),
        undecided_points=2,
    )
    absent = sample.exercise(
        name="split_heads", title="Splitting into heads", message="there is no split_heads"
    )
    assert shown(sample.result(tried, absent)) == WHOLE


def test_a_hint_is_printed_once_in_the_language_of_the_result() -> None:
    wrong = [sample.finding(Outcome.FAILED) for _ in range(3)]
    result = sample.result(sample.exercise(*wrong))
    text, french = shown(result), shown(replace(result, language="fr"))
    assert text.count("hint: reshape alone") == 1 and "reshape seul" not in text
    assert french.count("indice\u00a0: reshape seul") == 1 and "reshape alone" not in french
    every = shown(result, every=True)
    assert (text.count("1 of 6 values"), every.count("1 of 6 values")) == (1, 3)


def test_a_hint_without_french_is_given_in_english() -> None:
    alone = replace(sample.MISTAKE, hint_fr="")
    result = sample.result(sample.exercise(sample.finding(Outcome.FAILED, mistake=alone)))
    assert "indice\u00a0: reshape alone" in shown(replace(result, language="fr"))


def test_a_result_ends_with_the_topics_to_read() -> None:
    def topics(**changed: object) -> list[str]:
        exercise = sample.exercise(sample.finding(), sample.finding(changed.pop("outcome", Outcome.PASSED)))
        last = shown(replace(sample.result(replace(exercise, **changed)))).splitlines()[-1]
        return last.partition("softmark explain ")[2].split(", softmark explain ")

    assert topics() == [""]
    assert topics(outcome=Outcome.TIMED_OUT) == ["limits"]
    assert topics(outcome=Outcome.SKIPPED, undecided_points=1) == ["undecided"]
    assert topics(timing=Timing(skipped="too busy")) == ["timing"]
    assert topics(timing=Timing(says=("twice",))) == [""]


def test_of_an_exercise_that_passed_only_a_remark_is_shown_and_once() -> None:
    passed = [sample.finding(message=sample.COUNTED, output="printed") for _ in range(2)]
    lines = shown(sample.result(sample.exercise(*passed))).splitlines()
    assert sum("counted where it is" in line for line in lines) == 1
    assert not any("printed" in line or "✓" in line for line in lines)


def test_expected_and_actual_parameters_are_aligned() -> None:
    skipped = [sample.finding(Outcome.SKIPPED, message=sample.UNMATCHED) for _ in range(2)]
    text = shown(sample.result(sample.exercise(*skipped)))
    assert "\n   your instructor decides: the parameters should be W_q.weight" in text
    assert "\n   but they are heads.0.projection.weight" in text
    assert text.count("but they are") == 1


def test_every_outcome_has_its_own_mark() -> None:
    marks = {line[0] for line in shown(sample.result()).splitlines() if line[1:3] == "  "}
    assert {"✓", "✗", "!", "◷", "▤", "○", "?"} <= marks


def test_marks_are_ascii_on_an_ascii_terminal() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    show(Console(file=stream, width=76, force_terminal=False), replace(sample.result(), language="fr"))
    stream.seek(0)
    assert "indice : reshape seul melange les tetes" in stream.read()


def test_students_text_has_no_effect_on_the_terminal() -> None:
    evil = "[bold red]x[/] [link=http://e]y[/link] \x1b[31mred\x9b31m \x07:smile: \u202eabc \ud800"
    finding = sample.finding(
        Outcome.FAILED,
        says=evil,
        message=evil,
        case=Case(evil),
        mistake=Mistake("m", evil, evil),
        output=evil,
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


def test_lines_have_no_trailing_blanks() -> None:
    assert all(line == line.rstrip() for line in shown(sample.result()).splitlines())


def test_every_check_is_shown_in_full_on_request_in_its_order() -> None:
    wrong = [sample.finding(Outcome.RAISED, says=f"the check {n}") for n in range(3)]
    result = sample.result(sample.exercise(sample.finding(says="the right one"), *wrong))
    short, every = shown(result), shown(result, every=True)
    assert short.count("RuntimeError") == 1 and "the right one" not in short
    assert every.count("RuntimeError") == 3 and every.index("the right one") < every.index("the check 0")


def test_a_check_of_the_same_cause_has_one_line_however_long_its_title_is() -> None:
    wrong = [sample.finding(Outcome.FAILED, says="word " * 30) for _ in range(2)]
    lines = shown(sample.result(sample.exercise(*wrong))).splitlines()
    (line,) = (line for line in lines if line.startswith("   ✗"))
    assert line.endswith("word ...  0 / 1") and len(line) == 76


def shown(result, every: bool = False, **console) -> str:
    text = io.StringIO()
    show(Console(file=text, width=76, **({"force_terminal": False} | console)), result, every=every)
    return text.getvalue()


def test_a_french_line_never_breaks_at_a_no_break_space() -> None:
    message = "la sortie\u00a0: «\u00a0a\u00a0»\u202f! la forme devrait être\u00a0: (2, 1)"
    found = sample.exercise(sample.finding(outcome=Outcome.FAILED, message=message, mistake=None))
    for width in range(20, 60):
        out = io.StringIO()
        show(Console(file=out, width=width), replace(sample.result(found), language="fr"))
        assert "\ue000" not in out.getvalue()
        for line in out.getvalue().split("\n"):
            assert not line.strip().startswith((":", "!", "»")), line
