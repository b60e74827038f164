"""Small edits of a function's text: which there are, of what kind, and what a source is after one."""

import ast
import textwrap

import pytest

from graders.diagnosis.edits.edit import Edit, Kind
from graders.diagnosis.edits.edits_of import edits_of
from graders.diagnosis.edits.unit import Unit, find_units, write_units
from graders.extraction.extract import Module, Piece, Source
from reports import words

CLASS = """
import torch

class Attention(torch.nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm = torch.nn.LayerNorm(dim)
        self.layer = torch.nn.Linear(dim, dim)
        self.other = torch.nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        {body}
"""


def source_of(code: str) -> Source:
    tree = ast.parse(code)
    keep = tuple((statement.lineno, statement.col_offset) for statement in tree.body)
    piece = Piece("a.py", "a.py", None, code, keep)
    return Source("f", (Module("__main__", (piece,), {}),), (), ())


def unit_of(code: str, within: str) -> Unit:
    return next(unit for unit in find_units(source_of(textwrap.dedent(code))) if unit.within == within)


def texts_after(unit: Unit) -> dict[str, Edit]:
    """Each text that an edit gives, with the first edit that does."""
    found: dict[str, Edit] = {}
    for edit in edits_of(unit):
        with edit.made():
            found.setdefault(unit.text(), edit)
    return found


@pytest.mark.parametrize(
    ("line", "instead", "kind"),
    [
        ("x.softmax(dim=1)", "x.softmax(dim=-1)", Kind.AXIS),
        ("x.masked_fill(y, -1e9)", "x.masked_fill(y, float('-inf'))", Kind.NUMBER),
        ("x * y ** 0.5", "x / y ** 0.5", Kind.OPERATION),
        ("x.masked_fill(y == 0, 1)", "x.masked_fill(y != 0, 1)", Kind.COMPARISON),
        ("torch.tril(x)", "torch.triu(x)", Kind.FUNCTION),
        ("torch.triu(x)", "torch.triu(x, diagonal=1)", Kind.ARGUMENTS),
        ("x.var(-1)", "x.var(-1, unbiased=False)", Kind.ARGUMENTS),
        ("x.permute(0, 1, 2)", "x.permute(0, 2, 1)", Kind.AXES_ORDER),
        ("x.detach() + y", "x + y", Kind.TOO_MUCH),
        ("x.data + y", "x + y", Kind.TOO_MUCH),
        ("x @ y", "x @ y.transpose(-2, -1)", Kind.MISSING),
        ("x + x", "x + y", Kind.VALUE),
        ("-x", "x", Kind.CONDITION),
    ],
)
def test_an_edit_of_an_expression_is_found(line: str, instead: str, kind: Kind) -> None:
    code = f"def f(x, y):\n    return {line}\n"
    found = texts_after(unit_of(code, "f"))
    assert found[f"def f(x, y):\n    return {instead}"].kind is kind


@pytest.mark.parametrize(
    ("body", "instead", "kind"),
    [
        ("x.masked_fill(mask, 0)\nreturn x", "x = x.masked_fill(mask, 0)\nreturn x", Kind.LOST_RESULT),
        ("x.masked_fill_(mask, 0)\nreturn x", "x = x.masked_fill(mask, 0)\nreturn x", Kind.LOST_RESULT),
        ("x *= 2\nreturn x", "x = x * 2\nreturn x", Kind.IN_PLACE),
        ("for n in range(3):\n    return n", "for n in range(3):\n    pass\nreturn n", Kind.STATEMENT),
        ("y = self.layer(x)", "y = self.layer(x)\nreturn y", Kind.RETURN),
        ("return x, mask", "return x", Kind.RETURN),
        ("return x / E", "return x / self.heads", Kind.VALUE),
        ("return self.layer(x)", "return self.other(x)", Kind.LAYER),
        ("return self.layer(x)", "return x", Kind.LAYER),
        ("return [self.layer] * 2", "return [self.layer for _ in range(2)]", Kind.SHARED),
        (
            "return x.masked_fill(mask, 0)",
            "mask = None if mask is None else mask == 0\nreturn x.masked_fill(mask, 0)",
            Kind.CONDITION,
        ),
        ("return self.norm(x + self.layer(x))", "return x + self.layer(self.norm(x))", Kind.LAYER),
        (
            "h = x + self.layer(self.norm(x))\nreturn h",
            "h = self.norm(x + self.layer(x))\nreturn h",
            Kind.LAYER,
        ),
        (
            "h = self.layer(x)\nx = self.norm(x + h)\nreturn x",
            "h = self.layer(self.norm(x))\nx = x + h\nreturn x",
            Kind.LAYER,
        ),
        (
            "q = self.layer(x).view(B, 2, S, 3)\nk = self.other(x).view(B, 2, S, 3)\nreturn q @ k",
            "q = self.layer(x).view(B, S, 2, 3)\nk = self.other(x).view(B, S, 2, 3)\nreturn q @ k",
            Kind.AXES_ORDER,
        ),
    ],
)
def test_an_edit_of_a_method_is_found(body: str, instead: str, kind: Kind) -> None:
    def code(text: str) -> str:
        return CLASS.format(body=text.replace("\n", "\n        "))

    found = texts_after(unit_of(code(body), "Attention.forward"))
    assert found[unit_of(code(instead), "Attention.forward").text()].kind is kind


def test_a_size_stands_for_a_size_before_it_stands_for_a_tensor() -> None:
    unit = unit_of("def f(x):\n    B, S, E = x.shape\n    return x.view(B, S, E)\n", "f")
    found = texts_after(unit)
    right = "def f(x):\n    B, S, E = x.shape\n    return x.view({})"
    assert found[right.format("B, S, S")].cost < found[right.format("B, S, x")].cost


def test_each_kind_of_edit_has_words_for_its_reader() -> None:
    assert {kind.value for kind in Kind} == words._EDITED.keys()


def test_the_tree_is_as_it_was_after_each_edit() -> None:
    unit = unit_of(CLASS.format(body="return self.norm(x + self.layer(x))"), "Attention.forward")
    before = unit.text()
    assert len(texts_after(unit)) > 50
    assert unit.text() == before


def test_a_source_after_an_edit_runs_the_edited_function_and_keeps_all_else() -> None:
    code = """
        import functools

        @functools.cache
        def f(x: int) -> int:
            # a comment
            return (
                x
                + 1
            )

        after = f(1)
        """
    code = textwrap.dedent(code)
    source = source_of(code)
    [unit] = find_units(source)
    edit = next(edit for text, edit in texts_after(unit).items() if "x - 1" in text)
    with edit.made():
        [module] = write_units([unit], source).modules
    [piece] = module.pieces
    names: dict[str, object] = {}
    exec(piece.code, names)
    assert names["after"] == 0
    lines = piece.code.split("\n")
    assert [lines[line - 1][column:].split()[0] for line, column in piece.keep] == ["import", "def", "after"]


def test_a_longer_function_moves_the_places_of_what_comes_after_it() -> None:
    source = source_of("def f(x): x = x + 1; return x\nafter = f(1)\n")
    [unit] = find_units(source)
    with next(edit for text, edit in texts_after(unit).items() if "x - 1" in text).made():
        [piece] = write_units([unit], source).modules[0].pieces
    line, _ = piece.keep[-1]
    assert piece.code.split("\n")[line - 1] == "after = f(1)"


def test_code_that_is_no_python_or_too_long_has_no_units() -> None:
    assert find_units(source_of("x = 1\n" * 60_000)) == []
    broken = Source("f", (Module("m", (Piece("a", "a", None, "def f(:", ((1, 0),)),), {}),), (), ())
    assert find_units(broken) == []


def test_two_functions_of_one_piece_keep_both_of_their_edits() -> None:
    source = source_of(
        "def f(x): x = x + 1; return x\n\ndef g(x):\n    x = x + 2\n    return x\nafter = f(1) + g(1)\n"
    )
    units = find_units(source)
    edits = [
        next(e for text, e in texts_after(unit).items() if f"x - {n}" in text)
        for n, unit in enumerate(units, 1)
    ]
    with edits[0].made(), edits[1].made():
        [piece] = write_units(units, source).modules[0].pieces
    names: dict[str, object] = {}
    exec(piece.code, names)
    assert names["after"] == -1
    line, _ = piece.keep[-1]
    assert piece.code.split("\n")[line - 1] == "after = f(1) + g(1)"
