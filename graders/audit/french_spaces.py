"""The rules of French about spaces: a no-break space before : ; ? ! and inside « »."""

import re

# Spaces are not looked for in code, placeholders, tags and addresses.
_NOT_PROSE = re.compile(r"`[^`]*`|\{[^}]*\}|%\(\w+\)s|%%|<[^>]*>|https?:\S+")
_WRONG = (
    re.compile(r"\S*(?<![\u00a0\u202f\d]) ?[;!?»](?=\s|$)"),
    re.compile(r"\S*[^\u00a0]:(?=\s|$)"),
    re.compile(r"«(?!\u00a0)\S*"),
)
# In a docstring of Google's style, `Args:` and `x:` begin a line in both languages.
_LABEL = re.compile(r"^[ \t]*\*{0,2}\w+(?:, \w+)*:(?=\s|$)", re.MULTILINE)


def find_misspaced(french: str) -> str | None:
    """The first place where a text breaks these rules, None where it keeps them."""
    prose = _NOT_PROSE.sub("x", french)
    places = [rule.search(prose) for rule in _WRONG]
    return next((place.group() for place in places if place), None)


def misspaced_docstring(french: str) -> str | None:
    """The same for a docstring, in which names of sections and of arguments may begin a line."""
    return find_misspaced(_LABEL.sub("", french))
