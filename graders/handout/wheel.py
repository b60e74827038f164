"""softmark itself, as students install it: a wheel made of this checkout, without the solutions."""

import subprocess
import sys
import tempfile
from pathlib import Path

from graders import locations
from graders.handout.refused import Refused
from graders.language import tr

_TIME = 300  # seconds; it takes two


def wheel() -> tuple[str, bytes]:
    """The wheel's name and its bytes, the same each time. It is made without a network.

    Raises:
        Refused: there is no checkout to make it of, or hatchling is not installed or fails.
    """
    if not (locations.ROOT / "pyproject.toml").is_file():
        raise Refused(tr("softmark's wheel is made in a checkout, and this is none: use --softmark"))
    with tempfile.TemporaryDirectory(prefix="softmark-") as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        done = subprocess.run(
            command, cwd=locations.ROOT, capture_output=True, text=True, timeout=_TIME, check=False
        )
        made = list(Path(folder).glob("softmark-*.whl"))
        if done.returncode or len(made) != 1:
            reason = (done.stderr.strip() or done.stdout.strip()).split("\n")[-1]
            says = tr(
                "softmark's wheel cannot be made ({reason}): install hatchling, or use --softmark",
                reason=reason,
            )
            raise Refused(says)
        return made[0].name, made[0].read_bytes()
