"""What the files of an exercise lack: texts in the course's languages, enough checks, enough mistakes."""

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from graders.audit.french_spaces import find_misspaced, misspaced_docstring
from graders.audit.french_texts import french_cells
from graders.audit.write_spaces import spaces_missing
from graders.course.course_file import course_languages, course_table
from graders.course.exercise import Exercise
from graders.course.reference import mistakes
from graders.language import line, text_in, tr
from graders.locations import course

LEAST_CHECKS = 5
LEAST_MISTAKES = 5
_CELL = re.compile(r'^# %% \[markdown\](?:.*\blang="(\w+)")?', re.MULTILINE)


def assignment_gaps(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """What the entry of an assignment in course.toml lacks."""
    yield from _title_gaps(name, table)
    points = [entry.get("points") for entry in table.get("exercises", ())]
    known = [value for value in points if isinstance(value, int | float)]
    whole = course_table().points
    if whole and len(known) == len(points) and abs(sum(known) - whole) > 1e-9:
        yield tr(
            "the points of its exercises sum to {sum}: share {points} points among them in {file}",
            sum=f"{sum(known):g}",
            points=f"{whole:g}",
            file=course().name,
        )


def text_gaps(exercise: Exercise, entry: Mapping[str, Any]) -> Iterator[str]:
    """What an exercise and its entry in course.toml lack."""
    yield from _title_gaps(exercise.name, entry)
    yield from _cell_gaps(exercise)
    yield from _contract_gaps(exercise)
    docstrings = [(check.name, check.doc) for check in exercise.checks]
    docstrings += [(criterion.name, criterion.doc) for criterion in exercise.criteria]
    for name, docstring in docstrings:
        yield from _docstring_gaps(f"{checks_file(exercise.name)}, {name}", docstring)
    if exercise.rule is None:
        yield from _mistake_gaps(exercise)
        yield from _size_gaps(exercise)


def checks_file(exercise: str) -> str:
    """What the file of an exercise's checks is called."""
    path = course().checks(exercise)
    return course().describe(path) or path.name


def _title_gaps(name: str, entry: Mapping[str, Any]) -> Iterator[str]:
    languages = course_languages()
    keys = ("title", "title_fr") if len(languages) > 1 else ("title",)
    for key in keys:
        if not str(entry.get(key) or "").strip():
            yield tr("{file}, {name}: write its {key}", file=course().name, name=name, key=key)
    wrong = find_misspaced(str(entry.get(keys[-1], ""))) if "fr" in languages else None
    if wrong is not None:
        yield _misspaced_gap(f"{course().name}, {name}", wrong)


def _cell_gaps(exercise: Exercise) -> Iterator[str]:
    languages = course_languages()
    written = {language or languages[0] for language in _CELL.findall(exercise.handed_out)}
    for language in languages:
        if language not in written:
            yield tr(
                "assignments/{name}.py has no Markdown cell that begins with"
                ' `# %% [markdown] lang="{language}"`: write one',
                name=exercise.name,
                language=language,
            )
    for cell in french_cells(exercise.handed_out, languages):
        for edit in spaces_missing(exercise.handed_out, cell):
            yield _misspaced_gap(f"assignments/{exercise.name}.py", edit.found)


def _contract_gaps(exercise: Exercise) -> Iterator[str]:
    """Students read a contract in their language: the docstring of what they complete, and of its methods."""
    contracts = dict(_contracts(ast.parse(exercise.handed_out)))
    needed = set(exercise.options.beside) if exercise.options.beside else {exercise.symbol}
    for name in sorted(needed - contracts.keys()):
        yield tr(
            "assignments/{name}.py: {symbol} has no docstring: write its contract there (shapes, conventions,"
            " errors)",
            name=exercise.name,
            symbol=name,
        )
    for name, docstring in contracts.items():
        yield from _docstring_gaps(f"assignments/{exercise.name}.py, {name}", docstring)


def _contracts(node: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    """The docstrings of functions, classes and their methods; a method is called `Class.method`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            docstring = ast.get_docstring(child)
            if docstring:
                yield f"{inside}{child.name}", docstring
            yield from _contracts(child, f"{inside}{child.name}.")


def _mistake_gaps(exercise: Exercise) -> Iterator[str]:
    for name, mistake in mistakes(exercise.name, exercise.symbol).items():
        yield from _docstring_gaps(f"solutions/{exercise.name}.py, {name}", mistake.__doc__)


def _size_gaps(exercise: Exercise) -> Iterator[str]:
    if len(exercise.checks) < LEAST_CHECKS:
        yield tr(
            "{file} needs at least {least} checks, and has {n}",
            file=checks_file(exercise.name),
            n=len(exercise.checks),
            least=LEAST_CHECKS,
        )
    known = mistakes(exercise.name, exercise.symbol)
    if len(known) < LEAST_MISTAKES:
        yield tr(
            "solutions/{name}.py needs at least {least} mistakes called {symbol}__mistake, and has {n}",
            name=exercise.name,
            n=len(known),
            symbol=exercise.symbol,
            least=LEAST_MISTAKES,
        )
    if not exercise.diagnostic_draws(1):
        yield tr(
            "{file} has no Options with diagnostic_draws: write them, for without draws no mistake is named",
            file=checks_file(exercise.name),
        )


def _docstring_gaps(place: str, docstring: str | None) -> Iterator[str]:
    languages = course_languages()
    english, french = line(docstring), line(docstring, "fr")
    if len(languages) == 1 and not line(docstring, languages[0]):
        yield tr("{place}: write its docstring", place=place)
    elif not english:
        yield tr(
            "{place}: write its docstring in English, before the line that begins with `fr:`", place=place
        )
    elif "fr:" in english:
        yield tr("{place}: begin the line `fr:` where the first line of the docstring begins", place=place)
    elif len(languages) > 1 and french == english:
        yield tr(
            "{place}: the docstring has no French: write it below a line that begins with `fr:`", place=place
        )
    else:
        wrong = misspaced_docstring(text_in(docstring, "fr")) if "fr" in languages else None
        if wrong is not None:
            yield _misspaced_gap(place, wrong)


def _misspaced_gap(place: str, text: str) -> str:
    return tr(
        'in the French of {place}, "{text}" needs a no-break space (U+00A0): one stands before : ; ? ! and'
        " inside « »; `softmark audit --fix` writes it",
        place=place,
        text=text,
    )
