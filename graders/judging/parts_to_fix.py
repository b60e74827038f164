"""Which parts of a submission are to be mended before the whole that calls them."""

import re
from collections.abc import Iterable

from graders.results.result import Definition

_DEFINED = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)", re.MULTILINE)


def parts_to_fix(
    definitions: Iterable[Definition], wrong: Iterable[str], replaced: Iterable[str]
) -> tuple[str, ...]:
    """The symbols among `wrong` that a whole which failed needs, in the alphabet's order.

    Args:
        definitions: the student's definitions of the whole, and of what it needs.
        wrong: the symbols of the submission's other exercises that were found wrong.
        replaced: those in whose place a right part stood while the whole was judged: what failed then is the
            whole's own mistake.
    """
    defined = {name for definition in definitions for name in _DEFINED.findall(definition.code)}
    return tuple(sorted(defined & {*wrong} - {*replaced}))
