"""`make mutants` tries what it says: each change is one, in one place, and another seed draws others."""

import ast
from itertools import islice

from tests.maintenance.mutants.changes import changes_of
from tests.maintenance.mutants.equivalent import Equivalent
from tests.maintenance.mutants.mutants import draw, mutants_of

CODE = '''
MOST = 3

def first(rows: list[int], at_most: int = MOST, strictly: bool = False) -> bool:
    """Says something."""
    rows = sorted(rows)
    if not rows or any(row < 0 for row in rows):
        raise ValueError(tr("no rows"))
    rows.append(len(rows) - 1)
    return min(rows) <= at_most
'''


def test_each_kind_of_decision_is_changed():
    told = [change.describe() for change in changes_of(ast.parse(CODE))]
    assert told == [
        "MOST = 3 -> MOST = 4",
        "rows: list[int], at_most: int=MOST, strictly: bool=False"
        " -> rows: list[int], at_most: int=MOST, strictly: bool=True",
        "rows = sorted(rows) -> pass",
        "not rows or any((row < 0 for row in rows)) -> not rows and any((row < 0 for row in rows))",
        "not rows or any((row < 0 for row in rows)) -> not (not rows or any((row < 0 for row in rows)))",
        "any((row < 0 for row in rows)) -> all((row < 0 for row in rows))",
        "row < 0 -> row <= 0",
        "row < 0 -> row < 1",
        "raise ValueError(tr('no rows')) -> pass",
        "rows.append(len(rows) - 1) -> pass",
        "len(rows) - 1 -> len(rows) + 1",
        "len(rows) - 1 -> len(rows) - 2",
        "return min(rows) <= at_most -> return True",
        "return min(rows) <= at_most -> return False",
        "min(rows) <= at_most -> min(rows) < at_most",
        "min(rows) -> max(rows)",
    ]


def test_to_describe_a_change_leaves_the_tree_and_to_make_it_changes_one_place():
    before, count = ast.unparse(ast.parse(CODE)), len([*changes_of(ast.parse(CODE))])
    changed = set()
    for number in range(count):
        tree = ast.parse(CODE)
        change = next(islice(changes_of(tree), number, None))
        change.describe()
        assert ast.unparse(tree) == before
        change.make()
        changed.add(ast.unparse(ast.fix_missing_locations(tree)))
    assert len(changed - {before}) == count


def test_a_seed_draws_the_same_and_another_seed_others():
    mutants = [*mutants_of("graders/judging/undecidable.py")]
    assert draw(mutants, "1", 5) == draw([*reversed(mutants)], "1", 5)
    assert draw(mutants, "1", 5) != draw(mutants, "2", 5)


def test_what_cannot_be_seen_is_known_by_its_function_and_words():
    written = Equivalent("a.py::f", "x[0] < 1 -> *", "nobody asks")
    assert written.covers("a.py::f", "x[0] < 1 -> x[0] <= 1")
    assert not written.covers("a.py::g", "x[0] < 1 -> x[0] <= 1")
    assert not written.covers("a.py::f", "x0 < 1 -> x0 <= 1")
