"""Write what a newer Python takes as the Python that runs here takes it, line for line.

Rewritten are f-strings and type parameters of 3.12, `type X = ...`, `except A, B:` of 3.14, lazy imports of
3.15. What has no older form (template strings of 3.14) is named: it must cost nobody points.
"""

import ast
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.extraction.python_tokens import Field, Token, Unfinished, tokens_of
from graders.language import tr, translatable

F_STRING = translatable("an f-string with quotes or a backslash inside the braces")
TYPE_PARAMETERS = translatable("type parameters in square brackets")
TYPE_STATEMENT = translatable("a `type` statement")
EXCEPT = translatable("`except` with several errors and no parentheses")
LAZY = translatable("a lazy import")
TEMPLATE = translatable("a template string (`t` before the quotes)")
UNPACKING = translatable("`*` or `**` in a comprehension")
HEADER_LIMIT = 500  # tokens between the brackets of a class's or a function's header
SINCE = {
    F_STRING: (3, 12),
    TYPE_PARAMETERS: (3, 12),
    TYPE_STATEMENT: (3, 12),
    EXCEPT: (3, 14),
    TEMPLATE: (3, 14),
    LAZY: (3, 15),
    UNPACKING: (3, 15),
}
# The errors with which older Pythons refuse what has no older form here.
_ERRORS = {UNPACKING: re.compile(r"unpacking cannot be used in (?:dict )?comprehension")}


class Newer(NamedTuple):
    """Something on a line that only newer Pythons take: one of the constants above."""

    line: int
    what: str

    @property
    def says(self) -> str:
        """Which Python it needs, as a part of a sentence."""
        since, here = (".".join(map(str, v[:2])) for v in (SINCE[self.what], sys.version_info))
        return tr(
            "it needs Python {since} ({what}), and softmark runs on {here}",
            what=tr(self.what),
            since=since,
            here=here,
        )


@dataclass(frozen=True)
class Rewritten:
    """A text as this Python takes it, and what was rewritten or could not be."""

    text: str
    newer: tuple[Newer, ...] = ()
    left: tuple[Newer, ...] = ()


class _Edit(NamedTuple):
    start: int
    end: int
    text: str
    what: str


def rewrite(text: str, version: tuple[int, ...] = sys.version_info[:2]) -> Rewritten:
    """A text that this Python refuses, with what newer ones take written as `version` takes it."""
    try:
        tokens = tokens_of(text)
    except Unfinished:
        return Rewritten(text)
    return _rewrite(text, tokens, version)


def explain_refusal(line: int, error: str) -> Newer | None:
    """What a newer Python takes and this one refuses with an error; None if no Python takes it."""
    what = next((what for what, sign in _ERRORS.items() if sign.search(error)), None)
    return Newer(line, what) if what and SINCE[what] > sys.version_info[:2] else None


def _rewrite(text: str, tokens: Sequence[Token], version: Sequence[int]) -> Rewritten:
    code = [
        token for token in tokens if token.kind != "comment" and (token.kind != "line" or token.depth == 0)
    ]
    edits: list[_Edit] = []
    for at, token in enumerate(code):
        if token.kind == "word" and (token.first or text[token.start : token.end] in ("def", "class")):
            for find in _FINDERS.get(text[token.start : token.end], ()):
                edits += find(text, code, at)
    edits += _strings(text, code, version)
    edits = [edit for edit in edits if SINCE[edit.what] > tuple(version[:2])]
    templates = [t for t in code if t.kind == "template" and SINCE[TEMPLATE] > tuple(version[:2])]
    return Rewritten(
        _apply(text, edits),
        tuple(_first_of_each(text, sorted((edit.start, edit.what) for edit in edits))),
        tuple(_first_of_each(text, [(token.start, TEMPLATE) for token in templates])),
    )


def _first_of_each(text: str, found: Sequence[tuple[int, str]]) -> Iterator[Newer]:
    first: dict[str, int] = {}
    for start, what in found:
        first.setdefault(what, start)
    return (Newer(_line(text, start), what) for what, start in first.items())


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _apply(text: str, edits: Sequence[_Edit], start: int = 0, end: int | None = None) -> str:
    """The text between two positions with these edits, of which an inner one gives way to that around it."""
    pieces, at = [], start
    for edit in sorted(edits):
        if edit.start >= at:
            pieces += [text[at : edit.start], edit.text]
            at = edit.end
    return "".join([*pieces, text[at:end]])


def _lines_of(text: str) -> str:
    return "\n" * text.count("\n")


def _is(text: str, token: Token, *words: str) -> bool:
    return text[token.start : token.end] in words


def _closing(text: str, code: Sequence[Token], at: int) -> int:
    """The index of the token that closes the bracket at index `at`; `at` if none near does."""
    depth = code[at].depth
    for index in range(at + 1, min(len(code), at + HEADER_LIMIT)):
        if _is(text, code[index], ")", "]", "}") and code[index].depth == depth + 1:
            return index
    return at


def _type_parameters(text: str, code: Sequence[Token], at: int) -> Iterator[_Edit]:
    """`def f[T](x)` without `[T]`, and `class A[T](Base)` as `class A(Base, Generic[...])`."""
    if at + 2 >= len(code) or code[at + 1].kind != "word" or not _is(text, code[at + 2], "["):
        return
    end = _closing(text, code, at + 2)
    start, stop = code[at + 2].start, code[end].end
    inner = code[at + 3 : end]
    if not inner:
        return
    yield _Edit(start, stop, _lines_of(text[start:stop]), TYPE_PARAMETERS)
    if _is(text, code[at], "class") and end + 1 < len(code):
        yield from _generic_base(text, code, end + 1, inner)


def _generic_base(text: str, code: Sequence[Token], at: int, inner: Sequence[Token]) -> Iterator[_Edit]:
    own = [token for token in inner if token.kind == "word" and token.depth == inner[0].depth]
    names = {text[t.start : t.end] for i, t in enumerate(own) if _begins_parameter(text, inner, t)}
    kinds = {"*": "TypeVarTuple", "**": "ParamSpec"}
    typing = "__import__('typing')"
    variables = []
    for name in sorted(names):
        stars = next(_stars_before(text, t) for t in own if text[t.start : t.end] == name)
        variable = f"{typing}.{kinds.get(stars, 'TypeVar')}({name!r})"
        variables.append(f"*{variable}" if stars == "*" else variable)
    base = f"{typing}.Generic[{', '.join(variables)}]"
    if not _is(text, code[at], "("):
        yield _Edit(code[at].start, code[at].start, f"({base})", TYPE_PARAMETERS)
        return
    end = _closing(text, code, at)
    if end == at:
        return
    for token in code[at + 1 : end]:
        # `class B[T](A[T])`: what stands for T does not matter.
        if token.kind == "word" and _is(text, token, *names):
            yield _Edit(token.start, token.end, "object", TYPE_PARAMETERS)
    last = code[end - 1]
    comma = "" if _is(text, last, "(", ",") else ", "
    named = any(_is(text, t, "=") and t.depth == code[at].depth + 1 for t in code[at + 1 : end])
    yield _Edit(last.end, last.end, f"{comma}*({base},)" if named else f"{comma}{base}", TYPE_PARAMETERS)


def _begins_parameter(text: str, inner: Sequence[Token], token: Token) -> bool:
    before = [other for other in inner if other.end <= token.start and not _is(text, other, "*")]
    return not before or (_is(text, before[-1], ",") and before[-1].depth == token.depth)


def _stars_before(text: str, token: Token) -> str:
    stripped = text[: token.start].rstrip()
    return "**" if stripped.endswith("**") else "*" if stripped.endswith("*") else ""


def _type_statement(text: str, code: Sequence[Token], at: int) -> Iterator[_Edit]:
    """`type X = ...` as `X = object`: an alias stands in annotations, which are never evaluated."""
    if at + 2 >= len(code) or code[at + 1].kind != "word":
        return
    equals = at + 2
    if _is(text, code[equals], "["):
        equals = _closing(text, code, equals) + 1
    if equals >= len(code) or not _is(text, code[equals], "=") or text.startswith("==", code[equals].start):
        return
    ends = (i for i in range(equals, len(code)) if code[i].kind == "line" or _is(text, code[i], ";"))
    stop = code[next((i for i in ends if code[i].depth == 0), len(code)) - 1].end
    start, name = code[at].start, text[code[at + 1].start : code[at + 1].end]
    # An alias of a class is also one where it is called.
    yield _Edit(start, stop, f"{name} = object{_lines_of(text[start:stop])}", TYPE_STATEMENT)


def _bare_except(text: str, code: Sequence[Token], at: int) -> Iterator[_Edit]:
    """`except A, B:` as `except (A, B):`."""
    ends = (i for i in range(at + 1, len(code)) if code[i].kind == "line" or _is(text, code[i], ":"))
    inner = code[at + 1 : next((i for i in ends if code[i].depth == 0), at)]
    if inner and _is(text, inner[0], "*"):
        inner = inner[1:]
    commas = any(_is(text, token, ",") and token.depth == 0 for token in inner)
    if commas and not any(_is(text, token, "as") and token.depth == 0 for token in inner):
        yield _Edit(inner[0].start, inner[0].start, "(", EXCEPT)
        yield _Edit(inner[-1].end, inner[-1].end, ")", EXCEPT)


def _lazy_import(text: str, code: Sequence[Token], at: int) -> Iterator[_Edit]:
    if at + 1 < len(code) and _is(text, code[at + 1], "import", "from"):
        yield _Edit(code[at].start, code[at + 1].start, "", LAZY)


_Finder = Callable[[str, Sequence[Token], int], Iterator[_Edit]]
_FINDERS: dict[str, tuple[_Finder, ...]] = {
    "def": (_type_parameters,),
    "class": (_type_parameters,),
    "type": (_type_statement,),
    "except": (_bare_except,),
    "lazy": (_lazy_import,),
}


def _strings(text: str, code: Sequence[Token], version: Sequence[int]) -> Iterator[_Edit]:
    """Each row of strings with an f-string that this Python refuses, as one text and `.format(...)`."""
    row: list[Token] = []
    for token in [*code, None]:
        if token is not None and token.kind in ("string", "f-string"):
            row.append(token)
            continue
        if any(t.kind == "f-string" and _is_refused(text, t, version) for t in row):
            yield _Edit(row[0].start, row[-1].end, _as_format(text, row, version), F_STRING)
        row = []


def _is_refused(text: str, token: Token, version: Sequence[int]) -> bool:
    if tuple(version[:2]) != sys.version_info[:2]:
        return tuple(version[:2]) < SINCE[F_STRING]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text[token.start : token.end])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return True
    return False


def _as_format(text: str, row: Sequence[Token], version: Sequence[int]) -> str:
    written, values, at = [], [], row[0].start
    for token in row:
        written.append(text[at : token.start])
        if token.kind == "f-string":
            literal, own = _template(text, token.parts, token.prefix, token.quote, version)
            values += own
            written.append(f"{token.prefix.replace('f', '')}{token.quote}{literal}{token.quote}")
        else:
            written.append(_without_fields(text[token.start : token.end], token.prefix))
        at = token.end
    return f"{''.join(written)}.format({', '.join(values)})"


def _without_fields(string: str, prefix: str) -> str:
    """A plain string beside an f-string: its braces are no fields."""
    names = re.compile(r"\\N\{[^}]*\}|[{}]" if "r" not in prefix else r"[{}]")
    return names.sub(lambda found: found[0] * 2 if len(found[0]) == 1 else found[0], string)


def _template(
    text: str, parts: Sequence[str | Field], prefix: str, quote: str, version: Sequence[int]
) -> tuple[str, list[str]]:
    """The text for `format`, and the values of its fields in their order."""
    literal, values = "", []
    for part in parts:
        if isinstance(part, str):
            literal += part
            continue
        if part.debug:
            literal += "{}"
            values.append(repr(part.debug))
        bare = part.debug and part.spec is None and not part.conversion
        spec, value = part.spec or (), _expression(text, part, version)
        nested = any(isinstance(inner, Field) for inner in spec)
        literal += "{" + (part.conversion or ("!r" if bare else ""))
        literal += ":{}}" if nested else f":{''.join(map(str, spec))}}}" if spec else "}"
        values.append(value)
        if nested:
            inner, own = _template(text, spec, prefix, quote, version)
            values.append(f"{prefix.replace('f', '')}{quote}{inner}{quote}.format({', '.join(own)})")
    return literal, values


def _expression(text: str, field: Field, version: Sequence[int]) -> str:
    code = [token for token in field.tokens if token.kind not in ("comment", "line")]
    edits = list(_strings(text, code, version))
    last = field.tokens[-1]
    end = "\n" if last.kind == "comment" else ""
    return f"({_apply(text, edits, field.start + 1, last.end)}{end})"
