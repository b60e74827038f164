"""Fingerprints of code that stay when names, comments, layout and the order of parts change.

The method is winnowing (Schleimer, Wilkerson and Aiken, "Winnowing: Local Algorithms for Document
Fingerprinting", SIGMOD 2003): of all runs of some tokens, those are kept whose hash is the least of a window.
Whatever two texts share that is as long as a run and a window is then found.
"""

import ast
import builtins
import functools
import io
import keyword
import math
import token
import tokenize
import warnings
import zlib
from collections.abc import Iterable, Sequence

RUN = 12  # tokens of a run: a shorter one is in everybody's code
WINDOW = 6  # runs, of which one is kept
LONGEST = 200_000  # characters of code that are looked at
_LAYOUT = {token.NEWLINE, tokenize.NL, token.INDENT, token.DEDENT, tokenize.COMMENT, token.ENDMARKER}


def fingerprints(code: str, about: str = "") -> frozenset[int]:
    """The fingerprints of a text of code; none where it cannot be read.

    Args:
        code: Python.
        about: what it answers: equal runs in answers to different exercises are not equal.
    """
    tokens = _tokens(code)
    runs = [_hash((about, *tokens[n : n + RUN])) for n in range(len(tokens) - RUN + 1)]
    if len(runs) <= WINDOW:
        return frozenset([min(runs)]) if runs else frozenset()
    return frozenset(min(runs[n : n + WINDOW]) for n in range(len(runs) - WINDOW + 1))


def _hash(parts: Iterable[str]) -> int:
    return zlib.crc32("\0".join(parts).encode())


def _tokens(code: str) -> Sequence[str]:
    """The tokens of code, with one name for all that is of no library, without docstrings and annotations."""
    if len(code) > LONGEST:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            plain = ast.unparse(_Plain().visit(ast.parse(code)))
        found = list(tokenize.generate_tokens(io.StringIO(plain).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return ()
    return [_plain(each) for each in found if each.type not in _LAYOUT]


def _plain(found: tokenize.TokenInfo) -> str:
    if found.type == token.NUMBER:
        return "0"
    if found.type == token.STRING:
        return "''"
    if (
        found.type == token.NAME
        and not keyword.iskeyword(found.string)
        and found.string not in _of_libraries()
    ):
        return "v"
    return found.string


class _Plain(ast.NodeTransformer):
    """Takes away what says nothing of how code was written: docstrings, annotations, printed lines."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._without_words(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._without_words(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.body = _without_docstring(node.body)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def _without_words(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body, node.returns = _without_docstring(node.body), None
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
        return node


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (body[1:] or [ast.Pass()]) if is_text else body


@functools.cache
def _of_libraries() -> frozenset[str]:
    """The names that everybody has from the same libraries."""
    import torch  # only here: most of what reads results needs none
    from torch import nn

    modules = (torch, torch.Tensor, nn, nn.functional, nn.Module, math, builtins)
    return frozenset(name for module in modules for name in dir(module)) | {
        "torch",
        "nn",
        "F",
        "math",
        "self",
    }
