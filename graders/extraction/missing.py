"""Symbols for which there is nothing to run, and what the student is told about it."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from graders.extraction.definition_index import Sheet
from graders.extraction.name_usage import IMPORTS
from graders.extraction.program import Broken, Program
from graders.extraction.statements import Page, Unit
from graders.language import tr
from graders.results.result import Definition, Outcome, Remark
from graders.safe_text import safe_text

_NEAR = 0.8  # of the letters in common, by difflib: "concat_head" is near, "split_heads" is not


@dataclass(frozen=True)
class Missing:
    """A symbol with nothing to run: `says` is for the student."""

    symbol: str
    outcome: Outcome
    says: str
    remarks: tuple[Remark, ...]
    definitions: tuple[Definition, ...]


def explain_absence(program: Program, symbol: str) -> Missing:
    """Nothing binds the symbol: a cell that does not parse may, or a name may be misspelt."""
    broken = _broken_definition(program, symbol)
    if broken:
        return _in_broken_cell(program, symbol, broken, ())
    message = tr("{symbol} is not defined in what was handed in.", symbol=symbol)
    near = _near_miss(program, symbol)
    if near:
        name, unit = near
        message = tr(
            "{symbol} is not defined in what was handed in; there is a {name} in {where}. "
            "The name must be {symbol}.",
            symbol=symbol,
            name=name,
            where=program.where(unit.page),
        )
    return Missing(symbol, Outcome.NOT_ATTEMPTED, message, (), ())


def left_as_handed_out(
    program: Program, symbol: str, page: Page, definitions: tuple[Definition, ...], remarks: Sequence[Remark]
) -> Missing:
    """The last definition is an untouched stub; a cell that does not parse may hold the real one."""
    broken = _broken_definition(program, symbol)
    if broken:
        return _in_broken_cell(program, symbol, broken, definitions)
    message = tr(
        "{symbol} in {where} is still as it was handed out.", symbol=symbol, where=program.where(page)
    )
    return Missing(symbol, Outcome.NOT_ATTEMPTED, message, tuple(remarks), definitions)


def _in_broken_cell(
    program: Program, symbol: str, broken: Broken, definitions: tuple[Definition, ...]
) -> Missing:
    line, reason = broken.problem
    message = tr(
        "{symbol} cannot be read: its code is not valid Python ({where}: {reason}).",
        symbol=symbol,
        where=program.where(broken.page, line),
        reason=safe_text(reason, 200),
    )
    return Missing(symbol, Outcome.RAISED, message, (), definitions)


def _broken_definition(program: Program, symbol: str) -> Broken | None:
    name = re.escape(symbol)
    pattern = re.compile(
        rf"^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{name}\b|^{name}[ \t]*=[^=]", re.MULTILINE
    )
    matches = [broken for broken in program.broken if pattern.search(broken.page.source)]
    return matches[-1] if matches else None


def _near_miss(program: Program, symbol: str) -> tuple[str, Unit] | None:
    own = dict(pair for sheet in program.sheets.values() for pair in _own_names(sheet))
    folded = {_folded(name): name for name in own}
    near = difflib.get_close_matches(_folded(symbol), folded, n=1, cutoff=_NEAR)
    return (folded[near[0]], own[folded[near[0]]]) if near else None


def _own_names(sheet: Sheet) -> list[tuple[str, Unit]]:
    last_units = [(name, sheet.units[places[-1]]) for name, places in sheet.binders.items()]
    return [(name, unit) for name, unit in last_units if not isinstance(unit.node, IMPORTS)]


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
