"""Code in one language: keep one of the two languages of each docstring."""

import ast
import inspect
import re

from graders.language import Language, text_in

_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_LITERAL = re.compile(r'([rR]?)("""|\'\'\'|"|\')(.*)\2', re.DOTALL)


def keep_language(code: str, language: Language) -> str:
    """The code with its docstrings in one language; nothing else of it is changed.

    Args:
        code: Python as it stands in `assignments/`.
        language: the language that is kept, English if the other is missing.
    """
    lines = code.encode().split(b"\n")  # columns of `ast` count bytes
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, _DOCUMENTED)]
    docstrings = [node.body[0] for node in nodes if ast.get_docstring(node) is not None]
    # From the end, so that earlier lines keep their numbers.
    for node in sorted(docstrings, key=lambda node: -node.lineno):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
        literal = b"\n".join([*lines[first:last], lines[last][: node.end_col_offset]])[len(before) :]
        new = _rewrite(literal.decode(), language, " " * len(before))
        lines[first : last + 1] = (before + new.encode() + after).split(b"\n")
    return b"\n".join(lines).decode()


def _rewrite(literal: str, language: Language, indent: str) -> str:
    """A docstring's literal in one language, with its own quotes; its text is not evaluated."""
    parts = _LITERAL.fullmatch(literal)
    if parts is None:  # two literals side by side, or with a prefix of another kind
        return literal
    prefix, quotes, text = parts.groups()
    if text_in(text, "en") == inspect.cleandoc(text):
        return literal  # it has one language
    first, *rest = text_in(text, language).split("\n")
    if not rest:
        return f"{prefix}{quotes}{first}{quotes}"
    indented = [f"{indent}{line}" if line else "" for line in rest]
    return "\n".join([f"{prefix}{quotes}{first}", *indented, f"{indent}{quotes}"])
