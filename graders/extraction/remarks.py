"""Remarks on which definition of a symbol counts, and on builtins that a star import replaces."""

import ast
from collections.abc import Iterable, Iterator, Sequence

from graders.extraction.choose_definition import Choice, Reason
from graders.extraction.definition_index import CodeFile
from graders.extraction.dependencies import Part
from graders.extraction.given_values import given_values
from graders.extraction.name_usage import FUNCTIONS, IMPORTS
from graders.extraction.program import Program, remark_at
from graders.extraction.reaching_definitions import find_reaching
from graders.extraction.statements import Unit, is_star
from graders.language import join_names, tr, translatable
from graders.results.result import Remark

# The builtins that `from module import *` replaces.
_SHADOWS = {
    "torch": frozenset(
        "abs all any bool compile complex float int max min pow range round sum".split()  # noqa: SIM905
    ),
    "numpy": frozenset("abs all any bool divmod max min pow round sum".split()),  # noqa: SIM905
    "pylab": frozenset({"all", "any", "divmod", "sum"}),
    "math": frozenset({"pow"}),
    "os": frozenset({"open"}),
}


def make_remarks(
    code_file: CodeFile, symbol: str, units: Sequence[Unit], candidates: Sequence[CodeFile], choice: Choice
) -> list[Remark]:
    """Explain which of several definitions counts, and why.

    Args:
        code_file: the file that counts.
        symbol: what it defines.
        units: its definition.
        candidates: the files that define it otherwise than as handed out.
        choice: why it counts.
    """
    notes = [
        _remark_on_other_files(code_file, symbol, units, candidates, choice),
        _remark_on_repeats(code_file, symbol, units),
    ]
    notes += [_remark_on_deletion(code_file, symbol), _remark_on_other_value(code_file, symbol, units)]
    return [note for note in notes if note is not None]


def _remark_on_other_files(
    code_file: CodeFile, symbol: str, units: Sequence[Unit], candidates: Sequence[CodeFile], choice: Choice
) -> Remark | None:
    if all(isinstance(unit.node, IMPORTS) for unit in units):
        return None  # it is imported: the others are the definitions behind the import
    others = [
        candidate
        for candidate in candidates
        if candidate.path != code_file.path and _defines(candidate, symbol)
    ]
    if not others:
        return None
    message = tr(
        "{symbol} is defined in {file} and in {others}; the one in {file} counts.",
        symbol=symbol,
        file=code_file.path,
        others=join_names(sorted(other.path for other in others)),
    )
    return _make_remark(" ".join([message, *_reasons(choice, others)]), None)


_WHY = {
    Reason.NAME: translatable("By its name it is the later version."),
    Reason.NOTEBOOK: translatable("A notebook comes before a module."),
    Reason.IMPORTED: translatable("Another file imports it."),
    Reason.TIME: translatable("It was changed last."),
    Reason.MOST: translatable("It has more of what is asked for."),
}
_NONE = translatable(
    "Nothing says which one is the last: where points are lost, each of them is judged, and the best one "
    "counts. Hand in the one that counts alone."
)


def _reasons(choice: Choice, others: Sequence[CodeFile]) -> list[str]:
    """Why it counts and not these, most important first."""
    found = dict.fromkeys(reason for code_file, reason in reversed(choice.behind) if code_file in others)
    tied = [tr(_NONE)] if any(other in choice.equals for other in others) else []
    return [tr(_WHY[reason]) for reason in found if reason in _WHY] + tied


def _defines(code_file: CodeFile, symbol: str) -> bool:
    return any(symbol in unit.names.binds for unit in code_file.definitions())


def _remark_on_repeats(code_file: CodeFile, symbol: str, units: Sequence[Unit]) -> Remark | None:
    places = find_definitions(code_file, symbol)
    roots = {unit.root for unit in units}
    earlier = [unit for unit in places if unit.root not in roots]
    if not earlier or not any(unit in places for unit in units):
        return None
    message = tr(
        "{symbol} is defined {n} times; the last definition counts.", symbol=symbol, n=len(earlier) + 1
    )
    return _make_remark(message, units[0])


def find_definitions(code_file: CodeFile, symbol: str) -> list[Unit]:
    """The units that define a symbol anew; wrapping it (`f = compile(f)`) is not a second definition."""
    places = [code_file.units[at] for at in code_file.binders.get(symbol, ())]
    return [
        unit for unit in places if code_file.is_definer(unit.index, symbol) and symbol not in unit.names.eager
    ]


def _remark_on_deletion(code_file: CodeFile, symbol: str) -> Remark | None:
    for unit in code_file.units:
        if isinstance(unit.node, ast.Delete) and any(
            isinstance(target, ast.Name) and target.id == symbol for target in unit.node.targets
        ):
            message = tr("{symbol} is deleted; its definition counts all the same.", symbol=symbol)
            return _make_remark(message, unit)
    return None


def _remark_on_other_value(code_file: CodeFile, symbol: str, units: Sequence[Unit]) -> Remark | None:
    """Where the symbol later gets a value of which the code does not say that it is a function or a class."""
    later = [code_file.units[at] for at in code_file.binders.get(symbol, ()) if at > units[0].index]
    for unit in later:
        if not all(_is_result_of(value, symbol) for value in given_values(unit.node, symbol)):
            message = tr(
                "{symbol} gets another value here, which cannot be followed: its definition counts.",
                symbol=symbol,
            )
            return _make_remark(message, unit)
    setter = next((unit for unit in code_file.units if _sets_globally(unit.node, symbol)), None)
    if setter is None:
        return None
    message = tr(
        "{symbol} is also set within this function, by `global`: its definition outside counts.",
        symbol=symbol,
    )
    return _make_remark(message, setter)


def _is_result_of(value: ast.expr, symbol: str) -> bool:
    """Whether it is plainly no function: a constant, or what the symbol itself returns."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == symbol
    return isinstance(value, ast.Constant | ast.BinOp | ast.Compare | ast.JoinedStr)


def _sets_globally(node: ast.stmt, symbol: str) -> bool:
    return isinstance(node, FUNCTIONS) and any(
        isinstance(inner, ast.Global) and symbol in inner.names for inner in ast.walk(node)
    )


def find_shadowed(program: Program, parts: Iterable[Part]) -> list[Remark]:
    """A remark for each builtin that the kept code reads and a star import has replaced."""
    return [remark for part in parts for remark in _remark_on_shadowing(program, part)]


def _remark_on_shadowing(program: Program, part: Part) -> Iterator[Remark]:
    units = [part.code_file.units[at] for at in sorted(part.kept)]
    stars = [unit for unit in units if is_star(unit.node)]
    for star in stars:
        module = getattr(star.node, "module", None) or ""
        for name in sorted(_SHADOWS.get(module, ())):
            reader = next((unit for unit in units if _reads_builtin(part.code_file, unit, name)), None)
            if reader is not None:
                used = program.where(reader.page, _line(reader, name))
                message = tr(
                    "`from {module} import *` replaces Python's {name} by {module}.{name}, "
                    "which is used here: {used}. Import the module by its name instead.",
                    module=module,
                    name=name,
                    used=used,
                )
                yield _make_remark(message, star)


def _reads_builtin(code_file: CodeFile, unit: Unit, name: str) -> bool:
    return name in unit.names.eager | unit.names.deferred and not find_reaching(
        code_file, name, code_file.end
    )


def _line(unit: Unit, name: str) -> int:
    lines = [part.lineno for part in ast.walk(unit.node) if isinstance(part, ast.Name) and part.id == name]
    return min(lines, default=unit.node.lineno)


def _make_remark(message: str, unit: Unit | None) -> Remark:
    if unit is None:
        return Remark(message)
    return remark_at(unit.page.place(unit.node.lineno), message)
