"""Stand-ins for wrong parts among a notebook's objects, as the box has them (`softmark_worker/stand_ins.py`).

There the code is run anew, with stand-ins from its first line on. Here it has been run, and what it has bound
is bound anew: names, and defaults of arguments. A class that inherits from a wrong part keeps it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from graders.notebook.reach import Reach
from graders.sandbox.questions import Parts
from softmark_worker.stand_ins import StandIns

Undo = list[Callable[[], object]]


def swap_parts(reach: Reach, parts: Parts, ask: Callable[[str, list[Any]], list[Any]], undo: Undo) -> None:
    """Bind stand-ins in the place of the parts that code reaches.

    Args:
        reach: of the whole.
        parts: those for which there are stand-ins.
        ask: asks a question of a stand-in.
        undo: gets what undoes it, step by step: an interruption may come at any time.
    """
    stand_ins = StandIns(parts.descriptions, ask)
    swapped: dict[int, Any] = {}
    for namespace in reach.namespaces:
        before = {name: namespace[name] for name in parts.descriptions if name in namespace}
        undo += [partial(namespace.__setitem__, name, own) for name, own in before.items()]
        stand_ins.bind(namespace)
        swapped |= {id(own): namespace[name] for name, own in before.items() if namespace[name] is not own}
    for name in reach.names:
        if id(name.value) in swapped and name.namespace.get(name.name) is name.value:
            undo.append(partial(name.namespace.__setitem__, name.name, name.value))
            name.namespace[name.name] = swapped[id(name.value)]
    for function in reach.functions:
        _swap_defaults(function, swapped, undo)


def _swap_defaults(function: Any, swapped: Mapping[int, Any], undo: Undo) -> None:
    for field in ("__defaults__", "__kwdefaults__"):
        own = getattr(function, field)
        values = own.values() if isinstance(own, dict) else own or ()
        if any(id(value) in swapped for value in values):
            new = [swapped.get(id(value), value) for value in values]
            undo.append(partial(setattr, function, field, own))
            setattr(
                function, field, dict(zip(own, new, strict=True)) if isinstance(own, dict) else tuple(new)
            )
