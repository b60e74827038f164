"""Returns a value whose type and repr are HTML and terminal escapes.

outcome: failed
"""

NAME = "<script>softmark()</script>\x1b[2J\u202e=1+1\n"


class Value:
    def __repr__(self):
        return NAME * 1000


Value.__name__ = Value.__qualname__ = NAME
Value.__module__ = "<img src=x onerror=softmark()>"


def concat_heads(x):
    return Value()
