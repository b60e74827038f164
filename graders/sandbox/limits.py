"""What one submission may use: the host's clock for time, the kernel for the rest."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from graders.language import number, tr, translatable

KB, MB, GB = 1 << 10, 1 << 20, 1 << 30
_UNITS = {"": 1, "k": KB, "kb": KB, "m": MB, "mb": MB, "g": GB, "gb": GB}
_TIMES = {"": 1, "s": 1, "min": 60}
_FOR_BOX = (
    "cpu_s",
    "memory_bytes",
    "shared_bytes",
    "processes",
    "open_files",
    "file_bytes",
    "scratch_bytes",
    "scratch_files",
    "reply_bytes",
)


class BadLimit(ValueError):
    """A limit that is not known, or no number. Text for whoever typed it."""


def _limit(default: float, says: str) -> Any:
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True)
class Limits:
    """Limits for one submission in the box; seconds are wall-clock seconds unless called CPU.

    `later_call_s` holds after a first call of an exercise has run out of time, so that code which
    always hangs costs seconds and not minutes; and for all draws of a check together, which are tried
    one by one where it is too little.
    """

    call_s: float = _limit(6.0, translatable("one call"))
    later_call_s: float = _limit(1.5, translatable("one call, after a first has run out of time"))
    load_s: float = _limit(20.0, translatable("running the definitions of one exercise"))
    training_s: float = _limit(20.0, translatable("a short training on one batch"))
    submission_s: float = _limit(120.0, translatable("a whole submission"))
    trained_s: float = _limit(120.0, translatable("judging a trained model, in addition"))
    cpu_s: int = _limit(120, translatable("CPU time of one process"))
    memory_bytes: int = _limit(GB, translatable("memory, beside what the interpreter has"))
    shared_bytes: int = _limit(256 * MB, translatable("shared mappings, in addition"))
    processes: int = _limit(64, translatable("processes and threads"))
    open_files: int = _limit(64, translatable("open files"))
    file_bytes: int = _limit(32 * MB, translatable("the largest file"))
    scratch_bytes: int = _limit(64 * MB, translatable("all files in the scratch folder"))
    scratch_files: int = _limit(1_000, translatable("files in the scratch folder"))
    output_kept: int = _limit(64 * KB, translatable("what is kept of printed text"))
    output_bytes: int = _limit(8 * MB, translatable("printed text"))
    reply_bytes: int = _limit(64 * MB, translatable("one answer"))

    def for_box(self) -> dict[str, int]:
        """The limits that the box's side enforces, by the names that it knows."""
        return {name: int(getattr(self, name)) for name in _FOR_BOX}

    def changed(self, words: Iterable[str]) -> "Limits":
        """The limits with changes such as `call=10s`, `memory=2GB`, `processes=32`.

        Raises:
            BadLimit: a word is no such change.
        """
        found = self
        for word in words:
            name, _, value = word.partition("=")
            known = {short_limits(f.name): f.name for f in fields(self)}
            if name not in known:
                raise BadLimit(
                    tr("there is no limit {name}; there are {names}", name=repr(name), names=", ".join(known))
                )
            kind = type(getattr(self, known[name]))
            found = replace(found, **{known[name]: kind(_number(word, known[name], value))})
        return found


def short_limits(name: str) -> str:
    """A limit's name on the command line: `call_s` is `call`, `memory_bytes` is `memory`."""
    return name.removesuffix("_s").removesuffix("_bytes").replace("_", "-")


def parse_size(count: float) -> str:
    """A number of bytes as people say it: 64 MB."""
    for unit, says in (
        (GB, translatable("{n} GB")),
        (MB, translatable("{n} MB")),
        (KB, translatable("{n} KB")),
    ):
        if count >= unit:
            return tr(says, n=number(count / unit, ".4g"))
    return tr("{n} bytes", n=number(count, "g"))


def show_limits() -> list[tuple[str, str, str]]:
    """Every limit: its name on the command line, its value, what it is about."""
    limits = Limits()
    lines = []
    for each in fields(limits):
        value = getattr(limits, each.name)
        text = number(value, "g") + (" s" if each.name.endswith("_s") else "")
        if each.name.endswith("_bytes") or each.name == "output_kept":
            text = parse_size(value)
        about = each.metadata["says"]
        lines.append((short_limits(each.name), text, tr(about)))
    return lines


def _number(word: str, name: str, value: str) -> float:
    units = _TIMES if name.endswith("_s") else _UNITS if name.endswith(("_bytes", "_kept")) else {"": 1}
    found = re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-z]*)", value.strip().lower())
    unit = found[2].replace("o", "b") if found else ""  # 2 Go are 2 GB
    if not found or unit not in units or float(found[1]) <= 0:
        says = tr(
            "{change}: a positive number is needed, with one of the units {units}",
            change=word,
            units=", ".join(units)[2:],
        )
        raise BadLimit(says)
    return float(found[1]) * units[unit]
