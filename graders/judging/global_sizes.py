"""Code that reads its arguments from global variables: one check fails, others are tried with them set."""

from collections.abc import Sequence
from dataclasses import replace

from graders.candidate.remote_candidate import RemoteCandidate
from graders.language import tr
from graders.results.result import Finding, Outcome
from graders.safe_text import safe_text

GLOBAL = " (global)"  # behind a variable's name, as the box says it
ABOUT_SIZES = "has_"  # how the names of checks on a module's parameters begin


def fail_global_sizes(candidate: RemoteCandidate, findings: Sequence[Finding]) -> list[Finding]:
    """The findings; where arguments are global variables, the check on the parameters fails and says so.

    Without such a check, as of a function, it is the first. The box says which variables these are, and may
    lie: that costs points and gains none.
    """
    names = [name.removesuffix(GLOBAL) for name in candidate.taken if name.endswith(GLOBAL)]
    about = [f for f in findings if f.check.startswith(ABOUT_SIZES)] or list(findings[:1])
    if not names or not about or about[0].outcome is not Outcome.PASSED:
        return list(findings)
    message = tr(
        "your code reads {names} from global variables, where {symbol}({wanted}) is due. All other checks "
        "were tried with these variables set to what the check gives",
        names=", ".join(names),
        symbol=candidate.source.symbol,
        wanted=", ".join(_due(candidate)),
    )
    failed = replace(about[0], outcome=Outcome.FAILED, points=0, message=safe_text(message, 1_000))
    return [failed if f is about[0] else f for f in findings]


def _due(candidate: RemoteCandidate) -> list[str]:
    """The names of the arguments in the contract, of the constructor or of the function."""
    if "__init__" in candidate.contract:
        return list(candidate.contract["__init__"])
    return [argument[0] for call in candidate.source.calls if not call.name for argument in call.arguments]
