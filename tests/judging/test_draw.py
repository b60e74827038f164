"""Drawn once, replayed for all; a ladder of small draws for the smallest case."""

import importlib
import subprocess
import sys
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from graders.check_api.check import Check, Violation, check, require
from graders.check_api.strategies.module_inputs import models
from graders.check_api.strategies.tensors import Attention, Heads, attention, heads, sizes
from graders.course.exercise import Assignment, Exercise, UnknownName, assignment_names, load_assignment
from graders.judging import draws as drawing
from graders.judging.case_view import VALUES, case_of, tensor_view
from graders.judging.drawing import contents_key, draw_examples, small_draws
from graders.judging.draws import TRIES, Draws
from graders.judging.kept_draws import Example
from graders.judging.search_time import SEARCH_S, SearchTime
from tests.support.smallest import smallest


@pytest.fixture(autouse=True)
def draws_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test here draws for itself."""
    monkeypatch.setattr(drawing, "draw_examples", draw_examples)
    for shared in ("for_check", "small_cases", "known_mistakes"):
        monkeypatch.setattr(Draws, shared, getattr(Draws, shared).__wrapped__)


@check(points=1, given=heads())
def has_one_head(candidate, draw):
    """there is one head"""
    require(draw.x.shape[1] == 1, "there are more")


def exercise_of(*checks: Check) -> Exercise:
    return Exercise("concat_heads", "", "concat_heads", 1, "", "", checks, lambda _seed: [], ())


def fails(example: Example) -> bool:
    return example.draw.x.shape[1] > 1


def test_every_submission_gets_the_same_draws():
    draws, exercise = Draws(1), exercise_of(has_one_head)
    pairs = zip(draws.for_check(exercise, has_one_head), draws.for_check(exercise, has_one_head), strict=True)
    assert all(first is second for first, second in pairs)


def test_a_seed_decides_the_values_of_draws_and_nothing_else_about_them():
    given_draws = attention(masked=True)
    made = check(points=1, given=given_draws)(has_one_head.body)

    def drawn(seed: int) -> list[Attention]:
        return [example.draw for example in Draws(seed).for_check(exercise_of(made), made)]

    first, again, other = drawn(1), drawn(1), drawn(2)
    assert [*map(contents_key, first)] == [*map(contents_key, again)]
    assert [draw.Q.shape for draw in first] == [draw.Q.shape for draw in other]
    assert all(torch.equal(one.mask, another.mask) for one, another in zip(first, other, strict=True))
    assert all(not torch.equal(one.Q, another.Q) for one, another in zip(first, other, strict=True))


def test_of_draws_without_values_the_last_depends_on_the_seed():
    made = replace(has_one_head, given=st.tuples(sizes(1, 900), sizes(1, 900)), draws=4)
    first, other = draw_examples(made, 1), draw_examples(made, 2)
    assert first[:-1] == other[:-1]
    assert first[-1] != other[-1]
    few = replace(made, given=st.sampled_from([1, 2]))
    assert set(draw_examples(few, 1)) == set(draw_examples(few, 2)) == {1, 2}


def test_the_smallest_case_is_the_smallest():
    draws, exercise = Draws(5), exercise_of(has_one_head)
    first = next(example for example in draws.for_check(exercise, has_one_head) if fails(example))
    found = smallest(draws, exercise, has_one_head, first, fails)
    batch, *layout = found.draw.x.shape  # sizes above 1 that differ
    assert batch == 1
    assert sorted(layout) == [2, 3, 4]


def test_all_submissions_see_the_same_small_draws():
    exercise = exercise_of(has_one_head)
    first, again = (
        [contents_key(draw) for draw in Draws(5)._ladder(exercise, has_one_head, small_draws)] for _ in "12"
    )
    assert first == again
    assert len(first) > 1


def test_a_rare_failure_is_found_among_further_draws():
    draws, exercise = Draws(5), exercise_of(has_one_head)

    def is_square(example: Example) -> bool:
        _, *sizes = example.draw.x.shape
        return len({*sizes}) == 1 and sizes[0] > 1

    large = Example(Heads(torch.zeros(9, 4, 4, 4)), ())
    assert is_square(smallest(draws, exercise, has_one_head, large, is_square))


def test_the_search_for_the_smallest_case_is_bounded_and_keeps_a_failing_one():
    draws, exercise, tries = Draws(5), exercise_of(has_one_head), []

    def fails_for_long(example: Example) -> bool:
        tries.append(example)
        return example.draw.x.numel() > 0

    first = draws.for_check(exercise, has_one_head)[-1]
    assert fails_for_long(smallest(draws, exercise, has_one_head, first, fails_for_long))
    assert len(tries) <= TRIES + 1


def test_a_failure_that_never_comes_back_keeps_the_first_draw():
    draws, exercise = Draws(1), exercise_of(has_one_head)
    first = draws.for_check(exercise, has_one_head)[3]
    assert smallest(draws, exercise, has_one_head, first, lambda example: False) is first


def test_a_check_without_a_sentence_is_refused():
    with pytest.raises(TypeError, match="no docstring"):

        @check(points=1, given=heads())
        def silent(candidate, draw):
            require(True, "")


def test_answers_are_made_once_and_stand_beside_the_draws(assignment: Assignment):
    draws = Draws(1)
    [exercise] = assignment.only(["concat_heads"]).exercises
    [with_answer] = [c for c in exercise.checks if c.name == "puts_each_head_in_its_columns"]
    first, again = draws.for_check(exercise, with_answer), draws.for_check(exercise, with_answer)
    assert all(a.answer[0] is b.answer[0] for a, b in zip(first, again, strict=True))


@given(attention(masked=True))
def test_no_row_of_a_mask_is_masked_whole_and_some_key_is_masked(draw):
    mask = draw.mask.expand(*draw.Q.shape[:-1], draw.K.shape[-2])
    assert not mask.all(-1).any()
    assert draw.K.shape[-2] == 1 or mask.any()


@given(models(masked=True, least=2, narrowest=4))
def test_a_model_fits_its_configuration(draw):
    width, count = draw.config["embed_dim"], draw.config["num_heads"]
    batch, length, features = draw.x.shape
    assert width == features >= 4 and width % count == 0 and length >= 2
    draw.mask.expand(batch, count, length, length)


@given(st.integers(0, 3), st.sampled_from([torch.float32, torch.bool, torch.int64]))
def test_a_view_holds_numbers_that_json_knows(rank, dtype):
    shown = tensor_view(torch.ones((2,) * rank, dtype=dtype))
    assert shown.shape == (2,) * rank
    assert shown.values == (1.0,) * 2**rank


def test_a_view_is_bounded_and_says_so():
    shown = tensor_view(torch.full((VALUES + 1,), torch.nan))
    assert (len(shown.values), shown.clipped, shown.values[0]) == (VALUES, True, "nan")


def test_a_case_names_what_was_drawn_but_not_what_is_hidden():
    draw = models(ff_dim=sizes(1, 12))
    draws = Draws(1)
    made = check(points=1, given=draw)(has_one_head.body)
    [first, *_] = draws.for_check(exercise_of(made), made)
    text = case_of(first.draw).text
    assert text.startswith("embed_dim=")
    assert "no mask" in text
    assert "seed" not in text


def test_what_a_check_of_one_draw_asks_depends_on_the_seed():
    exercises = [exercise for name in assignment_names() for exercise in load_assignment(name).exercises]
    alone = [(e.name, made) for e in exercises for made in e.value_checks if made.draws == 1]
    assert len(alone) > 4
    for exercise, made in alone:
        asked = [draw_examples(made, seed) for seed in (1, 2, 3)]
        assert [len(draws) for draws in asked] == [1, 1, 1]
        different = {contents_key(draw) for [draw] in asked}
        assert len(different) == 3, f"{exercise}: {made.name} asks the same under every seed"


@pytest.mark.parametrize("name", assignment_names())
def test_every_draw_of_every_check_can_be_shown(name: str):
    for exercise in load_assignment(name).exercises:
        for made in exercise.value_checks:
            for draw in draw_examples(replace(made, draws=1, at_length=None), 1):
                assert case_of(draw).text, f"{exercise.name}: {made.name}"


def test_a_case_carries_both_tensors():
    violation = Violation("", torch.zeros(1), torch.ones(1), (0,))
    made = case_of(Draws(1).for_check(exercise_of(has_one_head), has_one_head)[0].draw, violation)
    assert (made.expected.values, made.actual.values, made.worst) == ((0.0,), (1.0,), (0,))


def test_an_unknown_assignment_lists_those_there_are():
    with pytest.raises(UnknownName, match="attention"):
        load_assignment("nothing like it at all")


def test_every_exercise_has_three_files_and_a_contract(assignment: Assignment):
    for exercise in assignment.exercises:
        assert exercise.contract, exercise.name
        assert exercise.checks, exercise.name


def test_drawing_does_not_touch_the_global_random_state():
    before = torch.get_rng_state()
    Draws(3).for_check(exercise_of(has_one_head), has_one_head)
    assert torch.equal(before, torch.get_rng_state())


def test_what_else_is_imported_changes_no_draw(tmp_path, monkeypatch):
    constants = "\n".join(f"N{n} = {7001 + 13 * n}" for n in range(200))
    (tmp_path / "mine.py").write_text(constants, encoding="utf-8")
    given_draws = st.lists(st.integers(0, 10_000), min_size=40, max_size=40)
    first = draw_examples(replace(has_one_head, given=given_draws), 1)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("mine")
    assert draw_examples(replace(has_one_head, given=given_draws), 1) == first


@pytest.mark.programs
def test_no_draw_is_kept_on_disk(tmp_path):
    code = "from tests.judging.test_draw import *; c = has_one_head; Draws(1).for_check(exercise_of(c), c)"
    root = str(__import__("pathlib").Path(__file__).parents[2])
    subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {root!r}); {code}"], cwd=tmp_path, check=True
    )
    assert not (tmp_path / ".hypothesis").exists()


@pytest.mark.parametrize(
    ("at_most", "exactly", "over"),
    [(0.9, 0.9, False), (9.0, 0.9, False), (1.1, 1.1, True)],
    ids=["little", "much that was waiting", "much"],
)
def test_a_search_ends_by_the_own_time_of_the_code_which_is_seldom_read(at_most, exactly, over):
    readings: list[bool] = []
    taken = {False: 7.0, True: 7.0}

    def spent(exact: bool) -> float:
        readings.append(exact)
        return taken[exact]

    search = SearchTime(spent)
    taken = {False: 7.0 + at_most * SEARCH_S, True: 7.0 + exactly * SEARCH_S}
    assert search.is_over() is over
    assert readings == [True, False] + [True] * (at_most > 1)
