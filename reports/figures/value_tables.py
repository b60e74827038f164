"""A small matrix as a table of its values: it can be read where a viewer removes styles and pictures.

A table has no element but those that every sanitizer of notebooks keeps: its headers are cells with a role.
"""

from collections.abc import Callable

from markupsafe import Markup

from reports.figures.slices import Matrix

_TABLE = Markup('<table class="values" aria-label="{}">\n{}\n</table>')
_ROW = Markup("<tr>{}</tr>")
_INDEX = Markup('<td role="{}"><em>{}</em></td>')
_VALUE = Markup('<td style="background-color: {}; color: {}">{}</td>')
_WORST = Markup('<td style="background-color: {}; color: {}; border: 2px solid"><strong>{}</strong></td>')
_BLANK = Markup("<td></td>")


def tabulate(
    window: Matrix,
    label: str,
    write_value: Callable[[float], str],
    colours: Callable[[float], tuple[str, str]],
) -> Markup:
    """A matrix as an HTML table, with the indices of its rows and columns.

    Args:
        window: the matrix; values that were not kept are blank.
        label: the name of the table.
        write_value: writes a value.
        colours: the colours of a value's background and of its text, as CSS.
    """
    numbers = range(window.left, window.left + window.columns)
    head = _BLANK + Markup().join(_INDEX.format("columnheader", n) for n in numbers)
    rows = [head, *(_row(window, r, write_value, colours) for r in range(window.rows))]
    return _TABLE.format(label, Markup("\n").join(_ROW.format(row) for row in rows))


def _row(
    window: Matrix, r: int, write_value: Callable[[float], str], colours: Callable[[float], tuple[str, str]]
) -> Markup:
    cells = [_INDEX.format("rowheader", window.top + r)]
    for c, value in enumerate(window.cells[r]):
        if value is None:
            cells.append(_BLANK)
        else:
            cell = _WORST if window.framed == (r, c) else _VALUE
            cells.append(cell.format(*colours(value), write_value(value)))
    return Markup(" ").join(cells)
