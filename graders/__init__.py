"""The grader. In a notebook, `%load_ext graders` gives `%check NAME` and `check(...)`."""

from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext graders` calls: imported here, so that `import graders` costs nothing."""
    from graders.notebook.magic import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """What `%unload_ext graders` calls."""
    from graders.notebook.magic import unload

    unload(shell)
