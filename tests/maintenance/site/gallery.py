"""The gallery: real pages of a class that was made up, and a page of the site that leads to them."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from graders.classroom.class_record import ClassRecord
from graders.classroom.marks import compute_marks
from graders.language import Language, current_language, speaking
from graders.results.result import Outcome, Result
from reports import audit, publish
from reports.pages import notebook_cell_output, student_page
from tests.reports import audited_course, class_of_twelve, sample
from tests.reports.test_french import COSTS, TIMED
from tests.reports.test_heads import drawn
from tests.reports.test_trained import MODEL, result_of

FOLDER = "gallery"
STUDENT = "camille-roux"
# Each page: its address, then its title and a sentence on it.
SHOWN: dict[Language, dict[str, tuple[str, str]]] = {
    "en": {
        "class/index.html": (
            "The page of a class",
            "what needs you first, what to teach next, the distribution, and a row for each student.",
        ),
        f"class/{STUDENT}/index.html": (
            "The page of a student",
            "what is wrong first, the smallest case as a picture, a hint, and the student's own code.",
        ),
        "cell.html": (
            "The output of %check",
            "the same below a cell of a notebook, for a student who still works on it.",
        ),
        "heads.html": (
            "Heads on a sentence",
            "where each head of the student's attention looks, word by word, for no points.",
        ),
        "timing.html": (
            "Times and costs",
            "how fast the code is beside the reference and PyTorch, and how its time and memory grow.",
        ),
        "trained.html": (
            "A trained model",
            "its loss beside a bigram's and the target, and what it writes.",
        ),
        "audit.html": (
            "An audit",
            "for authors: which check catches which known mistake, and what is missing.",
        ),
    },
    "fr": {
        "class/index.html": (
            "La page d'une classe",
            "ce qui demande votre attention, ce qu'il faut reprendre en cours, la répartition, et une "
            "ligne par étudiant.",
        ),
        f"class/{STUDENT}/index.html": (
            "La page d'un étudiant",
            "ce qui est faux d'abord, le plus petit cas en image, un indice, et le code à côté.",
        ),
        "cell.html": (
            "Ce qu'affiche %check",
            "la même chose sous une cellule de notebook, pour qui travaille encore.",
        ),
        "heads.html": (
            "Les têtes sur une phrase",
            "où regarde chaque tête de l'attention de l'étudiant, mot par mot, sans points.",
        ),
        "timing.html": (
            "Temps et coûts",
            "la vitesse du code à côté de la référence et de PyTorch, et ce que coûte la longueur.",
        ),
        "trained.html": (
            "Un modèle entraîné",
            "sa perte à côté de celle d'un bigramme et de l'objectif, et ce qu'il écrit.",
        ),
        "audit.html": (
            "Un audit",
            "pour les auteurs\u00a0: quelle vérification voit quelle erreur connue, et ce qui manque.",
        ),
    },
}
HEADS: dict[Language, tuple[str, str]] = {
    "en": (
        "Gallery",
        "Pages as softmark makes them, of a class that was made up. They are in English; those of a "
        "French course are in French.",
    ),
    "fr": (
        "Galerie",
        "Des pages telles que softmark les fait, d'une classe inventée. Elles sont en anglais\u00a0; "
        "celles d'un cours en français sont en français.",
    ),
}
NOTEBOOK = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport"
content="width=device-width"><title>The output of %check</title></head><body
style="background: #fff; color: #111; font-family: sans-serif; margin: 2rem auto; padding: 0 1rem">
<main><h1>A notebook</h1><h2>%check concat_heads</h2>
{}
</main></body></html>
"""


def gallery_page() -> str:
    """The page that leads to all others, in the current language."""
    title, says = HEADS[current_language()]
    lines = [
        f'- <a href="../{FOLDER}/{address}">{name}</a>{_colon()} {sentence}'
        for address, (name, sentence) in SHOWN[current_language()].items()
    ]
    return f"# {title}\n\n{says}\n\n" + "\n".join(lines) + "\n"


def write_gallery(site: Path) -> None:
    """Write the pages to which the gallery leads."""
    folder = site / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with speaking("en"):
        _write_class(folder / "class")
        for name, text in _pages():
            (folder / name).write_text(text, encoding="utf-8")


def _colon() -> str:
    return "\u00a0:" if current_language() == "fr" else ":"


def _write_class(folder: Path) -> None:
    results = class_of_twelve.results()
    marks = compute_marks(results, ClassRecord(results[0].assignment, results[0].max_points), [], None)
    publish.publish_class(folder, results, marks)
    for result in results:
        publish.publish_one(folder, result)


def _pages() -> Iterator[tuple[str, str]]:
    wrong = sample.result(sample.exercise(sample.finding(Outcome.FAILED), sample.finding()))
    yield "cell.html", NOTEBOOK.format(notebook_cell_output.render(wrong, "cell").html)
    yield "heads.html", student_page.render(_right(), heads=drawn())
    timed = sample.exercise(sample.finding(costs=COSTS), timing=replace(TIMED, says=()))
    yield "timing.html", student_page.render(sample.result(timed, remarks=()))
    yield "trained.html", student_page.render(result_of(MODEL))
    yield "audit.html", audit.render([audited_course.exercise(), audited_course.with_gaps()])


def _right() -> Result:
    return sample.result(sample.exercise(sample.finding()), remarks=())
