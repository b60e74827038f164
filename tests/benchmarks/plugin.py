"""What listing the checks of a notebook costs, in multiples of pytest's own start and the import of nbformat.

    .venv/bin/python -m tests.benchmarks.plugin [ROUNDS]

The bar: 1.5 times as much.
CPU seconds of the whole process, the least of the rounds. Plain pytest collects an empty test. Other
plugins, which cost more than all the rest, are left out.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click

HANDED_IN = Path(__file__).parent.parent / "handed_in/attention"
NOTEBOOKS = ("alice.ipynb", "david.ipynb", "manon.ipynb")
ROOT = Path(__file__).parent.parent.parent
PLUGIN = ("-p", "graders.pytest_plugin.hooks")


def cost(arguments: list[str], folder: Path) -> float:
    """CPU seconds of Python with these arguments."""
    before = os.times()
    subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main(rounds: int) -> None:
    """Print a table: what, CPU seconds, and the ratio for each notebook."""
    pytest = ["-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "test_nothing.py").write_text("def test_nothing():\n    pass\n", encoding="utf-8")
        for name in NOTEBOOKS:
            (folder / name).write_bytes((HANDED_IN / name).read_bytes())
        works = {
            "Python": ["-c", "pass"],
            "import nbformat": ["-c", "import nbformat"],
            "plain pytest": [*pytest, "test_nothing.py"],
        } | {name: [*pytest, *PLUGIN, name] for name in NOTEBOOKS}
        took = dict.fromkeys(works, float("inf"))
        for _ in range(rounds):  # in turns, so that what else the machine does meets all of them
            for what, arguments in works.items():
                took[what] = min(took[what], cost(arguments, folder))
    plain = took["plain pytest"] + took["import nbformat"] - took["Python"]
    for what in ("Python", "import nbformat", "plain pytest"):
        click.echo(f"{what:32} {took[what]:6.2f} s")
    click.echo(f"{'pytest and nbformat':32} {plain:6.2f} s")
    for name in NOTEBOOKS:
        click.echo(f"{f'checks listed ({name})':32} {took[name]:6.2f} s {took[name] / plain:6.2f} x")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
