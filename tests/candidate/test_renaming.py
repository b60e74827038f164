"""Parameters under other names and in other forms: the forms, and the search for who holds what."""

import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from graders.candidate.parameter_mapping.layouts import FORMS, ONE, SEVERAL, Layout
from graders.candidate.parameter_mapping.mapping import DoesNotFit, ParameterMapping, ParameterRule
from graders.candidate.parameter_mapping.search import MOST, STEPS, TooMany, by_name, search, ways

E, H, INPUTS = 12, 3, 5
SHAPES = {
    "as it is": (12, 5),
    "turned": (5, 12),
    "with an axis of one in front": (1, 12, 5),
    "with two axes of one in front": (1, 1, 12, 5),
    "head by head": (3, 4, 5),
    "head by head, turned": (3, 5, 4),
    "head by head, inputs first": (5, 3, 4),
    "one below the other": (36, 5),
    "in turns, head by head": (36, 5),
    "in turns, row by row": (36, 5),
    "one below the other, turned": (5, 36),
    "in turns, head by head, turned": (5, 36),
    "in turns, row by row, turned": (5, 36),
    "one behind the other": (3, 12, 5),
    "one behind the other, turned": (3, 5, 12),
    "head by head, one below the other": (3, 12, 5),
    "head by head, one below the other, turned": (3, 5, 12),
}
COLUMNS = {
    "head by head from its columns": (3, 5, 4),
    "head by head from its columns, turned": (3, 4, 5),
    "head by head from its columns, outputs first": (5, 3, 4),
}
THIRDS = [form for count in (1, 3) for form in FORMS[count]]
NAMES = ["W_q", "W_k", "W_v", "W_o"]
EXPECTED = {f"{name}.{part}": s for name in NAMES for part, s in (("weight", (E, E)), ("bias", (E,)))}
WORDS = ["alpha", "beech", "cedar", "durum", "elder", "fennel", "gorse", "hazel"]


def numbered(*shape: int, start: int = 0) -> Tensor:
    return torch.arange(start, start + torch.Size(shape).numel(), dtype=torch.float64).reshape(shape)


def parts_of(form: Layout, *shape: int) -> list[Tensor]:
    return [numbered(*shape, start=1000 * place) for place in range(form.count)]


def called(says: str, forms: tuple[Layout, ...] = SEVERAL[3]) -> Layout:
    [form] = [form for form in forms if form.says == says]
    return form


@pytest.mark.parametrize("form", THIRDS, ids=lambda form: form.says)
def test_a_form_makes_the_shape_that_it_says(form: Layout):
    shape = (INPUTS, E) if form.says in COLUMNS else (E, INPUTS)
    due = {**SHAPES, **COLUMNS}[form.says]
    assert tuple(form.make(parts_of(form, *shape), H).shape) == due
    assert form.fits(parts_of(form, *shape), H, due)


@pytest.mark.parametrize("form", [f for forms in FORMS.values() for f in forms], ids=lambda form: form.says)
def test_a_form_keeps_every_number_once(form: Layout):
    parts = parts_of(form, E, E)
    made = form.make(parts, H)
    assert sorted(made.flatten().tolist()) == sorted(torch.cat(parts).flatten().tolist())


@pytest.mark.parametrize("forms", FORMS.values(), ids=lambda forms: f"of {forms[0].count}")
def test_no_two_forms_have_the_same_name_or_make_the_same(forms: tuple[Layout, ...]):
    parts = parts_of(forms[0], E, E)
    made = [tuple(form.make(parts, H).flatten().tolist()) for form in forms if "in front" not in form.says]
    shapes = [tuple(form.make(parts, H).shape) for form in forms if "in front" not in form.says]
    assert len({form.says for form in forms}) == len(forms)
    assert len(set(zip(shapes, made, strict=True))) == len(made)


def test_in_turns_head_by_head_a_head_has_its_rows_of_each():
    first, second, third = parts = parts_of(called("in turns, head by head"), E, INPUTS)
    made = called("in turns, head by head").make(parts, H)
    assert torch.equal(made[:12], torch.cat([first[:4], second[:4], third[:4]]))
    assert torch.equal(made[12:16], first[4:8])


def test_in_turns_row_by_row_the_first_rows_come_first():
    parts = parts_of(called("in turns, row by row"), E, INPUTS)
    made = called("in turns, row by row").make(parts, H)
    assert torch.equal(made[:4], torch.stack([parts[0][0], parts[1][0], parts[2][0], parts[0][1]]))


def test_a_vector_can_be_cut_into_heads_but_not_turned():
    assert called("head by head", ONE).fits([numbered(E)], H, (3, 4))
    assert not called("turned", ONE).fits([numbered(E)], H, (E,))


def test_a_form_does_not_fit_where_heads_do_not_divide():
    assert not called("head by head", ONE).fits([numbered(10, INPUTS)], H, (3, 4, 5))


@st.composite
def layouts(draw) -> ParameterMapping:
    """A module of two layers, one of them three of the reference's fused, under words that mean nothing."""
    weight = draw(st.sampled_from(SEVERAL[3]))
    bias = called(weight.says.removesuffix(", turned"))
    *fused, alone = draw(st.permutations(NAMES))
    one, two = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True))
    plain, out = called("as it is", ONE), called("turned" if weight.turned else "as it is", ONE)
    recipes = [
        ParameterRule(f"{one}.weight", tuple(f"{name}.weight" for name in fused), weight),
        ParameterRule(f"{one}.bias", tuple(f"{name}.bias" for name in fused), bias),
        ParameterRule(f"{two}.weight", (f"{alone}.weight",), out),
        ParameterRule(f"{two}.bias", (f"{alone}.bias",), plain),
    ]
    return ParameterMapping(tuple(draw(st.permutations(recipes))))


def made_by(rule: ParameterMapping, values: dict[str, Tensor]) -> dict[str, Tensor]:
    return {r.name: r.form.make([values[source] for source in r.sources], H) for r in rule.recipes}


def found_again(true: ParameterMapping) -> ParameterMapping | None:
    """What the search finds, where a rule is proven by making what the true one makes."""
    values = {name: numbered(*shape, start=1000 * n) for n, (name, shape) in enumerate(EXPECTED.items())}
    theirs = made_by(true, values)
    shapes = {name: tuple(value.shape) for name, value in theirs.items()}

    def proves(rule: ParameterMapping) -> bool:
        made = rule.apply(values, shapes, H)
        return all(torch.equal(made[name], theirs[name]) for name in theirs)

    return search(ways(shapes, EXPECTED, H, 0), proves)


@settings(max_examples=25)
@given(layouts())
def test_a_fused_layer_is_found_whatever_its_name_form_and_order(true: ParameterMapping):
    rule = found_again(true)
    assert rule is not None
    assert rule.proven


@settings(max_examples=15)
@given(st.permutations(NAMES), st.permutations(WORDS), st.booleans())
def test_four_layers_are_found_under_names_that_mean_nothing(names, words, turned):
    forms = called("turned" if turned else "as it is", ONE), called("as it is", ONE)
    recipes = [
        ParameterRule(f"{word}.{part}", (f"{name}.{part}",), form)
        for name, word in zip(names, words, strict=False)
        for part, form in zip(("weight", "bias"), forms, strict=True)
    ]
    rule = found_again(ParameterMapping(tuple(recipes)))
    assert rule is not None
    assert rule.proven


def test_names_that_mean_the_same_are_tried_first():
    shapes = {f"{word}.weight": (E, E) for word in ("out_proj", "values", "query", "k")}
    expected = {name: shape for name, shape in EXPECTED.items() if name.endswith("weight")}
    first = next(ways(shapes, expected, H, 0))
    assert [recipe.sources[0][:3] for recipe in first.recipes] == ["W_o", "W_v", "W_q", "W_k"]


def test_equal_heads_are_one_name_for_any_number_of_heads():
    shapes = {f"heads.{head}.weight": (E // H, E) for head in range(H)}
    rule = search(ways(shapes, {"W_q.weight": (E, E)}, H, 0), lambda rule: True)
    assert rule is not None
    wider = numbered(8, 8)
    made = rule.apply({"W_q.weight": wider}, {f"heads.{head}.weight": (2, 8) for head in range(4)}, 4)
    assert torch.equal(torch.cat(list(made.values())), wider)


def test_equal_layers_are_one_name_for_any_number_of_layers():
    shapes = {f"blocks.{n}.fc": (4, 4) for n in range(2)}
    rule = search(ways(shapes, {f"layers.{n}.weight": (4, 4) for n in range(2)}, 1, 2), lambda rule: True)
    assert rule is not None
    values = {f"layers.{n}.weight": numbered(2, 2, start=n) for n in range(3)}
    made = rule.apply(values, {f"blocks.{n}.fc": (2, 2) for n in range(3)}, 1)
    assert [made[f"blocks.{n}.fc"][0, 0].item() for n in range(3)] == [0, 1, 2]


def test_a_rule_does_not_fit_other_parameters():
    rule = ParameterMapping((ParameterRule("a", ("W_q.weight",), ONE[0]),))
    with pytest.raises(DoesNotFit):
        rule.apply({"W_q.weight": numbered(2, 2)}, {"a": (2, 2), "b": (2,)}, 1)


def test_the_right_names_may_have_others_beside_them():
    assert by_name({**EXPECTED, "extra": (3,)}, EXPECTED)
    assert not by_name({**EXPECTED, "W_q.bias": (3,)}, EXPECTED)


def test_there_is_no_way_where_there_are_other_numbers_of_values():
    assert list(ways({"a": (E, E)}, EXPECTED, H, 0)) == []


def test_a_search_with_too_many_ways_ends_incomplete():
    shapes = {f"p{n}": (4,) for n in range(8)}
    tried: list[ParameterMapping] = []
    rule = search(
        ways(shapes, {f"x{n}": (4,) for n in range(8)}, 1, 0), lambda rule: bool(tried.append(rule))
    )
    assert len(tried) == MOST
    assert rule is not None
    assert not rule.proven
    assert not rule.complete


def test_a_search_of_few_ways_in_vain_is_complete():
    shapes = {f"p{n}": (4,) for n in range(3)}
    rule = search(ways(shapes, {f"x{n}": (4,) for n in range(3)}, 1, 0), lambda rule: False)
    assert rule is not None
    assert (rule.proven, rule.complete) == (False, True)


def test_a_search_of_dead_ends_alone_gives_up():
    shapes = {f"p{n}": (4,) for n in range(10)}
    expected = {**{f"x{n}": (4,) for n in range(8)}, "y": (8,)}
    with pytest.raises(TooMany):
        list(ways(shapes, expected, 1, 0))
    assert search(ways(shapes, expected, 1, 0), lambda rule: True) is None
    assert STEPS < 100_000


@pytest.mark.parametrize("seed", range(3))
def test_a_search_ends_for_many_parameters_of_all_shapes(seed: int):
    dice = random.Random(seed)
    shapes = {f"p{n}": dice.choice([(4,), (4, 4), (8, 4), (4, 8), (12, 4)]) for n in range(40)}
    expected = {f"x{n}": shape for n, shape in enumerate(dice.sample(list(shapes.values()), 40))}
    rule = search(ways(shapes, expected, 2, 0), lambda rule: False)
    assert rule is None or not rule.complete
