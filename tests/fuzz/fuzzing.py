"""Try numbered cases until the time is up, and tell what was found; each number makes the same case
again."""

import argparse
import time
from collections import Counter
from collections.abc import Callable


def fuzz(judge: Callable[[int], str], description: str | None) -> None:
    """Judge cases from `--seed` on for `--seconds`; ends with status 1 where one was a finding.

    Args:
        judge: tries the case of a number, and returns its kind; raises for a finding.
        description: what `--help` says.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    until, number = time.monotonic() + options.seconds, options.seed
    kinds, findings = Counter[str](), list[int]()
    while time.monotonic() < until:
        try:
            kinds[judge(number)] += 1
        except Exception as finding:  # of the fuzzer's own, too: the other cases are worth their time
            findings.append(number)
            print(f"--- case {number}: {type(finding).__name__}: {finding}", flush=True)  # noqa: T201
        number += 1
    for kind, count in sorted(kinds.items()):
        print(f"{count:6} {kind}")  # noqa: T201
    print(f"{number - options.seed} cases, {len(findings)} findings: {findings[:50]}")  # noqa: T201
    raise SystemExit(bool(findings))
