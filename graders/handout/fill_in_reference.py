"""Replace each stub by the reference: the handout then is a submission that gets all points."""

import ast
from collections.abc import Iterator, Mapping

from graders.course import reference
from graders.course.exercise import Assignment, Exercise
from graders.handout.refused import HandoutRefused
from graders.handout.sheet import Sheet
from graders.language import tr

_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
_SOLUTIONS = "solutions."


def fill_in_reference(sheet: Sheet, assignment: Assignment) -> Sheet:
    """The sheet with the reference in place of each stub.

    Of an exercise that asks for a trained model these are the functions beside the model.

    Raises:
        HandoutRefused: an exercise has no reference, or no stub, or one with other arguments.
    """
    symbols = {exercise.name: exercise.symbol for exercise in assignment.exercises}
    for exercise in assignment.exercises:
        for symbol in (exercise.symbol,) if exercise.rule is None else exercise.options.beside:
            cell, stub = _stub(sheet, exercise, symbol)
            lines = cell.split("\n")
            code = _answer(exercise, stub, symbols)
            filled = [*lines[: stub.lineno - 1], code, *lines[stub.end_lineno :]]
            sheet = sheet.changed(exercise.name, cell, "\n".join(filled))
    return sheet


def _stub(sheet: Sheet, exercise: Exercise, symbol: str) -> tuple[str, ast.FunctionDef | ast.ClassDef]:
    for cell in sheet.cells:
        if cell.exercise == exercise.name and cell.kind == "code":
            for node in ast.parse(cell.text).body:
                if isinstance(node, _DEFINITIONS) and node.name == symbol:
                    return cell.text, node
    raise HandoutRefused(tr("{name}: {symbol} is not in its text", name=exercise.name, symbol=symbol))


def _answer(exercise: Exercise, stub: ast.FunctionDef | ast.ClassDef, symbols: Mapping[str, str]) -> str:
    text = reference.text(exercise.name)
    if text is None:
        raise HandoutRefused(tr("{name}: there is no solution", name=exercise.name))
    _require_same_arguments(exercise, stub, ast.parse(text))
    return "\n\n\n".join(_needed_statements(exercise.name, stub.name, symbols, set()))


def _needed_statements(
    exercise: str, symbol: str, symbols: Mapping[str, str], yielded: set[tuple[str, str]]
) -> Iterator[str]:
    """The statements of a solution that a symbol needs, with those of other solutions before them.

    The symbols of the exercises in `symbols` are left out: the handout has them in their own cells.
    """
    text = reference.text(exercise) or ""
    tree = ast.parse(text)
    needed = _names_needed(tree, symbol)
    for node in tree.body:
        names = _names_bound(node) & needed
        if not names:
            continue
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_SOLUTIONS):
            other = (node.module or "").removeprefix(_SOLUTIONS)
            for name in sorted(names):
                if symbols.get(other) != name and (other, name) not in yielded:
                    yielded.add((other, name))
                    yield from _needed_statements(other, name, symbols, yielded)
        else:
            yield _text_of(text, node)


def _text_of(text: str, node: ast.stmt) -> str:
    """A statement's text, with the decorators of a definition: they stand before its first line."""
    first = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
    return "\n".join(text.split("\n")[first - 1 : node.end_lineno])


def _names_needed(tree: ast.Module, symbol: str) -> set[str]:
    """The names at module scope that a symbol needs, itself among them."""
    names, waiting = {symbol}, [symbol]
    while waiting:
        name = waiting.pop()
        for node in tree.body:
            if name in _names_bound(node):
                read = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} - names
                names |= read
                waiting += read
    return names


def _names_bound(node: ast.stmt) -> set[str]:
    if isinstance(node, _DEFINITIONS):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and isinstance(node, ast.Assign)
    }


def _require_same_arguments(
    exercise: Exercise, stub: ast.FunctionDef | ast.ClassDef, solution: ast.Module
) -> None:
    """Require that the reference takes the stub's arguments; further ones must have defaults."""
    symbols = {node.name: node for node in solution.body if isinstance(node, _DEFINITIONS)}
    if stub.name not in symbols:
        raise HandoutRefused(tr("{name}: there is no solution", name=exercise.name))
    stub_signatures, signatures = _signatures(stub), _signatures(symbols[stub.name])
    for method, arguments in stub_signatures.items():
        parameters = signatures.get(method, arguments)
        further = parameters[len(arguments) :]
        if parameters[: len(arguments)] != arguments or not all(default for _, default in further):
            message = tr(
                "{name}: {method} takes other arguments in the solution", name=exercise.name, method=method
            )
            raise HandoutRefused(message)


def _signatures(node: ast.stmt) -> dict[str, list[tuple[str, str]]]:
    """The functions of a definition, each with its arguments: pairs of a name and a default or ""."""
    functions = [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef)]
    return {function.name: _arguments(function.args) for function in functions}


def _arguments(of: ast.arguments) -> list[tuple[str, str]]:
    names = [argument.arg for argument in (*of.posonlyargs, *of.args)]
    defaults = ["" for _ in names[len(of.defaults) :]] + [ast.unparse(default) for default in of.defaults]
    return list(zip(names, defaults, strict=True))
