"""What the source files of an exercise lack: a checks file that can be read, French, the stub's signature."""

import ast
import inspect
from collections.abc import Iterator
from typing import Any

from graders import locations
from graders.audit.find_text_gaps import checks_file
from graders.course.course_file import course_languages
from graders.course.exercise import Exercise
from graders.course.reference import reference
from graders.language import tr, translations

MOST_LINES = 60  # of a function in a checks file, as of every function of softmark
FRENCH = "graders/locale/fr/LC_MESSAGES/softmark.po"
_ANY = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD


def source_gaps(exercise: Exercise) -> Iterator[str]:
    """What the texts of an exercise's files lack."""
    course, file = locations.course(), checks_file(exercise.name)
    text = course.checks(exercise.name).read_text(encoding="utf-8")
    yield from _length_gaps(file, text)
    if len(course_languages()) > 1 and course.home(exercise.name) == locations.shipped_folder():
        yield from _translation_gaps(file, text)
    if exercise.rule is None:
        yield from _signature_gaps(exercise)


def _length_gaps(file: str, text: str) -> Iterator[str]:
    """The functions of a checks file that say more than one thing, by their lines."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        lines = (function.end_lineno or function.lineno) - function.lineno + 1
        if lines > MOST_LINES:
            yield tr(
                "{file}: {function} has {lines} lines: keep it within {most}, and make functions of its"
                " steps",
                file=file,
                function=function.name,
                lines=lines,
                most=MOST_LINES,
            )


def _translation_gaps(file: str, text: str) -> Iterator[str]:
    """The sentences of a checks file that the catalogue has not in every language."""
    french = translations("fr")
    for sentence in _sentences(text):
        if not french.get(sentence):
            yield tr(
                '{file}: "{sentence}" has no French: run `make messages`, write the French in'
                " {catalogue}, and run `make messages` again",
                file=file,
                sentence=sentence,
                catalogue=FRENCH,
            )


def _sentences(text: str) -> Iterator[str]:
    """The sentences in `tr`, `trn` and `translatable`, in the file's order, each once."""
    calls = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("tr", "trn", "translatable")
    ]
    first = [call.args[0] for call in sorted(calls, key=lambda call: call.lineno) if call.args]
    yield from dict.fromkeys(
        node.value for node in first if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _signature_gaps(exercise: Exercise) -> Iterator[str]:
    """Where the reference does not take what the stub takes: the same names in the same order and defaults.

    The reference may take more, with defaults: known mistakes pass it other parts.
    """
    right = reference(exercise.name, exercise.symbol)
    for stub, name, parameters in _stubs(exercise):
        function = getattr(right, name, None) if isinstance(right, type) else right
        of_reference = _parameters(function) if function is not None else None
        if of_reference is None or _takes(of_reference, parameters):
            continue
        yield tr(
            "assignments/{exercise}.py has {stub}, but the reference has {reference}: give both the same"
            " arguments, in the same order, with the same defaults",
            exercise=exercise.name,
            stub=_written(stub, parameters),
            reference=_written(stub, of_reference),
        )


Parameters = list[tuple[str, Any]]  # the name of each argument, with its default


def _stubs(exercise: Exercise) -> Iterator[tuple[str, str, Parameters]]:
    """The functions that students complete: how each is called in a sentence, its name, its arguments."""
    for node in ast.parse(exercise.handed_out).body:
        if isinstance(node, ast.FunctionDef) and node.name == exercise.symbol:
            yield node.name, node.name, _of_stub(node.args)
        elif isinstance(node, ast.ClassDef) and node.name == exercise.symbol:
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    yield f"{node.name}.{method.name}", method.name, _of_stub(method.args)[1:]


def _of_stub(arguments: ast.arguments) -> Parameters:
    named = [*arguments.posonlyargs, *arguments.args]
    defaults = [ast.literal_eval(value) for value in arguments.defaults]
    without = len(named) - len(defaults)
    empty = [inspect.Parameter.empty] * without
    return [(a.arg, value) for a, value in zip(named, [*empty, *defaults], strict=True)]


def _parameters(function: Any) -> Parameters | None:
    """The arguments of a function, without `self`; None where it takes any."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self"]
    if any(p.kind in _ANY for p in parameters):
        return None
    return [(p.name, p.default) for p in parameters]


def _takes(of_reference: Parameters, of_stub: Parameters) -> bool:
    more = of_reference[len(of_stub) :]
    same = of_reference[: len(of_stub)] == of_stub
    return same and all(default is not inspect.Parameter.empty for _, default in more)


def _written(name: str, parameters: Parameters) -> str:
    """For example "RMSNorm.forward(x, eps=1e-06)"."""
    arguments = (
        argument if default is inspect.Parameter.empty else f"{argument}={default!r}"
        for argument, default in parameters
    )
    return f"{name}({', '.join(arguments)})"
