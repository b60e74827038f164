"""Which of a student's parameters holds which of the reference's, at any sizes.

Names are patterns: `*` stands for the number of a layer, `#` for the number of a head. So a mapping that was
found at one configuration can be used at every configuration.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.layouts import Layout
from graders.language import tr

LAYER, HEAD = "*", "#"
PLAIN = ("as it is", "transposed")  # layouts of a parameter that stands alone
Shape = tuple[int, ...]
Shapes = Mapping[str, Shape]


def shapes_of(values: Mapping[str, Tensor]) -> dict[str, Shape]:
    """The shapes of parameters by name."""
    return {name: tuple(value.shape) for name, value in values.items()}


def matches(pattern: str, name: str) -> re.Match[str] | None:
    """The match of a full name with a pattern; its groups are `layer` and `head`."""
    return _compile(pattern).fullmatch(name)


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    text = re.escape(pattern).replace(re.escape(LAYER), r"(?P<layer>\d+)", 1)
    return re.compile(text.replace(re.escape(HEAD), r"(?P<head>\d+)", 1))


class Undecidable(Exception):
    """It is undecided whether the module is right: its parameters cannot be matched with the reference's."""


class DoesNotFit(Exception):
    """A mapping cannot be applied: at this configuration the module has other parameters."""


@dataclass(frozen=True)
class ParameterRule:
    """What a parameter of the student's holds: the reference's `sources` (patterns of names), in a layout."""

    name: str
    sources: tuple[str, ...]
    layout: Layout

    def value(self, name: str, values: Mapping[str, Tensor], heads: int) -> Tensor | None:
        """The value of the student's parameter `name`; None where this rule is for another name."""
        match = matches(self.name, name)
        if match is None:
            return None
        numbers = match.groupdict()
        sources = [source.replace(LAYER, numbers.get("layer", LAYER)) for source in self.sources]
        try:
            whole = self.layout.make([values[source] for source in sources], heads)
            return whole[int(numbers["head"])] if "head" in numbers else whole
        except (KeyError, IndexError, RuntimeError) as error:
            raise DoesNotFit(name) from error

    def fitted(self, value: Tensor, shape: Shape) -> Tensor:  # noqa: ARG002 - for tables that have more rows
        """The value in the shape that the student's parameter has."""
        return value

    def source_of(self, name: str) -> str | None:
        """The one parameter that the student's `name` is, as it is; None where it holds others."""
        match = matches(self.name, name)
        if match is None or len(self.sources) != 1 or self.layout.description != PLAIN[0]:
            return None
        return self.sources[0].replace(LAYER, match.groupdict().get("layer", LAYER))

    @property
    def says(self) -> str:
        """`qkv.weight: W_q.weight, W_k.weight (one below the other)`; empty where the name is the same."""
        if self.sources == (self.name,) and self.layout.description == "as it is":
            return ""
        names = {"name": self.name, "sources": ", ".join(self.sources)}
        if self.layout.description == "as it is":
            return tr("{name}: {sources}", **names)
        return tr("{name}: {sources} ({layout})", layout=tr(self.layout.description), **names)


@dataclass(frozen=True)
class JoinedRule(ParameterRule):
    """What a matrix holds whose parts, side by side along `axis`, hold `sources` in turn."""

    layouts: tuple[Layout, ...] = ()
    axis: int = 1

    def value(self, name: str, values: Mapping[str, Tensor], heads: int) -> Tensor | None:
        """The value of the student's parameter `name`; None where this rule is for another name."""
        parts: list[Tensor] = []
        sources = list(self.sources)
        for layout in self.layouts:
            own = tuple(sources.pop(0) for _ in range(layout.count))
            part = ParameterRule(self.name, own, layout).value(name, values, heads)
            if part is None:
                return None
            parts.append(part)
        return torch.cat(parts, self.axis)


@dataclass(frozen=True)
class ParameterMapping:
    """How a student's module keeps the reference's parameters.

    Attributes:
        rules: what the student's parameters hold.
        absent: biases of the reference's (patterns of names) that the module lacks.
        extra: the student's parameters (patterns) that hold nothing of the reference's: biases too many.
        ones: those of them that are gains of norms, and stay one.
        foreign: those of them that are matrices, of layers too many, and keep the values that they have.
        proven: the module, loaded by this mapping, gave on fresh draws the answers of the reference or of a
            known mistake.
        complete: no other mapping is left that could be tried.
    """

    rules: tuple[ParameterRule, ...]
    absent: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    ones: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    proven: bool = False
    complete: bool = True

    def apply(self, values: Mapping[str, Tensor], shapes: Shapes, heads: int) -> dict[str, Tensor]:
        """The reference's values under the student's names, without the student's extra parameters.

        Args:
            values: by the reference's names.
            shapes: the student's parameters.
            heads: H of the configuration.

        Raises:
            DoesNotFit: a parameter of the student's has no rule, or another shape.
        """
        converted = {}
        for name, shape in shapes.items():
            if any(matches(pattern, name) for pattern in self.extra):
                continue
            found = ((r, r.value(name, values, heads)) for r in self.rules)
            value = next((r.fitted(v, shape) for r, v in found if v is not None), None)
            if value is None or tuple(value.shape) != shape:
                raise DoesNotFit(name)
            converted[name] = value
        return converted

    def neutral_values(self, shapes: Shapes) -> dict[str, Tensor]:
        """Values for the student's extra parameters that change nothing: zeros, and ones for gains."""
        return {
            name: torch.full(shape, float(any(matches(pattern, name) for pattern in self.ones)))
            for name, shape in shapes.items()
            if any(matches(pattern, name) for pattern in self.extra if pattern not in self.foreign)
        }

    def names_absent(self, names: Iterable[str]) -> frozenset[str]:
        """Those of the reference's names that the module lacks."""
        return frozenset(name for name in names if any(matches(pattern, name) for pattern in self.absent))

    def names_due(self, shapes: Shapes) -> dict[str, str]:
        """The reference's name of each of the student's parameters; {} unless each is one as it is."""
        found = {name: source for name in shapes for rule in self.rules if (source := rule.source_of(name))}
        return found if len(found) == len(shapes) == len({*found.values()}) else {}

    @property
    def is_plain(self) -> bool:
        """Whether each parameter is one of the reference's, under whatever name: no layers are joined."""
        return not self.foreign and all(
            len(rule.sources) == 1 and rule.layout.description in PLAIN for rule in self.rules
        )

    @property
    def says(self) -> str:
        """Which parameter was matched with which, without those that have the same name."""
        return tr("; ").join(rule.says for rule in self.rules if rule.says)
