"""Parts of answer keys that were made before, kept by what they were made from.

A piece of a key follows from the code that makes it, its checks, its solution and those that this imports,
the seed, and the versions of Python and of the packages that compute. As long as these are the same, it is
read and not made again, whatever else of softmark has changed.
"""

import io
import time
import zipfile
from collections.abc import Iterable, Iterator, Sequence

import torch

from graders.answer_key.answer_key import Packed
from graders.answer_key.code_digest import exercise_digests, modules_below
from graders.batch.process_pool import WorkerDied, spread
from graders.course import reference
from graders.handout.kept_files import digest_of, is_kept, keep, read_kept
from graders.handout.make_key import MadePiece, Piece, pack_piece
from graders.handout.piece_costs import keep_cost, label_of, weigh
from graders.locations import course, once_per_course

MAKERS = ("graders.handout.make_key", "graders.course.reference", "graders.course.exercise")


def pack_or_read(
    pieces: Sequence[Piece], seed: int, hints: bool, symbols: frozenset[str], jobs: int = 1
) -> Iterator[MadePiece]:
    """The pieces of a key: those kept from before, then those made now, the longest first.

    Args:
        pieces: the pieces.
        seed: that of the draws.
        hints: whether mistakes and hints go into it.
        symbols: those of the assignment.
        jobs: how many processes make pieces at most.

    Raises:
        Refused: as `pack_piece`.
    """
    missing: list[int] = []
    for number, piece in enumerate(pieces):
        if files := _read(name_of(piece, seed, hints, symbols)):
            yield MadePiece(number, files)
        else:
            missing.append(number)

    def make(number: int) -> MadePiece:
        began, cpu = time.monotonic(), time.process_time()
        files = dict(pack_piece(pieces[number], seed, hints, symbols))
        keep(name_of(pieces[number], seed, hints, symbols), _zipped(files))
        return MadePiece(number, files, time.monotonic() - began, time.process_time() - cpu)

    weights = weigh(pieces)
    missing.sort(key=lambda number: -weights[number])
    if jobs == 1 or len(missing) == 1:
        made: Iterable[MadePiece] = map(make, missing)
    else:
        torch.set_num_threads(1)  # a process that has used several threads cannot be forked safely
        together = spread(missing, make, jobs)
        made = (make(number) if isinstance(one, WorkerDied) else one for number, one in together)
    for each in made:
        keep_cost(pieces[each.number], each.cpu_seconds)
        yield each


def missing_pieces(
    pieces: Sequence[Piece], seed: int, hints: bool, symbols: frozenset[str]
) -> frozenset[int]:
    """The numbers of the pieces that are not kept."""
    return frozenset(n for n, piece in enumerate(pieces) if not is_kept(name_of(piece, seed, hints, symbols)))


def name_of(piece: Piece, seed: int, hints: bool, symbols: frozenset[str]) -> str:
    """The name under which a piece is kept: the same for all that it is made from."""
    exercise, _ = piece
    solutions = reference.texts_below(exercise.name)
    code = code_of(exercise.name) | dict(exercise.changed)
    asked = sorted(symbol for symbol in symbols if any(symbol in text for text in solutions.values()))
    return f"{label_of(piece)}-{digest_of(code, solutions, seed, hints, asked)}.zip"


@once_per_course
def code_of(exercise: str) -> dict[str, str]:
    """The digests of the code that makes the parts of an exercise."""
    return modules_below(*MAKERS, course().checks_module(exercise)) | exercise_digests([exercise])


def _read(name: str) -> Packed | None:
    data = read_kept(name)
    try:
        with zipfile.ZipFile(io.BytesIO(data or b"")) as read:
            return {inside: read.read(inside) for inside in read.namelist()}
    except zipfile.BadZipFile:
        return None


def _zipped(files: Packed) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for inside, data in files.items():
            archive.writestr(inside, data)
    return buffer.getvalue()
