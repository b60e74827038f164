"""A page for each exercise: what is asked, what is checked, and the known mistakes with their hints."""

import html
import inspect
import re
from collections.abc import Iterator
from typing import Any

from graders.check_api.check import Check
from graders.check_api.criterion import Criterion
from graders.course.exercise import Assignment, Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes
from graders.language import Language, current_language, line, number, text_in
from reports.words import mistake_name

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "catalogue": "Exercises, checks and known mistakes",
        "intro": "What each exercise asks for, what is checked, and the known mistakes with their hints.",
        "of": "{points} points, of [{assignment}](index.md)",
        "contract": "What is asked",
        "checks": "What is checked",
        "head": "| check | points |\n| --- | --- |",
        "mistakes": "Known mistakes",
        "hint": "hint",
        "criteria": "What the trained model is measured by",
        "exercise": "exercise",
        "points": "points",
        "symbol": "name in the file",
    },
    "fr": {
        "catalogue": "Exercices, vérifications et erreurs connues",
        "intro": "Ce que demande chaque exercice, ce qui est vérifié, les erreurs connues et leurs indices.",
        "of": "{points} points, dans [{assignment}](index.md)",
        "contract": "Ce qui est demandé",
        "checks": "Ce qui est vérifié",
        "head": "| vérification | points |\n| --- | --- |",
        "mistakes": "Erreurs connues",
        "hint": "indice",
        "criteria": "Ce que l'on mesure du modèle entraîné",
        "exercise": "exercice",
        "points": "points",
        "symbol": "nom dans le fichier",
    },
}


def exercise_pages() -> Iterator[tuple[str, str]]:
    """Each page's path and text, in the current language: an index, and a page for each exercise."""
    assignments = [load_assignment(name) for name in assignment_names()]
    yield "exercises/index.md", _index(assignments)
    for assignment in assignments:
        for exercise in assignment.exercises:
            yield f"exercises/{exercise.name}.md", _page(assignment, exercise)


def _words() -> dict[str, str]:
    return WORDS[current_language()]


def _index(assignments: list[Assignment]) -> str:
    word = _words()
    parts = [f"# {word['catalogue']}", word["intro"]]
    for assignment in assignments:
        rows = [
            f"| [{each.title}]({each.name}.md) | `{each.symbol}` | {number(each.points, 'g')} |"
            for each in assignment.exercises
        ]
        head = f"| {word['exercise']} | {word['symbol']} | {word['points']} |\n| --- | --- | --- |"
        names = "\n".join(each.name for each in assignment.exercises)
        tree = f"```{{toctree}}\n:hidden:\n:caption: {assignment.title}\n\n{names}\n```"
        parts.append("\n\n".join([f"## {assignment.title}", "\n".join([head, *rows]), tree]))
    return "\n\n".join(parts) + "\n"


def _page(assignment: Assignment, exercise: Exercise) -> str:
    word = _words()
    head = word["of"].format(points=number(exercise.points, "g"), assignment=assignment.title)
    contract = f"```text\n{exercise.contract}\n```"
    parts = [f"# {exercise.title}", f"`{exercise.symbol}`, {head}", f"## {word['contract']}", contract]
    if exercise.checks:
        parts += [f"## {word['checks']}", _checks(exercise)]
    if exercise.criteria:
        parts += [f"## {word['criteria']}", _criteria(exercise)]
    known = mistakes(exercise.name, exercise.symbol)
    if known:
        parts += [
            f"## {word['mistakes']}",
            *(_mistake(exercise, name, value) for name, value in known.items()),
        ]
    return "\n\n".join(parts) + "\n"


def _checks(exercise: Exercise) -> str:
    rows = [
        f'| <span id="{check.name}"></span>{_says(check)} | {_points(exercise, check)} |'
        for check in exercise.checks
    ]
    return "\n".join([_words()["head"], *rows])


def _criteria(exercise: Exercise) -> str:
    rows = [f"| {_says(each)} | {_points(exercise, each)} |" for each in exercise.criteria]
    return "\n".join([_words()["head"], *rows])


def _says(check: Check | Criterion) -> str:
    return _cell(line(check.doc, current_language()))


def _points(exercise: Exercise, check: Check | Criterion) -> str:
    return number(exercise.points_of(check), ".2g")


def _mistake(exercise: Exercise, name: str, value: Any) -> str:
    """A known mistake: its name, to which a link leads, and its hint, which is folded."""
    hint = text_in(inspect.getdoc(value), current_language())
    paragraphs = "".join(f"<p>{html.escape(each)}</p>" for each in re.split(r"\n\s*\n", hint))
    summary = f"<summary>{_words()['hint']}</summary>"
    label = f"{exercise.name}--{name.partition('__')[2]}"
    return f"({label})=\n\n### {mistake_name(name)}\n\n<details>{summary}{paragraphs}</details>"


def _cell(text: str) -> str:
    return (
        " ".join(text.split())
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("*", "\\*")
        .replace("_", "\\_")
    )
