"""Which of a student's parameters holds which of the reference's, for any sizes.

Names are kept as patterns: `*` stands for the number of a layer, `#` for the number of a head, so that a
rule that was found at one configuration serves at all.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from torch import Tensor

from graders.candidate.parameter_mapping.layouts import Layout
from graders.language import tr

LAYER, HEAD = "*", "#"
Shape = tuple[int, ...]
Shapes = Mapping[str, Shape]


class DoesNotFit(Exception):
    """A rule cannot be applied: at this configuration the parameters are others."""


@dataclass(frozen=True)
class ParameterRule:
    """One parameter of the student's: it holds `sources`, patterns of the reference's names, in a form."""

    name: str
    sources: tuple[str, ...]
    form: Layout

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        text = re.escape(self.name)
        text = text.replace(re.escape(LAYER), r"(?P<layer>\d+)", 1).replace(
            re.escape(HEAD), r"(?P<head>\d+)", 1
        )
        return re.compile(text)

    def value(self, name: str, values: Mapping[str, Tensor], heads: int) -> Tensor | None:
        """What stands under `name`; None where the recipe is for another name."""
        found = self._pattern.fullmatch(name)
        if found is None:
            return None
        numbers = found.groupdict()
        sources = [source.replace(LAYER, numbers.get("layer", LAYER)) for source in self.sources]
        try:
            whole = self.form.make([values[source] for source in sources], heads)
            return whole[int(numbers["head"])] if "head" in numbers else whole
        except (KeyError, IndexError, RuntimeError) as error:
            raise DoesNotFit(name) from error

    @property
    def says(self) -> str:
        """`qkv.weight: W_q.weight, W_k.weight (one below the other)`; empty where the name is the same."""
        if self.sources == (self.name,) and self.form.says == "as it is":
            return ""
        told = {"name": self.name, "sources": ", ".join(self.sources)}
        if self.form.says == "as it is":
            return tr("{name}: {sources}", **told)
        return tr("{name}: {sources} ({form})", form=tr(self.form.says), **told)


@dataclass(frozen=True)
class ParameterMapping:
    """How a student's module keeps the reference's parameters.

    `proven` tells that with it the module answered as the reference does, on fresh numbers; `complete`
    that no other way of matching them is left to be tried.
    """

    recipes: tuple[ParameterRule, ...]
    proven: bool = False
    complete: bool = True

    def apply(self, values: Mapping[str, Tensor], shapes: Shapes, heads: int) -> dict[str, Tensor]:
        """The reference's values under the student's names.

        Args:
            values: by the reference's names.
            shapes: the student's parameters.
            heads: H of the configuration.

        Raises:
            DoesNotFit: a parameter of the student's has no recipe here, or another shape.
        """
        made = {}
        for name, shape in shapes.items():
            value = next((v for r in self.recipes if (v := r.value(name, values, heads)) is not None), None)
            if value is None or tuple(value.shape) != shape:
                raise DoesNotFit(name)
            made[name] = value
        return made

    @property
    def says(self) -> str:
        """What was taken for what, without what has its own name."""
        return tr("; ").join(recipe.says for recipe in self.recipes if recipe.says)
