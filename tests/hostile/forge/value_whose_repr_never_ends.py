"""Returns an object whose repr never ends.

outcome: timed_out
says: no answer within
"""


class Endless:
    def __repr__(self):
        while True:
            pass


def concat_heads(x):
    return Endless()
