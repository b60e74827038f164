"""How GitHub's runner, Classroom's reporter and Classroom 50 read our output."""

import base64
import json
import math
import re
from dataclasses import dataclass, field
from typing import Any

COMMANDS = {"error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "stop-commands"}


@dataclass
class Command:
    """A workflow command that a runner finds."""

    name: str
    data: str
    properties: dict[str, str] = field(default_factory=dict)


def read_commands(log: str) -> list[Command]:
    """The commands that a runner finds in a log, as its own parser does."""
    commands: list[Command] = []
    token: str | None = None
    for line in re.split(r"\r\n|\r|\n", log):
        command = _new_kind(line, token) or _old_kind(line, token)
        if command is None:
            continue
        if token is not None:
            token = None if command.name == token else token
        elif command.name == "stop-commands":
            token = command.data
        else:
            commands.append(command)
    assert token is None, "commands are stopped for good"
    return commands


def _new_kind(line: str, token: str | None) -> Command | None:
    line = line.strip()
    if not line.startswith("::") or (end := line.find("::", 2)) < 0:
        return None
    name, _, given = line[2:end].partition(" ")
    if name not in COMMANDS | {token}:
        return None
    pairs = (pair.split("=", 1) for pair in given.strip().split(",") if pair)
    return Command(name, _unescape(line[end + 2 :]), {p[0]: _unescape(p[1]) for p in pairs if len(p) == 2})


def _old_kind(line: str, token: str | None) -> Command | None:
    match = re.search(r"##\[(\S+?)(?: [^\]]*)?\](.*)", line)
    return Command(match[1], match[2]) if match and match[1] in COMMANDS | {token} else None


def _unescape(text: str) -> str:
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, sign)
    return text


def read_report(output: str) -> tuple[float, float, str]:
    """The points, the maximum and the failure that Classroom's reporter reads in a line of `$GITHUB_OUTPUT`.

    Raises:
        TypeError: as the reporter itself would: there is no list of tests, or a score is no number.
    """
    name, _, encoded = output.rstrip("\n").partition("=")
    assert name == "result" and "\n" not in encoded
    assert len(f"SOFTMARK_RESULTS={encoded}") < 131_072, "Linux takes no longer variable"
    results = json.loads(base64.b64decode(encoded, validate=True).decode("ascii"), parse_constant=_no_json)
    points = 0.0
    for test in results["tests"]:
        for key in ("name", "status", "test_code", "line_no"):
            assert key in test, "it would print undefined"
        points += test["score"]
    assert results["tests"], "it divides by their number"
    passed = sum(test["status"] == "pass" for test in results["tests"])
    assert math.isfinite(passed / len(results["tests"]) * results["max_score"])
    failures = {"fail": "Some tests failed.", "error": "Some tests errored."}
    return points, results["max_score"], failures.get(results["status"], "")


def _no_json(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


_TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
_WHOLE = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string", "minLength": 1}
# Classroom 50 takes no other key at the top, and any in a test.
RESULT_V1: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release"),
        *("review", "datetime", "score", "max-score", "tests"),
    ],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        "classroom": _TEXT,
        "assignment": _TEXT,
        "assignment_type": {"enum": ["individual", "group", "team"]},
        "owner": _TEXT,
        "submission": {"type": "string", "pattern": "^submit/"},
        "commit": _TEXT,
        "release": _TEXT,
        "review": _TEXT,
        "datetime": _TIME,
        "graded_at": _TIME,
        "score": _WHOLE,
        "max-score": _WHOLE,
        "submitted_by": {
            "type": "object",
            "required": ["username"],
            "properties": {"username": _TEXT, "id": {"type": ["integer", "null"]}},
        },
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {
                    "test-name": {"type": "string"},
                    "passed": {"type": "boolean"},
                    "score": _WHOLE,
                    "max-score": _WHOLE,
                },
            },
        },
    },
}
