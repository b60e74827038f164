"""The folders of softmark: the course, the solutions, the worker, the catalogues, the help."""

import os
from pathlib import Path

import platformdirs

GRADERS = Path(__file__).parent
ROOT = GRADERS.parent  # the checkout; once installed, the folder of site packages
ASSIGNMENTS = ROOT / "assignments"
CHECKS = GRADERS / "checks"
STANDARD_CHECKS = GRADERS / "check_api" / "standard_checks"
WORKER = ROOT / "softmark_worker"
CATALOGUES = GRADERS / "locale"
HELP = GRADERS / "help"
FRENCH_CORPUS = GRADERS / "corpora" / "french.txt"
SOLUTIONS_VARIABLE = "SOFTMARK_SOLUTIONS"
CACHE_VARIABLE = "SOFTMARK_CACHE"


def solutions() -> Path | None:
    """The folder of the solutions; None if there is none.

    The environment variable `SOFTMARK_SOLUTIONS` names it; by default it lies beside `graders/`, as in a
    checkout. The wheel does not contain it.
    """
    from_environment = os.environ.get(SOLUTIONS_VARIABLE)
    path = Path(from_environment) if from_environment else ROOT / "solutions"
    return path if path.is_dir() else None


def cache_folder() -> Path:
    """Where softmark keeps what it would otherwise compute again; it may not be there yet.

    The environment variable `SOFTMARK_CACHE` names it; by default it is the user's.
    """
    named = os.environ.get(CACHE_VARIABLE)
    return Path(named) if named else platformdirs.user_cache_path("softmark")
