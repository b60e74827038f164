"""The process that a worker starts for a run: it imports PyTorch, and forks the slots. Run by path.

    python grading_process.py CHANNEL [FOLDER [unsafe]]

`CHANNEL` is a socket's descriptor, on which comes first what this process becomes, then the run's settings.
It is no fork of the worker, which has threads, and whose memory holds its certificate. It begins with the
environment of a box, and reads nothing before it has forked the template of its boxes: PyTorch is imported
once for both, and a box's memory holds nothing of the run. Where PyTorch is found only in the worker's own
environment, it starts anew in that, with the folder and `unsafe`, and the template is a program of its own.
"""

import gc

gc.disable()  # while PyTorch is imported, as `graders/cli/actions` does, and for the same reasons

import json
import os
import runpy
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

FORK_TEMPLATE = str(Path(__file__).parents[1] / "sandbox" / "fork_template.py")


def main(descriptor: int) -> None:
    """Fork the template, become a process of the worker's environment, and grade for a run."""
    control = runpy.run_path(FORK_TEMPLATE)["import_torch_and_fork_template"]()
    channel = Connection(descriptor)
    try:
        start = json.loads(channel.recv_bytes())
    except (EOFError, OSError):
        return  # the worker has ended
    if control is None:
        os.set_inheritable(descriptor, True)
        more = [start["folder"], *(["unsafe"] if start["unsafe"] else [])]
        program = [sys.executable, "-P", __file__, str(descriptor), *more]
        os.execve(sys.executable, program, start["environment"])  # noqa: S606 - this Python, with this script
    os.environ.clear()
    os.environ.update(start["environment"])
    sys.path[:] = start["path"]
    sys.dont_write_bytecode = start["dont_write_bytecode"]
    from graders.sandbox.template import Template

    grade(channel, Template(control), Path(start["folder"]), start["unsafe"])


def main_in_the_plain_way(descriptor: int, folder: Path, unsafe: bool) -> None:
    """Grade for a run, in the worker's environment, with a template that is a program."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from graders.sandbox.template import Template

    grade(
        Connection(descriptor), Template.spawn(), folder, unsafe
    )  # it imports PyTorch while this process does


def grade(channel: Connection, template: Any, folder: Path, unsafe: bool) -> None:
    """Grade for a run until the worker closes the channel, or ends.

    Args:
        channel: to the worker; the run's settings come first.
        template: of the boxes.
        folder: for all temporary files: whoever ends last removes it.
        unsafe: whether a run without a box is not refused.
    """
    import tempfile

    from graders.sandbox.template import use_template
    from softmark_worker.syscalls import die_with_parent

    die_with_parent()
    tempfile.tempdir = str(folder)
    use_template(template)
    try:
        from graders.cluster.run_settings import RunSettings
        from graders.cluster.slots import serve

        gc.enable()
        gc.set_threshold(10_000, 20, 20)
        gc.freeze()
        run = RunSettings.from_json(channel.recv_bytes())
        serve(channel, run, folder, unsafe)
    except (EOFError, OSError):
        pass  # the worker has ended
    finally:
        template.close()


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(int(sys.argv[1]))
    else:
        main_in_the_plain_way(int(sys.argv[1]), Path(sys.argv[2]), "unsafe" in sys.argv[3:])
