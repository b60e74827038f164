"""The documents that `make docs` generates.

`docs/commands.md` is the help of every command. `docs/students.md` shows, between `<!-- output -->` and
`<!-- end -->`, the output of a check of `WRONG`. `result_reference.py` describes the files of a run,
`check_reference.py` the names that a checks file may use.
"""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from click.testing import CliRunner

from graders.cli.main import READERS, main
from graders.language import Language, speaking, tr
from tests.maintenance.check_reference import check_references
from tests.maintenance.result_reference import json_schema, reference

ROOT = Path(__file__).parents[2]
PAGE, STUDENTS = ROOT / "docs/commands.md", ROOT / "docs/students.md"
WIDTH = 80
WRONG = """\
def concat_heads(x):
    B, H, S, D = x.shape
    return x.reshape(B, S, H * D)
"""
COMMANDS: dict[Language, tuple[str, str, str]] = {
    "en": (
        "Commands",
        "Made by `make docs` from what `--help` says; `--lang fr` says it in French.",
        "| command | what it does |",
    ),
    "fr": (
        "Commandes",
        "Ce que dit `--help` en français\u00a0; `--lang en` le dit en anglais.",
        "| commande | ce qu'elle fait |",
    ),
}
_OUTPUT = re.compile(r"(?<=<!-- output -->\n).*(?=<!-- end -->)", re.DOTALL)


def help_of(name: str, language: Language = "en") -> str:
    """What `softmark NAME --help` prints, at a fixed width; without a name `softmark --help`."""
    whole = click.Context(main, info_name="softmark", terminal_width=WIDTH, **main.context_settings)
    with speaking(language):
        if not name:
            return main.get_help(whole)
        command = main.get_command(whole, name)
        assert command is not None
        return command.get_help(click.Context(command, parent=whole, info_name=name))


def page(language: Language = "en") -> str:
    """The page of commands, by reader."""
    title, says, head = COMMANDS[language]
    blocks = [f"# {title}\n\n{says}", f"```\n{help_of('', language)}\n```"]
    for reader, commands in READERS.items():
        with speaking(language):
            rows = [
                f"| [`softmark {name}`](#softmark-{name}) | {tr(line)} |" for name, line in commands.items()
            ]
            blocks += [f"## {tr(reader).rstrip(':').rstrip()}", "\n".join([head, "| --- | --- |", *rows])]
        blocks += [f"### softmark {name}\n\n```\n{help_of(name, language)}\n```" for name in commands]
    return "\n\n".join(blocks) + "\n"


def students(language: Language = "en") -> str:
    """The page for students with the current output of the check."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "joined.py"
        file.write_text(WRONG, encoding="utf-8")
        words = ["check", str(file), "--exercise", "concat_heads", "--lang", language]
        output = CliRunner(env={"COLUMNS": str(WIDTH)}).invoke(main, words).output
    lines = output.split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith(("✓", "✗"))]
    shown = "\n".join(lines[starts[0] - 1 : starts[-1] + 1])
    text = f"\n```python\n{WRONG}```\n\n```\n{shown}\n```\n\n"
    return _OUTPUT.sub(lambda _: text, STUDENTS.read_text(encoding="utf-8"))


# Each generated file, and the function that makes its text.
GENERATED: dict[Path, Callable[[], str]] = {
    PAGE: page,
    STUDENTS: students,
    **check_references(),
    ROOT / "docs/result.md": reference,
    ROOT / "docs/result.schema.json": partial(json_schema, "result.json"),
    ROOT / "docs/class.schema.json": partial(json_schema, "class.json"),
    ROOT / "docs/heads.schema.json": partial(json_schema, "heads.json"),
}

if __name__ == "__main__":
    for path, make in GENERATED.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(make(), encoding="utf-8")
