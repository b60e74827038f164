"""The messages of the worker are keys and values; a forged one decides nothing."""

import ast
from pathlib import Path
from string import Formatter

import pytest

from graders.locations import WORKER
from graders.notebook import restore_state
from graders.sandbox import worker_messages
from graders.sandbox.worker_messages import find_sentence, is_too_large


def keys_in(path: Path) -> list[tuple[str, set[str]]]:
    """The messages that a file raises: the key of each, and the names of its values."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Dict):
            continue
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
        if "says" in keys and isinstance(node.values[keys.index("says")], ast.Constant):
            found.append((node.values[keys.index("says")].value, {*keys} - {"says"}))
    return found


def test_the_host_has_a_sentence_for_every_message_of_the_worker_and_no_other():
    files = [*Path(WORKER).glob("*.py"), Path(restore_state.__file__)]
    raised = [message for path in files for message in keys_in(path)]
    sentences = worker_messages._SENTENCES
    names = {
        key: {name for _, name, _, _ in Formatter().parse(says) if name} for key, says in sentences.items()
    }
    assert all(names[key] == values for key, values in raised)
    assert {key for key, _ in raised} == sentences.keys()


LIES = (
    None,
    "not_a_module",
    ["says"],
    {},
    {"says": None},
    {"says": ["not_a_module"]},
    {"says": "unknown"},
    {"says": "not_a_module"},
    {"says": "not_a_module", "got": 3},
    {"says": "not_a_module", "got": "int", "more": "x"},
    {"says": "too_many_values", "most": "1"},
)


@pytest.mark.parametrize("message", LIES, ids=repr)
def test_what_is_no_message_of_the_worker_has_no_sentence(message: object):
    assert find_sentence(message) is None
    assert not is_too_large(message)


def test_a_forged_value_is_text_alone_and_short():
    assert (
        find_sentence({"says": "not_a_tensor", "got": "{most}"})
        == "the output should be a tensor, but is a {most}"
    )
    assert len(find_sentence({"says": "not_a_tensor", "got": "x" * 10_000_000}) or "") < 300
