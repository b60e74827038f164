"""Find the other definitions of a symbol that may count in place of the chosen one."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graders.extraction.choose_definition import (
    Choice,
    behind_imports,
    choose_files,
    definition_in,
    is_stub_in,
    unwritten_part,
)
from graders.extraction.definition_index import CodeFile
from graders.extraction.extract import Program, Source, make_source
from graders.extraction.remarks import find_definitions
from graders.extraction.statements import Unit
from graders.extraction.stub import calls_of
from graders.language import tr
from graders.results.describe_place import describe_spot
from graders.results.result import Place, Remark

MOST = 4  # definitions that are tried beside the first


@dataclass(frozen=True)
class Rival:
    """Another definition; `tied` says that nothing in the code speaks for the chosen one against it."""

    source: Source
    tied: bool


def find_rivals(program: Program, symbol: str, stub: str | None) -> Iterator[Rival]:
    """The other definitions that may count, likely ones first: of other files, then earlier ones of the same.

    A definition that is as it was handed out, or that is not finished, does not count, nor does one with the
    code of the chosen one.
    """
    choice = choose_files(program, symbol, stub)
    if choice is None or sum(len(code_file.binders[symbol]) for code_file in choice.files) < 2:
        return
    first = behind_imports(program, choice.files[0], symbol)
    own = make_source(program, first, symbol, definition_in(first, symbol), [])
    known = {statements_of(own)} if isinstance(own, Source) else set()
    found = 0
    for code_file, units, tied in _definitions(program, symbol, first, choice):
        if is_stub_in(code_file, symbol, units, stub) or unwritten_part(code_file, symbol, units, stub):
            continue
        source = make_source(program, code_file, symbol, units, [])
        if isinstance(source, Source) and found < MOST and (code := statements_of(source)) not in known:
            known.add(code)
            found += 1
            yield Rival(replace(source, calls=calls_of(symbol, stub) if stub else ()), tied)


def find_equals(program: Program, symbol: str, stub: str | None) -> list[Source]:
    """The other definitions of which nothing says that they count less than the chosen one."""
    return [rival.source for rival in find_rivals(program, symbol, stub) if rival.tied]


def statements_of(source: Source) -> tuple[str, ...]:
    """The statements of a source, without their places: equal where two sources do the same."""
    return tuple(
        ast.dump(node)
        for module in source.modules
        for piece in module.pieces
        for node in ast.walk(ast.parse(piece.code))
        if isinstance(node, ast.stmt) and (node.lineno, node.col_offset) in piece.keep
    )


def remark_on_choice(chosen: Source, first: Source) -> Remark:
    """That another definition counts than the one that was tried first, and why."""
    here, there = chosen.definitions[0], first.definitions[0]
    places = [Place(file=one.file, cell=one.cell, line=one.line) for one in (here, there)]
    files = tuple(dict.fromkeys(place.file for place in places if place.file))
    message = tr(
        "{symbol} is defined more than once. The definition in {place} counts: it does better than the one "
        "in {other_place}.",
        symbol=chosen.symbol,
        place=describe_spot(places[0], files),
        other_place=describe_spot(places[1], files),
    )
    return Remark(message, file=here.file, cell=here.cell, line=here.line)


def _definitions(
    program: Program, symbol: str, first: CodeFile, choice: Choice
) -> Iterator[tuple[CodeFile, list[Unit], bool]]:
    seen = {first.path}
    for other in choice.files[1:]:
        code_file = behind_imports(program, other, symbol)
        if code_file.path not in seen:
            seen.add(code_file.path)
            yield code_file, definition_in(code_file, symbol), other in choice.equals
    last = {unit.root for unit in definition_in(first, symbol)}
    for unit in reversed(find_definitions(first, symbol)):
        if unit.root not in last:
            yield first, [unit], False
