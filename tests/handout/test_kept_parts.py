"""What a key is made of is kept, and made again only where something differs."""

from dataclasses import replace
from pathlib import Path

import pytest

from graders.answer_key.answer_key import Packed
from graders.course.exercise import Exercise, load_assignment
from graders.handout import kept_parts
from graders.handout.make_key import Piece
from graders.locations import CACHE_VARIABLE


@pytest.fixture
def exercise() -> Exercise:
    [exercise] = load_assignment("attention").only(["causal_mask"]).exercises
    return exercise


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """The seeds for which parts were made."""
    seeds: list[int] = []

    def make(piece: Piece, seed: int, *_: object) -> Packed:
        seeds.append(seed)
        return {f"{piece[0].name}/examples.json": str(seed).encode()}

    monkeypatch.setattr(kept_parts, "pack_piece", make)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return seeds


def pack_or_read(exercise: Exercise, seed: int, hints: bool, symbols: frozenset[str]) -> Packed:
    [(number, files)] = kept_parts.pack_or_read([(exercise, ())], seed, hints, symbols)
    assert number == 0
    return files


def test_parts_are_made_once_for_each_seed(exercise: Exercise, made: list[int]) -> None:
    first = pack_or_read(exercise, 1, True, frozenset())
    assert pack_or_read(exercise, 1, True, frozenset()) == first
    assert pack_or_read(exercise, 2, True, frozenset()) != first
    assert made == [1, 2]


def test_with_hints_or_other_parts_they_are_made_anew(exercise: Exercise, made: list[int]) -> None:
    for hints, symbols in ((True, ""), (False, ""), (True, "ab")):
        pack_or_read(exercise, 1, hints, frozenset(symbols))
    assert len(made) == 3


def test_when_the_code_is_another_they_are_made_anew(
    exercise: Exercise, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    pack_or_read(exercise, 1, True, frozenset())
    monkeypatch.setattr(kept_parts, "_code", lambda: "another")
    pack_or_read(exercise, 1, True, frozenset())
    assert len(made) == 2


def test_a_file_that_cannot_be_read_is_made_again(
    exercise: Exercise, made: list[int], tmp_path: Path
) -> None:
    parts = pack_or_read(exercise, 1, True, frozenset())
    [file] = (tmp_path / "keys").iterdir()
    file.write_bytes(b"cut off")
    assert pack_or_read(exercise, 1, True, frozenset()) == parts
    assert len(made) == 2


def test_a_folder_that_cannot_be_written_stops_nothing(
    exercise: Exercise, made: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    assert pack_or_read(exercise, 1, True, frozenset())
    assert made == [1]


@pytest.mark.programs
def test_several_are_made_in_processes_and_kept(exercise: Exercise, made: list[int]) -> None:
    pieces: list[Piece] = [(replace(exercise, name=name), ()) for name in ("first", "second", "third")]
    first = dict(kept_parts.pack_or_read(pieces, 1, True, frozenset(), jobs=2))
    assert {number: list(files) for number, files in first.items()} == {
        number: [f"{piece[0].name}/examples.json"] for number, piece in enumerate(pieces)
    }
    assert dict(kept_parts.pack_or_read(pieces, 1, True, frozenset())) == first
    assert made == []  # in this process
