"""The facts that `softmark doctor` shows: what this machine offers, and what to install."""

import platform
import shutil
import subprocess
from dataclasses import dataclass, replace
from importlib.metadata import version

import torch

from graders import locations
from graders.answer_key.find_keys import key_names
from graders.cli.tried_levels import try_levels
from graders.language import number, tr, translatable
from graders.results.kept_folder import FOLDERS
from graders.sandbox.isolation import cgroups
from graders.sandbox.isolation.causes import Cause
from graders.sandbox.isolation.choose_level import Step, levels_by_problem
from graders.sandbox.isolation.needs import can_fork_boxes
from graders.sandbox.limits import Limits

MB = 1e6  # bytes


@dataclass(frozen=True)
class Fact:
    """One line: what was examined, its value, whether that is good, and what to do if not."""

    what: str
    value: str
    well: bool = True
    advice: str | None = None


def facts() -> list[Fact]:
    """Collect all facts; the isolation levels come last, the best of them first."""
    return [
        Fact("softmark", version("softmark")),
        Fact(
            "Python",
            tr(
                "{version} on {system}",
                version=platform.python_version(),
                system=platform.platform(terse=True),
            ),
        ),
        Fact("torch", f"{torch.__version__}, {_build()}"),
        Fact(tr("devices"), ", ".join(["cpu", *_devices()])),
        _solutions(),
        _kept(),
        *((_bubblewrap(), _cgroups()) if can_fork_boxes() else ()),
        *_isolation_levels(),
    ]


def _build() -> str:
    return (
        tr("built for CUDA {version}", version=torch.version.cuda) if torch.version.cuda else tr("CPU build")
    )


def _devices() -> list[str]:
    return [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]


def _solutions() -> Fact:
    if folders := locations.course().solution_folders:
        return Fact(tr("references"), tr("in {folder}", folder=", ".join(map(str, folders))))
    message = translatable("only instructors have them; {variable} can name their folder")
    advice = tr(message, variable=locations.SOLUTIONS_VARIABLE)
    if names := key_names():
        return Fact(tr("references"), tr("answer keys in their place: {names}", names=", ".join(names)))
    return Fact(tr("references"), tr("none: checks that need one are skipped"), True, advice)


def _kept() -> Fact:
    """How much is kept on the disk, and where."""
    folder = locations.cache_folder()
    if folder is None:
        return Fact(tr("kept"), tr("nothing: {variable} is off", variable=locations.CACHE_VARIABLE))
    sizes = ", ".join(f"{each.name} {number(each.size() / MB, '.1f')}" for each in FOLDERS)
    message = translatable("softmark cache clear removes it; {variable} names another folder, or is off")
    said = tr("in {folder}, in MB: {sizes}", folder=folder, sizes=sizes)
    return Fact(tr("kept"), said, True, tr(message, variable=locations.CACHE_VARIABLE))


def _bubblewrap() -> Fact:
    if shutil.which("bwrap") is None:
        return Fact("bubblewrap", tr("not installed"), False, tr("Debian and Ubuntu: apt install bubblewrap"))
    said = subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=False).stdout
    return Fact("bubblewrap", said.strip())


def _cgroups() -> Fact:
    folders = cgroups.writable()
    if folders:
        return Fact("cgroups", ", ".join(map(str, folders)))
    return Fact("cgroups", tr("none is writable; they are extra protection, which is not required"), True)


def _isolation_levels() -> list[Fact]:
    """Try each isolation level that is not known to hold; the first that holds is in force."""
    steps = [*try_levels(Limits())]
    facts, force = _absent(steps), None
    for step in steps:
        if step.cause is Cause.NO_FORKED_BOXES:
            continue
        if not step.problem:
            force = force or step.level
        message = tr("does not hold: {why}", why=step.problem) if step.problem else step.level.says
        if step.level is force:
            message = tr("in force: {what}", what=message)
        well = not step.problem or (force is not None and step.level is not force)
        facts.append(Fact(step.level, message, well, step.advice))
    advice = tr("enough to check your own code; grade needs --unsafe")
    enough = force is None or force.walled
    return [
        fact if enough or fact.what != force else replace(fact, well=False, advice=advice) for fact in facts
    ]


def _absent(steps: list[Step]) -> list[Fact]:
    """One fact for all levels that this system cannot have."""
    absent = [step for step in steps if step.cause is Cause.NO_FORKED_BOXES]
    return [
        Fact(levels, tr("does not hold: {why}", why=problem), False, absent[0].advice)
        for problem, levels in levels_by_problem(absent)
    ]
