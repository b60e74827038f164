"""The table of a run: how many verdicts are just, and each that is not."""

from collections import Counter
from collections.abc import Sequence

from tests.strangers.verdicts import Judged, Verdict


def make_table(judged: Sequence[Judged], left_out: int) -> str:
    """The table as Markdown.

    Args:
        judged: all answers that were graded.
        left_out: how many were not, for want of a clone.
    """
    verdicts = Counter(one.verdict for one in judged)
    wrong = [one for one in judged if one.is_wrong]
    named = sum(one.is_named for one in wrong)
    lines = [
        f"{len(judged)} answers of {len({one.answer.repository for one in judged})} repositories"
        + (f"; {left_out} left out, whose clones are missing" if left_out else ""),
        "",
        "| verdict | answers |",
        "| --- | --- |",
        *(f"| {verdict} | {verdicts[verdict]} |" for verdict in Verdict),
        f"| wrong, and named truly | {named} of {len(wrong)} ({named / max(len(wrong), 1):.0%}) |",
        f"| wrong, and named wrongly | {sum(one.is_named_wrongly for one in wrong)} |",
        "",
        *(_line(one) for one in judged if one.verdict is not Verdict.JUST),
        *(_line(one) for one in wrong if one.verdict is Verdict.JUST and not one.is_named),
    ]
    return "\n".join(lines) + "\n"


def _line(one: Judged) -> str:
    answer = one.answer
    what = one.verdict if one.verdict is not Verdict.JUST else "named wrongly" if one.mistakes else "unnamed"
    points = f"{one.points[0]:.2f} of {one.points[1]:.2f}"
    extra = sorted((one.lost | one.undecided) - answer.costs) if not answer.mistakes else []
    missing = sorted(answer.costs - one.lost) if one.verdict is Verdict.LENIENT else []
    names = ", ".join(sorted(one.mistakes) or extra or missing)
    return f"- {what}: {answer.repository} {answer.symbol} as {answer.exercise}, {points}; {names}"
