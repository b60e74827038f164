"""Each known mistake has a section on the site, with a smallest case that is true and no solution."""

import inspect
import json
import re

import pytest

from graders.course.exercise import Exercise, load_assignment
from graders.course.reference import mistakes, text
from graders.handout.leak_check import find_leaks
from graders.judging.draws import Draws
from graders.language import LANGUAGES, Language, speaking
from graders.results.mistake_address import section_id, section_name
from tests.maintenance.cases_shown import SEED
from tests.maintenance.site.exercise_pages import exercise_pages
from tests.maintenance.site.mistake_sections import mistake_section
from tests.maintenance.site.smallest_cases import FOLDER, all_exercises, make_cases, read_cases
from tests.maintenance.site.stage import MISTAKE, ROOT
from tests.support.at_night import some_at_night

EXERCISES = {exercise.name: exercise for exercise in all_exercises()}
AGAIN = ("causal_mask",)  # whose cases are looked for at each push; those of all at night


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The English pages of exercises."""
    with speaking("en"):
        return dict(exercise_pages())


def _names(exercise: Exercise) -> list[str]:
    return [name.partition("__")[2] for name in mistakes(exercise.name, exercise.symbol)]


def test_each_known_mistake_has_a_section_and_each_check_a_row(pages: dict[str, str]) -> None:
    for exercise in EXERCISES.values():
        page = pages[f"exercises/{exercise.name}.md"]
        for name in _names(exercise):
            assert f"({section_name(exercise.name, name)})=" in page
        for check in exercise.checks:
            assert f'<span id="{check.name}">' in page


def test_documents_name_no_other_mistakes() -> None:
    named = [
        each for page in (ROOT / "docs").glob("*.md") for each in MISTAKE.findall(page.read_text("utf-8"))
    ]
    assert named
    assert [each for each in named if each[1] not in _names(EXERCISES[each[0]])] == []


def test_no_two_sections_of_a_page_have_the_same_address() -> None:
    for exercise in EXERCISES.values():
        ids = [section_id(exercise.name, name) for name in _names(exercise)]
        assert len(ids) == len(set(ids)), exercise.name


def test_the_kept_cases_are_those_of_the_known_mistakes() -> None:
    there = {path.stem for path in FOLDER.glob("*.json")}
    assert there == set(EXERCISES)
    for exercise in (EXERCISES[name] for name in sorted(there)):
        again = "python -m tests.maintenance.site.smallest_cases"
        assert sorted(read_cases(exercise.name)) == sorted(_names(exercise)), again


@pytest.mark.parametrize("name", some_at_night(EXERCISES, AGAIN))
def test_the_kept_cases_are_found_again(name: str) -> None:
    found = make_cases(EXERCISES[name], Draws(SEED))
    assert json.loads(json.dumps(found)) == read_cases(name), (
        f"python -m tests.maintenance.site.smallest_cases {name}"
    )


def test_a_case_names_a_check_of_its_exercise_and_has_both_languages() -> None:
    for exercise in EXERCISES.values():
        checks = {check.name for check in exercise.checks}
        for name, kept in read_cases(exercise.name).items():
            assert kept is None or kept["check"] in checks, (exercise.name, name)
            assert kept is None or all(kept[language]["says"] for language in LANGUAGES), name


def test_no_page_has_a_line_of_a_solution(pages: dict[str, str]) -> None:
    # The hints of mistakes are lines of solutions, too; those an answer key may hold.
    texts = {
        f"site.key/{name}": re.sub("<svg.*?</svg>", "", page, flags=re.DOTALL).encode()
        for name, page in pages.items()
    }
    assert find_leaks(texts) == []
    line = next(line for line in (text("layer_norm") or "").splitlines() if "sqrt(" in line)
    assert find_leaks({"site.key/a.md": line.encode()}) != []


@pytest.mark.parametrize(
    ("language", "due"),
    [
        (
            "en",
            (
                "### interleaved",
                "<p>The columns of the heads are interleaved, not side by side.</p>",
                "x (1, 2, 3, 4) float32",
                "the columns h*D up to (h+1)*D hold head h",
                "18 of 24 values of the output differ",
                "heat map, expected: 3 rows and 8 columns",
                "Look at the order of H and D",
                "exercise [Joining the heads](#concat_heads--contract)",
            ),
        ),
        (
            "fr",
            (
                "18 valeurs sur 24 diffèrent",
                "carte de chaleur",
                "exercice [Réunir les têtes](#concat_heads--contract)",
            ),
        ),
    ],
)
def test_a_section_says_what_is_wrong_and_why(language: Language, due: tuple[str, ...]) -> None:
    name = "concat_heads__interleaved"
    doc = inspect.getdoc(mistakes("concat_heads", "concat_heads")[name]) or ""
    with speaking(language):
        assignment = load_assignment("attention")
        [exercise] = assignment.only(["concat_heads"]).exercises
        section = mistake_section(assignment, exercise, name, doc, read_cases("concat_heads"))
    for words in due:
        assert words in section
