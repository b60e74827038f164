import base64
from itertools import pairwise

import pytest

from graders.results.case import Case, TensorView
from reports.figures import distribution, heat_maps
from reports.figures.colour_scale import Scale, colour_at, gradient, in_css
from tests.reports import sample
from tests.reports.markup import Page


def test_both_tensors_share_one_colour_scale() -> None:
    case = Case("", (), sample.tensor([0.0, 1.0], 1, 2), sample.tensor([0.0, 0.5], 1, 2), (0, 1))
    pair = heat_maps.pair(case)
    assert pair is not None
    assert [picture.title for picture in pair.pictures] == ["expected", "yours"]
    assert (pair.low, pair.high) == ("0", "1")
    assert pair.caption == "they differ most at [0, 1]: expected 1, yours 0.5"


def test_two_runs_give_the_same_bytes() -> None:
    first, second = heat_maps.pair(sample.case()), heat_maps.pair(sample.case())
    assert first == second


def test_a_picture_has_no_ids_which_another_on_the_page_could_have_too() -> None:
    assert ' id="' not in _svg(sample.case())


def test_colours_run_evenly_from_the_lowest_to_the_highest_value() -> None:
    upwards, around = Scale(0, 2), Scale(-1, 2)
    assert [in_css(colour_at(upwards, shade)) for shade in (0, 1)] == ["#440154", "#fde725"]
    assert [in_css(colour_at(around, around.shade(value))) for value in (0, 2)] == ["#dddcdc", "#b40426"]
    assert gradient(around).count("#") == 7
    shades = [colour_at(upwards, step / 999) for step in range(1000)]
    assert max(abs(a - b) for x, y in pairwise(shades) for a, b in zip(x, y, strict=True)) < 1


def test_colours_follow_the_page() -> None:
    svg = _svg(sample.case())
    assert "currentColor" in svg and "var(--paper)" in svg
    assert "<style" not in svg and "font-family" not in svg and "<metadata" not in svg


def test_a_picture_has_a_text_alternative() -> None:
    label = str(Page(_svg(sample.case())).named("svg")[0]["aria-label"])
    assert label == (
        "heat map, expected: 2 rows and 3 columns, values from 0.1 to 1; framed: row 0, column 1, 1"
    )


def test_small_matrices_have_their_values_in_their_cells() -> None:
    assert ">1.00<" in _svg(sample.case())


def test_large_matrices_have_only_colours() -> None:
    view = sample.tensor([0.125] * 81, 9, 9)
    assert "0.125" not in _svg(Case("", (), view, view)).split(">", 1)[1]


def test_both_pictures_use_the_same_number_of_decimals() -> None:
    pair = heat_maps.pair(sample.case())
    assert pair is not None
    assert ">0.10<" in pair.pictures[0].drawing and ">0.10<" in pair.pictures[1].drawing


def test_nan_and_infinity_are_written_and_have_no_colour() -> None:
    view = sample.tensor(["nan", "inf", "-inf", 1.0], 2, 2)
    svg = _svg(Case("", (), view, None))
    assert all(f">{word}<" in svg for word in ("nan", "inf", "-inf", "1"))
    assert "3 not finite" in svg


def test_the_slice_through_the_worst_value_is_named() -> None:
    view = sample.tensor([float(i) for i in range(24)], 1, 2, 3, 4)
    pair = heat_maps.pair(Case("", (), view, None, (0, 1, 2, 3)))
    assert pair is not None
    assert pair.pictures[0].part == "[0, 1, :, :] of (1, 2, 3, 4) float32"
    assert "values from 12 to 23; framed: row 2, column 3, 23" in pair.pictures[0].drawing


def test_a_large_matrix_is_cut_around_the_worst_value() -> None:
    view = sample.tensor([float(i) for i in range(10_000)], 100, 100)
    pair = heat_maps.pair(Case("", (), view, None, (50, 99)))
    assert pair is not None
    assert pair.pictures[0].part == "[34:66, 68:100] of (100, 100) float32"


@pytest.mark.parametrize("side", [1, 8, 32, 100])
def test_a_picture_is_small(side: int) -> None:
    view = sample.tensor([i * -0.12345 for i in range(side * side)], side, side)
    pair = heat_maps.pair(Case("", (), view, view, (0, 0)))
    assert pair is not None
    assert all(len(picture.drawing) < 30_000 for picture in pair.pictures)


def test_an_empty_tensor_has_no_picture() -> None:
    assert heat_maps.pair(Case("no tensors")) is None
    assert heat_maps.pair(Case("", (), sample.tensor([], 0, 3), None)) is None


def test_values_that_were_not_kept_are_left_blank() -> None:
    view = TensorView((2, 20), "float32", (1.0,) * 25, clipped=True)
    pair = heat_maps.pair(Case("", (), view, None, (1, 3)))
    assert pair is not None
    assert pair.pictures[0].part == "(2, 20) float32, blank where too long to keep"


def test_a_tensor_without_kept_values_has_no_picture() -> None:
    view = TensorView((3, 2, 512), "float32", (1.0,) * 1024, clipped=True)
    assert heat_maps.pair(Case("", (), view, None, (2, 0, 500))) is None


def test_values_that_differ_in_a_late_digit_are_written_with_more_digits() -> None:
    case = Case("", (), sample.tensor([1.0], 1), sample.tensor([1.00001], 1), (0,))
    assert heat_maps.difference(case) == "they differ most at [0]: expected 1, yours 1.00001"


def test_the_distribution_counts_everyone_once() -> None:
    bins = distribution.bins([0, 1.5, 2, 19.5, 20, 20], 20)
    assert [count for _, _, count in bins] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert bins[-1][:2] == (18, 20)


def test_a_histogram_has_a_dot_for_each_submission_or_a_bar_where_there_are_many() -> None:
    few, many = distribution.distribution([1, 1, 20], 20), distribution.distribution([1] * 30 + [20], 20)
    assert (few.count("<circle"), few.count("<rect")) == (3, 0)
    assert (many.count("<circle"), many.count("<rect")) == (0, 2)
    assert ">30</text>" in many


def _svg(case: Case) -> str:
    pair = heat_maps.pair(case)
    assert pair is not None
    return str(pair.pictures[0].drawing)


def test_values_in_cells_have_the_digits_that_show_where_they_differ_most() -> None:
    case = Case("", (), sample.tensor([0.2, 0.20007], 1, 2), sample.tensor([0.2, 0.20013], 1, 2), (0, 1))
    pair = heat_maps.pair(case)
    assert pair is not None
    assert ">0.20007<" in pair.pictures[0].drawing and ">0.20013<" in pair.pictures[1].drawing
    assert (pair.low, pair.high) == ("0.2", "0.2001")


def test_for_a_notebook_a_small_matrix_is_a_table_and_a_large_one_an_image() -> None:
    small = heat_maps.pair(sample.case(), sanitized=True)
    view = sample.tensor([0.125] * 81, 9, 9)
    large = heat_maps.pair(Case("", (), view, view), sanitized=True)
    assert small is not None and large is not None
    assert "<strong>0.67</strong>" in small.pictures[1].drawing and small.colours is None
    for picture in large.pictures:
        assert picture.drawing.startswith('<img class="picture" alt="heat map, ') and large.colours
        drawn = base64.b64decode(picture.drawing.partition("base64,")[2].rstrip('">')).decode()
        assert drawn.startswith("<svg") and "var(" not in drawn and "currentColor" not in drawn
