"""The audit: what it tries, the gaps that it finds, and its page."""

from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
import torch
from click.testing import CliRunner
from rich.console import Console

from graders.audit.audit import with_gaps
from graders.audit.cheap_mistakes import mark_if_cheap
from graders.audit.find_gaps import LEAST_RIGHT
from graders.audit.idle_wholes import try_idle_whole
from graders.audit.spoiled_answers import empty_answers, odd_answers
from graders.audit.try_answer import try_again, try_answer
from graders.audit.with_key import key_gaps
from graders.cli.actions.audit import tell_gaps
from graders.cli.main import main
from graders.course.exercise import Assignment, Exercise, load_assignment
from graders.course.reference import mistakes, reference
from graders.grade import Grader
from graders.handout.make_key import make_key
from graders.judging.draws import Draws
from graders.language import speaking
from graders.results.audit_result import AuditedExercise, Kind, Tried
from reports import audit

# Not where the environment says: tests of attacks name a copy without right answers there.
RIGHT = Path(__file__).parents[2] / "solutions/right/transformer_block"
RIGHT_SPLIT = min((RIGHT.parent / "split_heads").glob("*.py"))


@pytest.fixture
def exercise(assignment: Assignment) -> Exercise:
    [exercise] = assignment.only(["split_heads"]).exercises
    return exercise


@pytest.fixture
def strict(exercise: Exercise) -> tuple[str, ...]:
    return tuple(check.name for check in exercise.checks if not check.shape_only)


@pytest.fixture
def sound(exercise: Exercise) -> list[Tried]:
    """Answers with which nothing is missing."""
    every = tuple(check.name for check in exercise.checks)
    return [
        Tried(Kind.REFERENCE, "split_heads", "passed"),
        *(Tried(Kind.RIGHT, f"style {n}", "passed") for n in range(LEAST_RIGHT)),
        Tried(Kind.MISTAKE, "split_heads__turned", "failed", every, (("split_heads__turned",),)),
        Tried(Kind.EMPTY, "zeros", "failed", every),
        Tried(Kind.ODD, "None", "failed", every),
    ]


def gaps(exercise: Exercise, tried: list[Tried]) -> tuple[str, ...]:
    return with_gaps(exercise, "attention", tried).gaps


def changed(tried: list[Tried], kind: Kind, **changes: object) -> list[Tried]:
    return [replace(t, **changes) if t.kind is kind else t for t in tried]


def test_a_whole_that_does_nothing_around_parts_that_do_nothing_loses_all(assignment: Assignment, draws, box):
    one = assignment.only(["transformer_block"])
    [block] = one.exercises
    grader = Grader(one, Draws(draws.seed, tries=0).first(3), box, names_mistakes=False)
    tried = try_idle_whole(grader, block, sorted(RIGHT.glob("*.py")))
    assert tried is not None
    assert {check.name for check in block.checks if not check.shape_only} <= set(tried.failed)
    [joins] = assignment.only(["concat_heads"]).exercises
    assert try_idle_whole(grader, joins, []) is None


def test_another_verdict_with_an_answer_key_is_a_gap(exercise, assignment, draws, box, monkeypatch):
    grader = Grader(assignment.only([exercise.name]), Draws(draws.seed, tries=0), box)
    tried = [
        Tried(Kind.MISTAKE, "split_heads__strided", "failed"),
        Tried(Kind.RIGHT, RIGHT_SPLIT.stem, "passed"),
        Tried(Kind.EMPTY, "zeros", "failed"),
    ]
    assert list(key_gaps(grader, exercise, tried, None)) == []
    without_hints = make_key(grader.assignment, draws.seed, hints=False)
    monkeypatch.setattr("graders.audit.with_key.make_key", lambda *_: without_hints)
    [gap] = key_gaps(grader, exercise, tried, None)
    assert gap.startswith("split_heads__strided: with an answer key the verdict is another: ")


def test_where_all_is_caught_and_accepted_there_is_no_gap(exercise, sound):
    assert gaps(exercise, sound) == ()


def test_a_mistake_that_no_check_catches_is_a_gap(exercise, sound):
    missed = Tried(Kind.MISTAKE, "split_heads__odd", "passed")
    [gap] = gaps(exercise, [*sound, missed])
    assert gap.startswith("split_heads__odd is not caught: ")


def test_a_mistake_that_is_named_as_another_is_a_gap(exercise, sound):
    [gap] = gaps(exercise, changed(sound, Kind.MISTAKE, named=(("split_heads__strided",),)))
    assert gap.startswith("split_heads__turned is named as split_heads__strided: ")


def test_a_mistake_that_is_named_as_one_of_two_is_a_gap(exercise, sound):
    two = (("split_heads__turned",), ("split_heads__strided",))
    audited = with_gaps(exercise, "attention", changed(sound, Kind.MISTAKE, named=two))
    [gap] = audited.gaps
    assert gap.startswith("split_heads__turned is named as split_heads__turned | split_heads__strided: ")
    assert [t.name for t in audited.misnamed] == ["split_heads__turned"]


def test_a_mistake_that_is_not_named_is_a_gap(exercise, sound):
    [gap] = gaps(exercise, changed(sound, Kind.MISTAKE, named=()))
    assert gap.startswith("split_heads__turned is not named: ")


def test_mistakes_with_the_same_gap_are_said_in_one_sentence(exercise, sound):
    both = (("a",), ("b",))
    every = tuple(check.name for check in exercise.checks)
    alike = [
        Tried(Kind.MISTAKE, f"split_heads__{name}", "failed", every, both) for name in ("turned", "strided")
    ]
    unnamed = [Tried(Kind.MISTAKE, f"split_heads__{name}", "failed", every) for name in "ab"]
    assert [gap.partition(":")[0] for gap in gaps(exercise, [*sound, *alike, *unnamed])] == [
        "split_heads__turned and split_heads__strided are named as a | b",
        "split_heads__a and split_heads__b are not named",
    ]


def test_a_check_that_catches_nothing_is_a_gap(exercise, sound):
    sentences = gaps(exercise, changed(sound, Kind.MISTAKE, failed=("splits_the_width",)))
    assert [gap.partition(":")[0] for gap in sentences] == [
        f"the check {check.name} catches no mistake"
        for check in exercise.checks
        if check.name != "splits_the_width" and not check.kept_because
    ]


def test_a_check_that_stays_with_a_reason_may_catch_nothing(exercise, sound):
    reasoned = replace(
        exercise, checks=tuple(replace(c, kept_because="it is cheap") for c in exercise.checks)
    )
    assert gaps(reasoned, changed(sound, Kind.MISTAKE, failed=("splits_the_width",))) == ()


def test_an_empty_answer_that_passes_is_a_gap_for_each_check_that_is_not_about_shape(exercise, sound, strict):
    tried = [*changed(sound, Kind.EMPTY, failed=()), Tried(Kind.EMPTY, "ones", "passed")]
    assert [gap.partition(":")[0] for gap in gaps(exercise, tried)] == [
        f"the check {name} lets empty answers pass (zeros and ones)" for name in sorted(strict)
    ]


def test_an_odd_answer_that_is_accepted_is_a_gap(exercise, sound, strict):
    sentences = gaps(exercise, changed(sound, Kind.ODD, failed=()))
    assert [gap.partition(":")[0] for gap in sentences] == [
        f"the check {name} accepts None" for name in sorted(strict)
    ]


def test_a_check_that_fails_itself_is_a_gap_once_for_each_line_in_which_it_does(exercise, sound):
    error = "graders/checks/split_heads.py, line 3: NameError: name 'tensr' is not defined"
    broken = changed(sound, Kind.MISTAKE, outcome="broken", failed=("splits",), message=error)
    again = changed(broken, Kind.EMPTY, outcome="broken", failed=("splits",), message=error)
    sentences = [gap for gap in gaps(exercise, again) if "itself" in gap]
    [sentence] = sentences
    assert sentence == f"the check splits itself fails on split_heads__turned and zeros: correct it: {error}"


def test_core_checks_weigh_at_least_a_third(exercise, sound):
    light = tuple(replace(c, points=1.0, on_its_word=False) for c in exercise.checks)
    [gap] = gaps(replace(exercise, checks=light), sound)
    assert gap == "the checks with core=True weigh 12% of the points: give them at least a third"
    none = tuple(replace(c, core=False) for c in exercise.checks)
    [gap] = gaps(replace(exercise, checks=none), sound)
    assert gap.startswith("no check has core=True: mark the one")


def test_checks_that_a_false_report_can_pass_weigh_a_tenth_at_most(exercise, sound):
    heavy = tuple(replace(c, points=2 * c.points) if c.on_its_word or c.core else c for c in exercise.checks)
    [gap] = gaps(replace(exercise, checks=heavy), sound)
    assert gap == "the checks with on_its_word=True weigh 12% of the points: give them a tenth at most"


def test_a_mistake_that_computes_something_else_and_keeps_most_points_is_a_gap(exercise, draws: Draws):
    name = "split_heads__strided"
    make = partial(lambda: mistakes("split_heads", "split_heads")[name])
    caught = Tried(Kind.MISTAKE, name, "failed", ("gives_each_head_its_columns",), ((name,),))
    assert mark_if_cheap(exercise, draws, caught, make) == caught
    light = tuple(replace(c, points=1.0 if c.core else 4.0, core=False) for c in exercise.checks)
    lighter = replace(exercise, checks=light)
    cheap = mark_if_cheap(lighter, draws, caught, make)
    assert cheap.cheap
    [sentence] = [gap for gap in gaps(lighter, [cheap]) if name in gap]
    assert sentence.startswith(
        f"{name} computes something else than the reference and keeps 97% of the points"
    )


def test_a_mistake_in_gradients_alone_may_keep_most_points(exercise, draws: Draws):
    name = "split_heads__detached"
    make = partial(lambda: mistakes("split_heads", "split_heads")[name])
    tried = Tried(Kind.MISTAKE, name, "failed", ("passes_gradients_back",), ((name,),))
    assert not mark_if_cheap(exercise, draws, tried, make).cheap


def test_too_few_right_answers_are_a_gap(exercise, sound):
    fewer = [t for t in sound if t.name != "style 0"]
    [gap] = gaps(exercise, fewer)
    assert gap.startswith(f"solutions/right/split_heads/ needs at least {LEAST_RIGHT} right answers")


@pytest.mark.parametrize("kind", [Kind.REFERENCE, Kind.RIGHT])
def test_a_right_answer_that_fails_is_a_gap(kind, exercise, sound):
    [sentence, *_] = gaps(
        exercise, changed(sound, kind, outcome="failed", failed=("splits_the_width",), message="it is wide")
    )
    assert sentence.startswith(f"the {kind} ")
    assert sentence.endswith("is not accepted: splits_the_width: it is wide")


def test_a_right_answer_that_is_undecided_is_a_gap(exercise, sound):
    first, *rest = [t for t in sound if t.kind is Kind.RIGHT]
    others = [t for t in sound if t.kind is not Kind.RIGHT]
    skipped = replace(first, outcome="skipped", message="your instructor decides")
    sentences = gaps(exercise, [*others, skipped, *rest])
    assert sentences == ("the right answer style 0 is not accepted: your instructor decides",)


def test_a_mistake_of_ours_is_caught_and_named_in_this_process(exercise, draws: Draws):
    name = "split_heads__strided"
    make = partial(lambda: mistakes("split_heads", "split_heads")[name])
    tried = try_answer(exercise, draws, Kind.MISTAKE, name, make)
    assert (tried.outcome, tried.named) == ("failed", ((name,),))
    assert "gives_each_head_its_columns" in tried.failed


def test_a_check_that_caught_nothing_is_tried_on_all_draws(exercise, draws: Draws):
    name = "split_heads__strided"
    make = partial(lambda: mistakes("split_heads", "split_heads")[name])
    checks = {check.name: check for check in exercise.checks}
    tried = Tried(Kind.MISTAKE, name, "failed", ("passes_gradients_back",))
    again = try_again(exercise, draws, tried, checks["gives_each_head_its_columns"], make)
    assert again.failed == ("passes_gradients_back", "gives_each_head_its_columns")
    assert try_again(exercise, draws, tried, checks["splits_the_width"], make) is tried


@pytest.mark.parametrize("name", ["constant", "zeros", "identity", "shuffled", "random"])
def test_an_empty_answer_passes_what_is_about_shape_alone(name: str, exercise, strict, draws: Draws):
    tried = try_answer(exercise, draws, Kind.EMPTY, name, empty_answers(exercise)[name])
    assert {*strict} <= {*tried.failed}
    assert "splits_the_width" not in tried.failed


def test_an_odd_answer_is_refused_by_every_check_that_looks_at_answers(exercise, draws: Draws):
    every = tuple(check.name for check in exercise.checks)
    for name, make in odd_answers(exercise).items():
        assert try_answer(exercise, draws, Kind.ODD, name, make).failed == every, name


def test_one_number_is_not_left_as_it_is_where_an_answer_is_shuffled():
    [exercise] = load_assignment("foundations").only(["cross_entropy"]).exercises
    right, shuffled = reference("cross_entropy", "cross_entropy"), empty_answers(exercise)["shuffled"]()
    arguments = torch.arange(6.0).reshape(2, 3), torch.tensor([0, 2])
    assert shuffled(*arguments).shape == ()
    assert not torch.equal(shuffled(*arguments), right(*arguments))
    assert not torch.equal(shuffled(*arguments), shuffled(*arguments))


class Balanced(HTMLParser):
    """Whether every element that is opened is closed, in order."""

    VOID = ("meta", "link", "br", "hr", "img", "input", "col")

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag


@pytest.fixture
def gapped(exercise, sound) -> AuditedExercise:
    hostile = Tried(Kind.MISTAKE, "split_heads__<script>", "passed")
    return with_gaps(exercise, "attention", [*sound, hostile])


def test_the_page_says_the_gaps(gapped):
    assert "split_heads__&lt;script&gt; is not caught: " in audit.render([gapped])


def test_the_page_is_well_formed_and_hostile_names_do_not_get_into_it(gapped):
    text = audit.render([gapped])
    page = Balanced()
    page.feed(text)
    assert page.opened == []
    assert len(set(page.ids)) == len(page.ids)
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert "<script" not in text


def test_which_exercise_has_gaps_is_said_before_the_next_has_ended(gapped, capsys):
    def come():
        yield gapped
        said.append(capsys.readouterr().err)
        yield gapped

    said: list[str] = []
    assert list(tell_gaps(come(), lambda e: len(e.gaps))) == [gapped, gapped]
    assert said == ["split_heads: 1 gap\n"]
    [line] = audit.gap_lines(gapped)
    assert line.startswith("split_heads: split_heads__<script> is not caught: ")


def test_a_log_has_the_whole_headings_in_french_too(gapped):
    log = StringIO()
    with speaking("fr"):
        audit.show(Console(file=log, width=80), [gapped])
    headings, *_ = log.getvalue().split("\n")
    assert headings.split()[1:4] == ["vérifications", "erreurs", "trouvées"]


def test_an_audit_that_was_interrupted_does_not_say_that_there_is_no_gap(gapped, capsys):
    for complete in (True, False):
        audit.show(Console(), [replace(gapped, gaps=())], complete=complete)
        assert ("no gap" in capsys.readouterr().out) is complete


def test_the_figures_add_up(gapped):
    figures = dict(zip(audit.COLUMNS, audit.counts(gapped), strict=True))
    assert figures == {
        "checks": 8,
        "mistakes": 2,
        "caught": 1,
        "named": 1,
        "misnamed": 0,
        "right": LEAST_RIGHT,
        "accepted": LEAST_RIGHT,
        "gaps": 1,
    }
    assert audit.total([gapped, gapped]) == tuple(2 * n for n in audit.counts(gapped))
    assert audit.total([]) == (0,) * len(audit.COLUMNS)


@pytest.mark.programs
def test_split_heads_has_no_gap(tmp_path: Path, monkeypatch):
    monkeypatch.delenv("SOFTMARK_SOLUTIONS", raising=False)
    arguments = ["audit", "split_heads", "--jobs", "1", "--out", str(tmp_path)]
    run = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert run.exit_code == 0, run.output
    assert "no gap" in run.output
    assert "split_heads" in (tmp_path / "audit.html").read_text(encoding="utf-8")


def test_a_name_that_is_not_known_is_answered_with_the_nearest():
    run = CliRunner().invoke(main, ["audit", "split_head"])
    assert run.exit_code == 2
    assert "there is no assignment or exercise 'split_head': did you mean split_heads" in run.output


def test_an_answer_that_is_right_but_for_one_thing_may_lose_one_check_alone(exercise, sound):
    def gaps_of(may_lose: str, *failed: str) -> tuple[str, ...]:
        tried = Tried(Kind.DEVIATION, "odd", "failed", failed, may_lose=may_lose, message="why")
        return gaps(exercise, [*sound, tried])

    assert gaps_of("splits", "splits") == gaps_of("none") == ()
    [more] = gaps_of("splits", "splits", "keeps")
    assert more == "odd, which is right but for one thing, should fail splits, but fails splits, keeps: why"
    [fewer] = gaps_of("splits")
    assert "should fail splits, but fails none" in fewer
    [lost] = gaps_of("none", "splits")
    assert "should fail none, but fails splits" in lost
