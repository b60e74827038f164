"""The assignments of a course that extends another one: its own entries over those that softmark ships.

An assignment that is named as a shipped one has what it does not say itself from that: `[attention]` with a
late rule alone is the shipped assignment with this rule. An exercise that is shipped needs its name alone. A
course that names no assignment has the shipped ones.
"""

from collections.abc import Mapping
from typing import Any


def extend(own: Mapping[str, Any], shipped: Mapping[str, Any]) -> dict[str, Any]:
    """The tables of a course's assignments, all complete.

    Args:
        own: what the course's file says.
        shipped: the tables of the shipped assignments.
    """
    if not own:
        return dict(shipped)
    rows = shipped_exercises(shipped)
    return {name: _assignment(table, shipped.get(name, {}), shipped, rows) for name, table in own.items()}


def shipped_exercises(shipped: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The entries of the shipped exercises by name."""
    return {row["name"]: row for table in shipped.values() for row in table["exercises"]}


def row_of(entry: Any) -> Any:
    """An exercise's entry as a table: a name alone is one, too."""
    return {"name": entry} if isinstance(entry, str) else entry


def over(own: Mapping[str, Any], shipped: Mapping[str, Any]) -> dict[str, Any]:
    """An entry over the shipped one; a title of one's own has no French of the other's."""
    kept = {key: value for key, value in shipped.items() if key != "title_fr" or "title" not in own}
    return {**kept, **own}


def _assignment(
    own: Mapping[str, Any],
    base: Mapping[str, Any],
    shipped: Mapping[str, Any],
    rows: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    table = over(own, base)
    table["exercises"] = [over(row, rows.get(row["name"], {})) for row in map(row_of, table["exercises"])]
    if "trained" not in table:
        names = {row["name"] for row in table["exercises"]}
        given = [t["trained"] for t in shipped.values() if "trained" in t and names & _names(t)]
        if given:
            table["trained"] = given[0]
    return table


def _names(table: Mapping[str, Any]) -> set[str]:
    return {row["name"] for row in table["exercises"]}
