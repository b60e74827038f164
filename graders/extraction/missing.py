"""Explain to the student why there is no code to run for a symbol."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from graders.extraction.definition_index import CodeFile
from graders.extraction.name_usage import IMPORTS
from graders.extraction.program import BrokenCell, Program
from graders.extraction.statements import Unit
from graders.extraction.unfinished import UnwrittenPart
from graders.language import tr, translatable
from graders.results.result import Definition, Outcome, Place, Remark
from graders.safe_text import safe_text

_NEAR = 0.8  # difflib similarity: "concat_head" is near "concat_heads", "split_heads" is not


@dataclass(frozen=True)
class Missing:
    """A symbol without code to run: `says` is the sentence for the student.

    `place` is the line that is still to be written, where the code is begun.
    """

    symbol: str
    outcome: Outcome
    says: str
    remarks: tuple[Remark, ...]
    definitions: tuple[Definition, ...]
    place: Place | None = None


def explain_absence(program: Program, symbol: str) -> Missing:
    """Explain why nothing binds the symbol: a cell does not parse, a name is misspelt, or it is absent."""
    broken = _broken_definition(program, symbol)
    if broken:
        return _in_broken_cell(program, symbol, broken, ())
    message = tr("{symbol} is not defined in what was handed in.", symbol=symbol)
    near = _near_miss(program, symbol)
    if near:
        message = tr(
            "{symbol} is not defined in what was handed in; there is a {name}. The name must be {symbol}.",
            symbol=symbol,
            name=near,
        )
    return Missing(symbol, Outcome.NOT_ATTEMPTED, message, (), ())


def explain_untouched_stub(
    program: Program, symbol: str, definitions: tuple[Definition, ...], remarks: Sequence[Remark]
) -> Missing:
    """Explain that the last definition is an untouched stub, unless a cell that does not parse defines it."""
    broken = _broken_definition(program, symbol)
    if broken:
        return _in_broken_cell(program, symbol, broken, definitions)
    message = tr("{symbol} is still as it was handed out", symbol=symbol)
    return Missing(symbol, Outcome.NOT_ATTEMPTED, message, tuple(remarks), definitions)


def explain_unfinished(
    program: Program,
    symbol: str,
    definitions: tuple[Definition, ...],
    unwritten: tuple[Unit, UnwrittenPart],
    remarks: Sequence[Remark],
) -> Missing:
    """Explain what is still to be written in a definition, unless a cell that does not parse defines it."""
    broken = _broken_definition(program, symbol)
    if broken:
        return _in_broken_cell(program, symbol, broken, definitions)
    unit, part = unwritten
    place = unit.page.place(part.line)
    return Missing(
        symbol=symbol,
        outcome=Outcome.UNFINISHED,
        says=part.says,
        remarks=tuple(remarks),
        definitions=definitions,
        place=place,
    )


def _in_broken_cell(
    program: Program, symbol: str, broken: BrokenCell, definitions: tuple[Definition, ...]
) -> Missing:
    line, reason, newer = broken.problem
    message = translatable("{symbol} cannot be read: its code is not valid Python ({where}: {reason}).")
    if newer:
        message = translatable("{symbol} cannot be read here ({where}: {reason}): your instructor is told.")
    where = program.where(broken.page, line)
    says = tr(message, symbol=symbol, where=where, reason=safe_text(reason, 200))
    # Where only the grader is too old, no point is lost without a person.
    return Missing(symbol, Outcome.UNREADABLE if newer else Outcome.RAISED, says, (), definitions)


def _broken_definition(program: Program, symbol: str) -> BrokenCell | None:
    name = re.escape(symbol)
    pattern = re.compile(
        rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|^{name}[ \t]*=[^=]", re.MULTILINE
    )
    matches = [broken for broken in program.broken if pattern.search(broken.page.source)]
    return matches[-1] if matches else None


def _near_miss(program: Program, symbol: str) -> str | None:
    folded = {
        _fold(name): name for code_file in program.code_files.values() for name in _own_names(code_file)
    }
    near = difflib.get_close_matches(_fold(symbol), folded, n=1, cutoff=_NEAR)
    return folded[near[0]] if near else None


def _own_names(code_file: CodeFile) -> list[str]:
    last_units = [(name, code_file.units[places[-1]]) for name, places in code_file.binders.items()]
    return [name for name, unit in last_units if not isinstance(unit.node, IMPORTS)]


def _fold(name: str) -> str:
    return name.replace("_", "").lower()
