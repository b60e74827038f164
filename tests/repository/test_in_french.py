"""Whoever grades in French reads no English: what checks, timing and trained models say.

Sentences are looked at in a French in which each begins and ends with a mark. So what went past the catalogue
shows as text outside of marks, and what was put into a French sentence in English by its words.
"""

import gettext
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch

from graders import language
from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.layouts import LAYOUTS
from graders.candidate.parameter_mapping.mapping import ParameterMapping, ParameterRule, Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.criterion import ModelFacts, Unlike
from graders.check_api.describe import _TRAITS, _TYPES, unlike_a_tensor
from graders.check_api.strategies.tensors import Joined
from graders.checks import minigpt
from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes, reference
from graders.course.speed_policy import SpeedPolicy
from graders.diagnosis.fingerprint import fingerprint
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.grade import Grader
from graders.judging import score, speed_points
from graders.judging.case_view import case_of
from graders.judging.draws import Draws
from graders.language import speaking, tr
from graders.locations import CATALOGUES
from graders.results.measurements import REFERENCE, Trained
from graders.results.mistakes import join_mistakes
from graders.results.result import Outcome, Remark
from graders.sandbox.box import Box
from graders.timing import analysis
from graders.timing.measurement import Measurement, UnevenControl
from graders.timing.rounds import CONTROL, STUDENT, TORCH, RoundTimes
from graders.timing.run_curves import Curves
from graders.trained import checkpoint
from graders.trained.next_token import describe_misfit
from graders.trained.open_checkpoint import BadCheckpoint
from graders.trained.tokenizer import describe_difference
from softmark_worker.wire import Other

EXERCISES = {e.name: e for name in assignment_names() for e in load_assignment(name).exercises}
LOOKED_AT = (
    "causal_mask",
    "count_parameters",
    "get_batch",
    "gpt_feed_forward",
    "split_heads",
)
ENGLISH = re.compile(
    r"\b(the|of|is|are|and|with|but|should|has|have|it|not|which|where|no|be|does|from|to|an|by|"
    r"what|output|answer|found|weights|training|after|before|another|same|remark)\b"
)
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^' ]*'|\w*[_.@]\w*(?:\.\w+)*|weights @ V|\(logits, loss\)")
ANSWERS = {
    "none": lambda answer: None,
    "a list": lambda answer: [answer],
    "a number": lambda answer: 1.5,
    "a text": lambda answer: "x",
    "nan": lambda answer: answer * float("nan") if isinstance(answer, torch.Tensor) else answer,
}


class Marked(gettext.NullTranslations):
    """The French catalogue with marks around each sentence."""

    french = gettext.translation("softmark", CATALOGUES, ["fr"])

    def gettext(self, message: str) -> str:
        return f"⟦{self.french.gettext(message)}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{self.french.ngettext(msgid1, msgid2, n)}⟧"


@pytest.fixture(autouse=True)
def french(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(language, "_catalogue", lambda _: Marked())
    with speaking("fr"):
        yield


def outside(text: str) -> str:
    """What of a text stands in no sentence."""
    while text != (text := re.sub(r"⟦[^⟦⟧]*⟧", "", text)):
        pass
    return text.strip()


def assert_french(text: str) -> None:
    assert text
    assert not outside(text), f"not from the catalogue: {text}"
    assert not ENGLISH.findall(CODE.sub(" ", text)), text


def said(exercise: Exercise, check: Check, draws: Draws, candidate: LocalCandidate) -> str | None:
    """What a check says to a candidate: a violation's message or a remark."""
    remark = None
    try:
        for example in draws.for_check(exercise, check):
            remark = remark or check.judge(candidate, example.draw, *example.answer)
    except (Violation, Undecidable) as failure:
        return str(failure)
    except Raised:  # an exception's text is Python's
        return None
    return remark


def wrong_answers(exercise: Exercise) -> list[object]:
    """The known mistakes, and some answers out of all form."""
    right = reference(exercise.name, exercise.symbol)

    def answering(make):
        if isinstance(right, type):
            forward = right.forward
            return type(right.__name__, (right,), {"forward": lambda self, *a: make(forward(self, *a))})
        return lambda *args: make(right(*args))

    return [*mistakes(exercise.name, exercise.symbol).values(), *map(answering, ANSWERS.values())]


@pytest.mark.parametrize("name", LOOKED_AT)
def test_checks_say_what_is_wrong(name: str, draws: Draws):
    exercise, few, told = EXERCISES[name], draws.first(3), set()
    for made in wrong_answers(exercise):
        candidate = LocalCandidate(made, partial(few.mapping_draws, exercise))
        told |= {said(exercise, check, few, candidate) for check in exercise.checks} - {None}
    assert len(told) >= 10
    for message in told:
        assert_french(message)


@pytest.mark.parametrize("what", [*_TYPES, *_TRAITS, "layout sparse_coo", "device meta", "dtype complex64"])
def test_what_comes_back_is_named(what: str):
    other = Other(what, "") if what in _TYPES else Other("student.Mine", what)
    assert_french(unlike_a_tensor(other))


@pytest.mark.parametrize(
    "value", [None, 3, 1.5, 10**40, "x", {}, [], (), [1], (torch.ones(1),) * 2], ids=repr
)
def test_values_are_named(value: object):
    assert_french(unlike_a_tensor(value))


def test_a_case_says_what_is_missing():
    draw = EXERCISES["split_heads"].diagnostic_draws(1)[0]
    assert isinstance(draw, Joined)
    assert "⟦sans x⟧" in case_of(replace(draw, x=None)).text


def test_how_parameters_were_matched_is_said():
    layouts = [layout for some in LAYOUTS.values() for layout in some]
    rule = ParameterMapping(tuple(ParameterRule("mine", ("W_q",), layout) for layout in layouts), proven=True)
    assert_french(tr("parameters were matched by what they do: {rule}", rule=rule.says))


def measured(stopped: tuple[int, str] | None, base: str, slower: float, power: int) -> Measurement:
    laps = {}
    for length in (64, 128, 256):
        unit = (length / 64) ** power
        times = {STUDENT: (slower * unit,) * 6, base: (unit,) * 6, CONTROL: (unit,) * 6}
        laps |= {(length, backward): RoundTimes(times) for backward in (False, True)}
    peaks = {STUDENT: {64: 10**6, 128: 2 * 10**6, 256: 6 * 10**6}}
    loops = ("positions", "heads", "sequences in a batch")
    return Measurement(laps, {STUDENT: 10**7}, base, loops, 64, stopped, peaks)


@pytest.mark.parametrize("base", [REFERENCE, TORCH])
@pytest.mark.parametrize(
    ("slower", "power", "word"),
    [(1.0, 2, "Aussi rapide"), (2.5, 2, "Plus lent"), (40.0, 0, "Beaucoup plus lent")],
)
def test_timing_says_how_fast_it_is(base: str, slower: float, power: int, word: str):
    stopped = (256, tr("there was no time left for it"))
    timing = analysis.analyse(measured(stopped, base, slower, power), Curves(peak=1e12), 1e9)
    assert len(timing.says) == 8
    for sentence in timing.says:
        assert_french(sentence)
    assert word in timing.says[0]
    if slower == 2.5:
        assert "2,5 fois (2,5 à 2,5) le temps" in timing.says[0].replace("⟦", "").replace("⟧", "")


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.FAILED, Outcome.SKIPPED])
def test_points_for_time_are_explained(outcome: Outcome):
    rule = EXERCISES["split_heads"].speed_policy or SpeedPolicy(points=1, full=1.5, none=10)
    found = speed_points.speed_finding(rule, outcome, None)
    assert found is not None
    assert_french(found.says)
    assert "1,5 fois" in found.says
    assert_french(found.message or "")
    assert_french(str(UnevenControl(1.234)))


TRAINED = Trained(
    "", 1234, 50, 16, "grammaire", 100, counted=1.5, bigram=2.0, target=1.2, one_token=2.5, whole_context=2.0
)
SEEN = ModelFacts(TRAINED, "⟦x⟧", ("⟦y⟧",), Unlike(3, 9, 0.25, forgetful=False))
MEASURES = (
    SEEN,
    replace(SEEN, garbled=None, unlike=Unlike(3, 9, 0.25, forgetful=True)),
    replace(SEEN, garbled=None, notes=(), unlike=None, trained=replace(TRAINED, whole_context=9.0)),
    replace(SEEN, garbled=None, trained=replace(TRAINED, whole_context=2.49)),
)


@pytest.mark.parametrize("seen", MEASURES, ids=["garbled", "forgetful", "untrained", "bigram"])
def test_criteria_say_what_was_measured(seen: ModelFacts):
    for criterion in EXERCISES["minigpt"].criteria:
        try:
            told = criterion.body(seen)
        except Violation as violation:
            told = str(violation)
        if told:
            assert_french(told.says if isinstance(told, minigpt.Share) else told)


def test_a_checkpoint_that_does_not_fit_says_why():
    assert_french(
        describe_misfit({"a": (1,), "b": (2,)}, {"b": (3,), **{f"c{n}": (1,) for n in range(9)}}) or ""
    )
    assert_french(describe_difference(["abc"], ["abd"]) or "")
    assert_french(describe_difference(["abc"], ["ab"]) or "")
    for config in ([], {"x": []}, {}, {"vocab_size": 10**5, "block_size": 10**5}):
        with pytest.raises(BadCheckpoint) as refused:
            checkpoint._check_config(config)
        assert_french(str(refused.value))


def test_more_remarks_than_anybody_reads_are_counted():
    *_, last = score._first(tuple(Remark(f"⟦{n}⟧") for n in range(60)))
    assert_french(last.says)


def test_what_is_seen_of_a_mistake_is_the_same_in_every_language():
    draw = EXERCISES["split_heads"].diagnostic_draws(1)[0]
    seen = [fingerprint(LocalCandidate(lambda *_: {"x": "text"}), draw)]
    with speaking("en"):
        seen.append(fingerprint(LocalCandidate(lambda *_: {"x": "text"}), draw))
    assert seen[0].form
    assert seen[0].matches(seen[1])


def test_a_mistake_seen_in_one_language_is_named_in_the_other(draws: Draws):
    exercise = EXERCISES["count_parameters"]
    known_mistakes = KnownMistakes(exercise, draws.diagnostic_draws(exercise))
    made = mistakes(exercise.name, exercise.symbol)["count_parameters__printed"]
    named = []
    for spoken in ("en", "fr"):
        with speaking(spoken):
            named.append(join_mistakes(known_mistakes.identify(LocalCandidate(made))))
    assert named[0] == named[1]
    assert named[0].name == "count_parameters__printed"
    assert named[0].hint != named[0].hint_fr


def test_a_result_says_in_which_language_it_is(box: Box, assignment, draws: Draws, tmp_path: Path):
    code = "def split_heads(x, num_heads):\n    return x\n"
    (tmp_path / "rendu.py").write_text(code, encoding="utf-8")
    result = Grader(assignment.only(("split_heads",)), draws, box).grade(tmp_path / "rendu.py", "x")
    assert result.language == "fr"
    failed = [f for f in result.exercises[0].findings if f.outcome is Outcome.FAILED]
    assert failed
    for finding in failed:
        assert_french(finding.message or "")
        assert not ENGLISH.findall(CODE.sub(" ", finding.says)), finding.says
