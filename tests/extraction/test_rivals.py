"""Of several definitions those are found that may count in place of the first."""

from graders.extraction.rivals import find_rivals
from tests.support.notebooks import cells, handed_in

STUB = "def f(x):\n    raise NotImplementedError\n"


def rivals(files: dict[str, str | bytes]) -> list[tuple[str, int, bool]]:
    found = find_rivals(handed_in(files), "f", STUB)
    return [(r.source.definitions[0].file, r.source.definitions[0].line, r.tied) for r in found]


def test_one_definition_has_no_rival() -> None:
    assert rivals({"a.py": "def f(x): return x"}) == []
    assert rivals({"a.py": "def f(x): return x", "b.py": "from a import f", "c.py": STUB}) == []


def test_files_of_which_nothing_says_which_counts_are_tied() -> None:
    same = {"a.py": "def f(x): return x", "b.py": "def f(x): return 2 * x"}
    [(_, line, tied)] = rivals(same)
    assert (line, tied) == (1, True)
    assert [tied for *_, tied in rivals(same | {"b.py": "def g(): pass\ndef f(x): return 2 * x"})] == [True]
    assert rivals(same | {"b.py": "def f(x): return x  # the same"}) == []


def test_a_version_that_is_no_longer_the_last_gives_way_without_a_tie() -> None:
    found = rivals({"f_v1.py": "def f(x): return x", "f_v2.py": "def f(x): return 2 * x"})
    assert found == [("f_v1.py", 1, False)]


def test_an_earlier_definition_of_the_same_file_comes_last() -> None:
    found = find_rivals(
        cells("def f(x): return x", "def f(): pass\ndef g(): return 1", "def f(x, y): return 2"), "f", None
    )
    assert [(r.source.definitions[0].cell, r.tied) for r in found] == [(1, False)]
