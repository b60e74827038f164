"""The assignment problem: pair rows with columns so that the costs of the pairs have the least sum."""

import math
from collections.abc import Sequence


def assign(costs: Sequence[Sequence[float]]) -> dict[int, int]:
    """The column of each row; as many pairs as the shorter side has.

    The Hungarian method with potentials (Kuhn 1955; Munkres 1957), in O(rows^2 * columns).
    """
    if not costs or not costs[0]:
        return {}
    if len(costs) > len(costs[0]):
        return {
            row: column
            for column, row in assign([list(column) for column in zip(*costs, strict=True)]).items()
        }
    columns = len(costs[0])
    of_rows, of_columns = [0.0] * (len(costs) + 1), [0.0] * (columns + 1)
    row_of = [0] * (columns + 1)  # of each column, from 1; 0 where it is free
    for row in range(1, len(costs) + 1):
        row_of[0] = row
        before = _shortest_path(costs, of_rows, of_columns, row_of)
        column = before.pop("end")
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    return {row_of[column] - 1: column - 1 for column in range(1, columns + 1) if row_of[column]}


def _shortest_path(
    costs: Sequence[Sequence[float]], of_rows: list[float], of_columns: list[float], row_of: list[int]
) -> dict[str | int, int]:
    """For each column on the way, the column before it; under "end", the free column that is reached."""
    least = [math.inf] * len(of_columns)
    seen = [False] * len(of_columns)
    before: dict[str | int, int] = {}
    column = 0
    while row_of[column]:
        seen[column] = True
        row, shortest, following = row_of[column], math.inf, 0
        for other in range(1, len(of_columns)):
            if not seen[other]:
                reduced = costs[row - 1][other - 1] - of_rows[row] - of_columns[other]
                if reduced < least[other]:
                    least[other], before[other] = reduced, column
                if least[other] < shortest:
                    shortest, following = least[other], other
        for other in range(len(of_columns)):
            if seen[other]:
                of_rows[row_of[other]] += shortest
                of_columns[other] -= shortest
            else:
                least[other] -= shortest
        column = following
    before["end"] = column
    return before
