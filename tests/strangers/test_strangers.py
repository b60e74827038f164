"""The list of strangers' code can be true, and an answer is cut out of a clone as it stands there."""

import subprocess
from pathlib import Path

import pytest

from graders.course.reference import mistakes, reference
from graders.diagnosis.part_mistakes import part_mistakes
from tests.strangers.__main__ import find_exercise
from tests.strangers.corpus import Answer, read_corpus
from tests.strangers.cut import cut

CORPUS = read_corpus()
EXERCISES = sorted({answer.exercise for answer in CORPUS})


def known_names(exercise: str) -> set[str]:
    """The names of an exercise's known mistakes, and of those of its parts."""
    _, known = find_exercise(exercise)
    names = set(mistakes(exercise, known.symbol))
    whole = reference(exercise, known.symbol)
    config = getattr(known.diagnostic_draws(1)[0], "config", None)
    if isinstance(whole, type) and config is not None:
        names |= set(part_mistakes(whole(**config)))
    return {name.rpartition("__")[2] for name in names}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_what_a_person_saw_has_a_check_or_a_name(exercise: str) -> None:
    checks = {check.name for check in find_exercise(exercise)[1].checks}
    names = known_names(exercise)
    for answer in (answer for answer in CORPUS if answer.exercise == exercise):
        assert answer.costs | answer.may_cost <= checks, answer
        assert not answer.mistakes or answer.mistakes & names, answer


def test_no_answer_stands_twice_in_the_list() -> None:
    entries = [(answer.repository, answer.at, answer.exercise) for answer in CORPUS]
    assert len(entries) == len(set(entries))


@pytest.mark.programs
def test_an_answer_is_cut_out_of_a_clone_with_the_name_of_the_contract(tmp_path: Path) -> None:
    clone = tmp_path / "mirror" / "somebody+blocks"
    clone.mkdir(parents=True)
    (clone / "net.py").write_text("class FeedForward: ...\nclass Mlp: inner = FeedForward, F.FeedForward\n")
    git = ("git", "-C", str(clone), "-c", "user.name=s", "-c", "user.email=s@localhost")
    for command in (["init", "-q"], ["add", "net.py"], ["commit", "-q", "-m", "net"]):
        subprocess.run([*git, *command], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    answer = Answer(
        repository="somebody/blocks",
        commit=head.stdout.strip(),
        exercise="feed_forward",
        symbol="Mlp",
        at="net.py:2-2",
        files=(),
        shim="",
        costs=frozenset(),
        may_cost=frozenset(),
        raises="",
        mistakes=frozenset(),
        also=frozenset(),
    )
    cut(answer, "FeedForward", tmp_path / "mirror", tmp_path / "folder")
    text = (tmp_path / "folder" / "net.py").read_text()
    assert "class OwnFeedForward: ...\nclass Mlp: inner = OwnFeedForward, F.FeedForward" in text
    assert text.endswith("FeedForward = Mlp\n")
