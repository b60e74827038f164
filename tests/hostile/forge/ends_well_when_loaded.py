"""Ends its process with status 0 while it is loaded.

outcome: raised
says: ended the Python process itself
"""

import os


def concat_heads(x, _=os._exit(0)):
    return x
