"""A wrong word on the command line is answered at once: PyTorch, which takes seconds, is not imported."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.programs
COMMANDS = (
    ("check", "{file}", "--assignment", "atention"),
    ("check", "{file}", "--exercise", "concat_head"),
    ("check", "{file}", "--limit", "cal=3"),
    ("grade", "{folder}", "--assignment", "atention", "--out", "{folder}/../results"),
    ("grade", "{folder}", "--wrong"),
    ("key", "atention", "--out", "{folder}/key"),
    ("handout", "atention", "--out", "{folder}/handout"),
    ("audit", "concat_head"),
    ("doctor", "--wrong"),
)
# All commands in one process: to start Python for each would take a second.
CODE = """
import sys
from graders.cli.main import main
for command in {commands}:
    try:
        main(command, prog_name="softmark")
    except SystemExit as ending:
        assert ending.code == 2, command
    else:
        sys.exit(f"{command} was accepted")
    assert "torch" not in sys.modules, command
"""


def test_a_wrong_word_is_answered_without_pytorch(tmp_path):
    folder = tmp_path / "handed_in"
    folder.mkdir()
    file = folder / "work.py"
    file.write_text("def concat_heads(x):\n    return x\n", encoding="utf-8")
    commands = [[word.format(file=file, folder=folder) for word in command] for command in COMMANDS]
    code = CODE.replace("{commands}", repr(commands))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Error: ") == len(COMMANDS)
