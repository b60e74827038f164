"""Find the cells of code in Markdown: Jupytext, MyST, R Markdown, Quarto, plain fences; and texts in code."""

import re

# Names of Python after a fence: `python`, `{python}`, `{.python .input}`, `{code-cell} ipython3`.
_OPEN = re.compile(
    r"(?P<fence>`{3,}|~{3,})[ \t]*"
    r"(?P<cell>\{code-cell\}|\{[ \t]*\.?python3?\b[^}`]*\}|i?python3?\b|py\b)[^`]*"
)
_FRONT = re.compile(r"\ufeff?---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|$)")
_MADE_BY = re.compile(r"^(?:jupyter|jupytext|kernelspec)[ \t]*:", re.MULTILINE)
_EXECUTED = re.compile(r"^(?:`{3,}|~{3,})[ \t]*\{(?:code-cell|[ \t]*python)", re.MULTILINE)
# What MyST says of a cell, above its code.
_OPTION = re.compile(r"[ \t]*:[\w-]+:")


def is_written_to_run(text: str) -> bool:
    """Whether Markdown says that it is a notebook, and no text with examples, such as a README."""
    front = _FRONT.match(text)
    return bool((front and _MADE_BY.search(front[0])) or _EXECUTED.search(text))


def text_cells(code: str) -> list[str]:
    """The cells of Markdown in a module whose cells begin with `# %%`: comments, or a text in quotes."""
    texts: list[list[str]] = []
    inside = False
    for line in code.split("\n"):
        if line.startswith(("# %%", "#%%")):
            inside = "[markdown]" in line or "[md]" in line
            texts += [[]] if inside else []
        elif inside:
            texts[-1].append(line.removeprefix("#").removeprefix(" "))
    return ["\n".join(lines).strip().strip("\"'") for lines in texts]


def code_blocks(text: str) -> list[str]:
    """The cells of code in a Markdown text, each below as many empty lines as stand above it in the text."""
    lines, blocks = text.split("\n"), []
    at = 0
    while at < len(lines):
        opened = _OPEN.fullmatch(lines[at])
        at += 1
        if opened is None:
            continue
        end = _end_of_block(lines, at, opened["fence"])
        first = _after_options(lines, at, end) if opened["cell"] == "{code-cell}" else at
        blocks.append("\n" * first + "\n".join(lines[first:end]))
        at = end + 1
    return blocks


def _end_of_block(lines: list[str], start: int, fence: str) -> int:
    closing = re.compile(re.escape(fence) + re.escape(fence[0]) + r"*[ \t]*")
    return next((at for at in range(start, len(lines)) if closing.fullmatch(lines[at])), len(lines))


def _after_options(lines: list[str], start: int, end: int) -> int:
    if start < end and lines[start].strip() == "---":
        closing = next((at for at in range(start + 1, end) if lines[at].strip() == "---"), start)
        return closing + 1
    return next((at for at in range(start, end) if not _OPTION.match(lines[at])), end)
