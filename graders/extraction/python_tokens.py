"""Split a text into Python's tokens by the newest grammar, whatever the Python that runs here.

Since 3.12 an f-string may hold any expression: quotes as around it, backslashes, comments, lines. Nothing is
checked: where a text is not Python, the tokens are what a reader would take them for.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

DEEPEST = 20  # f-strings inside f-strings

_STRING = re.compile(r"(?P<prefix>[rRbBuUfFtT]{0,2})(?P<quote>\"\"\"|'''|\"|')")
_WORD = re.compile(r"[^\W\d]\w*|\d[\w.]*|\.\d\w*")
_SPACE = re.compile(r"(?:[ \t\f]|\\\n)+")
_NAMED = re.compile(r"\\N\{[^}'\"\n]*\}")


class Unfinished(Exception):
    """A string or a bracket does not end."""


@dataclass(frozen=True)
class Field:
    """A replacement field of an f-string: positions in the text, and what follows the expression.

    `debug` is the text up to `=` in `{x=}`, `conversion` is `!r` or the like, `spec` are the parts after `:`.
    """

    tokens: tuple["Token", ...]
    start: int
    end: int
    debug: str
    conversion: str
    spec: "Parts | None"


@dataclass(frozen=True)
class Token:
    """A word, a number, a string, a sign, a comment, or a new line: `kind`, and its place in the text.

    `parts` are the texts and fields of an f-string. `first` says that a statement may begin here; `depth` is
    the number of brackets around.
    """

    kind: str
    start: int
    end: int
    depth: int
    first: bool
    prefix: str = ""
    quote: str = ""
    parts: "Parts" = ()


Parts = tuple[str | Field, ...]


def tokens_of(text: str) -> tuple[Token, ...]:
    """The tokens of a text.

    Raises:
        Unfinished: a string or a field in it does not end, or f-strings are nested too deeply.
    """
    return tuple(_Scanner(text).scan(0, in_field=False))


class _Scanner:
    def __init__(self, text: str, nested: int = 0) -> None:
        self.text = text
        self.nested = nested
        self.at = 0  # where the last scan has stopped

    def scan(self, at: int, *, in_field: bool) -> Iterator[Token]:
        """The tokens from a position on; those of a field's expression end before `}`, `!`, `:` or `=`."""
        text, depth, first = self.text, 0, not in_field
        while at < len(text):
            if space := _SPACE.match(text, at):
                at = space.end()
                continue
            sign = text[at]
            if in_field and depth == 0 and self._ends_field(at):
                break
            token = self._token(at, depth, first)
            if sign in "([{":
                depth += 1
            elif sign in ")]}":
                depth = max(0, depth - 1)
            yield token
            at = token.end
            begins = sign in ";:" or token.kind == "line" or (first and token.kind == "comment")
            first = depth == 0 and begins
        if in_field and at >= len(text):
            raise Unfinished
        self.at = at

    def _ends_field(self, at: int) -> bool:
        here, following = self.text[at], self.text[at + 1 : at + 2]
        if here == "=":
            return following != "=" and self.text[at - 1] not in "=!<>"
        return here in "}:" or (here == "!" and following != "=")

    def _token(self, at: int, depth: int, first: bool) -> Token:
        text = self.text
        if text[at] == "\n":
            return Token("line", at, at + 1, depth, first)
        if text[at] == "#":
            end = text.find("\n", at)
            return Token("comment", at, len(text) if end < 0 else end, depth, first)
        if string := _STRING.match(text, at):
            return self._string(at, string["prefix"].lower(), string["quote"], depth, first)
        word = _WORD.match(text, at)
        return Token("word" if word else "sign", at, word.end() if word else at + 1, depth, first)

    def _string(self, at: int, prefix: str, quote: str, depth: int, first: bool) -> Token:
        inside = at + len(prefix) + len(quote)
        try:
            if "f" in prefix or "t" in prefix:
                parts, end = self._parts(inside, prefix, quote)
                kind = "f-string" if "f" in prefix else "template"
                return Token(kind, at, end, depth, first, prefix=prefix, quote=quote, parts=parts)
            end = self._end_of_plain(inside, quote)
            return Token("string", at, end, depth, first, prefix=prefix, quote=quote)
        except Unfinished:
            if len(quote) > 1 or self.nested:
                raise
            # A magic (`!echo it's here`), or a mistake that ends with its line.
            end = self.text.find("\n", at)
            return Token("sign", at, len(self.text) if end < 0 else end, depth, first)

    def _end_of_plain(self, end: int, quote: str) -> int:
        while not self.text.startswith(quote, end):
            if end >= len(self.text) or (len(quote) == 1 and self.text[end] == "\n"):
                raise Unfinished
            end += 2 if self.text[end] == "\\" else 1
        return end + len(quote)

    def _parts(self, at: int, prefix: str, quote: str, *, spec: bool = False) -> tuple[Parts, int]:
        """The texts and fields of an f-string, or of what follows the colon in a field, and the end of it."""
        text, start = self.text, at
        parts: list[str | Field] = []
        while True:
            if at >= len(text) or (len(quote) == 1 and text[at] == "\n"):
                raise Unfinished
            if text[at] == "}" and spec:
                break
            if text.startswith(quote, at):
                if spec:
                    raise Unfinished
                break
            if text.startswith(("{{", "}}"), at) and not spec:
                at += 2
            elif text[at] == "{":
                parts.append(text[start:at])
                field = self._field(at, prefix, quote)
                parts.append(field)
                at = start = field.end
            elif text[at] == "\\":
                named = _NAMED.match(text, at) if "r" not in prefix else None
                at = named.end() if named else at + (1 if text[at + 1 : at + 2] == "{" else 2)
            else:
                at += 1
        return (*parts, text[start:at]), at if spec else at + len(quote)

    def _field(self, at: int, prefix: str, quote: str) -> Field:
        if self.nested >= DEEPEST:
            raise Unfinished
        inner = _Scanner(self.text, self.nested + 1)
        tokens = tuple(inner.scan(at + 1, in_field=True))
        end, debug, conversion, spec = inner.at, "", "", None
        if self.text[end] == "=":
            end = self._after_space(end + 1)
            debug = self.text[at + 1 : end]
        if self.text.startswith("!", end):
            conversion = self.text[end : end + 2]
            end = self._after_space(end + 2)
        if self.text.startswith(":", end):
            deeper = _Scanner(self.text, self.nested + 1)
            spec, end = deeper._parts(end + 1, prefix, quote, spec=True)
        if not self.text.startswith("}", end) or not tokens:
            raise Unfinished
        return Field(tokens, at, end + 1, debug=debug, conversion=conversion, spec=spec)

    def _after_space(self, at: int) -> int:
        while self.text[at : at + 1].isspace():
            at += 1
        return at
