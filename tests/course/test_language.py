"""One docstring, two languages; and every text of the course is there in both."""

import ast
import tomllib

import pytest

from graders.course.exercise import assignment_names, load_assignment
from graders.course.reference import mistakes
from graders.language import line, said
from graders.locations import ASSIGNMENTS
from tests.maintenance.catalogue import misspaced

BOTH = """Join the heads.

    They lie side by side.

    fr: Réunit les têtes.

    Elles sont côte à côte.
    """
EXERCISES = [e for name in assignment_names() for e in load_assignment(name).exercises]
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)


def assert_both(docstring: str | None, what: str) -> None:
    english, french = line(docstring), line(docstring, "fr")
    assert english, f"{what} has no text"
    assert "fr:" not in english, f"{what}: French in the English text"
    assert french != english, f"{what} has no French"


def test_the_english_text_ends_where_the_french_begins():
    assert said(BOTH) == "Join the heads.\n\nThey lie side by side."


def test_the_french_text_begins_behind_its_mark():
    assert said(BOTH, "fr") == "Réunit les têtes.\n\nElles sont côte à côte."


def test_a_line_is_the_text_without_its_breaks():
    assert line(BOTH, "fr") == "Réunit les têtes. Elles sont côte à côte."


def test_the_french_text_may_be_indented_under_its_mark():
    assert said("One.\n\nfr: Un.\n    Deux.", "fr") == "Un.\nDeux."


def test_a_text_without_french_is_said_in_english():
    assert said("Join the heads.", "fr") == "Join the heads."


def test_a_mark_within_a_line_is_no_mark():
    assert said("Say fr: to begin.") == "Say fr: to begin."


def test_no_text_is_empty_in_both_languages():
    assert (said(None), said(None, "fr"), line(""), line("", "fr")) == ("", "", "", "")


@each_exercise
def test_every_check_is_said_in_both_languages(exercise):
    for check in (*exercise.checks, *exercise.criteria):
        english, french = line(check.doc), line(check.doc, "fr")
        assert english, check.name
        assert french != english, check.name
        assert not misspaced(french), f"{check.name}: {french}"


@pytest.mark.parametrize("exercise", [e for e in EXERCISES if e.rule is None], ids=lambda e: e.name)
def test_every_hint_is_said_in_both_languages(exercise):
    known = mistakes(exercise.name, exercise.symbol)
    assert known
    for name, made in known.items():
        assert_both(made.__doc__, name)
        assert not misspaced(line(made.__doc__, "fr")), f"{name}: {line(made.__doc__, 'fr')}"


@each_exercise
def test_every_contract_is_said_in_both_languages(exercise):
    texts = {
        node.name: ast.get_docstring(node)
        for node in ast.walk(ast.parse(exercise.handed_out))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node)
    }
    assert {exercise.symbol} <= texts.keys() or set(exercise.beside) <= texts.keys()
    for name, docstring in texts.items():
        assert_both(docstring, f"{exercise.name}: {name}")


def test_every_title_is_said_in_both_languages():
    course = tomllib.loads((ASSIGNMENTS / "course.toml").read_text(encoding="utf-8"))
    for entry in (*course.values(), *(e for a in course.values() for e in a["exercises"])):
        assert entry["title_fr"], entry["title"]
        assert entry["title_fr"] != entry["title"]
