"""Follow a page of the documents from its top to its end: write its files and run its commands, in order.

What a block of a page is stands behind its language:

    ```python handed-in/ada.py    a file
    ```diff course.toml           a change of a file, with enough around it to find its place
    ```console                    commands, each with what it prints; `...` stands for what is left out
    ```console TERMINAL           the same in a terminal of its own, where commands go on running
    ```python In[1]               a cell of a notebook
    ```text Out[1]                what is shown below it

Of commands that are not softmark's, those in `SHELL` are run. A test names each other one as done by hand.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli.main import main
from graders.locations import ROOT
from tests.support.clusters import WAIT_S, Fork
from tests.support.course_copies import environment_of
from tests.support.terminals import Terminal

BLOCK = re.compile(r"^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ "
SHELL = ("cat", "cp", "mkdir", "python", "rm")
INTERRUPT = "^C"  # as a terminal shows it
CELL = re.compile(r"(In|Out)\[\d+\]")
COLUMNS = "80"


@dataclass(frozen=True)
class Step:
    """One thing that a reader does.

    Attributes:
        kind: `file`, `change`, `command` or `cell`.
        name: the file's, the terminal's (empty for the reader's first), the cell's.
        text: the file's, the change, the command, the cell's.
        shown: what the page shows as printed.
    """

    kind: str
    name: str
    text: str
    shown: str = ""


@dataclass(frozen=True)
class Done:
    """A command or a cell that was run, what it printed, and what the page shows of that."""

    command: str
    printed: str
    shown: str
    status: int = 0


# Runs softmark with some words in a folder: its status, and what it printed.
Run = Callable[[Path, list[str]], tuple[int, str]]


def steps(page: str, instead: Mapping[str, str] | None = None) -> list[Step]:
    """The steps of a page, with some words replaced."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for word, other in (instead or {}).items():
        text = text.replace(word, other)
    blocks = BLOCK.findall(text)
    below = {name.removeprefix("Out"): body for _, name, body in blocks if name.startswith("Out[")}
    return [step for block in blocks for step in _steps_of(*block, below)]


def _steps_of(kind: str, name: str, body: str, below: Mapping[str, str]) -> Iterator[Step]:
    if kind == "console":
        yield from _commands(name, body)
    elif CELL.fullmatch(name):
        if name.startswith("In"):
            yield Step("cell", name, body, below.get(name.removeprefix("In"), ""))
    elif name:
        yield Step("change" if kind == "diff" else "file", name, body)


def _commands(terminal: str, body: str) -> Iterator[Step]:
    """The commands of a block; what stands before the first one is printed by what runs there."""
    before, *parts = re.split(r"^\$ ", body, flags=re.MULTILINE)
    if before.strip():
        yield Step("command", terminal, "", before)
    for part in parts:
        lines = part.split("\n")
        count = next(number for number, line in enumerate(lines, 1) if not line.endswith("\\"))
        command = " ".join(line.rstrip("\\").strip() for line in lines[:count])
        yield Step("command", terminal, command, "\n".join(lines[count:]))


def in_this_process(folder: Path, words: list[str], columns: str = COLUMNS) -> tuple[int, str]:
    """Run softmark here: what other tests have drawn need not be drawn again."""
    done = CliRunner(env={**os.environ, "COLUMNS": columns}).invoke(main, words)
    return done.exit_code, done.output


def in_a_fork(folder: Path, words: list[str]) -> tuple[int, str]:
    """Run softmark in a fork of this process: a course of one's own leaves nothing behind."""
    with tempfile.TemporaryDirectory() as kept:
        log = Path(kept) / "log"
        log.touch()
        status = Fork(log, _run_in, folder, words).wait(WAIT_S)
        return status, log.read_text(encoding="utf-8")


def _run_in(folder: Path, words: list[str]) -> None:
    os.chdir(folder)
    os.environ["COLUMNS"] = COLUMNS
    main(words)


def follow(
    page: str,
    folder: Path,
    also: Mapping[str, str],
    *,
    by_hand: Collection[str] = (),
    instead: Mapping[str, str] | None = None,
    run: Run = in_this_process,
) -> list[Done]:
    """What each command and each cell of a page gave, in its order.

    Args:
        page: its name in `docs/`.
        folder: the current one for the reader, empty or as the page expects it.
        also: by a command's first word, further options.
        by_hand: the page's commands that are not run here, such as an installation.
        instead: words of the page, and what stands in their place here.
        run: runs softmark.
    """
    return follow_steps(steps(page, instead), folder, also, by_hand=by_hand, run=run)


def follow_steps(
    some: Iterable[Step],
    folder: Path,
    also: Mapping[str, str],
    *,
    by_hand: Collection[str] = (),
    run: Run = in_this_process,
) -> list[Done]:
    """The same of some steps of a page."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        reader = Reader(folder, also=also, by_hand=by_hand, run=run, stack=stack, patch=patch)
        for step in some:
            reader.take(step)
        reader.run_cells()
        assert reader.left_to_hand == set(), "the page has no such commands"
        return reader.done


def command(words: str) -> Step:
    """The step of typing `softmark` and these words."""
    return Step("command", "", f"softmark {words}")


class Reader:
    """Somebody who follows a page: a folder, terminals, a notebook."""

    def __init__(
        self,
        folder: Path,
        *,
        also: Mapping[str, str],
        by_hand: Collection[str],
        run: Run,
        stack: ExitStack,
        patch: pytest.MonkeyPatch,
    ) -> None:
        self.folder = folder
        self.left_to_hand = set(by_hand)
        self.done: list[Done] = []
        self._also, self._by_hand, self._run = also, by_hand, run
        self._stack, self._patch = stack, patch
        self._terminals: dict[str, Terminal] = {}
        self._cells: list[Step] = []
        patch.chdir(folder)

    def take(self, step: Step) -> None:
        """Take one step."""
        if step.kind == "file":
            (self.folder / step.name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / step.name).write_text(step.text, encoding="utf-8")
        elif step.kind == "change":
            path = self.folder / step.name
            path.write_text(changed(path.read_text(encoding="utf-8"), step.text), encoding="utf-8")
        elif step.kind == "cell":
            self._cells.append(step)
        elif step.name:
            self._in_a_terminal(step)
        else:
            self._command(step)

    def run_cells(self) -> None:
        """Run the cells of the page, in one notebook."""
        if self._cells:
            below = below_cells([cell.text for cell in self._cells])
            pairs = zip(self._cells, below, strict=True)
            self.done += [Done(cell.text, printed, cell.shown) for cell, printed in pairs]

    def _command(self, step: Step) -> None:
        first, *rest = shlex.split(step.text, comments=True)
        if step.text in self._by_hand:
            self.left_to_hand.discard(step.text)
        elif first == "cd":
            self.folder = (self.folder / rest[0]).resolve()
            self._patch.chdir(self.folder)
        elif first == "softmark":
            words = [*rest, *self._also.get(rest[0], "").split(), "--lang", "en"]
            status, printed = self._run(self.folder, words)
            self.done.append(Done(step.text.removeprefix("softmark "), printed, step.shown, status))
        else:
            assert first in SHELL, f"nobody follows `{step.text}`"
            environment = environment_of(ROOT) | {"PATH": _path()}
            words = ["bash", "-c", step.text]
            subprocess.run(words, cwd=self.folder, env=environment, check=True, capture_output=True)

    def _in_a_terminal(self, step: Step) -> None:
        if step.name not in self._terminals:
            environment = environment_of(ROOT) | {"PATH": _path(), "COLUMNS": COLUMNS}
            opened = self._stack.enter_context(Terminal(self.folder, environment))
            self._terminals[step.name] = opened
        terminal = self._terminals[step.name]
        if step.text:
            terminal.type(step.text)
        shown, interrupt, _ = step.shown.partition(INTERRUPT)
        terminal.await_text(pattern_of(shown))
        if interrupt:
            terminal.interrupt()


def _path() -> str:
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def changed(text: str, change: str) -> str:
    """A text after a change, as `diff -u` shows one; `@@` stands between the places."""
    for place in re.split(r"^@@.*\n", change, flags=re.MULTILINE):
        lines = place.splitlines(keepends=True)
        old, new = ("".join(line[1:] or "\n" for line in lines if line[0] != other) for other in "+-")
        assert text.count(old) == 1, f"{text.count(old)} places are\n{old}"
        text = text.replace(old, new)
    return text


def below_cells(cells: list[str]) -> list[str]:
    """What a notebook shows below each of its cells, as text."""
    with tempfile.TemporaryDirectory() as kept:
        log = Path(kept) / "log"
        log.touch()
        assert Fork(log, _run_cells, cells).wait(WAIT_S) == 0, log.read_text(encoding="utf-8")
        return list(json.loads(log.read_text(encoding="utf-8").split("\n")[-1]))


def _run_cells(cells: list[str]) -> None:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    below = []
    for cell in cells:
        with capture_output() as seen:
            shell.run_cell(cell, store_history=True)
        below.append(seen.stdout + "".join(each.data["text/plain"] for each in seen.outputs))
    print("\n" + json.dumps(below), end="")  # noqa: T201


def pattern_of(shown: str) -> str:
    """What a page shows as a pattern: `...` is anything, and which box there is depends on the machine."""
    pattern = "\n".join(map(re.escape, shown.strip("\n").split("\n")))
    pattern = re.sub(r"box:\\ \w+", r"box:\\ \\w+", pattern)
    pattern = re.sub(r"^\\.\\.\\.\n", "(?:.*\n)*?", pattern, flags=re.MULTILINE)
    return pattern.replace(r"\.\.\.", "(?s:.*?)")


def without_ends_of_lines(printed: str) -> str:
    """What was printed without spaces at the ends of lines, which a page cannot show."""
    return re.sub(r"[ \t]+$", "", printed, flags=re.MULTILINE).strip("\n")


def require_status(done: Done, status: int) -> None:
    """Require that a command ended with this status."""
    assert done.status == status, f"{done.command} ended with {done.status} after\n{done.printed}"


def require_as_shown(followed: list[Done]) -> None:
    """Require that everything prints what the page shows of it."""
    assert any(done.shown.strip() for done in followed)
    for done in followed:
        printed = without_ends_of_lines(done.printed)
        if done.shown.strip() and not re.fullmatch(pattern_of(done.shown), printed):
            pytest.fail(f"the page is not current: {done.command} ends with {done.status} after\n{printed}")


def not_printed(shown: str, printed: str) -> list[str]:
    """Of the lines that a page shows, those that the command did not print, or in another order."""
    lines = iter([line.rstrip() for line in printed.split("\n")])
    return [line for line in shown.split("\n") if line not in ("", "...") and line.rstrip() not in lines]
