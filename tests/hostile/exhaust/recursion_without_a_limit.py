"""Recurses without a limit, through C code too, until the stack is gone.

outcome: raised
says: SIGSEGV
"""

import sys


class Deep:
    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __repr__(self):
        return repr([self])


def concat_heads(x):
    sys.setrecursionlimit(2**31 - 1)
    return repr(Deep())
