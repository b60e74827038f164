"""What was shown of a handout is not shown again for another language, and is for other code."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from graders.handout import make
from graders.handout.make import make_handout
from graders.handout.platform_files import Bundle
from graders.language import Language, speaking
from graders.locations import CACHE_VARIABLE
from graders.sandbox.box import Box
from tests.handout.test_handout import bundle


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What is shown: that files were searched, by their names, and that a handout was graded."""
    done: list[str] = []
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(make, "AnswerKey", lambda data: data)
    monkeypatch.setattr(make, "find_leaks", lambda files: done.extend(sorted(files)))
    monkeypatch.setattr(make, "verify", lambda *_: done.append("graded"))
    return done


@contextmanager
def no_box() -> Iterator[Box | None]:
    yield None


def make_once(made: Bundle, language: Language) -> None:
    with speaking(language):
        make_handout(made, no_box, 1)  # type: ignore[arg-type]


def test_another_language_has_new_texts_alone_to_be_searched_and_nothing_to_be_graded(
    shown: list[str],
) -> None:
    make_once(bundle(language="en", answer_key=b"key"), "en")
    assert {"graded", "attention.key", "attention.ipynb", ".gitignore"} <= set(shown)
    shown.clear()
    make_once(bundle(language="fr", answer_key=b"key"), "fr")
    assert "attention.ipynb" in shown
    assert not {"graded", "attention.key", ".gitignore"} & set(shown)
    shown.clear()
    make_once(bundle(language="fr", answer_key=b"key"), "fr")
    assert shown == []


def test_another_key_other_points_and_another_stub_are_graded_again(shown: list[str]) -> None:
    first = bundle(answer_key=b"key")
    make_once(first, "fr")
    [split, concat] = first.assignment.exercises
    other_points = replace(first.assignment, exercises=(split, replace(concat, points=7.0)))
    stub = replace(concat, handed_out=concat.handed_out.replace("raise ", "pass\n    raise "))
    assert stub != concat
    others = [
        bundle(answer_key=b"other"),
        replace(first, assignment=other_points),
        replace(first, assignment=replace(first.assignment, exercises=(split, stub))),
    ]
    for other in others:
        shown.clear()
        make_once(other, "fr")
        assert "graded" in shown


def test_what_was_refused_is_searched_again(shown: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(make, "find_leaks", lambda _: ["README.md: x"])
    for _ in range(2):
        with pytest.raises(make.HandoutRefused):
            make_once(bundle(), "fr")
