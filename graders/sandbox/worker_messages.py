"""The sentences for the worker's messages.

The worker imports no other code of softmark and has no sentences: its errors carry a key and values, such as
`{"says": "not_a_module", "got": "int"}`. A message comes from the student's process and may be forged. A
forger can choose among these sentences and put a short text into them; points do not depend on them.
"""

from string import Formatter
from typing import Any

from graders.language import tr, translatable

VALUE_LIMIT = 200  # characters of a value

TOO_LARGE = {
    "too_much_text": translatable("its text and numbers take more than {most} MB"),
    "too_many_values": translatable("it holds too many values"),
    "too_many_bytes": translatable("its tensors have too many bytes"),
    "too_large_a_shape": translatable("a tensor has too large a shape"),
}
UNBOUND = {
    "cannot_bind": translatable(
        "the arguments of the constructor cannot be matched: {symbol}({wanted}) is due, "
        "but {symbol}({found}) is defined"
    ),
    "not_given": translatable(
        "the constructor asks for more than it gets: {symbol}({found}) is defined, but "
        "{symbol}({wanted}) is due, and what has a default there may be left out"
    ),
    "cannot_call": translatable(
        "{symbol} asks for more than it gets: ({found}) is defined, but ({wanted}) is due"
    ),
    "configuration_lacks": translatable(
        "the constructor reads {name}, which means none of its arguments: {wanted}"
    ),
    "configuration_leaves_out": translatable(
        "the constructor reads {name}, which is left out here: its default is due, but there is none"
    ),
}
_SENTENCES = (
    TOO_LARGE
    | UNBOUND
    | {
        "not_a_module": translatable("the class must inherit from nn.Module, but makes a {got}"),
        "not_a_tensor": translatable("the output should be a tensor, but is a {got}"),
        "wrong_shape": translatable("the output should have shape {shape}, but has {got}"),
        "no_loss": translatable(
            "in training there is no loss to learn from: with targets the pair (logits, loss) is due"
        ),
        "python_not_readable": translatable("Python lies where only its owner may read: {folder}"),
        "decorator_left_out": translatable(
            "the decorator {name} was left out: the package {package} is not installed here"
        ),
        "base_left_out": translatable(
            "the base class {name} was left out: the package {package} is not installed here"
        ),
        "base_replaced": translatable(
            "nn.Module took the place of the base class {name}: the package {package} is not installed here"
        ),
        "default_left_out": translatable(
            "the default {name} was left out: it cannot be computed from what is handed in"
        ),
        "input_waits": translatable("input({prompt}) waits for a person to type, and nobody is there"),
    }
)


def find_sentence(message: Any) -> str | None:
    """The sentence for a message, in the current language; None for what is not a message of the worker."""
    if not isinstance(message, dict):
        return None
    key = message.get("says")
    sentence = _SENTENCES.get(key) if isinstance(key, str) else None
    if sentence is None:
        return None
    values = {name: value for name, value in message.items() if name != "says"}
    names = {name for _, name, _, _ in Formatter().parse(sentence) if name}
    if values.keys() != names or not all(isinstance(value, str) for value in values.values()):
        return None
    return tr(sentence, **{name: value[:VALUE_LIMIT] for name, value in values.items()})


def is_unbound(message: Any) -> bool:
    """Whether a message says that a constructor or a call does not take the contract's arguments."""
    return find_sentence(message) is not None and message["says"] in UNBOUND


def is_too_large(message: Any) -> bool:
    """Whether a message says that an answer is too large to be sent."""
    return find_sentence(message) is not None and message["says"] in TOO_LARGE
