"""What the pieces of a key take: known from the last time, or by what is asked for them."""

import json
from collections.abc import Collection, Sequence

from graders.course.reference import mistakes
from graders.handout.kept_files import keep, read_kept
from graders.handout.make_key import MadePiece, Piece

COSTS = "seconds.json"  # what each piece took, by its name
DRAWN = 20  # times as long as a call that computes takes one that draws a figure
AT_USUAL_SIZES = 0.3  # of what the piece takes without: no mistakes of parts, no pairs, one ladder


def label_of(piece: Piece) -> str:
    """The name of a piece: the exercise, and the sizes that have their usual values."""
    exercise, sizes = piece
    return "+".join((exercise.name, *(size.argument for size in sizes)))


def keep_cost(piece: Piece, seconds: float) -> None:
    """Keep what a piece took, for the next time."""
    keep(COSTS, json.dumps(_costs() | {label_of(piece): round(seconds, 2)}, sort_keys=True).encode())


def weigh(pieces: Sequence[Piece]) -> list[float]:
    """How long pieces take, one in proportion to another: as the last time, if all were made before."""
    costs = _costs()
    if all(label_of(piece) in costs for piece in pieces):
        return [costs[label_of(piece)] for piece in pieces]
    return list(map(_count, pieces))


def _count(piece: Piece) -> float:
    """The calls that a piece asks for, roughly: each check is tried with the reference and all mistakes."""
    exercise, sizes = piece
    known = mistakes(exercise.name, exercise.symbol)
    of_class = any(isinstance(mistake, type) for mistake in known.values())
    calls = len(exercise.checks) * (1 + len(known)) * (len(exercise.options.activations) if of_class else 1)
    return calls * (AT_USUAL_SIZES if sizes else 1) * (DRAWN if exercise.options.libraries else 1)


def _costs() -> dict[str, float]:
    try:
        costs: dict[str, float] = json.loads(read_kept(COSTS) or b"{}")
    except ValueError:
        return {}
    return costs


class TimeLeft:
    """How many seconds are left, after each piece that is made.

    Pieces are made in several processes, the longest first. What is left follows from what those that are
    done took for their weights: of those that wait, and of half of those that are being made, in as many
    processes.

    Args:
        weights: those of the pieces.
        missing: the numbers of the pieces that are made; the others are kept from before.
        jobs: how many are made at once.
    """

    def __init__(self, weights: Sequence[float], missing: Collection[int], jobs: int) -> None:
        self._weights = weights
        self._waiting = sorted(missing, key=lambda number: -weights[number])
        self._jobs = jobs
        self._done = self._seconds = 0.0

    def __call__(self, made: MadePiece) -> float | None:
        """The seconds that are left after a piece; None while that is not known."""
        if made.number in self._waiting:
            self._waiting.remove(made.number)
            self._done += self._weights[made.number]
            self._seconds += made.seconds
        if not self._done:
            return None
        left = [self._weights[number] for number in self._waiting]
        return (sum(left) - sum(left[: self._jobs]) / 2) / self._jobs * self._seconds / self._done
