"""The slots of a worker: processes that each have a warm box, and grade one submission at a time.

They are forked from one process, which makes the draws of the run once for all of them. In a slot the grader
is in the main thread: bounds on time and memory hold nowhere else.
"""

import contextlib
import gc
import platform
import tempfile
import time
import traceback
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import torch

from graders.answer_key.find_keys import find_keys
from graders.batch import cache_key
from graders.batch.grade_all import ClassPlan, WarmBox, begin, grader, patience_of
from graders.batch.part_record import digest_of
from graders.batch.prepare_run import end_run
from graders.batch.process_pool import TICK_S, PoolProcess, WorkerDied
from graders.cluster.machine_report import MachineReport, describe_machine, processor, write_report
from graders.cluster.message import pack, unpack
from graders.cluster.packed_course import unpack_course
from graders.cluster.packed_submission import unpack_submission
from graders.cluster.run_settings import RunSettings
from graders.cluster.statuses import FAILED, GRADED
from graders.course.exercise import load_assignment
from graders.grade import prepare
from graders.judging.draws import TRIES, Draws
from graders.language import speak, tr
from graders.locations import use_course
from graders.results.result import to_json
from graders.sandbox.isolation.choose_level import NoIsolation, wanted
from graders.timing.plan import Plan

_Slot = PoolProcess[bytes, bytes]


def serve(channel: Connection, run: RunSettings, folder: Path, unsafe: bool) -> None:
    """Report what this machine is, then grade what comes on the channel, until the worker closes it.

    Args:
        channel: to the worker, which sends as many submissions at once as it has slots.
        run: what is graded.
        folder: for temporary files; the worker removes it.
        unsafe: whether to grade without a box.
    """
    with contextlib.ExitStack() as stack:
        try:
            if not run.settings.level.walled and not unsafe:
                raise NoIsolation(tr("Without a box, other people's code is graded only with --unsafe."))
            plan = _plan(run, folder, stack)
            report = _report(run, plan)
            fits = digest_of(report.facts) == run.key
            if fits:
                prepare(plan.draws, plan.assignment.exercises)
                gc.freeze()  # collections in the slots need not look at the draws, nor copy their pages
        except Exception as error:  # the host names it, and refuses this worker
            report, fits = describe_machine({}, _describe(error)), False
        channel.send_bytes(pack({}, write_report(report)))
        if fits:
            _answer_all(channel, plan)


def _plan(run: RunSettings, folder: Path, stack: contextlib.ExitStack) -> ClassPlan:
    settings = run.settings
    speak(settings.language)
    if run.course is not None:
        use_course(unpack_course(run.course, run.course_files, folder))
    assignment = load_assignment(run.assignment).measured_on(run.corpus)
    dtype = {"None": None, "torch.float32": torch.float32, "torch.float64": torch.float64}[settings.dtype]
    draws = Draws(settings.seed, TRIES, settings.device, dtype, find_keys(settings.seed))
    draws = draws.keeping() if settings.level.walled else draws
    box = wanted(settings.level, settings.limits, settings.device)
    stack.callback(end_run, settings.level)
    stack.callback(box.close)
    return ClassPlan(
        assignment=assignment,
        draws=draws,
        level=settings.level,
        limits=settings.limits,
        device=settings.device,
        keep=_keep_nothing,
        timing=Plan(threads=settings.timing, full=settings.timing_full) if settings.timing else None,
        curves=folder,
        warm_box=WarmBox(box),
    )


def _keep_nothing(*_: object) -> None:
    """Results are kept by the host alone."""


def _report(run: RunSettings, plan: ClassPlan) -> MachineReport:
    facts = cache_key.facts_of_run(plan.assignment, run.settings)
    device = torch.cuda.get_device_name() if run.settings.device == "cuda" else "cpu"
    return describe_machine(facts, device=device)


def _describe(error: Exception) -> str:
    if isinstance(error, NoIsolation):
        return str(error)
    return "".join(traceback.format_exception_only(error)).strip()


def _answer_all(channel: Connection, plan: ClassPlan) -> None:
    """Give each submission to a slot, and send back what comes of it; end with the channel."""
    slots = _Slots(plan)
    try:
        while True:
            ready = wait([channel, *slots.channels], TICK_S)
            for number, answer in slots.answers(ready):
                channel.send_bytes(pack({"number": number}, answer))
            if channel in ready:
                header, submission = unpack(channel.recv_bytes())
                slots.give(header["number"], submission)
    except EOFError:
        return
    finally:
        slots.end()


class _Slots:
    """The slots that have been needed so far, each with at most one submission."""

    def __init__(self, plan: ClassPlan) -> None:
        self._begin = partial(begin, plan)
        self._patience = patience_of(plan.limits)
        self._idle: list[_Slot] = []
        self._busy: dict[int, _Slot] = {}

    @property
    def channels(self) -> list[Connection]:
        """Those on which an answer may come."""
        return [slot.channel for slot in self._busy.values()]

    def give(self, number: int, submission: bytes) -> None:
        """Start to grade a submission."""
        others = [*self._idle, *self._busy.values()]
        slot = self._idle.pop() if self._idle else _Slot(_grade, self._begin, others)
        self._busy[number] = slot
        slot.give(submission, self._patience)

    def answers(self, ready: list[Any]) -> list[tuple[int, bytes]]:
        """What the slots whose channels are ready have answered, by the submission's number."""
        answers = []
        for number, slot in list(self._busy.items()):
            if slot.channel in ready:
                del self._busy[number]
                answers.append((number, self._answer(slot)))
            elif slot.patience.is_over():
                slot.kill("it took too long")
        return answers

    def end(self) -> None:
        """End all."""
        slots = [*self._idle, *self._busy.values()]
        for slot in slots:
            slot.stop()
        for slot in slots:
            slot.end()

    def _answer(self, slot: _Slot) -> bytes:
        try:
            answer = slot.answer()
        except Exception as error:  # softmark's own fault: the host tries elsewhere
            self._idle.append(slot)
            return pack({"status": FAILED, "why": _describe(error)[:2000]})
        if isinstance(answer, WorkerDied):
            return pack({"status": FAILED, "why": str(answer)})
        self._idle.append(slot)
        return answer


def _grade(submission: bytes) -> bytes:
    """In a slot: grade what a message holds."""
    asked, packed = unpack(submission)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="softmark-submission-") as folder:
        unpack_submission(packed, Path(folder))
        result = grader().grade(Path(folder) / asked["name"], asked["id"])
    seconds = round(time.monotonic() - started, 3)
    machine = ", ".join(filter(None, (platform.node(), processor())))
    return pack({"status": GRADED}, to_json(replace(result, seconds=seconds, machine=machine)).encode())
