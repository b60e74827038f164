"""Code that takes its arguments from elsewhere than the contract says: one check fails and says so.

From global variables, of the model that it is given, in forward where the constructor is due, or in a class
where a function is due. All other checks are tried with what the code asks for.
"""

from collections.abc import Sequence
from dataclasses import replace

from graders.candidate.check_replies import BARE, PLAIN
from graders.candidate.remote_candidate import RemoteCandidate
from graders.language import tr, translatable
from graders.results.result import Finding, Outcome
from graders.safe_text import safe_text

# Behind a name, as the box says it: where the code takes what the contract gives as an argument.
GLOBAL, OF_MODEL, LATE, CLASS, KEPT = " (global)", " (model)", " (forward)", "() (class)", " (kept)"
ABOUT_SIZES = "has_"  # how the names of checks on a module's parameters begin


# What is said of each way, by the mark of its names; the first that code takes counts.
_SAYS = {
    KEPT: translatable(
        "your code keeps keys and values in {names}, where {symbol}({wanted}) is due, which takes them and "
        "gives them back. All other checks were tried with what it keeps, filled and read at each call"
    ),
    CLASS: translatable(
        "{names} is a class, where the function {symbol}({wanted}) is due. All other checks were tried with "
        "an object of the class, made for each call"
    ),
    PLAIN: translatable(
        "{names} does not inherit from nn.Module: no optimizer finds its weights. All other checks were "
        "tried with a module around it, whose parameters are its arrays or tensors"
    ),
    BARE: translatable(
        "tensors that are no nn.Parameter: {names}. No optimizer finds them. All other checks were tried "
        "with them as parameters"
    ),
    LATE: translatable(
        "your code takes {names} in forward, where the constructor {symbol}({wanted}) is due. All other "
        "checks were tried with forward given it at each call"
    ),
    GLOBAL: translatable(
        "your code reads {names} from global variables, where {symbol}({wanted}) is due. All other checks "
        "were tried with these variables set to what the check gives"
    ),
    OF_MODEL: translatable(
        "your code reads {names}, where {symbol}({wanted}) is due. All other checks were tried with a model "
        "that has what the check gives there"
    ),
}


def fail_global_sizes(candidate: RemoteCandidate, findings: Sequence[Finding]) -> list[Finding]:
    """The findings; where arguments come from elsewhere, the check on the parameters fails and says so.

    Without such a check, as of a function, it is the first. The box says which arguments these are, and may
    lie: that costs points and gains none.
    """
    message = next(filter(None, (_tell(candidate, *way) for way in _SAYS.items())), "")
    about = [f for f in findings if f.check.startswith(ABOUT_SIZES)] or list(findings[:1])
    if not message or not about or about[0].outcome is not Outcome.PASSED:
        return list(findings)
    failed = replace(about[0], outcome=Outcome.FAILED, points=0, message=safe_text(message, 1_000))
    return [failed if f is about[0] else f for f in findings]


def _tell(candidate: RemoteCandidate, marker: str, says: str) -> str:
    names = _names(candidate, marker)
    return names and tr(says, names=names, symbol=candidate.source.symbol, wanted=_due(candidate))


def _names(candidate: RemoteCandidate, marker: str) -> str:
    return ", ".join(name.removesuffix(marker) for name in candidate.taken if name.endswith(marker))


def _due(candidate: RemoteCandidate) -> str:
    """The names of the arguments in the contract, of the constructor or of the function."""
    if "__init__" in candidate.contract:
        return ", ".join(candidate.contract["__init__"])
    calls = [call for call in candidate.source.calls if not call.name]
    return ", ".join(argument[0] for call in calls for argument in call.arguments)
