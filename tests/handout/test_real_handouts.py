"""No line of code of a solution is in what students get, searched in another way than the product does."""

import ast
import re
from pathlib import Path

import pytest

from graders.course import reference
from graders.course.exercise import assignment_names, load_assignment
from graders.handout.kept_parts import pack_or_read
from graders.handout.make_key import make_key
from graders.handout.platform_files import Bundle
from tests.handout.test_handout import ROOT, lines_of, unpacked

LEAST = 12  # characters of a line
READABLE = re.compile(rb'[\t !#-~]{12,}|"[^"\0]{12,}"')  # a string of JSON ends at a quote
ARGUMENT = re.compile(r"[\w.]+[,:]?")  # `hidden_size,` is a name, which data may hold too


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", assignment_names())
def test_no_line_of_code_is_in_a_handout_or_its_key(name: str) -> None:
    assignment = load_assignment(name)
    key = make_key(assignment, 1, pack=pack_or_read)
    members = dict(unpacked(Bundle(assignment, "en", "github", answer_key=key).files()))
    assert any(f"{name}.key/" in member for member in members)
    public = "\n".join(lines_of("assignments", "graders", "reports", "softmark_worker"))
    written = {text for member, data in members.items() if not is_ours(member, data) for text in read(data)}
    searched = "\n".join(written)
    secret = {line for line in code_of_solutions() if line not in public}
    assert len(secret) > 2000
    assert [line for line in secret if line in searched] == []


def code_of_solutions() -> set[str]:
    lines = {line.strip() for text in reference.texts().values() for line in without_docstrings(text)}
    is_code = re.compile(r"[=(\[]|^(return|for|if|while|with|raise) ")
    return {
        line for line in lines if len(line) >= LEAST and is_code.search(line) and not ARGUMENT.fullmatch(line)
    }


def without_docstrings(text: str) -> list[str]:
    """The lines of a module; an answer key may hold the docstrings of mistakes, which are hints."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return lines


def is_ours(member: str, data: bytes) -> bool:
    """Whether a file of the wheel is a file of this checkout, which students may read."""
    path = ROOT / Path(*Path(member).parts[2:])
    return path.is_file() and path.read_bytes() == data


def read(data: bytes) -> list[str]:
    """What can be read in a file."""
    return [run.decode("latin-1").replace('\\"', '"') for run in READABLE.findall(data)]
