"""A part that is to be written is one that a call has come to."""

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
