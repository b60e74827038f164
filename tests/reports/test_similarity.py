"""Copies are found although names, comments and order have changed; independent right answers are not."""

import ast
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from graders.results.result import Definition, Result
from reports.pages import similar_page
from reports.similarity.find_pairs import FEWEST, find_pairs
from reports.similarity.fingerprints import fingerprints
from tests.reports import sample
from tests.reports.markup import assert_sound

RIGHT = Path(__file__).parents[2] / "solutions" / "right"
CLASSES = {
    name: sorted(p for p in (RIGHT / name).glob("*.py") if not p.stem.startswith("renamed"))
    for name in ("bert_embeddings", "causal_head", "gpt_block", "greedy_decode", "local_attention")
}


def answer(who: str, codes: Mapping[str, str]) -> Result:
    exercises = [
        sample.exercise(sample.finding(), name=name, definitions=(Definition("tp.py", None, 1, code),))
        for name, code in codes.items()
    ]
    return sample.result(*exercises, id=who)


def disguised(code: str, seed: int) -> str:
    """The same code with other names, without comments and docstrings, its methods in another order."""
    tree = ast.parse(code)
    bound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg) and n.arg != "self"}
    names = {name: f"name_{n}" for n, name in enumerate(sorted(bound))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
        elif isinstance(node, ast.ClassDef):
            random.Random(seed).shuffle(node.body)
    return ast.unparse(tree)


@pytest.fixture(scope="module")
def independent() -> list[Result]:
    """Students of whom each answers every exercise in a style that nobody else has."""
    count = min(len(paths) for paths in CLASSES.values())
    return [
        answer(f"s{n}", {name: paths[n].read_text("utf-8") for name, paths in CLASSES.items()})
        for n in range(count)
    ]


def test_independent_right_answers_are_not_alike(independent: list[Result]) -> None:
    assert len(independent) >= FEWEST - 1
    others = [answer(f"t{n}", {}) for n in range(FEWEST)]
    assert find_pairs([*independent, *others], {}) == []


@pytest.mark.parametrize("number", range(4))
def test_a_copy_with_other_names_and_order_is_found_though_one_answer_is_own(
    independent: list[Result], number: int
) -> None:
    codes = {e.name: disguised(e.definitions[0].code, number) for e in independent[number].exercises}
    own = list(CLASSES)[number]
    codes[own] = "def own(x):\n    return x"
    found = find_pairs([*independent, answer("copy", codes), answer("none", {})], {})
    assert [(pair.first, pair.second) for pair in found] == [("copy", f"s{number}")]


def test_names_comments_annotations_and_layout_leave_the_fingerprints() -> None:
    code = "def f(x, m):\n    # shapes\n    y = x.transpose(1, 2)\n    return y.masked_fill(m, 0).sum(-1)\n"
    other = (
        "def g(a: int, b: bool) -> int:\n    '''Sum.'''\n"
        "    c = (a.transpose(3,\n        4))\n    return c.masked_fill(b, 1).sum(-2)\n"
    )
    assert fingerprints(code)
    assert fingerprints(code) == fingerprints(other)
    assert fingerprints(code, "one exercise").isdisjoint(fingerprints(code, "another"))


def test_what_was_handed_out_is_nobodys(independent: list[Result]) -> None:
    given = {e.name: e.definitions[0].code for e in independent[0].exercises}
    twins = [answer("a", given), answer("b", given), *independent[1:], answer("none", {})]
    assert [(pair.first, pair.second) for pair in find_pairs(twins, {})] == [("a", "b")]
    assert find_pairs(twins, given) == []


def test_unreadable_code_has_no_fingerprints() -> None:
    assert fingerprints("def f(:\n") == fingerprints("x = '''") == fingerprints("(" * 5_000) == frozenset()


def test_a_small_class_is_not_judged(independent: list[Result]) -> None:
    assert find_pairs([independent[0]] * 2, {}) == []


def test_the_page_shows_both_side_by_side_without_running_anything(independent: list[Result]) -> None:
    codes = {
        e.name: e.definitions[0].code + "\n# <script>alert(1)</script>" for e in independent[0].exercises
    }
    results = [*independent, answer("copy", codes), answer("none", {})]
    by_id = {result.submission.id: result for result in results}
    page = similar_page.render("TP", find_pairs(results, {}), by_id)
    assert_sound(page)
    assert "<script>alert" not in page
    assert "copy" in page
