"""What a command that needs a box runs first, by path: see `start.py`.

    python import_torch_first.py KEPT CHILD PARSED

`KEPT` is the descriptor of a file in memory with the command's arguments and environment, as JSON. `CHILD` is
the process that parses the command line, 0 where that is done, and `PARSED` the descriptor of what it
reports. Until the template is forked, this process imports PyTorch and no code of ours, and reads none of
that.
"""

import gc

gc.disable()  # while modules are imported: `graders/cli/actions` enables it again

import json
import os
import runpy
import signal
import socket
import sys
from pathlib import Path
from typing import Any

FORK_TEMPLATE = str(Path(__file__).parents[1] / "sandbox" / "fork_template.py")


def main() -> None:
    """Import PyTorch, fork the template, and run the command."""
    kept, child, parsed = map(int, sys.argv[1:])
    reports: list[str] = []

    def await_report_once(*_: object) -> None:
        if not reports:
            reports.append(_await_report(child, parsed))

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends an import without a traceback
    signal.signal(signal.SIGCHLD, await_report_once)
    control = runpy.run_path(FORK_TEMPLATE)["import_torch_and_fork_template"]()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    await_report_once()
    with open(kept, encoding="utf-8") as file:  # noqa: PTH123 - a descriptor
        _run(json.load(file), json.loads(reports[0]), control)


def _await_report(child: int, parsed: int) -> str:
    """What the process that parses hands over; where it hands nothing over, end as it has ended."""
    with open(parsed, encoding="utf-8") as file:
        text = file.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if child else 0
    if not text:
        os._exit(code if code >= 0 else 128 - code)
    return text


def _run(kept: dict[str, Any], parsed: dict[str, Any], control: socket.socket | None) -> None:
    """Run the command, in the plain way where PyTorch is found only in the command's own environment."""
    sys.path[:] = kept["path"]
    from graders.cli import start

    start.go_on(kept, parsed)
    if control is None:
        os.execve(kept["program"][0], kept["program"], os.environ | {start.PLAIN: "1"})  # noqa: S606
    from graders.sandbox.template import Template, use_template

    use_template(Template(control))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    start.run_command()


if __name__ == "__main__":
    main()
