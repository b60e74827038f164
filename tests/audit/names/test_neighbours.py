"""Code beside known answers is named only by what it does; the nightly run tries more, with a new seed."""

import ast
import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from graders.audit.names.draw_neighbour import Neighbour
from graders.audit.names.mutate import Mutation
from graders.audit.names.try_neighbours import NeighbourTrial, named_in
from graders.course.exercise import Assignment, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.audit_result import Kind
from tests.support.open_box import OpenBox

SEED, NEIGHBOURS = 5, 4
ATTENTION = "scaled_dot_product_attention"
CODE = """
import math
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / {scale}
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ V, weights
"""


def trial(assignment: Assignment, open_box: OpenBox, name: str) -> NeighbourTrial:
    one = assignment.only([name])
    grader = Grader(one, Draws(SEED, tries=0).first(2), open_box)  # type: ignore[arg-type]
    return NeighbourTrial(grader, one.exercises[0])


def neighbour(scale: str) -> Neighbour:
    before, text = CODE.format(scale="math.sqrt(Q.shape[-1])"), CODE.format(scale=scale)
    return Neighbour(Kind.RIGHT, "right", (), Mutation("size", 0, 0, ATTENTION), text, before)


@pytest.mark.parametrize("name", ["concat_heads", "causal_mask", ATTENTION])
def test_code_beside_known_answers_is_not_named_falsely(
    assignment: Assignment, open_box: OpenBox, name: str
) -> None:
    tried = trial(assignment, open_box, name).run(NEIGHBOURS)
    assert (tried.tried, tried.gaps) == (NEIGHBOURS, ())
    assert [(false.named, false.text) for false in tried.false] == []


def test_a_name_is_true_where_the_code_does_the_same_on_draws_of_other_sizes(
    assignment: Assignment, open_box: OpenBox
) -> None:
    of_attention = trial(assignment, open_box, ATTENTION)
    by_values = f"{ATTENTION}__scaled_by_value_width"
    assert of_attention.untrue(neighbour("math.sqrt(V.shape[-1])"), {(by_values,)}) == set()
    assert of_attention.untrue(neighbour("math.sqrt(Q.shape[-1] + 1)"), {(by_values,)}) == {(by_values,)}


def test_two_names_are_not_true_where_one_is_enough(assignment: Assignment, open_box: OpenBox) -> None:
    of_attention = trial(assignment, open_box, ATTENTION)
    two = (f"{ATTENTION}__unscaled", f"{ATTENTION}__detached")
    assert of_attention.untrue(neighbour("1"), {two}) == {two}
    assert of_attention.untrue(neighbour("1"), {two[:1]}) == set()


def test_a_mistake_that_the_change_does_not_touch_stays_true(
    assignment: Assignment, open_box: OpenBox
) -> None:
    heads = trial(assignment, open_box, "concat_heads")
    name = "concat_heads__reversed"
    changed = Neighbour(Kind.MISTAKE, name, (), Mutation("error", 0, 0, "elsewhere"), "x = 1\n", "")
    assert heads.untrue(changed, {(name,)}) == set()
    within = replace(changed, mutation=replace(changed.mutation, within="concat_heads"))
    assert heads.untrue(within, {(name,)}) == {(name,)}


def test_a_name_is_true_beside_the_mistake_that_the_answer_made_before(
    assignment: Assignment, open_box: OpenBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = trial(assignment, open_box, "concat_heads")
    before, new, third = (f"concat_heads__{name}" for name in ("few_heads", "reversed", "views"))
    together = {tuple(sorted((before, new)))}
    monkeypatch.setattr(heads, "_truth", SimpleNamespace(tells_true=lambda _, names: names in together))
    mutation = Mutation("error", 0, 0, "concat_heads")
    changed = Neighbour(
        Kind.MISTAKE, before, (), mutation, "def concat_heads(heads):\n    return heads\n", ""
    )
    assert heads.untrue(changed, {(new,)}) == set()
    assert heads.untrue(changed, {(third,)}) == {(third,)}
    assert heads.untrue(replace(changed, kind=Kind.RIGHT), {(new,)}) == {(new,)}


def test_a_name_that_no_student_would_get_is_not_counted(
    assignment: Assignment, open_box: OpenBox, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_attention = trial(assignment, open_box, ATTENTION)
    asked = []

    def names_in(_: Neighbour, result: object) -> set[tuple[str, ...]]:
        asked.append(result)
        return {("a name",)} if len(asked) % 2 else set()

    monkeypatch.setattr(of_attention, "_untrue_in", names_in)
    tried = of_attention.run(2)
    assert len(asked) == 2 * tried.tried
    assert (tried.false, tried.unjudged) == ((), 0)
    assert of_attention._as_of_students.draws.tries > 0


def test_what_is_measured_is_true_as_it_is(open_box: OpenBox) -> None:
    local = trial(load_assignment("efficient"), open_box, "local_attention")
    changed = Neighbour(Kind.RIGHT, "right", (), Mutation("axis", 0, 0, "local_attention"), "x = 1\n", "")
    names = {("local_attention__full_matrix",), ("local_attention__unscaled",)}
    assert local.untrue(changed, names) == {("local_attention__unscaled",)}


def test_two_functions_at_once_are_true_in_either_order(assignment: Assignment, open_box: OpenBox) -> None:
    heads = trial(assignment, open_box, "split_heads")
    text = "def split_heads(x, num_heads):\n    return x.unflatten(-1, (num_heads, -1)).movedim(-1, 1)\n"
    changed = Neighbour(Kind.RIGHT, "right", (), Mutation("axis", 0, 0, "split_heads"), text, "")
    two = ("split_heads__strided", "split_heads__heads_of_width_num_heads")
    assert heads.untrue(changed, {two}) == heads.untrue(changed, {two[::-1]}) == set()
    assert heads.untrue(changed, {two[:1]}) == {two[:1]}


def test_neighbours_are_drawn_from_the_seed_and_can_be_read(
    assignment: Assignment, open_box: OpenBox
) -> None:
    heads = trial(assignment, open_box, "concat_heads")
    first, second = (heads.draw(random.Random(4)) for _ in range(2))
    assert first == second
    assert ast.parse(first.text) and first.text != first.before
    assert named_in(heads._grade(first)) is not None
