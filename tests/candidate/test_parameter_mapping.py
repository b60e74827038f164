"""Parameters under other names and in other layouts: the layouts, and the search for a mapping."""

import random

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from graders.candidate.parameter_mapping.layouts import LAYOUTS, OF_ONE, OF_SEVERAL, Layout
from graders.candidate.parameter_mapping.mapping import DoesNotFit, ParameterMapping, ParameterRule
from graders.candidate.parameter_mapping.search import (
    MAX_STEPS,
    MOST_TRIED,
    SearchTooLong,
    find_mapping,
    has_all_by_name,
    possible_mappings,
)

E, H, INPUTS = 12, 3, 5
SHAPES = {
    "as it is": (12, 5),
    "transposed": (5, 12),
    "with a first axis of size 1": (1, 12, 5),
    "with two first axes of size 1": (1, 1, 12, 5),
    "head by head": (3, 4, 5),
    "head by head, transposed": (3, 5, 4),
    "head by head, inputs first": (5, 3, 4),
    "one below the other": (36, 5),
    "interleaved, head by head": (36, 5),
    "interleaved, row by row": (36, 5),
    "one below the other, transposed": (5, 36),
    "interleaved, head by head, transposed": (5, 36),
    "interleaved, row by row, transposed": (5, 36),
    "stacked along a new first axis": (3, 12, 5),
    "stacked along a new first axis, transposed": (3, 5, 12),
    "head by head, one below the other": (3, 12, 5),
    "head by head, one below the other, transposed": (3, 5, 12),
}
COLUMNS = {
    "head by head from its columns": (3, 5, 4),
    "head by head from its columns, transposed": (3, 4, 5),
    "head by head from its columns, outputs first": (5, 3, 4),
}
LAYOUTS_OF_ONE_AND_THREE = [layout for count in (1, 3) for layout in LAYOUTS[count]]
NAMES = ["W_q", "W_k", "W_v", "W_o"]
EXPECTED = {f"{name}.{part}": s for name in NAMES for part, s in (("weight", (E, E)), ("bias", (E,)))}
WORDS = ["alpha", "beech", "cedar", "durum", "elder", "fennel", "gorse", "hazel"]


def numbered(*shape: int, start: int = 0) -> Tensor:
    return torch.arange(start, start + torch.Size(shape).numel(), dtype=torch.float64).reshape(shape)


def parts_of(layout: Layout, *shape: int) -> list[Tensor]:
    return [numbered(*shape, start=1000 * place) for place in range(layout.count)]


def named(description: str, layouts: tuple[Layout, ...] = OF_SEVERAL[3]) -> Layout:
    [layout] = [layout for layout in layouts if layout.description == description]
    return layout


@pytest.mark.parametrize("layout", LAYOUTS_OF_ONE_AND_THREE, ids=lambda layout: layout.description)
def test_a_layout_makes_the_shape_that_it_should(layout: Layout):
    shape = (INPUTS, E) if layout.description in COLUMNS else (E, INPUTS)
    expected_shape = {**SHAPES, **COLUMNS}[layout.description]
    assert tuple(layout.make(parts_of(layout, *shape), H).shape) == expected_shape
    assert layout.fits(parts_of(layout, *shape), H, expected_shape)


@pytest.mark.parametrize(
    "layout", [f for layouts in LAYOUTS.values() for f in layouts], ids=lambda layout: layout.description
)
def test_a_layout_keeps_every_value_once(layout: Layout):
    parts = parts_of(layout, E, E)
    result = layout.make(parts, H)
    assert sorted(result.flatten().tolist()) == sorted(torch.cat(parts).flatten().tolist())


@pytest.mark.parametrize("layouts", LAYOUTS.values(), ids=lambda layouts: f"of {layouts[0].count}")
def test_no_two_layouts_have_the_same_description_or_result(layouts: tuple[Layout, ...]):
    parts = parts_of(layouts[0], E, E)
    result = [
        tuple(layout.make(parts, H).flatten().tolist())
        for layout in layouts
        if "of size 1" not in layout.description
    ]
    shapes = [
        tuple(layout.make(parts, H).shape) for layout in layouts if "of size 1" not in layout.description
    ]
    assert len({layout.description for layout in layouts}) == len(layouts)
    assert len(set(zip(shapes, result, strict=True))) == len(result)


def test_interleaved_by_head_each_head_has_its_rows_of_every_part():
    first, second, third = parts = parts_of(named("interleaved, head by head"), E, INPUTS)
    result = named("interleaved, head by head").make(parts, H)
    assert torch.equal(result[:12], torch.cat([first[:4], second[:4], third[:4]]))
    assert torch.equal(result[12:16], first[4:8])


def test_interleaved_by_row_the_first_rows_come_first():
    parts = parts_of(named("interleaved, row by row"), E, INPUTS)
    result = named("interleaved, row by row").make(parts, H)
    assert torch.equal(result[:4], torch.stack([parts[0][0], parts[1][0], parts[2][0], parts[0][1]]))


def test_a_vector_can_be_split_into_heads_but_not_transposed():
    assert named("head by head", OF_ONE).fits([numbered(E)], H, (3, 4))
    assert not named("transposed", OF_ONE).fits([numbered(E)], H, (E,))


def test_a_layout_does_not_fit_where_heads_do_not_divide():
    assert not named("head by head", OF_ONE).fits([numbered(10, INPUTS)], H, (3, 4, 5))


@st.composite
def mappings(draw) -> ParameterMapping:
    """A module of two layers, one of them three of the reference's fused, under meaningless names."""
    weight = draw(st.sampled_from(OF_SEVERAL[3]))
    bias = named(weight.description.removesuffix(", transposed"))
    *fused, alone = draw(st.permutations(NAMES))
    first_word, second_word = draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=2, unique=True))
    plain, out = named("as it is", OF_ONE), named("transposed" if weight.transposed else "as it is", OF_ONE)
    rules = [
        ParameterRule(f"{first_word}.weight", tuple(f"{name}.weight" for name in fused), weight),
        ParameterRule(f"{first_word}.bias", tuple(f"{name}.bias" for name in fused), bias),
        ParameterRule(f"{second_word}.weight", (f"{alone}.weight",), out),
        ParameterRule(f"{second_word}.bias", (f"{alone}.bias",), plain),
    ]
    return ParameterMapping(tuple(draw(st.permutations(rules))))


def apply_mapping(mapping: ParameterMapping, values: dict[str, Tensor]) -> dict[str, Tensor]:
    return {r.name: r.layout.make([values[source] for source in r.sources], H) for r in mapping.rules}


def find_again(true: ParameterMapping) -> ParameterMapping | None:
    """What the search finds; a mapping is proven if it gives the same values as the true one."""
    values = {name: numbered(*shape, start=1000 * n) for n, (name, shape) in enumerate(EXPECTED.items())}
    theirs = apply_mapping(true, values)
    shapes = {name: tuple(value.shape) for name, value in theirs.items()}

    def proves(mapping: ParameterMapping) -> bool:
        result = mapping.apply(values, shapes, H)
        return all(torch.equal(result[name], theirs[name]) for name in theirs)

    return find_mapping(possible_mappings(shapes, EXPECTED, H, 0), proves)


@settings(max_examples=25)
@given(mappings())
@pytest.mark.slow
def test_a_fused_layer_is_found_whatever_its_name_layout_and_order(true: ParameterMapping):
    mapping = find_again(true)
    assert mapping is not None
    assert mapping.proven


@settings(max_examples=15)
@given(st.permutations(NAMES), st.permutations(WORDS), st.booleans())
def test_four_layers_are_found_under_meaningless_names(names, words, transposed):
    layouts = named("transposed" if transposed else "as it is", OF_ONE), named("as it is", OF_ONE)
    rules = [
        ParameterRule(f"{word}.{part}", (f"{name}.{part}",), layout)
        for name, word in zip(names, words, strict=False)
        for part, layout in zip(("weight", "bias"), layouts, strict=True)
    ]
    mapping = find_again(ParameterMapping(tuple(rules)))
    assert mapping is not None
    assert mapping.proven


def test_names_that_mean_the_same_are_tried_first():
    shapes = {f"{word}.weight": (E, E) for word in ("out_proj", "values", "query", "k")}
    expected = {name: shape for name, shape in EXPECTED.items() if name.endswith("weight")}
    first = next(possible_mappings(shapes, expected, H, 0))
    assert [rule.sources[0][:3] for rule in first.rules] == ["W_o", "W_v", "W_q", "W_k"]


def test_equal_heads_share_a_pattern_for_any_number_of_heads():
    shapes = {f"heads.{head}.weight": (E // H, E) for head in range(H)}
    mapping = find_mapping(possible_mappings(shapes, {"W_q.weight": (E, E)}, H, 0), lambda mapping: True)
    assert mapping is not None
    wider = numbered(8, 8)
    result = mapping.apply({"W_q.weight": wider}, {f"heads.{head}.weight": (2, 8) for head in range(4)}, 4)
    assert torch.equal(torch.cat(list(result.values())), wider)


def test_equal_layers_share_a_pattern_for_any_number_of_layers():
    shapes = {f"blocks.{n}.fc": (4, 4) for n in range(2)}
    mapping = find_mapping(
        possible_mappings(shapes, {f"layers.{n}.weight": (4, 4) for n in range(2)}, 1, 2),
        lambda mapping: True,
    )
    assert mapping is not None
    values = {f"layers.{n}.weight": numbered(2, 2, start=n) for n in range(3)}
    result = mapping.apply(values, {f"blocks.{n}.fc": (2, 2) for n in range(3)}, 1)
    assert [result[f"blocks.{n}.fc"][0, 0].item() for n in range(3)] == [0, 1, 2]


def test_a_mapping_does_not_fit_other_parameters():
    mapping = ParameterMapping((ParameterRule("a", ("W_q.weight",), OF_ONE[0]),))
    with pytest.raises(DoesNotFit):
        mapping.apply({"W_q.weight": numbered(2, 2)}, {"a": (2, 2), "b": (2,)}, 1)


def test_further_parameters_beside_the_right_names_are_accepted():
    assert has_all_by_name({**EXPECTED, "extra": (3,)}, EXPECTED)
    assert not has_all_by_name({**EXPECTED, "W_q.bias": (3,)}, EXPECTED)


def test_there_is_no_mapping_for_another_number_of_values():
    assert list(possible_mappings({"a": (E, E)}, EXPECTED, H, 0)) == []


def test_a_search_with_too_many_mappings_ends_incomplete():
    shapes = {f"p{n}": (4,) for n in range(8)}
    tried: list[ParameterMapping] = []
    mapping = find_mapping(
        possible_mappings(shapes, {f"x{n}": (4,) for n in range(8)}, 1, 0),
        lambda mapping: bool(tried.append(mapping)),
    )
    assert len(tried) == MOST_TRIED
    assert mapping is not None
    assert not mapping.proven
    assert not mapping.complete


def test_a_failed_search_of_few_mappings_is_complete():
    shapes = {f"p{n}": (4,) for n in range(3)}
    mapping = find_mapping(
        possible_mappings(shapes, {f"x{n}": (4,) for n in range(3)}, 1, 0), lambda mapping: False
    )
    assert mapping is not None
    assert (mapping.proven, mapping.complete) == (False, True)


def test_a_search_with_only_dead_ends_gives_up():
    shapes = {f"p{n}": (4,) for n in range(10)}
    expected = {**{f"x{n}": (4,) for n in range(8)}, "y": (8,)}
    with pytest.raises(SearchTooLong):
        list(possible_mappings(shapes, expected, 1, 0))
    assert find_mapping(possible_mappings(shapes, expected, 1, 0), lambda mapping: True) is None
    assert MAX_STEPS < 100_000


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_a_search_ends_for_many_parameters_of_all_shapes(seed: int):
    dice = random.Random(seed)
    shapes = {f"p{n}": dice.choice([(4,), (4, 4), (8, 4), (4, 8), (12, 4)]) for n in range(40)}
    expected = {f"x{n}": shape for n, shape in enumerate(dice.sample(list(shapes.values()), 40))}
    mapping = find_mapping(possible_mappings(shapes, expected, 2, 0), lambda mapping: False)
    assert mapping is None or not mapping.complete
