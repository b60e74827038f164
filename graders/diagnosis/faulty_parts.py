"""Tell a wrong module from one with wrong parts: run the reference's module with the student's parts.

A block contains an attention; where the attention is wrong, the block's checks fail too. But a block is
itself right if it answers as the reference's block does with that same attention inside. The parts stay in
the box and are called there: they never see the reference.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from graders.candidate.local_candidate import LocalModule
from graders.candidate.parameter_mapping.mapper import ParameterMapper, Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.remote_values import RemoteModule
from graders.candidate.set_weights import load_random_weights
from graders.check_api.answer_form import form_of, tensors_of
from graders.check_api.check import Gradients, Module, Raised, Violation
from graders.check_api.reference_answer import ReferenceAnswer, Variant
from graders.diagnosis.fingerprint import close


class Unlike(Violation):
    """The student's module does not have the same parts as the reference's."""


class PatchedReference:
    """A candidate: `whole`, the reference's class, with the student's parts named in `symbols`.

    `variant` turns the reference into an equally correct variant.
    """

    def __init__(
        self,
        whole: Any,
        candidate: RemoteCandidate,
        symbols: Iterable[str],
        variant: Variant = lambda model: model,
    ) -> None:
        self.value: Tensor | None = None
        self.mapper: ParameterMapper = candidate.mapper
        self._whole = whole
        self._candidate = candidate
        self._symbols = set(symbols)
        self._variant = variant

    def same(self, answers: Sequence[ReferenceAnswer]) -> bool:
        """Whether the student's module answers as this one does: then only the parts are wrong.

        Both may raise on a draw, because of a part; but on at least one draw both must answer.
        """
        agreements = [self._same_on(answer) for answer in answers]
        return True in agreements and False not in agreements

    def construct(self, *args: Any, **kwargs: Any) -> Module:
        """The reference's module around the student's parts, in evaluation mode."""
        return self._around(self._candidate.construct(*args, **kwargs), self._whole(*args, **kwargs))

    def with_random_weights(self, seed: int, **config: Any) -> Module:
        """The same with small random parameters from a seed."""
        return load_random_weights(self.construct(**config), seed)

    def with_reference_weights(self, answer: ReferenceAnswer) -> Module:
        """The same with the reference's parameters and dtype, mapped to the student's names in the parts."""
        theirs = self._candidate.with_reference_weights(answer)
        ours = self._whole(**answer.draw.config).to(answer.draw.dtype)
        ours.load_state_dict(dict(answer.parameters), strict=False)
        return self._around(theirs, ours)

    def _same_on(self, answer: ReferenceAnswer) -> bool | None:
        """Whether both answer the same; None where both raise."""
        theirs, mixed = (_answer(candidate, answer) for candidate in (self._candidate, self))
        if theirs is None and mixed is None:
            return None
        pairs = zip(tensors_of(theirs), tensors_of(mixed), strict=False)
        return form_of(theirs) == form_of(mixed) and all(close(a, b) for a, b in pairs)

    def _around(self, theirs: Module, ours: nn.Module) -> Module:
        ours = self._variant(ours)
        places = list(topmost(ours, self._symbols))
        assert isinstance(theirs, RemoteModule)
        parts = theirs.parts(sorted(self._symbols))
        if [name for name, _ in parts] != [type(ours.get_submodule(place)).__name__ for place in places]:
            raise Unlike("the parts are others")
        remotes = {place: _RemotePart(part) for place, (_, part) in zip(places, parts, strict=True)}
        for place, remote in remotes.items():
            ours.set_submodule(place, remote)
        return _Mixed(ours.eval(), remotes)


def patched_reference(
    whole: Any,
    candidate: RemoteCandidate,
    symbols: Iterable[str],
    variants: Iterable[Variant],
    answers: Sequence[ReferenceAnswer],
) -> PatchedReference | None:
    """The reference with the student's parts, if it answers as the student's module does; else None.

    Args:
        whole: the reference's class.
        candidate: the student's.
        symbols: the classes that are known to be wrong.
        variants: functions that turn the reference into an equally correct variant.
        answers: the reference's answers to fresh draws.
    """
    wrong = set(symbols)
    if not answers or not any(topmost(whole(**answers[0].draw.config), wrong)):
        return None
    for variant in (lambda model: model, *variants):
        patched = PatchedReference(whole, candidate, wrong, variant)
        try:
            if patched.same(answers):
                return patched
        except (Violation, Raised, Undecidable):
            return None
    return None


def _answer(candidate: RemoteCandidate | PatchedReference, answer: ReferenceAnswer) -> Any:
    module = candidate.with_reference_weights(answer)
    try:
        return module(*answer.draw.arguments)
    except Raised:
        return None


def topmost(module: nn.Module, symbols: set[str]) -> Iterable[str]:
    """The paths of the outermost sub-modules of these classes."""
    for name, child in module.named_children():
        if type(child).__name__ in symbols:
            yield name
        else:
            yield from (f"{name}.{place}" for place in topmost(child, symbols))


class _Mixed(LocalModule):
    """A module in this process, with some of its parts in the box."""

    def __init__(self, module: nn.Module, remotes: Mapping[str, "_RemotePart"]) -> None:
        super().__init__(module)
        self._remotes = remotes

    def parameters(self) -> dict[str, Tensor]:
        """Its own parameters, then those of its parts."""
        inside = {
            f"{p}.{n}": v for p, remote in self._remotes.items() for n, v in remote.part.parameters().items()
        }
        return {**super().parameters(), **inside}

    @property
    def frozen(self) -> frozenset[str]:
        """The names of its frozen parameters, its own and those of its parts."""
        inside = (f"{place}.{name}" for place, remote in self._remotes.items() for name in remote.part.frozen)
        return super().frozen.union(inside)

    def load(self, parameters: Mapping[str, Tensor], dtype: torch.dtype | None = None) -> Module:
        """Set parameters by name, in the parts too, in another dtype if one is given."""
        if dtype is not None:
            self.to(dtype)
        left = dict(parameters)
        for place, remote in self._remotes.items():
            inside = {name: left.pop(name) for name in list(left) if name.startswith(f"{place}.")}
            remote.part.load({name.removeprefix(f"{place}."): value for name, value in inside.items()})
        return super().load(left)

    def to(self, dtype: torch.dtype) -> Module:
        """Change its floating-point dtype, and that of its parts."""
        for remote in self._remotes.values():
            remote.part.to(dtype)
        return super().to(dtype)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The gradients, including those of the parts' parameters."""
        own = super().gradients(*args, upstream=upstream)
        inside = {f"{p}.{n}": v for p, remote in self._remotes.items() for n, v in remote.taught.items()}
        return Gradients(own.answer, own.inputs, {**own.parameters, **inside})


class _RemotePart(nn.Module):
    """A module that calls a part in the box. `taught` holds the gradients of the part's parameters."""

    def __init__(self, part: RemoteModule) -> None:
        super().__init__()
        self.part = part
        self.taught: dict[str, Tensor | None] = {}

    def forward(self, *args: Any) -> Any:
        """The part's answer, with a backward pass if an argument requires gradients."""
        given = [a if isinstance(a, Tensor) else None for a in args]
        if not any(a is not None and a.requires_grad for a in given):
            return self.part(*given)
        single: list[bool] = []
        answers = _RemoteCall.apply(self, single, *given)  # type: ignore[no-untyped-call]
        return answers[0] if single[0] else answers

    def train(self, mode: bool = True) -> "_RemotePart":
        """Training or evaluation mode, in the box."""
        self.part.train(mode)
        return super().train(mode)


class _RemoteCall(torch.autograd.Function):
    """A call of a part, with its backward pass."""

    @staticmethod
    def forward(
        ctx: Any, remote: _RemotePart, single: list[bool], *args: Tensor | None
    ) -> tuple[Tensor, ...]:
        answer = remote.part(*[None if a is None else a.detach() for a in args])
        single.append(isinstance(answer, Tensor))
        ctx.remote, ctx.args = remote, args
        return tuple(tensors_of(answer))

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor | None) -> tuple[Any, ...]:
        gradients = ctx.remote.part.gradients(
            *[None if a is None else a.detach() for a in ctx.args], upstream=upstream
        )
        ctx.remote.taught = dict(gradients.parameters)
        inputs = iter(gradients.inputs)
        return (None, None, *[next(inputs, None) if _differs(a) else None for a in ctx.args])


def _differs(argument: Tensor | None) -> bool:
    return argument is not None and argument.is_floating_point()
