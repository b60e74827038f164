"""Right answers to an exercise: the files under `solutions/right/<exercise>/`, and these under other names.

Where an answer differs from another by names alone, `renamed.toml` beside them says which names, and the file
is made when somebody needs it.
"""

import contextlib
import io
import keyword
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from graders import locations
from graders.language import tr

RENAMED = "renamed.toml"


@contextlib.contextmanager
def right_answers(exercise: str) -> Iterator[list[Path]]:
    """The files of the right answers, in the order of their names; those that are made are there.

    Raises:
        ValueError: `renamed.toml` asks for names that cannot be given.
        tomllib.TOMLDecodeError: it is no TOML.
    """
    folders = locations.course().answer_folders("right", exercise)
    written = {path.name: path for folder in folders for path in folder.glob("*.py")}
    with TemporaryDirectory() as made:
        for name, text in (pair for folder in folders for pair in _made(folder).items()):
            path = Path(made) / f"{name}.py"
            path.write_text(text, encoding="utf-8")
            written[path.name] = path
        yield sorted(written.values(), key=lambda path: path.name)


def deviations(exercise: str) -> list[Path]:
    """The files of the answers that are right but for one thing, in the order of their names."""
    folders = locations.course().answer_folders("deviations", exercise)
    written = {path.name: path for folder in folders for path in folder.glob("*.py")}
    return sorted(written.values(), key=lambda path: path.name)


def rename(code: str, names: Mapping[str, str]) -> str:
    """Python's text with other names for its arguments, attributes, functions or classes; strings stay.

    Raises:
        ValueError: the text has no such name, or has the new one, or that can be none.
    """
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(code).readline) if t.type == tokenize.NAME]
    known = {token.string for token in tokens}
    for old, new in names.items():
        if old not in known or new in known or not new.isidentifier() or keyword.iskeyword(new):
            raise ValueError(tr("the name {old} cannot become {new} there", old=old, new=new))
    lines = code.splitlines(keepends=True)
    for token in reversed(tokens):  # from the end, so that earlier names stay where they are
        (line, start), (_, end) = token.start, token.end
        text = lines[line - 1]
        lines[line - 1] = text[:start] + names.get(token.string, token.string) + text[end:]
    return "".join(lines)


def _made(folder: Path) -> dict[str, str]:
    """The texts that `renamed.toml` describes, by name."""
    table = folder / RENAMED
    if not table.is_file():
        return {}
    made = {}
    for name, row in tomllib.loads(table.read_text(encoding="utf-8")).items():
        try:
            made[name] = rename((folder / f"{row['of']}.py").read_text(encoding="utf-8"), row["names"])
        except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
            raise ValueError(tr("{file}, {name}: {error}", file=RENAMED, name=name, error=error)) from error
    return made
