"""How a stand-in for a part hands over what it is called with."""

from inspect import signature

from softmark_worker.stand_ins import _by_place


def rotary(x, base=10000.0, offset=0):
    raise NotImplementedError


SOURCES = {"x": 0, "base": 1, "offset": 2}
PARAMETERS = list(signature(rotary).parameters.values())


def test_an_argument_that_is_left_out_before_one_that_is_given_has_its_default():
    assert _by_place(rotary, PARAMETERS, SOURCES, ["x"], {"offset": 3}) == ["x", 10000.0, 3]


def test_arguments_that_are_left_out_at_the_end_are_not_given():
    assert _by_place(rotary, PARAMETERS, SOURCES, ["x"], {}) == ["x"]
    assert _by_place(rotary, PARAMETERS, SOURCES, [], {"base": 2.0, "x": "x"}) == ["x", 2.0]
