"""Raises an error whose name, text, traceback and hash all misbehave.

outcome: raised
"""


class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

    def __instancecheck__(cls, other):
        raise KeyboardInterrupt


class Error(BaseException, metaclass=Meta):
    def __str__(self):
        raise GeneratorExit

    __repr__ = __hash__ = __str__

    @property
    def __traceback__(self):
        raise SystemExit(0)

    def __getattribute__(self, name):
        raise SystemExit(0)


def concat_heads(x):
    raise Error
