"""A part that is to be written is one that a call has come to."""

import pytest

from graders.extraction.half_written import find_reached
from graders.results.result import Definition, Place

CODE = """class Part(nn.Module):
    def __init__(self):
        super(Part, self).__init__()

    def forward(self, x, mask):
        return x.masked_fill(mask, 0)


class Whole(nn.Module):
    def __init__(self):
        super(Whole, self).__init__()

    def forward(self, x, mask=None):
        return Part()(x, mask.bool())
"""
ERROR = "AttributeError: 'NoneType' object has no attribute 'bool'"


def test_a_constructor_that_only_calls_its_base_is_no_part_to_be_written():
    definitions = [Definition("rendu.py", None, 1, CODE)]
    place = Place("rendu.py", None, 14, "Whole.forward", "return Part()(x, mask.bool())")
    assert find_reached("Whole", definitions, "AttributeError", ERROR, place) is None


PARTS = """class Empty(nn.Module):
    ...


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()

    def forward(self, x):
        {body}


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = Norm(dim)
        self.empty = Empty(dim)

    def forward(self, x):
        return x + self.norm(x)
"""


@pytest.mark.parametrize("body", ["...", "pass", "return None", "return ..."])
def test_a_part_whose_forward_answers_nothing_is_still_to_be_written(body: str):
    definitions = [Definition("rendu.py", None, 1, PARTS.format(body=body))]
    place = Place("rendu.py", None, 20, "Block.forward", "return x + self.norm(x)")
    error = "TypeError: unsupported operand type(s) for +: 'Tensor' and 'NoneType'"
    reached = find_reached("Block", definitions, "TypeError", error, place)
    assert reached is not None
    assert (reached.owner, reached.part.name, reached.always) == ("Norm", "Norm.forward", True)


def test_a_class_without_anything_in_it_that_is_given_sizes_is_still_to_be_written():
    definitions = [Definition("rendu.py", None, 1, PARTS.format(body="return x"))]
    place = Place("rendu.py", None, 17, "Block.__init__", "self.empty = Empty(dim)")
    error = "TypeError: {}.__init__() takes 1 positional argument but 2 were given"
    reached = find_reached("Block", definitions, "TypeError", error.format("Empty"), place)
    assert reached is not None
    assert reached.part.says == "the body of `Empty` is still `...`"
    assert find_reached("Block", definitions, "TypeError", error.format("Norm"), place) is None
