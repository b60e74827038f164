"""Odd command lines: every command and option, with right and odd values. Not collected by pytest.

    python -m tests.fuzz.command_lines --seconds 600 --seed 1

All paths are of folders that were made for it. What takes minutes (keys, handouts, audits, a box) or never
ends (servers, `--watch`) does nothing here; whatever reads the words of the line, and what is written, is
real. No command may let an exception through or hang, and submissions and the results of others must stay.
"""

import contextlib
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from graders.cli.actions import audit as audit_action
from graders.cli.actions import check as check_action
from graders.cli.actions import handout as handout_action
from graders.cli.actions import key as key_action
from graders.cli.commands import new as new_command
from graders.cli.main import COMMANDS
from graders.cli.main import main as softmark
from graders.cluster import scheduler, worker
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from tests.fuzz.forked_command import run_command
from tests.fuzz.fuzzing import fuzz
from tests.fuzz.odd_values import ODD_TEXTS
from tests.fuzz.results_folder import MadeClass, made_class
from tests.reports import sample
from tests.support.downloads import CODE
from tests.support.warm_commands import Unstarted

ODD_WORDS = (
    *(text for text in ODD_TEXTS if "\x00" not in text and "\ud800" not in text and text != "/"),
    "\udcff", "9" * 5_000, "-" * 50, "x" * 5_000, "--", "-", "-h", "@file", "1/0", "0/0", "3/20", "1/2",
    "99999/99999",
    "call=0", "call=1e400", "call=-1s", "memory=", "memory=1TB", "=3", "cpu=5m", "call=nan", "call=1_0",
    "all", "html",
    "attention", "minigpt", "concat_heads", "alice", "tcp://127.0.0.1:1", "tls://[::1]:99999", "tcp://",
    "tls://é:0",
    "1,2,6,11", "0", "1,,2", "²,³", "a b c d", "fr", "en", "de", "grammar", "french", "nested", "process",
    "lambda", "False",
    "123abc", "foo-bar", "__init__", "Mod", "f" * 200,
)  # fmt: skip
PATHS = (
    "in", "in/alice.py", "out", "part1", "part2", "roster.csv", "moodle.csv", "canvas.csv", "course.toml",
    "seed.txt",
    "empty", "absent", "absent/file", "pipe", "link", "circle", "binary", "new.sqlite", "new.parquet",
    "new.xml", "new",
    "in/alice.py/x", "answers.py", "notebook.ipynb", "data.zip", "out/alice", "deep/er", "n" * 300,
    "out/class.json", "text.txt",
)  # fmt: skip
RIGHT = {
    "name": ("attention",), "new name": ("new_thing", "new_thing", "Thing", "x", "concat_heads"),
    "assignment": ("attention",),
    "corpus name": ("french", "grammar", "text.txt"), "points_from": ("concat_heads",),
    "format_": ("moodle", "canvas", "gradescope", "junit"), "lang": ("en", "fr"), "topic": ("box", "masks"),
    "address": ("tcp://127.0.0.1:1",), "only": ("alice",), "exercises": ("concat_heads",), "part": ("1/2",),
    "changes": ("call=2s", "memory=1GB"), "out": ("new",), "grade out": ("out", "new"),
    "report out": ("out",), "export out": ("out",), "results out": ("out",), "what": ("in",),
    "file": ("answers.py",),
    "parts": ("part1", "part2"), "folder": ("new",), "to": ("new.sqlite", "new.xml", "new"),
    "formats": ("json", "html"),
}  # fmt: skip


def main() -> None:
    """Try command lines until the time is up."""
    with made_class() as made, quick_commands():
        fuzz(lambda number: judge(made, number), __doc__)


@contextlib.contextmanager
def quick_commands() -> Iterator[None]:
    """Within the context, what takes minutes or a box does nothing."""

    class NoGrader:
        def grade(self, file: Path, name: str) -> Any:
            return sample.result(id=name)

    @contextlib.contextmanager
    def open_no_grader(*_: Any, **__: Any) -> Iterator[NoGrader]:
        yield NoGrader()

    def end(*_: Any, **__: Any) -> None:
        raise SystemExit(0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graders.cli.start_box.Interpreter", Unstarted)
        patch.setattr("graders.cli.start_box.NewProcesses", Unstarted)
        patch.setattr(check_action, "open_grader", open_no_grader)
        patch.setattr(check_action, "_open", lambda asked, _: Box(IsolationLevel.OPEN, asked.box.limits))
        patch.setattr(check_action, "watch_submission", lambda *_, **__: 0)
        patch.setattr("graders.cli.draw_heads.open_heads", lambda *_: None)
        patch.setattr(key_action, "make_and_show", lambda *_: b"a key")
        patch.setattr(new_command, "write_together", lambda *_: None)
        patch.setattr(handout_action, "write_handout_of", end)
        for name in ("exercises", "styles", "seeds", "names", "neighbours"):
            patch.setattr(audit_action, f"audit_{name}", end)
        patch.setattr(scheduler, "run", end)
        patch.setattr(worker, "run", end)
        yield


def judge(made: MadeClass, number: int) -> str:
    """Run a command line in a copy of the class; the command and its status."""
    draws = random.Random(number)
    folder = made.root / "a/b/copy"  # so deep that `../..` is of the made folders
    shutil.copytree(made.root / "made", folder, symlinks=True)
    try:
        _add_paths(folder)
        words = make_line(draws)
        kept = _kept(folder)
        ran = run_command(words, folder)
        told = " ".join(word if len(word) < 100 else f"{word[:50]}...({len(word)})" for word in words)
        assert ran.fault is None, f"{told!r}: {ran.fault}"
        _require_kept(folder, kept, words, told)
        return f"{words[0] if words and words[0] in COMMANDS else '(other)':10} {ran.status}"
    finally:
        shutil.rmtree(folder)


def _add_paths(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "deep/er").mkdir(parents=True)
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to("out")
    (folder / "circle").symlink_to("circle")
    (folder / "binary").write_bytes(bytes(range(256)) * 20)
    (folder / "seed.txt").write_text("7\n", encoding="ascii")
    (folder / "text.txt").write_text("To be or not to be. " * 200, encoding="utf-8")
    (folder / "answers.py").write_text(CODE, encoding="utf-8")
    (folder / "notebook.ipynb").write_text("{}", encoding="utf-8")
    (folder / "data.zip").write_bytes(b"PK\x05\x06" + b"\x00" * 18)
    shutil.copy(Path(__file__).parents[2] / "assignments/course.toml", folder / "course.toml")


def make_line(draws: random.Random) -> list[str]:
    """The words of a command line: mostly a command with what it needs, and some options of its own."""
    if draws.random() < 0.04:
        return [draws.choice((*ODD_WORDS, *COMMANDS)) for _ in range(draws.randrange(4))]
    name = draws.choice(COMMANDS)
    command = softmark.get_command(click.Context(softmark), name)
    words = [name]
    if isinstance(command, click.Group):
        inner = draws.choice([*command.commands, draws.choice(ODD_WORDS)])
        words, command = [*words, inner], command.commands.get(inner)
    parameters = list(command.params) if command else []
    odd = draws.choice((0.0, 0.05, 0.3))
    for parameter in parameters:
        is_argument = isinstance(parameter, click.Argument)
        if draws.random() < (0.97 if is_argument or parameter.required else 0.12):
            words += _words_of(draws, name, parameter, odd)
    if draws.random() < odd:
        words.insert(draws.randrange(len(words) + 1), draws.choice(ODD_WORDS))
    return words


def _words_of(draws: random.Random, command: str, parameter: click.Parameter, odd: float) -> list[str]:
    count = draws.choice((1, 2, 3)) if parameter.nargs == -1 or parameter.multiple else 1
    if draws.random() < odd:
        count += draws.randrange(2)
    words = []
    for _ in range(count):
        if isinstance(parameter, click.Option):
            words.append(draws.choice([*parameter.opts, *parameter.secondary_opts]))
            if parameter.is_flag:
                continue
        words.append(_value_of(draws, command, parameter, odd))
    return words


def _value_of(draws: random.Random, command: str, parameter: click.Parameter, odd: float) -> str:
    if draws.random() < odd:
        return draws.choice((*ODD_WORDS, *PATHS))
    if right := RIGHT.get(f"{command} {parameter.name}") or RIGHT.get(parameter.name or ""):
        return draws.choice(right)
    if isinstance(parameter.type, click.Choice):
        return str(draws.choice([*parameter.type.choices]))
    if isinstance(parameter.type, click.Path):
        return draws.choice(PATHS)
    if isinstance(parameter.type, click.types.IntParamType | click.types.FloatParamType):
        return draws.choice(("1", "2", "5", "0", "-1", "1e5", "99999999999999999999"))
    return draws.choice(ODD_WORDS)


def _kept(folder: Path) -> dict[Path, bytes]:
    files = [*folder.glob("in/*.py"), *folder.glob("*/*/result.json"), *folder.glob("*.csv")]
    return {path: path.read_bytes() for path in files}


def _require_kept(folder: Path, kept: dict[Path, bytes], words: list[str], told: str) -> None:
    writes = {"--to", "--out"} & set(words)
    for path, data in kept.items():
        name = path.relative_to(folder).as_posix()
        if words[:1] == ["grade"] and path.name == "result.json":
            continue  # it was asked to grade again
        if writes and name in words:
            continue  # it was asked to write there
        assert path.is_file(), f"{told!r}: {name} is gone"
        assert path.read_bytes() == data, f"{told!r}: {name} is another"


if __name__ == "__main__":
    main()
