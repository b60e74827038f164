"""Say where a line is as people look for it: the line itself and the function around it, then the numbers.

The cells of a notebook have no visible numbers, so that a number alone leads nowhere.
"""

from graders.language import tr
from graders.results.result import Place, Remark


def describe_place(where: Place | Remark, files: tuple[str, ...] = ()) -> str:
    """The line, the function or class around it, and its numbers, as far as they are known.

    Args:
        where: the place; `code` and `within` may be missing.
        files: those of the submission; with several the file is named also where there is a cell.
    """
    spot = describe_spot(where, files)
    if not where.code:
        return spot
    if not where.within:
        return tr("`{code}`, {spot}", code=where.code, spot=spot) if spot else f"`{where.code}`"
    return tr("`{code}` in {name}, {spot}", code=where.code, name=where.within, spot=spot)


def describe_spot(where: Place | Remark, files: tuple[str, ...] = ()) -> str:
    """`cell 9, line 4`; with the file's name where there is no cell, or several files."""
    parts = [where.file] if where.file and (where.cell is None or len(files) > 1) else []
    if where.cell is not None:
        parts.append(tr("cell {n}", n=where.cell))
    if where.line is not None:
        parts.append(tr("line {n}", n=where.line))
    return ", ".join(parts)


def describe_shapes(where: Place | None) -> str | None:
    """The shapes of the tensors that the line reads: `with Q (1, 2, 4, 3), K (1, 2, 1, 3)`."""
    return tr("with {shapes}", shapes=", ".join(where.shapes)) if where and where.shapes else None
