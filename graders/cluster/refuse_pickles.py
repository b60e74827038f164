"""Let no pickle that comes over the network run code in this process.

Dask unpickles more than results: the types of results, exceptions, tracebacks, warnings that a worker logs,
and whatever part of a message says that it is a pickle. Which deserializers a client accepts bounds only the
results. So this is decided where every pickle has to pass: before it can use any class or function, Python
raises the audit event `pickle.find_class`. A pickle without one is plain data.
"""

import sys

# What the header of a result of type bytes names.
ALLOWED = {("builtins", "bytes")}


class PickleRefused(RuntimeError):
    """A pickle asked for a class or a function."""


def refuse_pickles() -> None:
    """From now on refuse every such pickle, in all threads; this cannot be taken back."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event == "pickle.find_class" and arguments not in ALLOWED:
        raise PickleRefused(f"refused to unpickle {arguments}")
