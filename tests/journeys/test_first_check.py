"""Follow the tutorial "Your first check as a student" as it stands."""

import pytest

from tests.support.followed_page import Done, follow, require_as_shown

pytestmark = pytest.mark.programs
BY_HAND = ["python -m venv .venv", "source .venv/bin/activate", "pip install -r requirements.txt"]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> list[Done]:
    # The solutions are here: they decide as the key does, which takes a minute to make.
    return follow(
        "first-check.md", tmp_path_factory.mktemp("student"), {"handout": "--key none"}, by_hand=BY_HAND
    )


def test_everything_prints_what_the_page_shows(followed: list[Done]):
    require_as_shown(followed)


def test_what_is_wrong_ends_with_1_and_what_is_not_attempted_is_not_wrong(followed: list[Done]):
    statuses = [done.status for done in followed if done.command.startswith("check")]
    assert statuses == [1, 1, 1]


def test_a_check_in_the_notebook_costs_nothing_of_it(followed: list[Done]):
    cells = [done.printed for done in followed if done.command.startswith("%check")]
    assert len(cells) == 2 and "failed" in cells[0] and "passed" in cells[1]
