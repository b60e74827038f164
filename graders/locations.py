"""Where the parts of softmark that are files lie: the course, the solutions, the worker, the catalogues."""

import os
from pathlib import Path

GRADERS = Path(__file__).parent
ROOT = GRADERS.parent  # of a checkout; of what is installed, the folder of packages
ASSIGNMENTS = ROOT / "assignments"
CHECKS = GRADERS / "checks"
WORKER = GRADERS / "worker"
CATALOGUES = GRADERS / "locale"
HELP = GRADERS / "help"
FRENCH_CORPUS = GRADERS / "corpora" / "french.txt"
SOLUTIONS_VARIABLE = "SOFTMARK_SOLUTIONS"


def solutions() -> Path | None:
    """The folder of the solutions, or None where there is none.

    It lies beside `graders/` in a checkout, or where the environment variable `SOFTMARK_SOLUTIONS` says.
    It is in no wheel.
    """
    from_environment = os.environ.get(SOLUTIONS_VARIABLE)
    path = Path(from_environment) if from_environment else ROOT / "solutions"
    return path if path.is_dir() else None
