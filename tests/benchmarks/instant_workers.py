"""Workers that answer at once, always with the same result: ADDRESS RESULT COUNT.

For `cluster_scale`, which measures what all others do. `RESULT` is the file of a result; its id is replaced.
"""

import asyncio
import json
import sys
import threading
from pathlib import Path

from graders.batch import cache_key
from graders.cluster import dask_settings, tasks
from graders.cluster.machine_report import describe_machine, write_report
from graders.cluster.message import pack, unpack
from graders.cluster.run_settings import RunSettings
from graders.cluster.worker import _Worker
from graders.course.exercise import load_assignment

RESULT = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
ONE_AT_A_TIME = threading.Lock()


def report(message: bytes) -> bytes:
    """The report of this machine, as an ordinary worker gives it."""
    run = RunSettings.from_json(unpack(message)[1])
    with ONE_AT_A_TIME:
        assignment = load_assignment(run.assignment)
        return write_report(describe_machine(cache_key.facts_of_run(assignment, run.settings)))


def grade(message: bytes) -> bytes:
    """The result, as if it were this submission's."""
    asked = unpack(message)[0]
    result = {**RESULT, "submission": {**RESULT["submission"], "id": asked["id"]}}
    return pack({"status": "graded"}, json.dumps(result).encode())


async def main(address: str, count: int) -> None:
    """Work until the scheduler ends."""
    dask_settings.set_up()
    workers = [
        _Worker(address, nthreads=1, name=f"instant{number}", host="127.0.0.1", memory_limit=0)
        for number in range(count)
    ]
    await asyncio.gather(*workers)
    print("all are at work", flush=True)  # noqa: T201 - a program
    await asyncio.gather(*(worker.finished() for worker in workers))


if __name__ == "__main__":
    tasks.report, tasks.grade = report, grade
    asyncio.run(main(sys.argv[1], int(sys.argv[3])))
