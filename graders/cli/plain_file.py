"""The type of options that name a file to read: a plain one, since a pipe would be waited for without end."""

import os
import stat
from pathlib import Path
from typing import Any

import click

from graders.language import tr

# What a shell makes of `<(command)`: something writes to it.
_OF_A_SHELL = ("/dev/fd/", "/proc/self/fd/")


class PlainFile(click.Path):
    """A file that exists and is neither a pipe nor a device; as a `Path`.

    With `or_folder`, it may be a folder too.
    """

    def __init__(self, *, or_folder: bool = False) -> None:
        super().__init__(exists=True, dir_okay=or_folder, path_type=Path)
        self._kinds = (stat.S_ISREG, stat.S_ISDIR) if or_folder else (stat.S_ISREG,)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path.

        Raises:
            click.BadParameter: there is no plain file there.
        """
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        mode = path.stat().st_mode
        if not any(is_kind(mode) for is_kind in self._kinds) and not str(path).startswith(_OF_A_SHELL):
            self.fail(tr("{file} is not a plain file", file=click.format_filename(path)), param, ctx)
        return path
