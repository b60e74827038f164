"""Cut an answer out of a local clone into a folder that can be graded: the files, and the contract's name."""

import json
import re
import subprocess
from pathlib import Path

from tests.strangers.corpus import Answer


def cut(answer: Answer, symbol: str, mirror: Path, folder: Path) -> None:
    """Write the files of an answer into a folder.

    Args:
        answer: what is cut out.
        symbol: the contract's name of it.
        mirror: the folder of the clones, each called owner+name.
        folder: a new one.

    Raises:
        FileNotFoundError: there is no such clone.
        subprocess.CalledProcessError: the clone lacks the commit or the file.
    """
    git = _git_directory(mirror / answer.repository.replace("/", "+"))
    for path in dict.fromkeys((answer.path, *answer.files)):
        text = _file_at(git, answer.commit, path)
        if (
            symbol != answer.symbol or answer.shim
        ):  # the author's use of the name must not meet the contract's
            text = re.sub(rf"(?<!\bF\.)(?<!functional\.)\b{symbol}\b", f"Own{symbol}", text)
        if path == answer.path:
            text = _append(text, path, _last_lines(answer, symbol))
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def _git_directory(clone: Path) -> Path:
    candidates = (clone / ".git", clone, clone / "repo" / ".git", clone / "repo")
    for candidate in candidates:
        if (candidate / "objects").is_dir():
            return candidate
    raise FileNotFoundError(clone)


def _file_at(git: Path, commit: str, path: str) -> str:
    command = ["git", "--git-dir", str(git), "show", f"{commit}:{path}"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def _last_lines(answer: Answer, symbol: str) -> str:
    if answer.shim:
        own = f"Own{symbol}" if symbol == answer.symbol else answer.symbol
        return f"Theirs = {own}\n\n{answer.shim}"
    return f"{symbol} = {answer.symbol}\n" if symbol != answer.symbol else ""


def _append(text: str, path: str, lines: str) -> str:
    if not path.endswith(".ipynb"):
        return f"{text}\n\n{lines}"
    notebook = json.loads(text)
    cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": lines}
    notebook["cells"].append(cell)
    return json.dumps(notebook)
