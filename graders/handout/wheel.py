"""The wheel by which students install softmark, built from this checkout without the solutions."""

import subprocess
import sys
import tempfile
from pathlib import Path

from graders import locations
from graders.handout.refused import Refused
from graders.language import tr

_TIME = 300  # seconds; it takes two


def build_wheel() -> tuple[str, bytes]:
    """Build the wheel without a network; return its name and its bytes, which are the same each time.

    Raises:
        Refused: there is no checkout to build it from, or hatchling is not installed or fails.
    """
    if not (locations.ROOT / "pyproject.toml").is_file():
        raise Refused(tr("softmark's wheel is made in a checkout, and this is none: use --softmark"))
    with tempfile.TemporaryDirectory(prefix="softmark-") as folder:
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
        build = subprocess.run(
            command, cwd=locations.ROOT, capture_output=True, text=True, timeout=_TIME, check=False
        )
        wheels = list(Path(folder).glob("softmark-*.whl"))
        if build.returncode or len(wheels) != 1:
            reason = (build.stderr.strip() or build.stdout.strip()).split("\n")[-1]
            message = tr(
                "softmark's wheel cannot be made ({reason}): install hatchling, or use --softmark",
                reason=reason,
            )
            raise Refused(message)
        return wheels[0].name, wheels[0].read_bytes()
