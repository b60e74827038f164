"""Parameters under other names and in other layouts: the layouts, and the search for a mapping."""

import pytest
import torch
from torch import Tensor

from graders.candidate.parameter_mapping.layouts import LAYOUTS, OF_ONE, OF_SEVERAL, Layout
from graders.candidate.parameter_mapping.mapper import absent_by_name, has_all_by_name
from graders.candidate.parameter_mapping.mapping import DoesNotFit, ParameterMapping, ParameterRule
from graders.candidate.parameter_mapping.side_by_side import CutModule, find_cuts, join_parts

E, H, INPUTS = 12, 3, 5
SHAPES = {
    "as it is": (12, 5),
    "transposed": (5, 12),
    "with a first axis of size 1": (1, 12, 5),
    "with two first axes of size 1": (1, 1, 12, 5),
    "as a convolution of width 1": (12, 5, 1),
    "with axes of size 1 before its rows and behind": (1, 12, 1, 5),
    "one below the other, as a convolution of width 1": (36, 5, 1),
    "head by head": (3, 4, 5),
    "head by head, transposed": (3, 5, 4),
    "head by head, transposed, with an axis of size 1 behind the heads": (3, 1, 5, 4),
    "head by head, inputs first": (5, 3, 4),
    "head by head, with a first axis of size 1": (1, 3, 4, 5),
    "head by head, transposed, with a first axis of size 1": (1, 3, 5, 4),
    "one after the other, each head by head": (3, 3, 4, 5),
    "one after the other, each head by head, transposed": (3, 3, 5, 4),
    "one after the other, each head by head, inputs first": (3, 5, 3, 4),
    "inputs first, then one after the other, head by head": (5, 3, 3, 4),
    "one below the other": (36, 5),
    "interleaved, head by head": (36, 5),
    "interleaved, row by row": (36, 5),
    "the rows of all heads interleaved, part by part": (36, 5),
    "the rows of all heads interleaved, head by head": (36, 5),
    "one below the other, transposed": (5, 36),
    "interleaved, head by head, transposed": (5, 36),
    "interleaved, row by row, transposed": (5, 36),
    "the rows of all heads interleaved, part by part, transposed": (5, 36),
    "the rows of all heads interleaved, head by head, transposed": (5, 36),
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


def test_where_the_rows_of_all_heads_are_interleaved_the_first_rows_of_all_come_first():
    first, second, third = parts = parts_of(named("interleaved, row by row"), E, INPUTS)
    by_part, by_head = (
        named(f"the rows of all heads interleaved, {order}").make(parts, H)
        for order in ("part by part", "head by head")
    )
    assert torch.equal(by_part[:9], torch.cat([first[::4], second[::4], third[::4]]))
    assert torch.equal(by_head[:4], torch.stack([first[0], second[0], third[0], first[4]]))


def test_a_vector_can_be_split_into_heads_but_not_transposed():
    assert named("head by head", OF_ONE).fits([numbered(E)], H, (3, 4))
    assert not named("transposed", OF_ONE).fits([numbered(E)], H, (E,))


def test_a_layout_does_not_fit_where_heads_do_not_divide():
    assert not named("head by head", OF_ONE).fits([numbered(10, INPUTS)], H, (3, 4, 5))


def test_taking_apart_undoes_making():
    for layout in [layout for layouts in LAYOUTS.values() for layout in layouts]:
        parts = parts_of(layout, E, E)
        again = layout.take_apart(layout.make(parts, H), (E, E), H)
        assert all(map(torch.equal, parts, again)), layout.description


def test_a_mapping_does_not_fit_other_parameters():
    mapping = ParameterMapping((ParameterRule("a", ("W_q.weight",), OF_ONE[0]),))
    with pytest.raises(DoesNotFit):
        mapping.apply({"W_q.weight": numbered(2, 2)}, {"a": (2, 2), "b": (2,)}, 1)


def test_further_parameters_beside_the_right_names_are_accepted():
    assert has_all_by_name({**EXPECTED, "extra": (3,)}, EXPECTED)
    assert not has_all_by_name({**EXPECTED, "W_q.bias": (3,)}, EXPECTED)


def test_biases_alone_may_be_absent():
    weights = {name: shape for name, shape in EXPECTED.items() if name.endswith("weight")}
    assert absent_by_name(weights, EXPECTED) == {f"{name}.bias" for name in NAMES}
    assert absent_by_name({n: s for n, s in EXPECTED.items() if n != "W_o.weight"}, EXPECTED) is None
    assert absent_by_name({**weights, "b_q": (E,)}, EXPECTED) is None
    assert absent_by_name({}, {"W.bias": (E,)}) is None


INPUT_AND_STATE = {"W_x.weight": (3, 5), "W_h.weight": (3, 3), "W_x.bias": (3,)}


@pytest.mark.parametrize(("shape", "axis"), [((3, 8), 1), ((8, 3), 0)])
def test_a_matrix_for_input_and_state_is_cut_after_each_width(shape: tuple[int, ...], axis: int):
    ways = find_cuts({"i2h.weight": shape, "i2h.bias": (3,)}, INPUT_AND_STATE)
    assert [[(cut.name, cut.axis, cut.first) for cut in way] for way in ways] == [
        [("i2h.weight", axis, first)] for first in (5, 3)
    ]
    assert find_cuts({"W_x.weight": (3, 5), "W_h.weight": (3, 3)}, INPUT_AND_STATE) == []


OF_QUERIES_AND_FEWER_KEYS = {"q": (24, 24), "k": (8, 24), "v": (8, 24), "o": (24, 24), "up": (20, 24)}


@pytest.mark.parametrize(("shape", "axis"), [((40, 24), 0), ((24, 40), 1)])
def test_a_matrix_for_queries_and_fewer_keys_is_cut_after_either_and_queries_come_first(
    shape: tuple[int, ...], axis: int
):
    ways = find_cuts({"qkv": shape, "o": (24, 24)}, OF_QUERIES_AND_FEWER_KEYS)
    assert [[(cut.name, cut.axis, cut.first) for cut in way] for way in ways] == [
        [("qkv", axis, first)] for first in (24, 16)
    ]


def test_of_two_matrices_of_one_shape_one_may_be_cut_and_the_other_not():
    names = ("qkv", "up_and_gate")
    ways = find_cuts(dict.fromkeys(names, (40, 24)), OF_QUERIES_AND_FEWER_KEYS)
    assert {tuple(cut.name for cut in way) for way in ways} == {names, *((name,) for name in names)}


def test_matrices_of_all_layers_are_cut_alike():
    shapes = {f"layers.{n}.qkv.weight": (40, 24) for n in range(2)}
    ways = find_cuts(shapes, OF_QUERIES_AND_FEWER_KEYS, layers=2)
    assert [{cut.first for cut in way} for way in ways] == [{24}, {16}]
    assert all({cut.name for cut in way} == {*shapes} for way in ways)


def test_what_is_found_for_the_parts_of_a_matrix_is_joined_again():
    shapes = {"i2h.weight": (3, 8), "i2h.bias": (3,)}
    cuts = find_cuts(shapes, INPUT_AND_STATE)[0]
    first, second = cuts[0].names
    names = {first: "W_x.weight", second: "W_h.weight", "i2h.bias": "W_x.bias"}
    of_parts = ParameterMapping(tuple(ParameterRule(n, (s,), OF_ONE[0]) for n, s in names.items()))
    values = {name: numbered(*shape) for name, shape in INPUT_AND_STATE.items()}
    joined = join_parts(of_parts, cuts)
    assert joined is not None
    loaded = joined.apply(values, shapes, 1)
    assert torch.equal(loaded["i2h.weight"], torch.cat([values["W_x.weight"], values["W_h.weight"]], 1))
    parts = CutModule(lambda: None, cuts).divide(loaded)
    assert torch.equal(parts[second], values["W_h.weight"])
    assert join_parts(ParameterMapping(of_parts.rules[1:]), cuts) is None
