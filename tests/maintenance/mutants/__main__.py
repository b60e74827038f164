"""`make mutants`: change one small thing of softmark at a time, and see whether a quick test fails.

What no test sees is a rule that no test states, code that nobody needs, or a change that changes nothing; the
last are written down in `equivalent.toml`. The checkout stays as it is: changed modules are only imported.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from tests.maintenance.mutants.equivalent import gone
from tests.maintenance.mutants.forks import preload
from tests.maintenance.mutants.mutants import Verdict, draw, files_of, mutants_of, try_mutant
from tests.maintenance.mutants.tests_that_reach import TestsThatReach

PACKAGES = ("judging", "check_api", "diagnosis", "results", "classroom")
DUE = 0.95  # share of the mutants that tests have to see
TRIED = 20
TRIED_AT_NIGHT = 60


def main() -> int:
    """Try mutants and say which no test sees; 1 where these are too many, or a list is out of date."""
    asked = _read_arguments()
    files = [file for package in asked.package or PACKAGES for file in files_of(package)]
    mutants = [mutant for file in files for mutant in mutants_of(file)]
    wanted = [m for m in mutants if asked.only in f"{m.function} {m.change}"]
    drawn = draw(wanted, asked.seed, asked.count)
    _say(f"{len(drawn)} of {len(wanted)} changes, seed {asked.seed}")
    preload()
    reach = TestsThatReach([file for package in PACKAGES for file in files_of(package)], asked.reach_again)
    number = reach.ask({mutant.package for mutant in drawn})
    _say(f"{number} test files were asked what they run")
    for test in reach.failing:
        _say(f"left out, since it fails without a change: {test}")
    verdicts = [_tell(try_mutant(mutant, reach), asked.verbose) for mutant in drawn]
    out_of_date = [] if asked.package else gone((m.function, m.change) for m in mutants)
    for equivalent in out_of_date:
        _say(f"no longer there: {equivalent.function}: {equivalent.change}")
    return int(not _enough_were_seen(verdicts) or bool(out_of_date))


def _read_arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m tests.maintenance.mutants", description=__doc__)
    count = TRIED_AT_NIGHT if os.environ.get("SOFTMARK_NIGHTLY") == "1" else TRIED
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    parser.add_argument("--count", type=int, default=count, help="how many are tried")
    parser.add_argument("--seed", default=today, help="decides which are tried; by default the date")
    parser.add_argument("--package", action="append", help="of graders/, instead of the usual five")
    parser.add_argument("--only", default="", help="changes with this text in file, function or words")
    parser.add_argument("--verbose", action="store_true", help="say of each by what it was seen")
    parser.add_argument("--reach-again", action="store_true", help="ask all test files again what they run")
    return parser.parse_args()


def _tell(verdict: Verdict, verbose: bool) -> Verdict:
    if verbose or not verdict.seen_by:
        mutant, count = verdict.mutant, len(verdict.tests)
        _say(f"{mutant.file}:{mutant.line} {mutant.place.function}: {mutant.change}")
        not_seen = f"NOT SEEN by {count} test files" if count else "NOT SEEN: no quick test runs it"
        _say(f"    seen by {verdict.seen_by}" if verdict.seen_by else f"    {not_seen}")
    return verdict


def _enough_were_seen(verdicts: Sequence[Verdict]) -> bool:
    tried = Counter(_packages(verdicts))
    seen = Counter(_packages(v for v in verdicts if v.seen_by))
    for package, number in tried.items():
        _say(f"{package:12} {seen[package]:4} of {number:4} seen")
    seconds = sum(verdict.seconds for verdict in verdicts)
    _say(f"{'all':12} {seen.total():4} of {tried.total():4} seen, in {seconds:.0f} CPU seconds")
    return seen.total() >= DUE * tried.total()


def _packages(verdicts: Iterable[Verdict]) -> list[str]:
    return [verdict.mutant.package for verdict in verdicts]


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
