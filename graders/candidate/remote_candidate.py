"""A student's function, class or variable as an ordinary callable: every call is a request to a session.

Implements the protocols of `graders.check_api.check`.
"""

import copy
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, TypeVar

import torch
from torch import Tensor

from graders.candidate.check_replies import (
    checked_shapes,
    handle_number,
    problem_with,
    record,
    remark_on_takings,
    takings,
    ways,
)
from graders.candidate.concurrent_calls import ConcurrentCalls
from graders.candidate.find_binding import (
    BindingTrial,
    Tried,
    find_binding,
    same_answer,
    trial_of,
    with_other_input,
)
from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.candidate.parameter_mapping.mapping import Shape
from graders.candidate.remote_values import (
    RemoteCallable,
    RemoteLentModel,
    RemoteMethod,
    RemoteModule,
    RemoteTensor,
    name_arguments,
)
from graders.candidate.set_weights import load_random_weights, load_reference_weights
from graders.candidate.student_error import UNBOUND, PlaceOfLine, RaisedByStudent, StudentErrors
from graders.check_api.candidate import Module
from graders.check_api.lent_models import LentModels
from graders.check_api.mask_sense import MaskArgument, Reading
from graders.check_api.reference_answer import ReferenceAnswer
from graders.extraction.extract import Source
from graders.language import number, tr
from graders.results.limit import Limit
from graders.results.result import Outcome, Remark
from graders.sandbox.process import Answer
from graders.sandbox.process_lost import ProcessLost, interference
from graders.sandbox.session import Session
from graders.sandbox.worker_messages import find_sentence
from softmark_worker import wire

DEVICES = re.compile(r"cuda|mps|xpu|hpu|npu|pin_memory|\.to\(\d")  # what code says that asks for one
AT_ONCE = 25  # works whose requests are sent together
LEFT = 8  # unused modules before a request frees them, where requests are sent one by one
MAPPING_S = 3.0  # own seconds in which the mapping of the parameters is searched
CONSTRUCT, CALL = "construct", "call"
_ASKED = dict.fromkeys(("call_seeded", "call_and_look", "gradients"), CALL)
BINDING_S = 3.0  # the same for ways to bind the constructor's arguments
T = TypeVar("T")


class _OneByOne(Exception):
    """Requests that were sent together must be sent one by one."""


class RemoteCandidate(RemoteCallable):
    """The student's symbol. `problem` says why it cannot be called; None if it can.

    `problem_limit` is the sandbox limit that caused the problem, if one did.

    `mapping_draws` gives fresh draws to verify a parameter mapping; none without a reference.
    `contract` has the names of the arguments of `__init__` and `forward`, as far as they are known. `unbound`
    says why the student's constructor, or a call, does not take these arguments; None once it took them. Ways
    to bind the constructor's are tried on `binding_trials`, where there are several.

    Its modules are cast to `dtype`, if one is given. For `place_of_line` see `StudentErrors`.
    """

    def __init__(
        self,
        session: Session,
        source: Source,
        mapping_draws: Callable[[], Sequence[ReferenceAnswer]] = list,
        dtype: torch.dtype | None = None,
        place_of_line: PlaceOfLine | None = None,
    ) -> None:
        super().__init__(self, None)
        self.value: Tensor | None = None
        self.problem: str | None = None
        self.problem_limit: Limit | None = None
        self.contract: Mapping[str, Sequence[str]] = {}
        self.defaults: Mapping[str, Any] = {}  # of the contract's `__init__`
        self.binding_trials: Callable[[], Iterable[BindingTrial]] = self._trials_of_mapping
        self._way: int | None = None  # to bind the constructor's arguments, of those that are open
        self.taken: dict[str, str] = {}  # the student's arguments, with what they were given
        self.ways: dict[str, int] = {}  # in how many calls may take their arguments, where there are several
        self._refused: dict[str, str] = {}  # why what is asked for did not take its arguments
        self._took_arguments: set[str] = set()  # what is asked for that took them once
        self.mapper = ParameterMapper(self, mapping_draws, self._searching)
        # The mask among its arguments and how it reads it, where that is not as the exercise says.
        self.mask_reading: tuple[MaskArgument, Reading] | None = None
        self.left: list[int | None] = []  # the handles of modules that can be freed in the box
        self._dtype: str | None = wire.NAMES[dtype] if dtype else None
        self.source = source
        self._session = session
        self._lent = LentModels()
        self._timeouts = 0  # calls of this exercise that took too long
        self._together: ConcurrentCalls[tuple[str, list[Any]], Answer] | None = None
        self.errors = StudentErrors(source, session.limits, session.level, place_of_line)

    def load(self) -> None:
        """Load the source.

        Raises:
            ProcessLost: the process ended while loading.
        """
        loaded = self._session.open(self.source)
        self.errors.store_load_report(loaded.get("problems"), loaded.get("notes"))
        self._set_value_or_problem(loaded.get("kind"), loaded.get("value"))
        self.ways, self.taken = ways(loaded.get("ways")), takings(loaded.get("taken", {}))

    def take_arguments(self, call: str, way: int) -> None:
        """From now on have a call take its arguments in the way of this number.

        Args:
            call: the name of a method; empty for a function.
            way: its number, from 0 for the likeliest.

        Raises:
            ProcessLost: the process ended while loading.
        """
        others = [(name, number) for name, number in self.source.taken_as if name != call]
        self.source = replace(self.source, taken_as=(*others, (call, way)))
        self.load()
        self._refused.pop(CALL, None)

    def use_source(self, source: Source) -> None:
        """From now on run the same code as another source says; ways to take arguments are found again.

        Raises:
            ProcessLost: the process ended while loading.
        """
        self.source, self._way = source, None
        self.load()
        self.use_mapping_draws(self.mapper.mapping_draws)

    def look_for_absent_device(self) -> None:
        """Remark that the code has asked for a device that is not there; asked only if its text names one."""
        pieces = (piece for module in self.source.modules for piece in module.pieces)
        if any(DEVICES.search(piece.code) for piece in pieces):
            with suppress(RaisedByStudent, ProcessLost):
                self.errors.store_absent_device(self.ask("absent_device", []))

    def anew(self) -> "RemoteCandidate":
        """A candidate of the same source and in the same session, of which nothing is known yet."""
        place = self.errors.place_of_line
        candidate = RemoteCandidate(self._session, self.source, self.mapper.mapping_draws, None, place)
        candidate._dtype, candidate.contract, candidate.defaults = self._dtype, self.contract, self.defaults
        candidate.mask_reading, candidate._way = self.mask_reading, self._way
        candidate.binding_trials = self.binding_trials
        return candidate

    def in_session(
        self,
        session: Session,
        source: Source,
        reading: tuple[MaskArgument, Reading] | None,
        left: list[int | None] | None = None,
    ) -> "RemoteCandidate":
        """The same with all that is known of it, in another session; not loaded there yet.

        Args:
            session: the other one.
            source: what it was loaded from when it was asked.
            reading: of its mask, then.
            left: the handles that can be freed there, where several candidates take turns in the session:
                what one of them has left, the next one frees.
        """
        other = copy.copy(self)
        other._candidate, other._session, other.left = other, session, [] if left is None else left
        other.source, other.mask_reading = source, reading
        other._took_arguments, other._refused = self._took_arguments.copy(), self._refused.copy()
        other.mapper = self.mapper.of_candidate(other, other._searching)
        return other

    def start_anew(self) -> None:
        self._session.close()
        self.left.clear()

    @property
    def remarks(self) -> list[Remark]:
        """Remarks on lines that raised, on what was left out, and on how its parameters were matched."""
        raised = [problem.remark for problem in self.errors.problems] + self.errors.left_out
        symbol, matched = self.source.symbol, self.mapper.says
        told = [Remark(tr("{where}: {what}", where=symbol, what=matched))] if matched else []
        return raised + remark_on_takings(symbol, self.taken) + told

    @property
    def unbound(self) -> str | None:
        """Why the constructor, or a call, never took the contract's arguments; None if they took them."""
        refused = (why for asked, why in self._refused.items() if asked not in self._took_arguments)
        return next(refused, None)

    def construct(self, /, *args: Any, **kwargs: Any) -> RemoteModule:
        return self._construct(args, kwargs)

    def make_model(self, kind: str, **config: Any) -> RemoteLentModel:
        self._session.lent = self._lent
        number, answers = self._lent.lend(kind, config)
        handle = self.ask("take_model", [answers.shell, number, answers.words, answers.pair])
        return RemoteLentModel(self, handle_number(handle), answers)

    def make_layer(self, kind: str, parameters: Mapping[str, Tensor], **config: Any) -> RemoteModule:
        return self.behind(self.ask("take_layer", [kind, dict(parameters), config]))

    def transposed(self, values: Tensor, first: int, second: int) -> RemoteTensor:
        return RemoteTensor(self, handle_number(self.ask("take_transposed", [values, first, second])))

    def method_of(self, module: Module, name: str) -> RemoteMethod:
        assert isinstance(module, RemoteModule)
        return RemoteMethod(self, handle_number(self.ask("take_method", [module.target, name])))

    def with_random_weights(self, seed: int, **config: Any) -> Module:
        return load_random_weights(self._construct((), config), seed)

    def with_reference_weights(self, answer: ReferenceAnswer) -> Module:
        return load_reference_weights(self._construct((), answer.draw.config), self.mapper, answer)

    def use_mask_reading(self, argument: MaskArgument, reading: Reading) -> None:
        """From now on give it masks as it reads them; a parameter mapping is searched again, with them."""
        self.mask_reading = argument, reading
        self.use_mapping_draws(self.mapper.mapping_draws)

    def use_mapping_draws(self, mapping_draws: Callable[[], Sequence[ReferenceAnswer]]) -> None:
        """From now on verify a parameter mapping on these draws; it is searched again."""
        self.mapper = ParameterMapper(self, mapping_draws, self._searching)

    def as_read(self, args: Sequence[Any]) -> list[Any]:
        """The arguments of a call, with the mask as the candidate reads it."""
        if self.mask_reading is None:
            return list(args)
        argument, reading = self.mask_reading
        return argument.as_read(args, reading)

    def ask(self, do: str, value: list[Any]) -> Any:
        """The answer's value.

        Raises:
            RaisedByStudent: the student's code raised.
            ProcessLost: the process is gone.
        """
        try:
            answer = self._together.wait((do, value)) if self._together else self._ask(do, value)
            replied = self._value_of(answer)
        except RaisedByStudent as error:
            if error.kind == UNBOUND:
                self._refused.setdefault(_ASKED.get(do, do), str(error))
            elif do == CONSTRUCT:  # an error of its body: it took the arguments
                self._took_arguments.add(do)
            raise
        self._took_arguments.add(_ASKED.get(do, do))
        return replied

    def train(self, do: str, value: list[Any]) -> Any:
        """The same for a request that takes as long as many calls: sent alone, under a limit of its own.

        Raises:
            RaisedByStudent: the student's code raised.
            ProcessLost: the process is gone.
        """
        with self._alone():
            return self._value_of(self._request(do, value, self._session.limits.training_s))

    def together(self, works: Sequence[Callable[[], T]]) -> list[T] | None:
        """The results of all works, with requests sent together; None where each must run alone."""
        if not self._session.asks_together:
            return None
        results: list[T] = []
        for start in range(0, len(works), AT_ONCE):
            self._together = ConcurrentCalls(self._ask_all)
            try:
                results += self._together.run(works[start : start + AT_ONCE])
            except _OneByOne:
                return None
            finally:
                self._together = None
        return results

    def behind(
        self, handle: Any, shapes: dict[str, Shape] | None = None, frozen: Iterable[str] = ()
    ) -> RemoteModule:
        """The module in the box that a handle stands for, with what is known of its parameters."""
        return RemoteModule(self, handle_number(handle), shapes, frozenset(frozen))

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Inside the block, send each request by itself; the works that run together wait."""
        together, self._together = self._together, None
        try:
            yield
        finally:
            self._together = together

    @contextmanager
    def _searching(self) -> Iterator[None]:
        """The same while the mapping of the parameters is searched, which has a time of its own."""
        seconds = number(MAPPING_S, "g")
        used_up = tr("the time for matching the parameters ({seconds} s) was used up", seconds=seconds)
        with self._alone(), self._session.within(MAPPING_S, used_up):
            yield

    def _ask(self, do: str, value: list[Any]) -> Answer:
        limits = self._session.limits
        try:
            return self._request(do, value, limits.call_after(self._timeouts))
        except ProcessLost as lost:
            self._timeouts += lost.outcome is Outcome.TIMED_OUT
            raise

    def _request(self, do: str, value: list[Any], seconds: float) -> Answer:
        try:
            if len(self.left) >= LEFT:
                self._session.ask("forget", self._handles_to_forget(), seconds)
            return self._session.ask(do, value, seconds)
        except (
            wire.BadFrame
        ) as error:  # only a value that the student's code returned can be too large to send
            reason = find_sentence(error.args[0]) or str(error)
            message = tr("what the code gave cannot be used: {reason}", reason=reason)
            raise RaisedByStudent(message, type(error).__name__, None) from error

    def _value_of(self, answer: Answer) -> Any:
        if answer.ok:
            return answer.value
        raise self.errors.error(record(answer.value))

    def _ask_all(self, requests: list[tuple[str, list[Any]]]) -> list[Answer]:
        answers = self._session.ask_all([("forget", self._handles_to_forget()), *requests])
        if answers is None:
            raise _OneByOne
        return answers[1:]

    def _handles_to_forget(self) -> list[Any]:
        left = [*self.left]
        self.left.clear()  # it may be another candidate's list too
        return [left]

    def _construct(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> RemoteModule:
        if len(args) <= len(names := self.contract.get("__init__", ())):
            args, kwargs = (), {**dict(zip(names, args, strict=False)), **kwargs}
        if self._way is None:
            self._way = self._find_way(kwargs)
        reply = self.ask(CONSTRUCT, self._request_of(args, kwargs, self._dtype, self._way))
        if type(reply) is not list or len(reply) != 4:
            raise interference()
        handle, shapes, frozen, taken = reply
        self.taken = takings(taken) | self.taken
        if type(frozen) is not list or not all(type(name) is str for name in frozen):
            raise interference()
        return self.behind(handle, None if shapes is None else checked_shapes(shapes), frozen)

    def _request_of(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], dtype: str | None, way: int
    ) -> list[Any]:
        contract = json.dumps({**self.contract, "defaults": dict(self.defaults)})
        return [list(args), name_arguments(kwargs), dtype, contract, way]

    def _find_way(self, kwargs: Mapping[str, Any]) -> int:
        """The way to bind the constructor's arguments: tried where their names leave several open."""
        if not self.contract.get("__init__"):
            return 0
        seconds = number(BINDING_S, "g")
        used_up = tr("the time for binding the arguments ({seconds} s) was used up", seconds=seconds)
        with self._alone():
            # Not all of these are given each time, and the way is kept.
            _, named, _, contract, _ = self._request_of((), {**self.defaults, **kwargs}, None, 0)
            ways = self.ask("count_assignments", [named, contract])
            if type(ways) is not int:
                raise interference()
            if ways <= 1:
                return 0
            took, refused = self._took_arguments.copy(), self._refused.copy()
            with self._session.within(BINDING_S, used_up):
                way = find_binding(ways, self._binding_trials_or(kwargs), self._try_way)
            self._took_arguments, self._refused = took, refused  # what was tried alone says nothing
            return way

    def _binding_trials_or(self, config: Mapping[str, Any]) -> Iterator[BindingTrial]:
        """The trials; where there are none, one that constructs alone."""
        trials = iter(self.binding_trials())
        yield next(trials, BindingTrial(config))
        yield from trials

    def _trials_of_mapping(self) -> list[BindingTrial]:
        return [trial_of(answer) for answer in self.mapper.mapping_draws()[:1]]

    def _try_way(self, way: int, trial: BindingTrial) -> Tried:
        dtype = wire.NAMES[trial.dtype] if trial.dtype else self._dtype
        try:
            reply = self.ask("construct", self._request_of((), trial.config, dtype, way))
        except RaisedByStudent:
            return Tried()
        if type(reply) is not list or len(reply) != 4:
            raise interference()
        shapes = (checked_shapes(reply[1]) if reply[1] is not None else None) or {}
        if trial.arguments is None:
            return Tried(shapes)
        module = self.behind(reply[0])
        other = with_other_input(trial.arguments)
        try:
            answer = self.ask("infer", [module.target, self.as_read(trial.arguments)])
            again = self.ask("infer", [module.target, self.as_read(other)]) if other is not None else None
        except RaisedByStudent:
            return Tried(shapes)
        return Tried(shapes, answer, other is not None and same_answer(answer, again))

    def _set_value_or_problem(self, kind: Any, value: Any) -> None:
        if kind == "absent":
            self.problem, self.problem_limit = self.errors.explain_absence(self.source.symbol)
        else:
            self.problem = problem_with(self.source.symbol, kind, value)
        if kind == "tensor" and self.problem is None:
            self.value = value
