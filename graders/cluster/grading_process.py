"""The process that a worker starts for a run: it imports PyTorch, and forks the slots.

    python -P -m graders.cluster.grading_process CHANNEL FOLDER [unsafe]

`CHANNEL` is a socket's descriptor, on which the run's settings come first; `FOLDER` is for temporary files;
with `unsafe` a run without a box is not refused. This process is no fork of the worker, which has threads,
and whose memory holds its certificate.
"""

import gc
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path

from graders.sandbox.template import Template, use_template
from graders.worker.syscalls import die_with_parent


def main(channel: Connection, folder: Path, unsafe: bool) -> None:
    """Grade for a run until the worker closes the channel, or ends."""
    die_with_parent()
    tempfile.tempdir = str(folder)  # for all temporary files: whoever ends last removes the folder
    template = Template.spawn()  # it imports PyTorch while this process does
    use_template(template)
    try:
        gc.disable()  # while PyTorch is imported, as `graders/cli/actions` does, and for the same reasons
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
    main(Connection(int(sys.argv[1])), Path(sys.argv[2]), "unsafe" in sys.argv[3:])
