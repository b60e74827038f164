"""A student's function, class or variable as an ordinary callable; every call crosses the wire as bytes.

Implements the protocols of `graders.check` over a process in the box.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import torch
from torch import Tensor

from graders.check import Gradients, Look, Module, Raised, Taken
from graders.extract import Source
from graders.kinds import unlike_a_tensor
from graders.limits import sized
from graders.lost import Lost, interfered
from graders.plain import plain
from graders.refusals import told
from graders.renaming.naming import Naming
from graders.renaming.rule import Shape
from graders.result import Outcome, Place, Remark
from graders.turn import Turn
from graders.twin import Twin
from graders.weighing import PARAMETERS, alike, mildly
from graders.worker import wire

VALUES = 1 << 20  # of a variable, looked at once for every draw


class StudentError(Raised):
    """What the student's code raised, and where."""

    def __init__(self, text: str, place: Place | None, outcome: Outcome = Outcome.RAISED) -> None:
        super().__init__(text)
        self.place = place
        self.outcome = outcome


@dataclass(frozen=True)
class _Problem:
    """A statement that raised while the source was loaded, and the names it would have bound."""

    text: str
    place: Place
    binds: tuple[str, ...]

    def says(self) -> str:
        return f"{_where(self.place)} raised {self.text}"


class _Called:
    """Anything in the box that can be called: the symbol itself, or an object behind a number."""

    def __init__(self, candidate: "Boxed", target: int | None) -> None:
        self._candidate = candidate
        self._target = target

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._candidate.ask("call", [self._target, list(args), kwargs])

    def look(self, *args: Any, **kwargs: Any) -> Look:
        seen = _record(self._candidate.ask("call_and_look", [self._target, list(args), kwargs]))
        after, kept = seen.get("args"), seen.get("random_state_kept")
        if type(after) is not list or len(after) != len(args) or type(kept) is not bool:
            raise interfered()
        return Look(seen.get("answer"), after, kept)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        seen = _record(self._candidate.ask("gradients", [self._target, list(args), {}, list(upstream)]))
        inputs, parameters = seen.get("inputs"), seen.get("parameters")
        due = sum(isinstance(a, Tensor) and a.is_floating_point() for a in args)
        if type(inputs) is not list or len(inputs) != due or type(parameters) is not dict:
            raise interfered()
        if not all(g is None or isinstance(g, Tensor) for g in (*inputs, *parameters.values())):
            raise interfered()
        return Gradients(seen.get("answer"), inputs, parameters)


class BoxedModule(_Called):
    """A module of the student's, which stays in the box."""

    def __init__(self, candidate: "Boxed", target: int, shapes: dict[str, Shape] | None = None) -> None:
        super().__init__(candidate, target)
        self.taken: Taken = dict
        self._shapes = shapes

    def parameters(self) -> dict[str, Tensor]:
        found = _record(self._candidate.ask("parameters", [self._target]))
        return {name: value for name, value in found.items() if isinstance(value, Tensor)}

    def shapes(self) -> dict[str, Shape]:
        """The shapes of its parameters, as it was built."""
        if self._shapes is None:
            self._shapes = {name: tuple(value.shape) for name, value in self.parameters().items()}
        return self._shapes

    def load(self, parameters: Mapping[str, Tensor], dtype: torch.dtype | None = None) -> Self:
        self._candidate.ask("load_parameters", [self._target, dict(parameters), dtype and wire.NAMES[dtype]])
        return self

    def parts(self, names: Sequence[str]) -> list[tuple[str, "BoxedModule"]]:
        """Its sub-modules of classes with these names, none inside another, with the class's name."""
        found = self._candidate.ask("parts", [self._target, list(names)])
        if type(found) is not list or not all(
            type(pair) in (list, tuple) and len(pair) == 2 for pair in found
        ):
            raise interfered()
        return [(str(name), self._candidate.behind(handle)) for name, handle in found]

    def train(self, mode: bool = True) -> Self:
        self._candidate.ask("train", [self._target, mode])
        return self

    def to(self, dtype: torch.dtype) -> Self:
        self._candidate.ask("cast", [self._target, wire.NAMES[dtype]])
        return self


class Boxed(_Called):
    """The student's symbol. `problem` says why it cannot be called at all, where it cannot.

    `proofs` gives fresh draws on which a renaming of its parameters can be proven; none without a reference.
    Its modules are cast to `dtype`, if one is given.
    """

    def __init__(
        self,
        turn: Turn,
        source: Source,
        proofs: Callable[[], Sequence[Twin]] = list,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__(self, None)
        self.value: Tensor | None = None
        self.problem: str | None = None
        self.naming = Naming(self, proofs)
        self._dtype = dtype and wire.NAMES[dtype]
        self._turn = turn
        self._source = source
        self._hung = False
        self._files = {piece.label: piece for module in source.modules for piece in module.pieces}
        self._problems: list[_Problem] = []

    def load(self) -> list[Remark]:
        """Load the source in the box; what is to be said about lines that raised on the way.

        Raises:
            Lost: the process did not survive it.
        """
        loaded = self._turn.open(self._source)
        problems = loaded.get("problems")
        self._problems = (
            [self._problem(p) for p in problems if isinstance(p, dict)] if isinstance(problems, list) else []
        )
        self._greet(loaded.get("kind"), loaded.get("value"))
        says = "this line raised and was skipped: "
        return [Remark(says + p.text, p.place.file, p.place.cell, p.place.line) for p in self._problems]

    def construct(self, *args: Any, **kwargs: Any) -> BoxedModule:
        return self._made(args, kwargs)

    def weighted(self, seed: int, **config: Any) -> Module:
        return mildly(self._made((), config), seed)

    def like(self, twin: Twin) -> Module:
        return alike(self._made((), twin.draw.config), self.naming, twin)

    def ask(self, do: str, value: list[Any]) -> Any:
        """The answer's value.

        Raises:
            StudentError: the student's code raised.
            Lost: the process is gone.
        """
        limits = self._turn.box.limits
        try:
            answer = self._turn.ask(do, value, limits.later_call_s if self._hung else limits.call_s)
        except wire.BadFrame as error:  # only what came from the code itself can be too much to go back
            raise StudentError(f"what the code gave cannot be used: {error}", None) from error
        except Lost as lost:
            self._hung |= lost.outcome is Outcome.TIMED_OUT
            raise
        if answer.ok:
            return answer.value
        raise self._error(_record(answer.value))

    def behind(self, handle: Any, shapes: dict[str, Shape] | None = None) -> BoxedModule:
        """The module in the box that a handle stands for, with the shapes of its parameters if known."""
        if not isinstance(handle, wire.Handle):
            raise interfered()
        return BoxedModule(self, handle.number, shapes)

    def place_of(self, lost: Lost) -> Place | None:
        """The innermost line of the submission where a lost process was."""
        for label, line in lost.frames:
            for known, piece in self._files.items():
                if known.encode("ascii", "backslashreplace").decode() == label:
                    return Place(piece.file, piece.cell, line)
        return None

    def explained(self, lost: Lost) -> str:
        """Why the process was lost, with the line where it was."""
        place = self.place_of(lost)
        return f"{_where(place)}: {lost}" if place else str(lost)

    def _made(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> BoxedModule:
        made = self.ask("construct", [list(args), dict(kwargs), self._dtype])
        if type(made) is not list or len(made) != 2:
            raise interfered()
        handle, shapes = made
        return self.behind(handle, None if shapes is None else _shapes(shapes))

    def _greet(self, kind: Any, value: Any) -> None:
        symbol = self._source.symbol
        if kind == "tensor" and isinstance(value, Tensor) and value.numel() > VALUES:
            self.problem = f"{symbol} has {value.numel():,} values, more than can be judged ({VALUES:,})"
        elif kind == "tensor" and isinstance(value, Tensor):
            self.value = value
        elif kind == "absent":
            named = [p for p in self._problems if symbol in p.binds] or self._problems
            self.problem = f"{symbol} could not be loaded" + "".join(f": {p.says()}" for p in named[:1])
        elif kind == "tensor":
            self.problem = plain(f"{symbol} should be a plain tensor, but is {unlike_a_tensor(value)}", 300)
        elif kind not in ("function", "class"):
            self.problem = plain(f"{symbol} should be a function or a class, but is of type {kind}", 300)

    def _problem(self, described: dict[str, Any]) -> _Problem:
        binds, file = described.get("binds"), plain(str(described.get("file")), 200)
        cell, line, through = described.get("cell"), described.get("line"), described.get("through")
        place = Place(file, cell if type(cell) is int else None, line if type(line) is int else 1)
        names = tuple(str(name) for name in binds) if isinstance(binds, list) else ()
        files = [str(name) for name in through] if isinstance(through, list) else []
        return _Problem(self._told(plain(str(described.get("error")), 500), files), place, names)

    def _told(self, text: str, files: list[str]) -> str:
        box = self._turn.box
        return told(text, files, box.limits, box.rung.scratch)

    def _error(self, described: dict[str, Any]) -> StudentError:
        kind, text = str(described.get("type")), str(described.get("text"))
        if kind == "BadFrame":
            most = sized(self._turn.box.limits.reply_bytes)
            says = f"the answer is too large: {text} (an answer may have at most {most})"
            return StudentError(plain(says, 300), self._place(described))
        full = plain(f"{kind}: {text}" if text else kind, 1_000)
        if described.get("memory") is True:
            limit = sized(self._turn.box.limits.memory_bytes)
            says = f"the code asked for more memory than the {limit} that it may use ({full})"
            return StudentError(says, self._place(described), Outcome.OUT_OF_MEMORY)
        return StudentError(self._explained(kind, full, _files(described)), self._place(described))

    def _explained(self, kind: str, text: str, files: list[str]) -> str:
        """A NameError for something that failed to load is explained by what failed."""
        for problem in self._problems if kind == "NameError" else ():
            if any(f"'{name}'" in text for name in problem.binds):
                return f"{text}; {problem.says()}"
        return self._told(text, files)

    def _place(self, described: dict[str, Any]) -> Place | None:
        frames = described.get("frames")
        for frame in reversed(frames if isinstance(frames, list) else []):
            if (
                isinstance(frame, list)
                and len(frame) == 3
                and type(frame[0]) is str
                and type(frame[1]) is int
                and frame[0] in self._files
            ):
                piece = self._files[frame[0]]
                return Place(piece.file, piece.cell, frame[1])
        return None


def _where(place: Place) -> str:
    return f"cell {place.cell}, line {place.line}" if place.cell else f"{place.file}, line {place.line}"


def _files(described: dict[str, Any]) -> list[str]:
    frames = described.get("frames")
    return [str(f[0]) for f in frames if isinstance(f, list) and f] if isinstance(frames, list) else []


def _record(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _shapes(told: Any) -> dict[str, Shape] | None:
    if type(told) is not dict or not all(_is_shape(shape) for shape in told.values()):
        raise interfered()
    shapes = {str(name): tuple(shape) for name, shape in told.items()}
    # Shapes are only told; tensors of a large size are made of nothing but tensors that really came.
    return shapes if sum(map(math.prod, shapes.values())) <= PARAMETERS else None


def _is_shape(told: Any) -> bool:
    return type(told) is list and all(type(size) is int and size >= 0 for size in told)
