"""The limits on one submission: the host enforces time, the kernel the rest."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from graders.language import number, tr, translatable

KB, MB, GB = 1 << 10, 1 << 20, 1 << 30
MOST = 1e12  # of a unit, bytes too: more is a slip, which no system takes
SHORTEST_CALL_S = 0.4  # right calls take milliseconds
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
    """An unknown limit, or a value that is no number. The text is for the person who typed it."""


def _limit(default: float, says: str) -> Any:
    return field(default=default, metadata={"says": says})


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Limits for one submission in the box; seconds are of own time (`own_time.py`) unless called CPU.

    `later_call_s` is the limit on a call after another call of the exercise has timed out, so that code
    which always hangs costs seconds and not minutes; `call_after` shortens it further with each timeout. It
    also limits a message with all draws of a check; if that times out, the draws are sent one by one. After
    definitions that run out of time, those of other exercises have no more than a call.
    """

    call_s: float = _limit(3.0, translatable("one call"))
    later_call_s: float = _limit(0.75, translatable("one call, after a first has run out of time"))
    load_s: float = _limit(10.0, translatable("running the definitions of one exercise"))
    training_s: float = _limit(6.0, translatable("a short training on one batch"))
    submission_s: float = _limit(20.0, translatable("a whole submission"))
    trained_s: float = _limit(20.0, translatable("judging a trained model, in addition"))
    cpu_s: int = _limit(60, translatable("CPU time of one process"))
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

    def call_after(self, timeouts: int) -> float:
        """The limit on a call, in seconds, after so many calls of the exercise have timed out."""
        if not timeouts:
            return self.call_s
        shortest = min(SHORTEST_CALL_S, self.later_call_s)
        return max(self.later_call_s * 0.5 ** (timeouts - 1), shortest)

    def for_box(self) -> dict[str, int]:
        """The limits that the worker enforces, by name."""
        return {name: int(getattr(self, name)) for name in _FOR_BOX}

    def change(self, words: Iterable[str]) -> "Limits":
        """The limits with changes such as `call=10s`, `memory=2GB`, `processes=32`.

        Raises:
            BadLimit: a word names no limit, or its value is no positive number.
        """
        limits = self
        for word in words:
            name, _, value = word.partition("=")
            field_names = {shorten_name(f.name): f.name for f in fields(self)}
            if name not in field_names:
                raise BadLimit(
                    tr(
                        "there is no limit {name}; there are {names}",
                        name=repr(name),
                        names=", ".join(field_names),
                    )
                )
            kind = type(getattr(self, field_names[name]))
            limits = replace(limits, **{field_names[name]: kind(_number(word, field_names[name], value))})
        return limits


def shorten_name(name: str) -> str:
    """A limit's name on the command line: `call_s` is `call`, `memory_bytes` is `memory`."""
    return name.removesuffix("_s").removesuffix("_bytes").replace("_", "-")


def format_size(count: float) -> str:
    """A number of bytes as text, such as 64 MB."""
    for unit, sentence in (
        (GB, translatable("{n} GB")),
        (MB, translatable("{n} MB")),
        (KB, translatable("{n} KB")),
    ):
        if count >= unit:
            return tr(sentence, n=number(count / unit, ".4g"))
    return tr("{n} bytes", n=number(count, "g"))


def show_limits() -> list[tuple[str, str, str]]:
    """Every limit: its name on the command line, its value, what it limits."""
    limits = Limits()
    lines = []
    for limit in fields(limits):
        value = getattr(limits, limit.name)
        text = number(value, "g") + (" s" if limit.name.endswith("_s") else "")
        if limit.name.endswith("_bytes") or limit.name == "output_kept":
            text = format_size(value)
        about = limit.metadata["says"]
        lines.append((shorten_name(limit.name), text, tr(about)))
    return lines


def _number(word: str, name: str, value: str) -> float:
    units = _TIMES if name.endswith("_s") else _UNITS if name.endswith(("_bytes", "_kept")) else {"": 1}
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?([a-z]*)", value.strip().lower())
    unit = match[2].replace("o", "b") if match else ""  # 2 Go are 2 GB
    if not match or unit not in units or not 0 < float(match[1]) < MOST:
        message = tr(
            "{change}: a positive number is needed, with one of the units {units}",
            change=word,
            units=", ".join(units)[2:],
        )
        raise BadLimit(message)
    return float(match[1]) * units[unit]
