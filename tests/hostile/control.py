"""Tries attacks without a wall, as an ordinary user, and writes down what each shows: a line of JSON each.

    python -m tests.hostile.control REPORT ATTACK...

`tests/hostile/ordinary_user.py` starts it. An attack that ends this program has shown enough.
"""

import json
import os
import pty
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.template import Template, use_template
from tests.hostile.corpus import LIMITS, Attack, attacks
from tests.hostile.ground import Ground, end, ground, harm, show, survivors, told, traces
from tests.hostile.planting import Planted
from tests.support.processes import below

# Without a wall there is more to see, and to look at it takes longer.
EVER: dict[str, str] = {}  # every token that was planted: memory keeps those of earlier attacks, too
PATIENT = replace(LIMITS, call_s=10.0, later_call_s=10.0, load_s=20.0, submission_s=60.0, cpu_s=60)


def main() -> None:
    """Try the attacks, in the order in which they are named."""
    report, by_name = Path(sys.argv[1]), {attack.id: attack for attack in attacks()}
    if os.getuid() == 0:
        raise SystemExit("attacks without a wall must not run as root")
    terminal = pty.openpty()  # somebody's, which an attack may find
    use_template(Template.spawn())  # an attack may end it: then interpreters are programs of their own
    for name in sys.argv[2:]:
        write(report, {"starts": name})
        write(report, {"id": name, **look(by_name[name])})
    del terminal


def look(attack: Attack) -> dict[str, object]:
    """What an attack shows, on a ground of its own: it may damage that."""
    folder = Path(tempfile.mkdtemp(prefix="ground-"))
    with (
        Box(IsolationLevel.OPEN, PATIENT) as box,
        ground(box, folder) as there,
        there.planted.in_environment(),
    ):
        return try_on(there, attack)


def try_on(there: Ground, attack: Attack) -> dict[str, object]:
    """What an attack shows: tokens, harm, what it left."""
    EVER.update({f"{attack.id}: {place}": token for place, token in there.planted.tokens.items()})
    before, written, traced = below(os.getpid()), there.planted.written(), set(traces())
    result = there.grade(attack)
    left = survivors(before, seconds=0.5)
    end(left)
    new = sorted(set(traces()) - traced)
    for name in new:
        if name.startswith("/"):
            Path(name).unlink(missing_ok=True)
    return {
        "leaked": sorted(Planted(EVER).found_in(*show(result).texts)),
        "harm": harm(result),
        "left": len(left),
        "written": sorted(set(there.planted.written()) - set(written)),
        "traces": new,
        "told": "\n".join(map(told, result.exercises))[:2_000],
    }


def write(report: Path, line: dict[str, object]) -> None:
    """Add a line, which is there even if this program ends now."""
    with report.open("a") as file:
        file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
