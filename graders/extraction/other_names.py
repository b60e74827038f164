"""Names under which the course's own documents know what an exercise asks for."""

from collections.abc import Sequence
from dataclasses import replace

from graders.extraction.extract import Missing, Program, Source, extract
from graders.extraction.stub import calls_of
from graders.language import tr
from graders.results.result import Outcome, Remark
from graders.safe_text import safe_text


def extract_by_names(
    program: Program, symbol: str, others: Sequence[str], stub: str | None
) -> Source | Missing:
    """The code that defines `symbol` or, where that is not defined or untouched, one of the other names.

    Args:
        program: the submission's code.
        symbol: the name in the contract.
        others: the other names.
        stub: as for `extract`.
    """
    own = extract(program, symbol, stub)
    if isinstance(own, Source) or own.outcome is not Outcome.NOT_ATTEMPTED:
        return own
    for name in others:
        other = extract(program, name, stub)
        if isinstance(other, Source):
            remark = safe_text(tr("{name} is taken for {symbol}", name=name, symbol=symbol))
            calls = calls_of(symbol, stub) if stub else ()
            return replace(other, calls=calls, remarks=(*other.remarks, Remark(remark)))
    return own
