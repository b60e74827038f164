"""A few cases of the fuzzers of commands: no exception, no hang, and nobody else's result is lost."""

from collections.abc import Iterator

import pytest

from tests.fuzz import command_lines, kills, tables
from tests.fuzz.results_folder import MadeClass, made_class

pytestmark = [pytest.mark.programs, pytest.mark.slow]


@pytest.fixture(scope="module")
def made() -> Iterator[MadeClass]:
    with made_class() as made:
        yield made


@pytest.mark.parametrize("number", [216, *range(1, 6)])  # the first is a pipe in the place of a page
def test_an_odd_file_in_a_folder_of_results(made: MadeClass, number: int):
    made.judge(number)


@pytest.mark.parametrize("number", range(1, 6))
def test_an_odd_table(made: MadeClass, number: int):
    tables.judge(made, number)


def test_odd_command_lines(made: MadeClass):
    with command_lines.quick_commands():
        for number in range(1, 16):
            command_lines.judge(made, number)


@pytest.mark.parametrize("number", [1, 2])
def test_a_command_that_is_killed_and_one_beside_another(made: MadeClass, number: int):
    kills.judge(made, number)
