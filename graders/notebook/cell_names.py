"""What a notebook calls the cell that a code's file name stands for."""

from typing import Any

from graders.notebook.source_places import CellName


def cell_names_of(shell: Any) -> CellName:
    """A function that gives ("Cell", "In[3]") for the file name of a cell's code, and None for all others.

    IPython has one from version 8 on. Colab has version 7.34: there the cells in its history are named anew.
    """
    own: CellName | None = getattr(shell.compile, "format_code_name", None)
    return own or _from_history(shell)


def _from_history(shell: Any) -> CellName:
    known: dict[str, int] = {}  # the last run counts

    def name_of(file: str) -> tuple[str, str] | None:
        history = shell.history_manager
        cells = list(zip(history.input_hist_raw, history.input_hist_parsed, strict=False))
        for number in range(max(known.values(), default=0) + 1, len(cells)):
            known[shell.compile.get_code_name(*cells[number], number)] = number
        return ("Cell", f"In[{known[file]}]") if file in known else None

    return name_of
