"""Workers that answer what no honest one would, one for each way, and one that has another package.

The former say of themselves what the host wants to hear. Where a pickle of theirs is opened, it writes a file
into the folder of marks, with the number of the process that opened it.
"""

import asyncio
import functools
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
from graders.course.exercise import load_assignment
from graders.course.open_course import open_course
from graders.judging import score
from graders.locations import use_course
from graders.results.result import Outcome, SubmissionInfo, to_json

MARKS = [Path()]  # the folder of marks, in the process that has the workers
ONE_AT_A_TIME = threading.Lock()
WAYS = ("garbage", "nothing", "large", "another", "points", "object", "error", "warning")
DIFFERS = "differs"
LEAVE_A_MARK = "__import__('pathlib').Path({path!r}).write_text(str(__import__('os').getpid()))"


class Pickle:
    """Leaves a mark where it is unpickled."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __reduce__(self) -> Any:
        return eval, (LEAVE_A_MARK.format(path=str(MARKS[0] / self.name)),)


class PickledError(Exception):
    def __reduce__(self) -> Any:
        return Pickle("error").__reduce__()


def report(message: bytes) -> bytes:
    """The report of an honest worker, or of one that has another package."""
    with ONE_AT_A_TIME:  # all are admitted at once, so that each is asked before the class is graded
        facts = facts_of(unpack(message)[1])
    more = {"package surplus": "9"} if get_worker().name == DIFFERS else {}
    return write_report(describe_machine(facts | more))


@functools.cache
def facts_of(settings: bytes) -> dict[str, str]:
    """What results depend on here, for a run with these settings."""
    run = RunSettings.from_json(settings)
    with tempfile.NamedTemporaryFile() as course:
        course.write((run.course or "").encode())
        course.flush()
        use_course(open_course(Path(course.name)))
        assignment = load_assignment(run.assignment)
        use_course(None)  # the file ends with the block
        return cache_key.facts_of_run(assignment, run.settings)


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


def work(address: str, marks: Path) -> None:
    """Be all of these workers for a scheduler until it ends; in a process of its own."""
    MARKS[0] = marks
    tasks.report, tasks.grade = report, grade
    asyncio.run(work_together(address))


async def work_together(address: str) -> None:
    """The same."""
    dask_settings.set_up()
    workers = [
        _Worker(address, nthreads=1, name=way, host="127.0.0.1", memory_limit=0, dashboard=False)
        for way in (*WAYS, DIFFERS)
    ]
    await asyncio.gather(*workers)
    print("all are at work", flush=True)  # noqa: T201 - what the test waits for
    await asyncio.gather(*(worker.finished() for worker in workers))
