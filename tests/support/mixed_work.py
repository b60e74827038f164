"""Submissions made of the course's solutions, with known mistakes in the place of some references."""

import ast
from collections.abc import Mapping

from graders.course.exercise import Assignment, Exercise
from graders.course.reference import mistakes
from graders.handout.fill_in_reference import _names_bound, _needed_statements

RIGHT = "right_"  # before the name of the reference on which a mistake is made


def cells_of(assignment: Assignment, wrong: Mapping[str, str]) -> dict[str, str]:
    """The code of each exercise that asks for no trained model, as students write it, by its name.

    Args:
        assignment: whose exercises.
        wrong: by the names of exercises, the known mistakes that stand in the place of their references.
    """
    symbols = {e.name: e.symbol for e in assignment.exercises}
    return {
        e.name: _cell(e, wrong.get(e.name, e.symbol), symbols) for e in assignment.exercises if e.rule is None
    }


def parts_of(assignment: Assignment) -> dict[str, list[str]]:
    """The exercises whose references call those of other exercises of the assignment, with these."""
    cells = {name: ast.parse(text) for name, text in cells_of(assignment, {}).items()}
    by_symbol = {e.symbol: e.name for e in assignment.exercises}
    read = {name: {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} for name, tree in cells.items()}
    called = {name: [by_symbol[s] for s in by_symbol if s in read[name]] for name in cells}
    others = {name: [part for part in parts if part != name] for name, parts in called.items()}
    return {name: parts for name, parts in others.items() if parts}


def usable_mistakes(assignment: Assignment, exercise: Exercise) -> list[str]:
    """The known mistakes of an exercise whose code defines nothing that another exercise asks for."""
    others = {e.symbol for e in assignment.exercises} - {exercise.symbol}
    names = [n for n in mistakes(exercise.name, exercise.symbol) if n not in exercise.mistakes_of_cost]
    symbols = {e.name: e.symbol for e in assignment.exercises}
    cells = {name: _cell(exercise, name, symbols) for name in names}
    return [name for name, text in cells.items() if not others & _defined(text)]


def _cell(exercise: Exercise, symbol: str, symbols: Mapping[str, str]) -> str:
    text = "\n\n\n".join(_needed_statements(exercise.name, symbol, symbols, set()))
    if symbol == exercise.symbol:
        return text
    renamed = _Renamed({exercise.symbol: RIGHT + exercise.symbol, symbol: exercise.symbol})
    return ast.unparse(renamed.visit(ast.parse(text)))


def _defined(text: str) -> set[str]:
    return {name for node in ast.parse(text).body for name in _names_bound(node)}


class _Renamed(ast.NodeTransformer):
    """Gives functions, classes and variables other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._names.get(node.id, node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)
