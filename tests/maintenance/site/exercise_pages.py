"""A page for each exercise: what is asked, what is checked, and the known mistakes with their cases."""

import inspect
from collections.abc import Collection, Iterator

from graders.check_api.check import Check
from graders.check_api.criterion import Criterion
from graders.course.exercise import Assignment, Exercise, assignment_names, load_assignment
from graders.course.reference import mistakes
from graders.language import Language, current_language, line, number
from tests.maintenance.site.mistake_sections import contract_label, index_of_mistakes, mistake_section
from tests.maintenance.site.smallest_cases import read_cases

WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "catalogue": "Exercises, checks and known mistakes",
        "intro": "What each exercise asks for, what is checked, and the known mistakes: what each is, "
        "the smallest case in which it shows, why it is wrong, and where to look.",
        "of": "{points} points, of [{assignment}](index.md)",
        "contract": "What is asked",
        "checks": "What is checked",
        "head": "| check | points |\n| --- | --- |",
        "mistakes": "Known mistakes",
        "criteria": "What the trained model is measured by",
        "exercise": "exercise",
        "points": "points",
        "symbol": "name in the file",
    },
    "fr": {
        "catalogue": "Exercices, vérifications et erreurs connues",
        "intro": "Ce que demande chaque exercice, ce qui est vérifié et les erreurs connues : ce qu'est "
        "chacune, le plus petit cas où elle se voit, pourquoi c'est faux, et où chercher.",
        "of": "{points} points, dans [{assignment}](index.md)",
        "contract": "Ce qui est demandé",
        "checks": "Ce qui est vérifié",
        "head": "| vérification | points |\n| --- | --- |",
        "mistakes": "Erreurs connues",
        "criteria": "Ce que l'on mesure du modèle entraîné",
        "exercise": "exercice",
        "points": "points",
        "symbol": "nom dans le fichier",
    },
}


def exercise_pages(names: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Each page's path and text, in the current language: an index, and a page for each exercise, or some."""
    assignments = [load_assignment(name) for name in assignment_names()]
    yield "exercises/index.md", _index(assignments)
    for assignment in assignments:
        for exercise in assignment.exercises:
            if not names or exercise.name in names:
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
    parts = [
        f"# {exercise.title}",
        f"`{exercise.symbol}`, {head}",
        f"({contract_label(exercise)})=\n\n## {word['contract']}",
        contract,
    ]
    if exercise.checks:
        parts += [f"## {word['checks']}", _checks(exercise)]
    if exercise.criteria:
        parts += [f"## {word['criteria']}", _criteria(exercise)]
    known = mistakes(exercise.name, exercise.symbol)
    if known:
        kept, docs = read_cases(exercise.name), {name: inspect.getdoc(value) for name, value in known.items()}
        parts += [f"## {word['mistakes']}", index_of_mistakes(exercise, docs)]
        parts += [mistake_section(assignment, exercise, name, doc or "", kept) for name, doc in docs.items()]
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


def _cell(text: str) -> str:
    return (
        " ".join(text.split())
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("*", "\\*")
        .replace("_", "\\_")
    )
