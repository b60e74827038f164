"""What a key is made of is kept, and made again only where something differs."""

from dataclasses import replace
from pathlib import Path

import pytest

from graders import locations
from graders.answer_key import code_digest
from graders.answer_key.answer_key import Packed
from graders.course import reference
from graders.course.exercise import Exercise, load_assignment
from graders.handout import kept_parts, piece_costs
from graders.handout.make_key import MadePiece, Piece
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
    [made] = kept_parts.pack_or_read([(exercise, ())], seed, hints, symbols)
    assert made.number == 0
    return made.files


def test_parts_are_made_once_for_each_seed(exercise: Exercise, made: list[int]) -> None:
    first = pack_or_read(exercise, 1, True, frozenset())
    assert pack_or_read(exercise, 1, True, frozenset()) == first
    assert pack_or_read(exercise, 2, True, frozenset()) != first
    assert made == [1, 2]


def test_with_hints_or_other_parts_they_are_made_anew(exercise: Exercise, made: list[int]) -> None:
    part = "torch"  # a word that stands in the solution, as the name of a part does
    for hints, symbols in ((True, []), (False, []), (True, [part]), (True, [part, "used_elsewhere"])):
        pack_or_read(exercise, 1, hints, frozenset(symbols))
    assert len(made) == 3


@pytest.mark.parametrize(
    ("module", "anew"),
    [
        ("graders.checks.causal_mask", True),
        ("graders.handout.record_parts", True),
        ("graders.diagnosis.projection", True),
        ("graders.checks.split_heads", False),
        ("graders.sandbox.box", False),
        ("reports.terminal", False),
    ],
)
def test_they_are_made_anew_when_what_they_are_made_from_is_another_and_only_then(
    exercise: Exercise, made: list[int], monkeypatch: pytest.MonkeyPatch, module: str, anew: bool
) -> None:
    pack_or_read(exercise, 1, True, frozenset())
    path = locations.ROOT.joinpath(*module.split(".")).with_suffix(".py")
    read = code_digest.read_module
    monkeypatch.setattr(
        code_digest, "read_module", lambda file: ("another", read(file)[1]) if file == path else read(file)
    )
    kept_parts.code_of.cache_clear()
    pack_or_read(exercise, 1, True, frozenset())
    kept_parts.code_of.cache_clear()
    assert len(made) == 1 + anew


def test_a_solution_that_is_another_makes_them_anew(
    exercise: Exercise, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    pack_or_read(exercise, 1, True, frozenset())
    monkeypatch.setattr(reference, "texts_below", lambda name: {name: "another"})
    pack_or_read(exercise, 1, True, frozenset())
    assert len(made) == 2


def test_the_solutions_below_a_whole_count_too() -> None:
    assert {"transformer_block", "multi_head_attention"} <= reference.texts_below("transformer_block").keys()
    assert "causal_mask" not in reference.texts_below("transformer_block")


def test_a_file_that_cannot_be_read_is_made_again(
    exercise: Exercise, made: list[int], tmp_path: Path
) -> None:
    parts = pack_or_read(exercise, 1, True, frozenset())
    [file] = (tmp_path / "keys").glob("*.zip")
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
    first = {m.number: m.files for m in kept_parts.pack_or_read(pieces, 1, True, frozenset(), jobs=2)}
    assert {number: list(files) for number, files in first.items()} == {
        number: [f"{piece[0].name}/examples.json"] for number, piece in enumerate(pieces)
    }
    again = kept_parts.pack_or_read(pieces, 1, True, frozenset())
    assert [(m.files, m.seconds) for m in again] == [(files, 0) for _, files in sorted(first.items())]
    assert made == []  # in this process


def test_the_time_that_is_left_follows_from_what_the_pieces_take() -> None:
    # Two processes; the fourth piece is kept. Each unit of weight takes two seconds.
    left = piece_costs.TimeLeft([30, 10, 20, 40], [0, 1, 2], jobs=2)
    assert left(MadePiece(3, {})) is None
    assert left(MadePiece(2, {}, 40.0)) == (30 + 10) / 2 / 2 * 2
    assert left(MadePiece(1, {}, 20.0)) == 30 / 2 / 2 * 2
    assert left(MadePiece(0, {}, 60.0)) == 0.0


def test_pieces_weigh_what_they_took_the_last_time(
    exercise: Exercise, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (exercise, ()), (replace(exercise, name="second"), ())
    piece_costs.keep_cost(first, 3.0)
    monkeypatch.setattr(piece_costs, "mistakes", lambda *_: {})
    assert piece_costs.weigh([first, second]) == [len(exercise.checks)] * 2  # one is not known
    piece_costs.keep_cost(second, 7.0)
    assert piece_costs.weigh([first, second]) == [3.0, 7.0]
