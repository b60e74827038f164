"""What a student does with softmark, step by step, with its real commands, on this system.

    python -m tests.other_systems.journey [STEP ...]

CI walks it on macOS and Windows; `test_other_systems.py` walks it on Linux, in simulations of both.
"""

import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
HANDED_IN = TESTS / "handed_in"
WAIT_S = 240.0
# One answer is right, one is wrong, one never ends and one ends the process.
MIXED = """
import os
import torch
from torch import nn

def concat_heads(x):
    return x.transpose(1, 2).flatten(2)

def split_heads(x, num_heads):
    batch, length, width = x.shape
    return x.reshape(batch, num_heads, length, width // num_heads)

def causal_mask(seq_len):
    mask = torch.zeros(seq_len, seq_len, dtype=torch.bool)
    row = 0
    while row < seq_len:
        mask[row, row + 1 :] = True
    return mask

def scaled_dot_product_attention(Q, K, V, mask=None):
    os._exit(3)
"""
OUTCOMES = {
    "concat_heads": "passed",
    "split_heads": "failed",
    "causal_mask": "timed_out",
    "scaled_dot_product_attention": "raised",
}
RIGHT = "def concat_heads(x):\n    return x.transpose(1, 2).flatten(2)\n"
WRONG = "def concat_heads(x):\n    return x.flatten(2)\n"


@dataclass(frozen=True)
class Place:
    """Where the commands run: a folder of their own, and what the environment has beside this process's."""

    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def write(self, name: str, text: str) -> Path:
        """A file in the folder, with the line ends of this system."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def start(self, *words: object, **how: Any) -> "subprocess.Popen[bytes]":
        """Start a program in the folder."""
        environment = {**os.environ, "SOFTMARK_TIMING": "0", "SOFTMARK_LANG": "en", **self.environment}
        environment["SOFTMARK_CACHE"] = str(self.folder / "cache")
        environment["SOFTMARK_SOLUTIONS"] = str(TESTS.parent / "solutions")  # a wheel has none
        return subprocess.Popen(
            [*map(str, words)], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, **how
        )

    def run(self, *words: object) -> tuple[int, bytes, str]:
        """The exit status of a program, what it wrote, and as text what it said of errors."""
        with self.start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            written, errors = process.communicate(timeout=WAIT_S)
        return process.returncode, written, errors.decode(errors="replace")

    def softmark(self, *words: object) -> tuple[int, bytes, str]:
        """The same of a command of softmark."""
        return self.run(_command(), *words)

    def check(self, file: Path, *options: object) -> dict[str, Any]:
        """The result of `softmark check`."""
        status, written, errors = self.softmark("check", file, "--format", "json", *options)
        assert status in (0, 1), (status, errors)
        result: dict[str, Any] = json.loads(written)
        return result


def verdicts(result: dict[str, Any]) -> dict[str, Any]:
    """What a result says of each exercise and each check: outcome, points, message, mistake and function."""
    return {
        exercise["name"]: [
            _verdict(exercise),
            *({"check": finding["check"], **_verdict(finding)} for finding in exercise["findings"]),
        ]
        for exercise in result["exercises"]
    }


def _verdict(of: dict[str, Any]) -> dict[str, Any]:
    kept = {name: of[name] for name in ("outcome", "points", "message")}
    mistake, place = of.get("mistake") or {}, of.get("place") or {}
    return kept | {"mistake": mistake.get("name"), "within": place.get("within")}


def write_mixed(place: Place, exercises: Sequence[str] = tuple(OUTCOMES)) -> tuple[Path, list[str]]:
    """A module with an answer of each kind, and the options that ask for these exercises."""
    options = [word for name in exercises for word in ("--exercise", name)]
    return place.write("rendu.py", MIXED), ["--assignment", "attention", *options]


def assert_mixed(result: dict[str, Any]) -> None:
    """That each answer of `write_mixed` has its outcome, and the endless one the line of its loop."""
    found = {exercise["name"]: exercise for exercise in result["exercises"]}
    assert {n: e["outcome"] for n, e in found.items()} == {n: OUTCOMES[n] for n in found}, verdicts(result)
    for exercise in found.values():
        if exercise["outcome"] == "timed_out":
            place = exercise["findings"][0]["place"]
            assert (place["within"], "row" in place["code"]) == (exercise["name"], True), place


def right(place: Place) -> None:
    """A right answer is right, and one line says where it ran."""
    options = ("--assignment", "attention", "--exercise", "concat_heads")
    status, written, errors = place.softmark("check", HANDED_IN / "attention/alice.ipynb", *options)
    text = _decode(written)
    assert (status, "2 / 2" in text) == (0, True), (status, text, errors)
    says = "Your code runs with your rights, in a process of its own." in text
    assert says is ("box: process" in text), text


def mixed(place: Place) -> None:
    """A right, a wrong, an endless and a deadly answer in one file each get what is theirs."""
    file, options = write_mixed(place)
    assert_mixed(place.check(file, *options))


def half_right(place: Place) -> None:
    """A notebook with mistakes gets what it gets on Linux."""
    result = place.check(HANDED_IN / "attention/emma.ipynb", "--assignment", "attention")
    golden = tomllib.loads((TESTS / "golden.toml").read_text(encoding="utf-8"))
    due = {name: golden["emma"].get(name, golden["emma"]["others"]) for name in golden["exercises"]}
    found = {exercise["name"]: exercise["outcome"] for exercise in result["exercises"]}
    assert {name: found[name] for name in due} == due
    named = {e["name"] for e in result["exercises"] if any(f.get("mistake") for f in e["findings"])}
    assert named == {name for name, outcome in due.items() if outcome == "failed"}, named


def french(place: Place) -> None:
    """The same in French, which a console of Windows can show."""
    file = place.write("faux.py", WRONG)
    options = ("--assignment", "attention", "--exercise", "concat_heads", "--lang", "fr")
    status, written, errors = place.softmark("check", file, *options)
    assert status == 1, errors
    assert "Votre code s'exécute avec vos droits" in _decode(written) or "nested" in _decode(written)
    for words in (("explain", "box", "--lang", "fr"), ("doctor", "--lang", "fr")):
        status, written, errors = place.softmark(*words)
        assert status in (0, 1), (words, errors)
        assert "à sable" in _decode(written), _decode(written)


def trained(place: Place) -> None:
    """A trained model, in a folder with its notebook, is measured."""
    result = place.check(HANDED_IN / "minigpt/anna", "--assignment", "minigpt", "--corpus", "french")
    assert result["points"] == result["max_points"], verdicts(result)


def with_pytest(place: Place) -> None:
    """`pytest rendu.ipynb` lists the checks, and says the points."""
    notebook = shutil.copy(HANDED_IN / "attention/emma.ipynb", place.folder / "rendu.ipynb")
    status, written, errors = place.run(
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--softmark-exercise",
        "causal_mask",
        notebook,
    )
    text = _decode(written)
    assert status == 1, (text, errors)
    assert "causal_mask" in text, text
    assert "failed" in text.splitlines()[-1], text


def watched(place: Place) -> None:
    """`check --watch` checks again when the file is saved."""
    file = place.write("garde.py", WRONG)
    options = ("--assignment", "attention", "--exercise", "concat_heads", "--watch")
    process = place.start(
        _command(), "check", file, *options, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    lines: queue.Queue[bytes] = queue.Queue()
    assert process.stdout is not None
    reader = threading.Thread(target=lambda pipe: [lines.put(line) for line in pipe], args=(process.stdout,))
    reader.start()
    try:
        _wait_for(lines, "watching")
        file.write_text(RIGHT, encoding="utf-8")
        assert "2 / 2" in _wait_for(lines, "watching")
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdout.close()


def timed(place: Place) -> None:
    """`--timing` finds a clock that it can read, or says why there is none."""
    options = ("--assignment", "attention", "--exercise", "scaled_dot_product_attention", "--timing")
    place_in_time = Place(place.folder, {**place.environment, "SOFTMARK_TIMING": "1"})
    result = place_in_time.check(HANDED_IN / "attention/alice.ipynb", *options)
    [exercise] = result["exercises"]
    timing = exercise["timing"]
    assert timing["clock"] in ("cpu", "wall"), timing
    assert timing.get("staff") is None, timing


def graded(place: Place) -> None:
    """A class of strangers is graded without a wall only where that was asked for."""
    out, folder = place.folder / "out", place.folder / "class"
    folder.mkdir()
    (folder / "ada.py").write_text(RIGHT, encoding="utf-8")
    words = ("grade", folder, "--assignment", "attention", "--seed", 1, "--out", out, "--sandbox", "process")
    status, _, errors = place.softmark(*words)
    assert (status, "--unsafe" in errors) == (2, True), errors
    status, _, errors = place.softmark(*words, "--unsafe")
    assert status in (0, 1), errors
    assert "NOT BOXED" in errors, errors
    result = json.loads((out / "ada/result.json").read_text(encoding="utf-8"))
    assert verdicts(result)["concat_heads"][0]["outcome"] == "passed"


STEPS: dict[str, Callable[[Place], None]] = {
    step.__name__: step
    for step in (right, mixed, half_right, french, with_pytest, watched, trained, timed, graded)
}


def main() -> None:
    """Walk the steps that the command line names, or all."""
    for name in sys.argv[1:] or STEPS:
        started = time.monotonic()
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            STEPS[name](Place(Path(folder)))
        sys.stdout.write(f"{name}: {time.monotonic() - started:.0f} s\n")
        sys.stdout.flush()


def _command() -> str:
    command = shutil.which("softmark", path=str(Path(sys.executable).parent)) or shutil.which("softmark")
    assert command is not None, "softmark is not installed"
    return command


def _decode(written: bytes) -> str:
    try:
        return written.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:  # a pipe on Windows
        return written.decode("cp1252", errors="replace").replace("\r\n", "\n")


def _wait_for(lines: "queue.Queue[bytes]", word: str) -> str:
    text, until = "", time.monotonic() + WAIT_S
    while word not in text.rpartition("\n")[2] and word not in text:
        text += _decode(lines.get(timeout=max(0.1, until - time.monotonic())))
    return text


if __name__ == "__main__":
    main()
