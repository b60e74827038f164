"""Workers that answer what no honest one would, one for each way. A program: ADDRESS MARKS.

They say of themselves what the host wants to hear. Where a pickle of theirs is opened, it writes a file into
the folder MARKS, with the command line of the process that opened it.
"""

import asyncio
import functools
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from distributed import get_worker

from graders.batch import cache_key
from graders.cluster import dask_settings, tasks
from graders.cluster.machine_report import describe_machine, write_report
from graders.cluster.message import pack, unpack
from graders.cluster.run_settings import RunSettings
from graders.cluster.worker import _Worker
from graders.course.course_file import use_course
from graders.course.exercise import load_assignment
from graders.judging import score
from graders.results.result import Outcome, SubmissionInfo, to_json

MARKS = Path(sys.argv[2])
ONE_AT_A_TIME = threading.Lock()
WAYS = ("garbage", "nothing", "large", "another", "points", "object", "error", "warning")


LEAVE_A_MARK = "__import__('pathlib').Path({path!r}).write_bytes(open('/proc/self/cmdline', 'rb').read())"


class Pickle:
    """Leaves a mark where it is unpickled."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __reduce__(self) -> Any:
        return eval, (LEAVE_A_MARK.format(path=str(MARKS / self.name)),)


class PickledError(Exception):
    def __reduce__(self) -> Any:
        return Pickle("error").__reduce__()


def report(message: bytes) -> bytes:
    """The report of an honest worker."""
    with ONE_AT_A_TIME:  # all are admitted at once, so that each is asked before the class is graded
        return report_of(unpack(message)[1])


@functools.cache
def report_of(settings: bytes) -> bytes:
    """The same, for a run with these settings."""
    run = RunSettings.from_json(settings)
    with tempfile.NamedTemporaryFile() as course:
        course.write((run.course or "").encode())
        course.flush()
        use_course(Path(course.name))
        assignment = load_assignment(run.assignment)
        use_course(None)  # the file ends with the block
        return write_report(describe_machine(cache_key.facts_of_run(assignment, run.settings)))


def grade(message: bytes) -> Any:
    """An answer of the kind that the worker's name says."""
    import pickle  # noqa: TID251 - what must not be opened

    way, asked = get_worker().name, unpack(message)[0]
    if way == "warning":
        event = {"message": pickle.dumps(Pickle("warning")), "category": pickle.dumps(Pickle("warning"))}
        get_worker().log_event("warn", event)
    if way == "error":
        raise PickledError
    answers = {
        "garbage": b"\x80\x04garbage",
        "nothing": pack({"status": "graded"}),
        "large": bytes(40_000_000),
        "another": graded("another", 1),
        "points": graded(asked["id"], 3),
        "object": Pickle("object"),
        "warning": b"",
    }
    return answers[way]


def graded(name: str, points: float) -> bytes:
    """A result for a submission."""
    assignment = load_assignment("attention").only(["concat_heads"])
    [exercise] = assignment.exercises
    found = replace(score.unjudged_result(exercise, Outcome.PASSED, ""), points=points)
    run = score.Run(1, "nested", "cpu")
    result = score.submission_result(assignment, SubmissionInfo(name, (), ""), [found], [], run)
    return pack({"status": "graded"}, to_json(result).encode())


async def main(address: str) -> None:
    dask_settings.set_up()
    workers = [
        _Worker(address, nthreads=1, name=way, host="127.0.0.1", memory_limit=0, dashboard=False)
        for way in WAYS
    ]
    await asyncio.gather(*workers)
    print("all are at work", flush=True)  # noqa: T201 - a program
    await asyncio.gather(*(worker.finished() for worker in workers))


if __name__ == "__main__":
    tasks.report, tasks.grade = report, grade
    asyncio.run(main(sys.argv[1]))
