"""Follow a page of the documents from its top to its end: write its files and run its commands, in order."""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graders.cli.main import main
from graders.locations import ROOT

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ softmark "


def steps(page: str) -> Iterator[tuple[str, str]]:
    """Each file's name and text, and each command: the words after `softmark`, with an empty text."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for kind, name, body in BLOCK.findall(text):
        if name:
            yield name, body
        elif kind == "console":
            yield from (
                (line.removeprefix(PROMPT), "") for line in body.split("\n") if line.startswith(PROMPT)
            )


def follow(page: str, folder: Path, also: Mapping[str, str]) -> list[tuple[str, Result]]:
    """What each command of a page gave, in its order.

    Args:
        page: its name in `docs/`.
        folder: the current one for the reader, empty.
        also: by a command's first word, further options.
    """
    done = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for step, text in steps(page):
            if text:
                (folder / step).parent.mkdir(parents=True, exist_ok=True)
                (folder / step).write_text(text, encoding="utf-8")
            else:
                words = [*shlex.split(step), *also.get(step.split()[0], "").split(), "--lang", "en"]
                done.append((step, CliRunner(env={**os.environ, "COLUMNS": "100"}).invoke(main, words)))
    return done
