"""The checks that nearly every exercise about attention has, beside those of `ModuleChecks`.

A module takes states (B, S, E) or ids (B, S), and mostly a mask as its second argument. How the mask is read
stands in the exercise's options.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Unpack

import torch
from torch import Tensor

from graders.check_api import mask_properties, properties, variation
from graders.check_api.candidate import Candidate, Module
from graders.check_api.check import Check
from graders.check_api.compare import alike, require, shaped
from graders.check_api.mask_sense import Sense
from graders.check_api.standard_checks.module_checks import ModuleChecks, Own
from graders.check_api.strategies.attention_masks import additive, causal_mask
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import normal
from graders.check_api.variation import Varied, vary
from graders.language import tr, translatable

NOT_ATTENDED = translatable(
    "the output at position {seen} does not depend on position {changed}: it is not attended to"
)
LEAST_CHANGE = 1e-5  # of the largest value: more than rounding
SMALL, LARGE = 0.05, 1e4  # of an input: small beside the epsilon of a norm, and large


@dataclass(frozen=True)
class AttentionChecks(ModuleChecks):
    """What the checks of a module with attention have in common."""

    def takes_masks_of_every_shape(
        self,
        *,
        points: float,
        otherwise: Callable[[Module, Any], None] = variation.takes_the_mask_written_out,
        **own: Unpack[Own],
    ) -> Check:
        """A check of masks of several shapes, which are in its `given`.

        Args:
            points: its weight.
            otherwise: what is required of the module where its output without a mask is wrong.
            own: what is otherwise.
        """

        def takes_masks_of_every_shape(candidate: Candidate, draw: Given, answer: Varied) -> None:
            """masks of several shapes all act, and change nothing else

            fr: les masques de plusieurs formes agissent tous, et ne changent rien d'autre
            """
            says = tr("the output under the mask")
            variation.agree_in_variation(candidate, answer, otherwise, self._answer, says)

        answer = vary(variation.drop_mask, self._reference_answer)
        return self._make(takes_masks_of_every_shape, points, own, answer=answer)

    def ignores_what_is_masked(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that keys which are masked for all queries have no influence."""

        def ignores_what_is_masked(candidate: Candidate, draw: Given) -> None:
            """what is masked for all queries has no influence on any other position

            fr: ce qui est masqué pour toutes les requêtes n'a d'influence sur aucune autre position
            """
            module = candidate.with_random_weights(draw.seed, **draw.config)
            x, *others = draw.without_mask().arguments
            mask_properties.ignores_masked_keys(
                lambda x, hidden: self._output(module, x, *others, self._write_mask(hidden)), x, draw.seed
            )

        return self._make(ignores_what_is_masked, points, own, given=self._roomy)

    def hides_what_the_mask_hides(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the mask of a causal module, which can hide one position from all others."""

        def hides_what_the_mask_hides(candidate: Candidate, draw: Given) -> None:
            """what attention_mask hides from all other positions changes none of their outputs

            fr: ce qu'attention_mask cache à toutes les autres positions ne change aucune de leurs sorties
            """
            module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.arguments[0]
            position = draw.seed % (x.shape[1] - 1)
            mask_properties.hides_what_is_masked(module, x, change_at(draw, position), position)

        return self._make(hides_what_the_mask_hides, points, own, given=self._roomy)

    def does_not_look_ahead(
        self, *, points: float, causal: bool = True, starts: bool = False, **own: Unpack[Own]
    ) -> Check:
        """A check that later positions change no earlier output.

        Args:
            points: its weight.
            causal: whether the module is causal by itself; otherwise it gets a causal mask.
            starts: whether the first positions alone must have the same outputs, too.
            own: what is otherwise.
        """

        def does_not_look_ahead(candidate: Candidate, draw: Given) -> None:
            """a change at the last position changes the last output alone

            fr: un changement à la dernière position ne change que la dernière sortie
            """
            module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.arguments[0]
            masks = [] if causal else [causal_mask(x.shape[1])]
            arguments = [*draw.without_mask().arguments, *masks]
            self._changes_the_end_alone(module, arguments, change_at(draw, -1))
            if starts:
                mask_properties.knows_no_future_at_its_length(module, x, change_at(draw, -1))

        return self._make(does_not_look_ahead, points, own, given=self._roomy)

    def looks_back_at_any_length(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that a causal module sees all that came before, and answers each start as in the whole."""

        def looks_back_at_any_length(candidate: Candidate, draw: Given) -> None:
            """the first positions alone give the same output, and the last output depends on the first one

            fr: les premières positions seules donnent la même sortie, et la dernière sortie dépend de la
            première position
            """
            module = candidate.with_random_weights(draw.seed, **draw.config)
            output = mask_properties.knows_no_future(module, draw.arguments[0])
            after = self._output(module, change_at(draw, 0))
            shaped(after, tuple(output.shape))
            message = tr("the last output does not depend on the first position")
            require(not torch.equal(after[:, -1], output[:, -1]), message)

        return self._make(looks_back_at_any_length, points, own, given=self._roomy)

    def knows_no_order(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that positions in another order have the outputs in that order, and see one another."""

        def knows_no_order(candidate: Candidate, draw: Given) -> None:
            """without a mask, positions in another order give the outputs in that order

            fr: sans masque, des positions dans un autre ordre donnent les sorties dans cet ordre
            """
            module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.arguments[0]
            output = self._output(module, x)
            shaped(output, self.shape(draw))
            alike(self._output(module, x.roll(1, 1)), output.roll(1, 1), tr("the output for another order"))
            for changed, seen in ((0, -1), (-1, 0)):
                after = self._output(module, change_at(draw, changed))
                message = tr(NOT_ATTENDED, seen=seen, changed=changed)
                require(
                    after.shape != output.shape or not torch.equal(after[:, seen], output[:, seen]), message
                )

        return self._make(knows_no_order, points, own, given=self._roomy)

    def knows_neither_order_nor_batch(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the order of positions and of sequences."""

        def knows_neither_order_nor_batch(candidate: Candidate, draw: Given) -> None:
            """positions or sequences in another order give the outputs in that order; each stands alone

            fr: un autre ordre des positions ou des séquences donne les sorties dans cet ordre ; chaque
            séquence est traitée seule
            """
            module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.arguments[0]
            output = self._treat_sequences_apart(module, draw)
            turned = self._output(module, x.roll(1, 1).flip(0))
            alike(turned, output.roll(1, 1).flip(0), tr("the output for another order"))

        return self._make(knows_neither_order_nor_batch, points, own, given=self._roomy)

    def knows_the_order_of_what_came_before(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that a causal module with positions tells earlier ones in another order apart."""

        def knows_the_order_of_what_came_before(candidate: Candidate, draw: Given) -> None:
            """earlier positions in another order give another last output: their distance matters

            fr: des positions précédentes dans un autre ordre donnent une autre dernière sortie : leur
            distance compte
            """
            module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.arguments[0]
            if not x.is_floating_point():  # ids of which some are equal may read the same from behind
                x = (1 + torch.arange(x.shape[1]) % (draw.config["vocab_size"] - 1)).expand(x.shape).clone()
            turned = torch.cat([x[:, :-1].flip(1), x[:, -1:]], 1)
            before, after, again = (self._output(module, given) for given in (x, turned, x))
            for output in (before, after):
                shaped(output, self.shape(draw))
            alike(again, before.detach(), tr("the output of the second call"))
            change = (after - before)[:, -1].abs().max()
            message = tr(
                "the last output is the same where the positions before it stand the other way round"
            )
            require(bool(change > LEAST_CHANGE * before.abs().max()), message)

        own = {"given": self.draws(least=4), **own}
        return self._make(knows_the_order_of_what_came_before, points, own)

    def normalises_small_inputs_too(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the epsilon of norms, for states as input; `draws` takes `scale`."""

        def enlarge(draw: Any) -> Any:
            name = draw.argument_names[0]
            return replace(draw, **{name: draw.arguments[0] * LARGE})

        def normalises_small_inputs_too(candidate: Candidate, draw: Given, answer: Varied) -> None:
            """small inputs are normalised as large ones are: the norms' eps is 1e-5 or less

            fr: de petites entrées sont normalisées comme de grandes : l'eps des normes vaut 1e-5 ou moins
            """
            variation.agree_in_variation(candidate, answer, answered=self._answer)

        answer = vary(enlarge, self._reference_answer)
        return self._make(
            normalises_small_inputs_too, points, own, given=self.draws(scale=SMALL), answer=answer
        )

    def is_four_times_as_wide_by_default(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the inner width of a feed-forward network, where `ff_dim` is left out."""

        def is_four_times_as_wide_by_default(candidate: Candidate, draw: Given) -> None:
            """without ff_dim, the inner width of the feed-forward network is 4 * E

            fr: sans ff_dim, la largeur intérieure du réseau feed-forward est 4 * E
            """
            properties.is_four_times_as_wide(candidate, draw.config["embed_dim"], draw.config["num_heads"])

        return self._make(is_four_times_as_wide_by_default, points, own, shape_only=True)

    def _write_mask(self, hidden: Tensor) -> Tensor:
        """A bool mask (B, 1, 1, S), True = hidden, as the exercise writes masks."""
        mask = self.options.mask
        if mask is not None and not mask.heads:  # (B, S, S): that shorter ones act is for another check
            return hidden[:, 0].expand(-1, hidden.shape[-1], -1).contiguous()
        return additive(hidden) if mask is not None and mask.sense is Sense.ADDS else hidden

    def _changes_the_end_alone(self, module: Module, arguments: list[Any], changed: Tensor) -> None:
        before, after = self._output(module, *arguments), self._output(module, changed, *arguments[1:])
        shaped(after, tuple(before.shape))
        properties.begins_like(changed, before)
        alike(after[:, :-1], before[:, :-1], tr("the output before the change"))
        message = tr("the output at the changed position did not change")
        require(not torch.equal(after[:, -1], before[:, -1]), message)


def change_at(draw: Given, position: int) -> Tensor:
    """The first argument with other values at one position: states, or ids below `vocab_size`."""
    changed: Tensor = draw.arguments[0].clone()
    if changed.is_floating_point():
        values = changed[:, position]
        changed[:, position] += normal(*values.shape, seed=draw.seed + 1, dtype=changed.dtype)
    else:
        changed[:, position] = (changed[:, position] + 1) % draw.config["vocab_size"]
    return changed
