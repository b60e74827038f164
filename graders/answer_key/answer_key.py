"""An answer key: a file of data with what the reference and known mistakes answer to one run's draws.

It is a zip with a part for each exercise and purpose: a text of JSON, and its numbers as safetensors. A part
is read when it is needed.
"""

import hashlib
import inspect
import io
import json
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn

from graders.answer_key.code_digest import exercise_digests
from graders.answer_key.pack import BadKey, Packer, Unpacker
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.head_layouts import HEAD_LAYOUTS
from graders.language import tr

FORMAT = 4
LARGEST = 1 << 28  # bytes of a part
LISTED = "key.json"
# What reading a damaged zip raises, beside what JSON and its contents do.
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, KeyError, ValueError)
TIME = (1980, 1, 1, 0, 0, 0)  # so that the same key is the same bytes
Packed = Mapping[str, bytes]  # files of a key, by name
EXAMPLES, SMALL, FURTHER, MAPPING = "examples", "small", "further", "mapping"
MISTAKES, PARTS, SIZES = "mistakes", "parts", "sizes"


class NotInKey(Undecidable):
    """The key has no answer to what the code asks: the reference would decide."""

    def __init__(self) -> None:
        super().__init__(tr("the answer key holds nothing that fits"))


def raise_not_in_key(*_: Any, **__: Any) -> Any:
    """Takes the place of functions that compute with the reference.

    Raises:
        NotInKey: always.
    """
    raise NotInKey


class StandIn:
    """Takes the place of the reference's class: it knows shapes of parameters alone.

    Args:
        heads: the default of `num_heads`, or 1.
        shapes: those of the parameters, by configuration; none where it refuses.
    """

    def __init__(
        self, heads: int = 1, shapes: Mapping[str, Mapping[str, tuple[int, ...]]] | None = None
    ) -> None:
        self._shapes = shapes or {}
        parameter = inspect.Parameter("num_heads", inspect.Parameter.KEYWORD_ONLY, default=heads)
        self.__signature__ = inspect.Signature([parameter])

    def __call__(self, *_: Any, **config: Any) -> Any:
        """Something that has the parameters' names and shapes, without values.

        Raises:
            NotInKey: the configuration is none of those that are stored.
        """
        if repr(config) not in self._shapes:
            raise NotInKey
        named = {n: torch.empty(s, device="meta") for n, s in self._shapes[repr(config)].items()}
        return SimpleNamespace(named_parameters=lambda: named.items())


class AnswerKey:
    """The parts of a key, each read on first use.

    Args:
        source: its bytes, or its file, of which no more than the list is read before a part is asked for.

    Raises:
        BadKey: it is no key, or one of another format.
        OSError: the file cannot be read.
    """

    def __init__(self, source: bytes | Path) -> None:
        self._source = source
        try:
            listed = json.loads(self._read(LISTED))
            if listed["format"] != FORMAT:
                raise BadKey(tr("the answer key is for another version of softmark"))
            self.seed = int(listed["seed"])
            self.assignment = str(listed["assignment"])
            self._digests = {str(name): str(digest) for name, digest in listed["exercises"].items()}
            self._parts = {str(path): str(digest) for path, digest in listed["parts"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            raise BadKey(str(error)) from error
        self._kept: dict[str, Any] = {}

    @property
    def exercises(self) -> Sequence[str]:
        """The exercises that it is for, in the order of the assignment."""
        return list(self._digests)

    @cached_property
    def fitting(self) -> frozenset[str]:
        """Those of its exercises whose checks and stubs are the ones that it was made with."""
        return frozenset(n for n, d in exercise_digests(self.exercises).items() if d == self._digests[n])

    def part(self, exercise: str, name: str) -> Any:
        """A part of an exercise; None where the key has none.

        Raises:
            BadKey: it is not as it was written.
        """
        path = f"{exercise}/{name}"
        if path not in self._parts:
            return None
        if path not in self._kept:
            text, numbers = self._read(f"{path}.json"), self._read(f"{path}.safetensors")
            if _digest(text, numbers) != self._parts[path]:
                raise BadKey(f"{path} was changed")
            self._kept[path] = Unpacker(numbers, _named).unpack(text.decode())
        return self._kept[path]

    def _read(self, name: str) -> bytes:
        if name != LISTED and isinstance(self._source, Path):
            self._source = self._source.read_bytes()  # the file may be replaced later
        opened = io.BytesIO(self._source) if isinstance(self._source, bytes) else self._source
        try:
            with zipfile.ZipFile(opened) as packed:
                if packed.getinfo(name).file_size > LARGEST:
                    raise BadKey(f"{name} is too large")
                return packed.read(name)
        except _DAMAGED as error:
            raise BadKey(str(error)) from error


def pack_part(path: str, value: Any) -> Packed:
    """A part of a key as the files that hold it.

    Args:
        path: "EXERCISE/PART".
        value: the part.

    Raises:
        NotPackable: something in it is no data.
    """
    packer = Packer(_name_of)
    text = json.dumps(packer.pack(value), separators=(",", ":"))
    return {f"{path}.json": text.encode(), f"{path}.safetensors": packer.numbers()}


def write_key(assignment: str, seed: int, files: Packed, exercises: Sequence[str] = ()) -> bytes:
    """The bytes of a key.

    Args:
        assignment: its name.
        seed: that of the draws.
        files: those of all parts.
        exercises: those that it is for, in their order.
    """
    buffer = io.BytesIO()
    paths = sorted(name.removesuffix(".json") for name in files if name.endswith(".json"))
    parts = {path: _digest(files[f"{path}.json"], files[f"{path}.safetensors"]) for path in paths}
    digests = exercise_digests(exercises)
    listed = {
        "format": FORMAT,
        "seed": seed,
        "assignment": assignment,
        "exercises": digests,
        "parts": parts,
    }
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo(LISTED, TIME), json.dumps(listed))
        for name, data in files.items():
            info = zipfile.ZipInfo(name, TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, data)
    return buffer.getvalue()


def _digest(text: bytes, numbers: bytes) -> str:
    """The digest of a part, by which damage and edits are seen; whoever makes it anew forges it."""
    return hashlib.sha256(hashlib.sha256(text).digest() + hashlib.sha256(numbers).digest()).hexdigest()


def _name_of(value: Any) -> str | None:
    """The name of what is no data: a layout of ours, the reference with its number of heads, or another."""
    for number, layout in enumerate(HEAD_LAYOUTS):
        if value is layout:
            return f"layout {number}"
        if layout.adapt is not None and value is layout.adapt:
            return f"adapt {number}"
    if isinstance(value, type) and issubclass(value, nn.Module):
        parameter = inspect.signature(value).parameters.get("num_heads")
        return f"class {parameter.default if parameter and type(parameter.default) is int else 1}"
    return "function" if callable(value) else None


def _named(name: str) -> Any:
    kind, _, number = name.partition(" ")
    if kind == "function":
        return raise_not_in_key
    if not re.fullmatch(r"\d{1,3}", number) or kind not in ("layout", "adapt", "class"):
        raise BadKey(name[:100])
    if kind == "class":
        return StandIn(int(number))
    layout = HEAD_LAYOUTS[int(number)]
    return layout if kind == "layout" else layout.adapt
