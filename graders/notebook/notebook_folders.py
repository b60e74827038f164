"""The folders where a notebook may lie: answer keys are looked for there."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

OF_VS_CODE = "__vsc_ipynb_file__"  # a name that VS Code gives to the notebook's path
OF_JUPYTER = "JPY_SESSION_NAME"  # Jupyter's server names the notebook's path so, from version 2 on


def notebook_folders(names: Mapping[str, Any], began: Path | None) -> list[Path]:
    """The folder of the notebook as its editor tells it, that of the loading of softmark, the current one.

    Args:
        names: the notebook's names.
        began: the folder in which the extension was loaded.
    """
    told = (names.get(OF_VS_CODE), os.environ.get(OF_JUPYTER))
    parents = [Path(path).parent for path in told if isinstance(path, str) and Path(path).is_absolute()]
    folders = [*parents, began, current_folder()]
    return list(dict.fromkeys(folder for folder in folders if folder is not None and folder.is_dir()))


def current_folder() -> Path | None:
    """The working directory; None where it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        return None
