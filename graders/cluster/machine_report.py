"""What a worker says of itself before it is admitted to a run, and how it differs from the host."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from graders.batch.differing_facts import differing_facts
from graders.language import tr, translatable, trn
from graders.results.json_schema import from_json_text, to_json_text
from graders.safe_text import safe_text

SCHEMA = "softmark/machine/1"
MOST_BYTES = 1 << 20
NAMED = 5  # differences that are named one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineReport:
    """A machine, and what it would grade with.

    Attributes:
        facts: what results of the run depend on, by name, as the machine finds it.
        problem: why it cannot grade for this run; empty if it can.
        machine: the machine's name.
        processor: its processor.
        cores: how many processors the worker may use.
        device: "cpu", or the GPU's name.
    """

    schema: str = field(default=SCHEMA, kw_only=True)
    facts: dict[str, str]
    problem: str
    machine: str
    processor: str
    cores: int
    device: str


def describe_machine(facts: Mapping[str, str], problem: str = "", device: str = "cpu") -> MachineReport:
    """This machine's report."""
    return MachineReport(
        facts=dict(facts),
        problem=problem,
        machine=platform.node(),
        processor=processor(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        device=device,
    )


def write_report(report: MachineReport) -> bytes:
    """As text, for `read_report`."""
    return to_json_text(report).encode()


def read_report(text: bytes) -> MachineReport:
    """The report in a text that a worker has sent.

    Raises:
        ValueError: it is none.
    """
    if len(text) > MOST_BYTES:
        raise ValueError("too long")
    try:
        return from_json_text(text.decode(), MachineReport, SCHEMA)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def objections(there: MachineReport, here: MachineReport) -> list[str]:
    """Why a machine may not grade for the run of this one, in sentences; none if it may."""
    if there.problem:
        return [safe_text(there.problem, limit=300)]
    message = translatable("{what}: {there} there, {here} here")
    differences = differing_facts(here.facts, there.facts)
    sentences = [tr(message, what=what, there=theirs, here=ours) for what, ours, theirs in differences]
    left = len(sentences) - NAMED
    return [
        *sentences[:NAMED],
        *([trn("and {n} difference more", "and {n} differences more", left)] if left > 0 else []),
    ]


def processor() -> str:
    """The name of this machine's processor; empty where it is not known."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())
