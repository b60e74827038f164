"""A composition of styles is drawn from a seed, made smaller, and changes only what its styles may cost."""

import ast
import random

from graders.audit.styles.answer_code import AnswerCode, insert_in_front, parse
from graders.audit.styles.compose import Composition, compose, make_smaller
from graders.audit.styles.style import Step, Style
from graders.audit.styles.try_styles import Verdict, describe_change, describe_naming
from tests.audit.styles.both_forms import both_forms, find_exercise

CODE = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
PASSED = Verdict("passed", {"keeps_the_shape": 1.0, "loses_no_value": 2.0})


def _import(name: str) -> Style:
    def rewrite(code: AnswerCode, _choice: object) -> bool:
        insert_in_front(code.tree, parse(f"import {name}"))
        return True

    return Style(f"imports.{name}", rewrite)


def _code() -> AnswerCode:
    return AnswerCode(find_exercise("concat_heads", "attention"), ast.parse(CODE))


def test_the_same_seed_gives_the_same_code() -> None:
    first, second = (compose(_code(), random.Random(7)).rewritten for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.texts() == second.texts()
    assert first.texts() != _code().texts()


def test_a_composition_keeps_only_the_styles_that_change_the_verdict() -> None:
    steps = tuple(Step(_import(name), 0) for name in ("json", "re", "ast"))
    smaller = make_smaller(Composition(_code(), steps), lambda c: "imports.re" in c.styles)
    assert smaller.styles == ("imports.re",)


def test_a_lost_check_is_a_change_unless_the_style_says_so() -> None:
    after = Verdict("failed", {"keeps_the_shape": 0.0, "loses_no_value": 2.0})
    assert "keeps_the_shape" in (describe_change(PASSED, after, ()) or "")
    assert describe_change(PASSED, after, {"keeps_the_shape"}) is None
    assert "keeps_the_shape" in (describe_change(PASSED, after, {"loses_no_value"}) or "")


def test_points_that_become_undecided_are_a_change() -> None:
    after = Verdict("passed", {"keeps_the_shape": 1.0, "loses_no_value": None})
    assert "loses_no_value" in (describe_change(PASSED, after, ()) or "")
    assert describe_change(after, after, ()) is None


def test_a_mistake_that_loses_its_name_is_a_change() -> None:
    named = {"concat_heads__strided": frozenset({"keeps_the_shape"})}
    before, after = (
        Verdict("failed", {"keeps_the_shape": 0.0}, named),
        Verdict("failed", {"keeps_the_shape": 0.0}),
    )
    assert "concat_heads__strided" in (describe_change(before, after, {"loses_no_value"}) or "")
    assert describe_change(before, after, {"keeps_the_shape"}) is None  # what names it may be lost


def test_a_mistake_that_gets_no_name_or_another_one_as_a_hand_in_is_a_gap() -> None:
    named = {"concat_heads__strided": frozenset({"keeps_the_shape"})}
    assert describe_naming("concat_heads__strided", Verdict("failed", {}, named)) is None
    assert "is named: -" in (describe_naming("concat_heads__strided", Verdict("failed")) or "")
    assert "strided" in (describe_naming("concat_heads__sums_up", Verdict("failed", {}, named)) or "")


def test_an_answer_that_cannot_be_judged_any_more_is_a_change() -> None:
    assert describe_change(PASSED, Verdict("raised"), {"keeps_the_shape"}) is not None


def test_a_renamed_constructor_makes_the_same_module() -> None:
    code = """
        from torch import nn
        class FeedForward(nn.Module):
            def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
                super().__init__()
                self.sizes = embed_dim, ff_dim, dropout
        def make():
            return FeedForward(8, ff_dim=16)
    """
    before, after = both_forms("names.constructor", find_exercise("feed_forward", "attention"), code, 5)
    assert before["make"]().sizes == after["make"]().sizes == (8, 16, 0.1)
