"""Times that no code can reach: the operations that are needed, at the peak rate measured on this machine."""

from graders.language import number, tr
from graders.timing.measurement import Measurement
from graders.timing.rounds import STUDENT

# A peak is measured too, in another moment: only what lies well below the floor is impossible.
SHARE = 0.7
WITH_BACKWARD = 3.0  # times the operations of a forward pass: the gradients of both factors of each product


class Impossible(Exception):
    """The measured time is shorter than its operations take. The text is for the reader of the result."""


def require_possible(measured: Measurement, flops: float | None, peak: float | None) -> None:
    """Require that the times at the judged length are not below the floor.

    Args:
        measured: the times.
        flops: of a forward pass at the judged length; None where they are not known.
        peak: FLOP/s; None where it was not measured.

    Raises:
        Impossible: a time is.
    """
    if flops is None or peak is None:
        return
    for backward in (False, True):
        times = measured.times[measured.judged, backward]
        needed = flops * (WITH_BACKWARD if backward else 1)
        # What our own code reaches is possible, whatever the measured peak says.
        ours = [needed / times.minimum(name) for name in times.times if name != STUDENT]
        floor = needed / max(peak, *ours)
        if times.median(STUDENT) < SHARE * floor:
            least, took = (number(1e3 * seconds, ".2g") for seconds in (floor, times.median(STUDENT)))
            message = tr(
                "its calls took {took} ms, and its multiplications alone take {least} ms on this machine",
                took=took,
                least=least,
            )
            raise Impossible(message)
