"""Make questions about one exercise of a student, whose answers are what the student's own code gives.

Nothing is guessed: a question is asked only where the run of the code leaves one answer.
"""

import ast
import hashlib
import math
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from graders.diagnosis.edits.edit import Kind
from graders.diagnosis.edits.edits_of import edits_of
from graders.diagnosis.edits.unit import find_units
from graders.judging.code_questions.rebuild_code import write_code
from graders.judging.code_questions.run_code import Run, Seen, run_on
from graders.judging.drawing import small_draws
from graders.judging.judge import Judge
from graders.judging.kept_draws import Example
from graders.judging.search_edits import Change
from graders.results.code_questions import Asks, CodeQuestion, Effect
from graders.results.result import Definition, ExerciseResult, Result
from graders.sandbox.process_lost import ProcessLost

EACH = 3  # questions for a student
MOST_DRAWS = 8  # of a check that are tried
MOST_EDITS = 24  # that are tried for one question
LEAST, SMALL = 6, 32  # numbers of the inputs of a question about values
FEWEST_AXES = 2  # of a value whose shape is asked for
_OF_NUMBERS = (Kind.AXIS, Kind.NUMBER, Kind.AXES_ORDER)
_EDITED = (Kind.AXIS, Kind.NUMBER, Kind.AXES_ORDER, Kind.OPERATION, Kind.FUNCTION, Kind.TOO_MUCH, Kind.VALUE)


# The judge of an exercise's code at a path, in the block; None where it cannot be called.
OpenJudge = Callable[[str, Path], AbstractContextManager[Judge | None]]


@dataclass(frozen=True)
class _About:
    """What a student wrote for an exercise, and how it ran."""

    exercise: ExerciseResult
    definitions: Sequence[Definition]
    run: Run
    salt: str

    def ask(self, asks: Asks, definition: Definition, *, answer: str, **more: Any) -> CodeQuestion:
        return CodeQuestion(
            asks=asks,
            exercise=self.exercise.name,
            title=self.exercise.title,
            symbol=self.exercise.symbol or self.exercise.name,
            case=self.run.case,
            definition=definition,
            answer=answer,
            **more,
        )

    def order(self, *parts: object) -> str:
        """A key that puts things in an order that chance would give, and that is another for each student."""
        return hashlib.sha256(repr((self.salt, self.exercise.name, *parts)).encode()).hexdigest()


def make_questions(
    result: Result, exercises: Collection[str], open_judge: OpenJudge, count: int = EACH
) -> list[CodeQuestion]:
    """Questions about a submission's own code: of as many exercises and kinds as there are.

    Args:
        result: with the student's definitions.
        exercises: the names of those whose code can be called.
        open_judge: puts code into the box.
        count: how many, at most.
    """
    salt = f"{result.submission.id} {result.submission.sha256}"
    written = [e for e in result.exercises if e.name in exercises and e.definitions]
    written.sort(key=lambda e: hashlib.sha256(f"{salt} {e.name}".encode()).digest())
    asked = (ask_about(exercise, open_judge, salt) for exercise in written)
    return _choose([*islice(filter(None, asked), count + 1)], count)


def _choose(by_exercise: Sequence[Sequence[CodeQuestion]], count: int) -> list[CodeQuestion]:
    """So many questions: of an exercise that was asked about least, and of a kind that was asked least."""
    chosen: list[CodeQuestion] = []
    left = [question for questions in by_exercise for question in questions]
    while left and len(chosen) < count:
        exercises, kinds = [q.exercise for q in chosen], [q.asks for q in chosen]
        best = min(left, key=lambda q: (exercises.count(q.exercise), kinds.count(q.asks)))
        chosen.append(best)
        left.remove(best)
    return chosen


def ask_about(exercise: ExerciseResult, open_judge: OpenJudge, salt: str) -> list[CodeQuestion]:
    """All kinds of questions that the code of an exercise leaves: one of each kind."""
    with tempfile.TemporaryDirectory() as folder, suppress(ProcessLost):
        path = Path(folder) / "code.ipynb"
        definitions = write_code(path, exercise.definitions)
        with open_judge(exercise.name, path) as judge:
            run = None if judge is None else _run(judge, salt)
            if run is None:
                return []
            about = _About(exercise, definitions, run, salt)
            makers = (_ask_edit, _ask_shape, _ask_line, _ask_returned, _ask_value)  # which runs other draws
            questions = [question for make in makers if (question := make(about))]
            return sorted(questions, key=lambda question: about.order(question.asks))
    return []


def _run(judge: Judge, salt: str) -> Run | None:
    """A run on a draw of a check that compares values: which draw follows from the student's id."""
    checks = judge.exercise.value_checks
    for check in sorted(checks, key=lambda check: (check.answer is None, not check.core)):
        examples = _turned(judge.draws.for_check(judge.exercise, check)[1:], salt)
        runs = [(run_on(judge, check, example), example) for example in examples[:MOST_DRAWS]]
        if found := [(run.alike_sizes, n) for n, (run, _) in enumerate(runs) if run is not None]:
            _, best = min(found)
            return run_on(judge, check, runs[best][1])  # again: its modules are those of the last run alone
    return None


def _turned(examples: Sequence[Example], salt: str) -> list[Example]:
    """The same, from one on that follows from the student's id."""
    start = int(hashlib.sha256(salt.encode()).hexdigest(), 16) % max(1, len(examples))
    return [*examples[start:], *examples[:start]]


def _ask_shape(about: _About) -> CodeQuestion | None:
    """The shape of a variable after a line: one that no input has, if there is one."""
    given = {tuple(each.shape) for each in about.run.inputs}
    seen = [(seen, d) for seen, d in _once(about) if seen.value.dim() >= FEWEST_AXES]
    seen.sort(key=lambda pair: (_is_other(about, pair[1]), _rank(about, pair[0], given)))
    for value, definition in seen:
        return about.ask(Asks.SHAPE, definition, line=value.line, name=value.name, answer=_shape(value.value))
    return None


def _rank(about: _About, seen: Seen, given: set[tuple[int, ...]]) -> tuple[bool, str]:
    return tuple(seen.value.shape) in given, about.order("shape", seen.line, seen.name)


def _ask_line(about: _About) -> CodeQuestion | None:
    """The first line of the function that gives a variable a shape, which no argument has."""
    arguments = {tuple(each.shape) for each in about.run.inputs}
    found: dict[tuple[int, ...], tuple[Seen, Definition]] = {}
    for value, definition in _once(about, of_one_function=True):
        shape = tuple(value.value.shape)
        first = next(s for s in about.run.seen if s.file == value.file and tuple(s.value.shape) == shape)
        if first is value and value.name and len(shape) >= FEWEST_AXES and shape not in arguments:
            found.setdefault(shape, (value, definition))
    for shape, (value, definition) in sorted(found.items(), key=lambda item: about.order("line", item[0])):
        return about.ask(Asks.LINE, definition, shape=shape, answer=str(value.line))
    return None


def _ask_value(about: _About) -> CodeQuestion | None:
    """An entry of a variable that is an entry of an input, which the code has moved: on a small draw."""
    judge, answer = about.run.judge, about.run.answers[0]
    numbers = {number for each in about.run.inputs for number in each.flatten().tolist()}
    if not isinstance(answer, Tensor) or not set(answer.flatten().tolist()) <= numbers:
        return None
    for check in [check for check in judge.exercise.value_checks if check.core and check.answer is not None]:
        examples = _turned(judge.draws.ladder(judge.exercise, check, small_draws), about.salt)
        runs = (run_on(judge, check, example) for example in examples)
        small = [run for run in runs if run is not None and LEAST <= run.size <= SMALL]
        for run in sorted(small, key=lambda run: run.alike_sizes):
            if question := _value_in(replace(about, run=run)):
                return question
    return None


def _value_in(about: _About) -> CodeQuestion | None:
    inputs = [each.flatten().tolist() for each in about.run.inputs if each.is_floating_point()]
    numbers = [number for each in inputs for number in each]
    if not numbers or len(set(numbers)) < len(numbers):
        return None
    given = {tuple(each.shape) for each in about.run.inputs}
    for value, definition in sorted(_once(about), key=lambda pair: about.order("value", pair[0].line)):
        entries = value.value.flatten().tolist()
        if tuple(value.value.shape) in given or not set(entries) <= set(numbers):
            continue
        index = _index(value.value, int(about.order("entry")[:8], 16) % len(entries))
        answer = repr(float(value.value[index]))
        return about.ask(Asks.VALUE, definition, line=value.line, name=value.name, index=index, answer=answer)
    return None


def _ask_returned(about: _About) -> CodeQuestion | None:
    """The number that is returned, or how many entries of a mask are True."""
    (answer, *others), definition = about.run.answers, _own(about)
    if definition is None or others:
        return None
    if isinstance(answer, int | float) and not isinstance(answer, bool) and math.isfinite(answer):
        return about.ask(Asks.RETURNED, definition, answer=repr(answer))
    if isinstance(answer, Tensor) and answer.dtype == torch.bool and answer.dim() >= FEWEST_AXES:
        return about.ask(Asks.TRUE, definition, answer=str(int(answer.sum())))
    return None


def _own(about: _About) -> Definition | None:
    symbol = about.exercise.symbol or about.exercise.name
    heads = (f"def {symbol}", f"class {symbol}")
    return next((d for d in about.definitions if any(head in d.code for head in heads)), None)


def _is_other(about: _About, definition: Definition) -> bool:
    """Whether it is not the exercise's own: a helper is asked about where nothing else is left."""
    return definition != _own(about)


def _ask_edit(about: _About) -> CodeQuestion | None:
    """What happens if one line is another: the effect that fewest of the tried edits have, by chance."""
    found: dict[Effect, list[tuple[Change, str, str, Definition]]] = {}
    for change in islice(_changes(about), MOST_EDITS):
        before, after = _one_line(change)
        definition = _definition_at(about, change.unit.piece.label, change.edit.line)
        effect = about.run.effect(change) if before and after and definition else None
        is_plain = effect is Effect.ERROR and change.edit.kind in _OF_NUMBERS  # an axis that there is not
        if effect is not None and definition is not None and not is_plain:
            found.setdefault(effect, []).append((change, before, after, definition))
    if not about.run.answers_as_before():
        return None
    for effect in sorted(found, key=lambda effect: about.order("effect", effect)):
        change, before, after, definition = found[effect][0]
        return about.ask(
            Asks.EDIT, definition, line=change.edit.line, before=before, after=after, answer=effect.value
        )
    return None


def _changes(about: _About) -> Iterator[Change]:
    """The edits of the lines that ran, in an order of the student's own."""
    lines = {(seen.file, seen.line) for seen in about.run.seen}
    units = [unit for unit in find_units(about.run.candidate.source) if not unit.constructs]
    edits = [
        (edit, unit)
        for unit in units
        for edit in edits_of(unit)
        if edit.kind in _EDITED and not edit.also and (not lines or (unit.piece.label, edit.line) in lines)
    ]
    of_symbol = about.exercise.symbol or about.exercise.name
    numbered = sorted(
        enumerate(edits),
        key=lambda each: (each[1][1].within.split(".")[0] != of_symbol, about.order(each[0])),
    )
    for _, (edit, unit) in numbered:
        with edit.made():
            text = unit.text()
        yield Change(unit, edit, text)


def _one_line(change: Change) -> tuple[str, str]:
    """The line before and after, where an edit changes one alone; else nothing."""
    lines = change.diff().split("\n")
    if [line[:1] for line in lines] != ["-", "+"]:
        return "", ""
    before, after = (line[1:].strip() for line in lines)
    return before, after


def _once(about: _About, *, of_one_function: bool = False) -> Iterator[tuple[Seen, Definition]]:
    """The values of whole lines that ran once and gave a variable this value, with the code around them.

    With `of_one_function` only those of files in which one function ran, and it once.
    """
    seen = about.run.seen
    for value in seen:
        same = [s for s in seen if (s.file, s.line, s.name) == (value.file, value.line, value.name)]
        calls = {s.call for s in seen if s.file == value.file}
        definition = _definition_at(about, value.file, value.line)
        if len(same) > 1 or definition is None or (of_one_function and len(calls) > 1):
            continue
        if (value.line, value.name) in _assignments(definition):
            yield value, definition


def _assignments(definition: Definition) -> set[tuple[int, str]]:
    """The lines of a definition that are one statement which gives a variable a value, or returns one."""
    source = "\n" * (definition.line - 1) + _dedented(definition.code)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return set()
    found, lines = set[tuple[int, str]](), list[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            lines.append(node.lineno)
        if isinstance(node, ast.stmt) and node.lineno == node.end_lineno:
            found |= {(node.lineno, name) for name in _names_given(node)}
    return {(line, name) for line, name in found if lines.count(line) == 1}


def _names_given(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Return):
        return [""] if node.value is not None and not isinstance(node.value, ast.Tuple) else []
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AugAssign | ast.AnnAssign) else targets
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _dedented(code: str) -> str:
    first = code.split("\n", 1)[0]
    indent = len(first) - len(first.lstrip())
    return "\n".join(line[indent:] for line in code.split("\n")) if indent else code


def _definition_at(about: _About, file: str, line: int) -> Definition | None:
    """The student's definition around a line of a file of the rebuilt code."""
    place = about.run.candidate.errors.place_of_line(file, line)
    if place is None or place.cell is None:
        return None
    cells = list(dict.fromkeys((d.file, d.cell) for d in about.definitions))
    number = place.cell - 2  # the first cell is that of the imports
    if not 0 <= number < len(cells):
        return None
    here = [d for d in about.definitions if (d.file, d.cell) == cells[number]]
    return next((d for d in here if d.line <= line <= d.line + d.code.rstrip("\n").count("\n")), None)


def _shape(value: Tensor) -> str:
    return str(tuple(value.shape))


def _index(value: Tensor, number: int) -> tuple[int, ...]:
    """The place of an entry, counted in the order of the axes."""
    index: list[int] = []
    for size in reversed(value.shape):
        number, rest = divmod(number, size)
        index.insert(0, rest)
    return tuple(index)
