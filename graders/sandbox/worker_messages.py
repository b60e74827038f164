"""What the box's side says of its own accord, in the language spoken.

Its files import nothing of ours and speak English; these are the sentences of theirs that a student can see.
The text comes from the student's process and may be forged: it is only ever compared, and where it is none
of these it stays as it is.
"""

import re
from typing import NamedTuple

from graders.language import tr, translatable

LIMIT = 2_000  # characters: none of these sentences is longer


class _Said(NamedTuple):
    """A sentence of the box's side: how it is found, and what it is with the values found."""

    form: re.Pattern[str]
    says: str


def _form(says: str) -> _Said:
    """A sentence with `{names}` where it has values."""
    parts = re.split(r"\{(\w+)\}", says)
    found = [f"(?P<{part}>.+?)" if odd % 2 else re.escape(part) for odd, part in enumerate(parts)]
    return _Said(re.compile("".join(found), re.DOTALL), says)


_SAID = tuple(
    map(
        _form,
        (
            translatable("the class must inherit from nn.Module, but makes a {got}"),
            translatable("the output should be a tensor, but is a {got}"),
            translatable("the output should have shape {shape}, but has {got}"),
            translatable(
                "in training there is no loss to learn from: with targets the pair (logits, loss) is due"
            ),
            translatable("input({prompt}) waits for a person to type, and nobody is there"),
            translatable("its text and numbers take more than {most} MB"),
            translatable("it holds too many values"),
            translatable("its tensors have too many bytes"),
        ),
    )
)


def from_box(text: str) -> str:
    """The text in the language spoken, where it is one of these, with an error's name before it or not."""
    if len(text) > LIMIT:
        return text
    kind, colon, rest = text.partition(": ")
    for start, sentence in (("", text), (f"{kind}{colon}", rest)):
        for form, says in _SAID:
            if found := form.fullmatch(sentence):
                return start + tr(says, **found.groupdict())
    return text
