"""How mistakes are told apart, and what is named falsely, as people read it."""

import io
import json
from pathlib import Path

from rich.console import Console

from graders.results.audit_result import (
    FalseName,
    Kind,
    NamedExercise,
    NamedMistake,
    Near,
    NearKind,
    NeighbouredExercise,
)
from reports import names
from tests.reports.markup import assert_sound
from tests.reports.test_page import HOSTILE

BY_VALUES = Near(NearKind.MISTAKE, "mask__shifted", 2, "[9, 3]", 0.25)
BY_FACT = Near(NearKind.CHANGE, "return x", 1, "[4, 2]", 0.0, "the form of the answer")
NOT = Near(NearKind.REFERENCE, "mask", differs_elsewhere=True)
SOUND = NamedExercise("mask", (NamedMistake("mask__inverted", 7, (BY_VALUES, BY_FACT)),))
WITH_GAP = NamedExercise("mask", (NamedMistake("mask__inverted", 7, (NOT,)),), ("no draw tells them",))
FALSE = FalseName(Kind.RIGHT, "plain", (), "size", (("mask__inverted",),), ("core",), "x = 1\n", "x = 2\n")


def test_the_page_lists_each_neighbour_with_its_draw_and_what_tells() -> None:
    said = " ".join(assert_sound(names.render([SOUND])).pieces)
    assert "A draw tells each known mistake from its neighbours" in said
    assert "a mistake: shifted 2: [9, 3] values, by 0.25 of the largest" in said
    assert "its code, changed: return x 1: [4, 2] the form of the answer" in said


def test_a_gap_is_marked_on_the_page_and_in_the_terminal() -> None:
    said = " ".join(assert_sound(names.render([WITH_GAP])).pieces)
    assert "1 gap" in said and "no draw tells them" in said and "\u2717 nothing" in said
    console = Console(file=io.StringIO(), width=200)
    names.show(console, [WITH_GAP])
    assert "no draw tells them" in console.file.getvalue() and "no gap" not in console.file.getvalue()  # type: ignore[attr-defined]


def test_names_of_code_are_text_on_the_page() -> None:
    hostile = Near(NearKind.CHANGE, HOSTILE, 1, HOSTILE, 0.5)
    assert_sound(names.render([NamedExercise("mask", (NamedMistake("mask__inverted", 1, (hostile,)),))]))


def test_the_json_has_what_the_page_has(tmp_path: Path) -> None:
    _, table = names.publish(tmp_path, [SOUND])
    [exercise] = json.loads(table.read_text())
    assert exercise["mistakes"][0]["nearest"][0]["far"] == 0.25


def test_what_is_named_falsely_is_told_with_its_code(tmp_path: Path) -> None:
    tried = NeighbouredExercise("mask", tried=3, right=1, named=1, false=(FALSE,))
    console = Console(file=io.StringIO(), width=200)
    names.show_neighbours(console, [tried])
    told = console.file.getvalue()  # type: ignore[attr-defined]
    assert "right answer plain with one change (size) is named falsely: inverted" in told
    assert "nothing is named falsely" not in told
    [folder] = names.publish_neighbours(tmp_path, [tried])
    assert (folder / "answer.py").read_text().endswith("x = 1\n")
    assert (folder / "before.py").read_text() == "x = 2\n"
