"""Record what wholes ask of their parts on the draws of one run: an answer key has the answers.

The reference's whole and its known mistakes are tried by every check, and are looked at on the diagnostic
draws, while their parts ask for each answer as stand-ins in the box do. What other wholes ask beside that is
not known.
"""

import contextlib
import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from graders.course.exercise import Exercise
from graders.course.reference import copy_of, mistakes_in, rebound, reference
from graders.diagnosis.right_parts import RightParts, built_of
from graders.diagnosis.stored_parts import (
    ALIKE,
    NotStored,
    StoredCall,
    StoredMove,
    StoredPart,
    arriving,
    find_backward,
    find_call,
    marks_of,
    shapes_alone,
    signature,
    trimmed,
)
from graders.handout.try_wholes import draws_that_show, try_mistake, try_whole
from graders.judging.draws import Draws

LARGEST = 6_000  # values of an answer that is stored


def record_parts(
    exercise: Exercise, draws: Draws, symbols: frozenset[str], also_mistakes: bool = True
) -> dict[str, StoredPart]:
    """The parts of an exercise's whole among these symbols, with the answers to what it asks of them.

    With `also_mistakes`, its known mistakes ask too.
    """
    whole = reference(exercise.name, exercise.symbol)
    built = built_of(whole)
    parts = {name: built[name] for name in sorted(symbols & built.keys()) if built[name] is not whole}
    if not parts:
        return {}
    recorder = Recorder(parts)
    copy = copy_of(exercise.name)
    wrong = mistakes_in(copy, exercise.symbol).values() if also_mistakes else ()
    showing = {mistake: draws_that_show(exercise, draws, mistake) for mistake in wrong}
    with contextlib.ExitStack() as stack:
        for name, part in parts.items():
            stack.enter_context(_asking(recorder, name, part, copy))
        try_whole(exercise, draws, whole, recorder.begin)
        for mistake, where in showing.items():
            try_mistake(exercise, draws, mistake, where, recorder.begin)
    return recorder.stored


class Recorder:
    """Answers questions as right parts do, and keeps questions and answers in `stored`."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self._references = parts
        self.stored = {name: _describe(name, part) for name, part in parts.items()}
        self.answering: list[str] = []  # parts whose own code runs
        self.begin()

    def begin(self) -> None:
        """From now on, calls and seconds count from zero."""
        self._parts = RightParts(self._references)
        self.numbers = itertools.count()

    def ask(self, question: str, value: list[Any]) -> Any:
        """The answer of a right part.

        Raises:
            ValueError, RuntimeError: the right part raises.
        """
        about, args, parameters, *upstream = value
        part = self.stored[about["part"]]
        self.answering.append(about["part"])
        try:
            succeeded, answer = self._parts.answer(question, value)
        finally:
            self.answering.pop()
        sign = signature(part, about, args, parameters)
        if not succeeded:
            part.refused[sign] = answer[0]
            raise ValueError(answer[1])
        if upstream:
            _keep_backward(
                part=part,
                about=about,
                sign=sign,
                args=args,
                parameters=parameters,
                upstream=upstream[0],
                answer=answer,
            )
        elif (move := self._move(about, args, answer)) is not None:
            part.moves[shapes_alone(args)] = move
        else:
            _keep(part=part, about=about, sign=sign, args=args, parameters=parameters, answer=answer)
        return answer

    def _move(self, about: Mapping[str, Any], args: Sequence[Any], answer: Any) -> StoredMove | None:
        """How a function moves the values of its only tensor; None if it does more, or if that is known."""
        tensors = [n for n, a in enumerate(args) if isinstance(a, Tensor)]
        if about["config"] is not None or len(tensors) != 1 or not isinstance(answer, Tensor):
            return None
        given = args[tensors[0]]
        places = torch.arange(given.numel(), dtype=torch.float64).reshape(given.shape)
        asked = [places if n == tensors[0] else a for n, a in enumerate(args)]
        moved = self._references[about["part"]](*asked)
        whole = moved.dtype == torch.float64 and bool((moved.sort().values >= 0).all())
        if not whole or moved.numel() > given.numel() or not bool((moved == moved.round()).all()):
            return None
        sources = moved.reshape(-1).long()
        same = torch.equal(
            given.reshape(-1)[sources.clamp(max=given.numel() - 1)].reshape(moved.shape), answer
        )
        return StoredMove(tuple(moved.shape), sources.int()) if same else None


def _keep(
    part: StoredPart,
    about: Mapping[str, Any],
    sign: str,
    args: Sequence[Any],
    parameters: Sequence[Any],
    answer: Any,
) -> None:
    if _values(answer) > LARGEST:
        return
    same = part.calls.setdefault(sign, [])
    with contextlib.suppress(NotStored):
        find_call(part, about, sign, args, parameters)
        if not about["training"] or len(same) >= ALIKE:
            return
    same.append(StoredCall(marks_of((*args, *parameters)), answer))


def _keep_backward(
    part: StoredPart,
    about: Mapping[str, Any],
    sign: str,
    args: Sequence[Any],
    parameters: Sequence[Any],
    upstream: Sequence[Any],
    answer: list[Any],
) -> None:
    if shapes_alone(args) in part.moves or _values(answer) > LARGEST:
        return
    try:
        call = find_call(part, about, sign, args, parameters)
        find_backward(call, upstream)
    except NotStored:
        with contextlib.suppress(NotStored):
            call = find_call(part, about, sign, args, parameters)
            of_args = answer[: len(trimmed(args))]
            gradients = [*of_args, *answer[len(args) :]]
            call.backward.append((arriving(upstream), marks_of(upstream), gradients))


def _values(answer: Any) -> int:
    parts = answer if isinstance(answer, tuple | list) else [answer]
    return sum(part.numel() for part in parts if isinstance(part, Tensor))


def _describe(name: str, part: Any) -> StoredPart:
    parameters = inspect.signature(part).parameters.values()
    defaults = {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}
    return StoredPart(RightParts({name: part}).descriptions[name], defaults)


@contextlib.contextmanager
def _asking(recorder: Recorder, name: str, part: Any, copy: dict[str, Any]) -> Iterator[None]:
    """In the block, a part asks the recorder for its answers wherever it is called, also in a copy."""
    if not isinstance(part, type):

        def ask(*args: Any, **kwargs: Any) -> Any:
            if name in recorder.answering:
                return part(*args, **kwargs)
            given = _by_place(inspect.signature(part), args, kwargs)
            return _call(recorder, {"part": name, "config": None, "training": False}, given, [])

        with rebound(part, ask, copy):
            yield
        return
    symbol: Any = part
    begin, forward = symbol.__init__, symbol.forward
    try:
        symbol.__init__ = _method(_construct, recorder, name, begin)
        symbol.forward = _method(_forward, recorder, name, forward)
        yield
    finally:
        symbol.__init__, symbol.forward = begin, forward


def _method(method: Callable[..., Any], *before: Any) -> Callable[..., Any]:
    """A method that is called with these arguments before `self`."""

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return method(*before, self, *args, **kwargs)

    return call


def _construct(recorder: Recorder, name: str, begin: Any, module: Any, *args: Any, **kwargs: Any) -> None:
    config = dict(inspect.signature(begin).bind(module, *args, **kwargs).arguments)
    config.pop(next(iter(config)))
    part = recorder.stored[name]
    try:
        begin(module, *args, **kwargs)
    except Exception as error:
        part.refused[part.name_of(config)] = type(error).__name__
        raise
    if type(module).__name__ == name:  # not a known mistake of the part
        vars(module)["asked_config"] = config
        part.shapes[part.name_of(config)] = {n: tuple(p.shape) for n, p in module.named_parameters()}


def _forward(recorder: Recorder, name: str, forward: Any, module: Any, *args: Any, **kwargs: Any) -> Any:
    if name in recorder.answering or "asked_config" not in vars(module):
        return forward(module, *args, **kwargs)
    given = _by_place(inspect.signature(forward), (module, *args), kwargs)[1:]
    about = {"part": name, "config": module.asked_config, "training": module.training}
    return _call(recorder, about, given, list(module.parameters()))


def _by_place(taken: inspect.Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
    given = taken.bind(*args, **kwargs).arguments
    return trimmed([given.get(name) for name in taken.parameters])


def _call(recorder: Recorder, about: dict[str, Any], args: list[Any], parameters: list[Any]) -> Any:
    about = about | {"number": next(recorder.numbers)}
    return _RecordedCall.apply(recorder, about, len(args), *args, *parameters)  # type: ignore[no-untyped-call]


class _RecordedCall(torch.autograd.Function):
    """A call whose answer, and gradients, the recorder gives."""

    @staticmethod
    def forward(ctx: Any, recorder: Recorder, about: dict[str, Any], count: int, *values: Any) -> Any:
        ctx.set_materialize_grads(False)
        sent = [v.detach() if isinstance(v, Tensor) else v for v in values]
        ctx.recorder, ctx.question = recorder, [about, sent[:count], sent[count:]]
        return recorder.ask("forward", ctx.question)

    @staticmethod
    def backward(ctx: Any, *upstream: Any) -> Any:
        answer = ctx.recorder.ask("backward", [*ctx.question, list(upstream)])
        return None, None, None, *answer
