"""Convert a cell to the Python that IPython would run; line n of the result is line n of the cell."""

import ast
import re
import shlex
import warnings
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from graders.extraction.newer_python import Newer, explain_refusal, rewrite
from graders.language import tr

LENGTH_LIMIT = (
    500_000  # characters of one cell or module; more is pasted data, and parsing it takes gigabytes
)
MAGIC_LIMIT = 500_000  # characters read in total: IPython reads the whole cell again for every magic
NESTED_LIMIT = 5  # %%time under %%capture under ...
PATH_LIMIT = 200  # characters of the file name after %%writefile
MARKS_LIMIT = 1_000  # characters in a row that may be accents
DOTS_LIMIT = 1_000  # dots in the names of one import

_MAGIC_LINE = re.compile(r"^[ \t]*([%!?,;/]+)|=[ \t]*[%!]|\?[ \t]*$", re.MULTILINE)
_LINE_MAGIC = re.compile(r"%([A-Za-z_]\w*)(?: ([ -~]*(?![\\?])[!-~])?)?", re.ASCII)
_ASKING_LINE = re.compile(r"^.*\?[ \t]*$", re.MULTILINE)
_IMPORT = re.compile(r"\b(?:import|from)\b(?:[^\n\\]|\\\n)*")
# Combining accents match neither \w nor \s; two Japanese sound marks match \w.
_MARKS = re.compile(r"(?:[^\w\s\x00-\x7f]|[\uff9e\uff9f])+")
_CELL_MAGIC = re.compile(r"[ \t\n]*%%([\w!.-]*)(.*)")
# The body of these is Python and its names stay defined; %%timeit and %%bash define nothing.
_TRANSPARENT = frozenset({"time", "capture", "prun"})
_WRITES = frozenset({"writefile", "file"})
# IPython runs a line such as "pip install x" as a magic only if it is the whole cell. Students also write it
# among other lines, and these should still count.
_SHELL_LINE = re.compile(
    r"([ \t]*)(?:pip3?|conda|mamba|uv|cd|ls|ll|dir|mkdir|rm|cp|mv|cat|pwd|git|wget|curl|unzip|tar|echo|sudo|"
    r"apt|apt-get|python3?|nvidia-smi)\b(?![ \t]*[=(.\[:,])"
)


class Problem(NamedTuple):
    """The line of a cell that is not Python, and the reason; `newer` says that a newer Python takes it."""

    line: int
    reason: str
    newer: bool = False


@dataclass(frozen=True)
class WrittenModule:
    """A module that a %%writefile cell writes; `text` keeps the line numbers of the cell."""

    name: str
    text: str
    appends: bool


@dataclass(frozen=True)
class Code:
    """A cell as Python. `text` is empty if the cell has a problem or defines nothing.

    `newer` is what was written anew because only newer Pythons take it.
    """

    text: str
    problem: Problem | None = None
    writes: WrittenModule | None = None
    newer: tuple[Newer, ...] = ()
    tree: ast.Module = field(default_factory=lambda: ast.Module([], []), compare=False, repr=False)


def to_python(cell_source: str, magics: int = 0) -> Code:
    """Convert a cell to Python, line by line.

    Args:
        cell_source: the text of the cell.
        magics: the number of cell magics above this text.
    """
    text = cell_source.replace("\r\n", "\n").replace("\r", "\n")
    problem = _find_unparsable(text)
    if problem:
        return Code("", problem)
    tree = parse_cell(text)
    if isinstance(tree, ast.Module):
        return Code(text, tree=tree)
    magic = _CELL_MAGIC.match(text)
    if magic:
        return _cell_magic(magic[1], magic[2], _blank_lines_before(text, magic.end()), magics + 1)
    plain = _with_line_magics(text)
    if plain is not None:
        return plain
    older = rewrite(text)
    code = _without_magics(older.text)
    if code.problem is None:
        return replace(code, newer=older.newer)
    left = older.left[0] if older.left else explain_refusal(*code.problem[:2])
    return Code("", Problem(left.line, left.says, newer=True)) if left else code


def _without_magics(text: str) -> Code:
    tree = parse_cell(text)
    if isinstance(tree, ast.Module):
        return Code(text, tree=tree)
    plain = _with_line_magics(text)
    if plain is not None:
        return plain
    if _estimate_work(text) <= MAGIC_LIMIT:
        text = _transform(text)
    text, tree = _without_shell_lines(text)
    return Code(text, tree=tree) if isinstance(tree, ast.Module) else Code("", tree)


def parse_bounded(text: str) -> ast.Module | Problem:
    """Parse any text as `parse_cell` does, unless it would take the parser too long."""
    return _find_unparsable(text) or parse_cell(text)


def parse_cell(text: str) -> ast.Module | Problem:
    """Parse a text to its syntax tree, or to the problem. Never raises and never warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except SyntaxError as error:
            return Problem(error.lineno or 1, error.msg)
        except (RecursionError, MemoryError):
            return Problem(1, tr("it is nested too deeply"))
        except ValueError:
            return Problem(1, tr("it holds a character that Python does not accept"))


def _find_unparsable(text: str) -> Problem | None:
    if len(text) > LENGTH_LIMIT:
        return Problem(1, tr("it is longer than {most} characters", most=LENGTH_LIMIT))
    # The parser normalises identifiers: sorting the accents on one letter takes quadratic time, and cannot be
    # interrupted.
    for row in () if text.isascii() else _MARKS.finditer(text):
        if row.end() - row.start() > MARKS_LIMIT:
            message = tr("it holds a long row of signs or accents")
            return Problem(1 + text.count("\n", 0, row.start()), message)
    # Building every prefix of a dotted name takes quadratic time as well.
    for statement in _IMPORT.finditer(text):
        if statement[0].count(".") > DOTS_LIMIT:
            message = tr("it imports a name of too many parts")
            return Problem(1 + text.count("\n", 0, statement.start()), message)
    return None


def _blank_lines_before(text: str, end: int) -> str:
    return "\n" * text.count("\n", 0, end) + text[end:]


def _cell_magic(name: str, line: str, body: str, magics: int) -> Code:
    if name in _TRANSPARENT and magics > NESTED_LIMIT:
        message = tr("more than {most} cell magics stand one under the other", most=NESTED_LIMIT)
        return Code("", Problem(1, message))
    if name in _TRANSPARENT:
        return to_python(body, magics)
    if name in _WRITES and len(line) <= 2 * PATH_LIMIT:
        words = _words(line)
        target = words[-1] if words else ""
        if target.endswith(".py") and len(target) <= PATH_LIMIT:
            return Code("", writes=WrittenModule(target, body, bool({"-a", "--append"} & set(words))))
    return Code("")


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


def run_target(arguments: str) -> str | None:
    """The file that `%run ARGUMENTS` runs; None if it names none."""
    return next((word for word in _words(arguments) if not word.startswith("-")), None)


def _estimate_work(text: str) -> int:
    """Estimate how many characters IPython would read."""
    # IPython removes `,;/` at the start of a line one by one, and searches a line that ends in a question
    # mark again from each of its characters.
    escapes = sum(max(1, len(signs)) for signs in _MAGIC_LINE.findall(text))
    asking = sum(len(line) ** 2 for line in _ASKING_LINE.findall(text))
    return escapes * (len(text) + asking // 100)


def _with_line_magics(text: str) -> Code | None:
    """A cell of Python and of lines such as `%check concat_heads`, as IPython converts it; else None."""
    lines, replaced = text.split("\n"), set()
    for number, line in enumerate(lines, 1):
        if magic := _LINE_MAGIC.fullmatch(line):
            lines[number - 1] = f"get_ipython().run_line_magic({magic[1]!r}, {magic[2] or ''!r})"
            replaced.add(number)
    tree = parse_cell("\n".join(lines))
    # In a string, or between brackets, such a line is no magic.
    if isinstance(tree, ast.Module) and replaced <= {node.lineno for node in tree.body}:
        return Code("\n".join(lines), tree=tree)
    return None


def _transform(text: str) -> str:
    # Imported here: most cells need no IPython, and to import it takes a twentieth of a short command's time.
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            new = str(TransformerManager().transform_cell(text))  # type: ignore[no-untyped-call]
    except Exception:  # on text that is neither Python nor a magic, IPython raises errors of many kinds
        return text
    return "\n".join(_align(text.split("\n"), new.split("\n")))


def _align(old: list[str], new: list[str]) -> list[str]:
    # IPython drops blank lines at the top and joins continued magics; other lines keep their number.
    placed = [""] * len(old)
    at = 0
    for line in new:
        while at < len(old) and not old[at].strip() and line.strip():
            at += 1
        if at >= len(old):
            placed.append(line)
            continue
        placed[at] = line
        joined = "get_ipython()" in line and line.strip() != old[at].strip()
        while joined and old[at].rstrip().endswith("\\") and at + 1 < len(old):
            at += 1
        at += 1
    return placed


def _without_shell_lines(text: str) -> tuple[str, ast.Module | Problem]:
    lines = text.split("\n")
    tree = parse_cell(text)
    # Each attempt parses the whole cell again, so long cells get fewer attempts.
    for _ in range(min(50, 1 + MAGIC_LIMIT // (len(text) + 1))):
        if isinstance(tree, ast.Module) or not 0 < tree.line <= len(lines):
            break
        at = tree.line - 1
        match = _SHELL_LINE.match(lines[at])
        if not match:
            break
        while lines[at].rstrip().endswith("\\") and at + 1 < len(lines):
            lines[at], at = "", at + 1
        lines[at] = ""
        lines[tree.line - 1] = f"{match[1]}pass"
        tree = parse_cell("\n".join(lines))
    return "\n".join(lines), tree
