"""Answers of the reference and of known mistakes to the diagnostic draws.

Hundreds of pairs of mistakes are tried on the first draw, and to make a module costs more than to call it.
Mistakes with one constructor have the same modules: they are called on those that they share.
"""

import contextlib
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from graders.candidate.local_candidate import LocalCandidate, LocalModule
from graders.candidate.parameter_mapping.mapping import shapes_of
from graders.check_api.answer_form import tensors_of
from graders.check_api.candidate import Raised
from graders.check_api.quick_linear import quick_linear
from graders.check_api.strategies.tensors import weights
from graders.check_api.variants import Variant
from graders.diagnosis.fingerprint import SEED, is_behaviour_trial
from graders.diagnosis.part_mistakes import with_part


class OwnAnswers:
    """What classes and functions of ours answer to the draws, under the weights that a draw's seed gives.

    Args:
        reference: the reference's class or function.
        draws: the diagnostic draws.
        symbol: the name of the reference's class, where `reference` is a mistake.
    """

    def __init__(self, reference: Any, draws: Sequence[Any], symbol: str = "") -> None:
        self._symbol = symbol or reference.__name__
        self._draws = draws
        self._shared: dict[tuple[Any, Variant | None, int, frozenset[str]], nn.Module | None] = {}
        self._parts: dict[nn.Module, list[nn.Module]] = {}

    def answer(
        self,
        symbol: Any,
        variant: Variant | None,
        parts: Sequence[Any],
        number: int,
        absent: frozenset[str] = frozenset(),
        seed: int = SEED,
    ) -> Sequence[Tensor]:
        """The tensors of the answer to a draw, where these biases are zero.

        None where it raises, and to a draw of behaviour, which is compared as a whole.

        Args:
            symbol: the class or function.
            variant: the accepted variant of it, or None.
            parts: the mistakes that its parts make.
            number: the draw's.
            absent: the names of the biases.
            seed: of the call.
        """
        draw = self._draws[number]
        if is_behaviour_trial(draw):
            return []
        try:
            called = self._called(symbol, variant, number, absent)
            with torch.no_grad(), contextlib.ExitStack() as stack:
                for part in parts:
                    stack.enter_context(with_part(called.symbol, part))
                torch.default_generator.manual_seed(seed)
                answer = called(*draw.arguments)
        except Raised:
            return []
        return tensors_of(draw.normalise(answer) if hasattr(draw, "normalise") else answer)

    def _called(self, symbol: Any, variant: Variant | None, number: int, absent: frozenset[str]) -> Any:
        draw = self._draws[number]
        if not hasattr(draw, "config"):
            return LocalCandidate(symbol)
        maker = _maker(symbol, self._symbol)
        if maker is not None:
            key = maker, variant, number, absent
            if key not in self._shared:
                self._shared[key] = self._made(maker, variant, number, absent)
            if shared := self._shared[key]:
                if any(part.training for part in self._parts_of(shared)):  # a mistake may have left them so
                    shared.eval()
                module = object.__new__(symbol)
                vars(module).update(vars(shared))
                return LocalModule(module)
        answer = self._made(symbol, variant, number, absent)
        if answer is None:
            raise Raised("", "at construction")
        return LocalModule(answer)

    def _parts_of(self, shared: nn.Module) -> list[nn.Module]:
        """The module and all within it: to look at each takes less than to set the mode of each."""
        if shared not in self._parts:
            self._parts[shared] = list(shared.modules())
        return self._parts[shared]

    def _made(
        self, symbol: Any, variant: Variant | None, number: int, absent: frozenset[str]
    ) -> nn.Module | None:
        """A module with its weights; None where the configuration is refused."""
        draw = self._draws[number]
        try:
            with quick_linear():
                module = symbol(**draw.config)
        except Exception:  # some mistakes refuse what the reference takes, and all refuse some widths
            return None
        module = (variant(module) if variant else module).eval().to(draw.dtype)
        named = dict(module.named_parameters())
        with torch.no_grad():
            for name, value in weights(shapes_of(named), draw.seed, dtype=draw.dtype).items():
                named[name].copy_(torch.zeros_like(value) if name in absent else value)
        return module


def _maker(symbol: Any, name: str) -> Any:
    """The ancestor with the constructor of the symbol; None where two constructors work together.

    Mistakes come from a copy of their file, and override the reference of that copy, which has this name.
    """
    constructing = [c for c in symbol.__mro__ if "__init__" in vars(c)]
    of_reference = next((n for n, c in enumerate(constructing) if c.__name__ == name), None)
    if of_reference is None:
        return None
    same = [c for c in constructing[0].__mro__ if "__init__" in vars(c)] == constructing
    return constructing[0] if same else None
