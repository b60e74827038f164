"""The list of strangers' code: where each answer lies, and the verdict that a person gives after reading it.

The list holds pointers and facts. The code itself lies in local clones and is never part of this project.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "repositories"

PARAMETERS = {
    "multi_head_attention": "has_four_layers_with_bias",
    "self_attention": "has_three_layers_with_bias",
    "list_of_heads": "has_heads_and_a_projection",
    "layer_norm": "has_a_gain_and_a_shift",
    "cross_attention": "has_four_layers_with_bias",
    "decoder_layer": "has_the_parameters_of_its_parts",
    "bert_attention": "has_four_layers_with_bias",
    "gpt_attention": "has_four_layers_with_bias",
    "causal_head": "has_three_layers_without_bias",
    "feed_forward": "has_two_layers_with_bias",
    "bert_feed_forward": "has_two_layers_with_bias",
    "gpt_feed_forward": "has_two_layers_with_bias",
    "transformer_block": "has_the_parameters_of_its_parts",
    "bert_layer": "has_the_parameters_of_its_parts",
    "gpt_block": "has_the_parameters_of_its_parts",
    "bert_encoder": "has_the_parameters_of_all_layers",
    "bert_model": "has_the_parameters_of_its_parts",
    "gpt_model": "has_the_parameters_of_its_parts",
}
SENSE = {
    "scaled_dot_product_attention": "gives_masked_keys_no_weight",
    "multi_head_attention": "ignores_what_is_masked",
    "self_attention": "ignores_what_is_masked",
    "cross_attention": "ignores_what_is_masked",
    "decoder_layer": "ignores_what_is_masked",
    "bert_attention": "sees_nothing_of_what_is_masked",
    "gpt_attention": "hides_what_the_mask_hides",
    "transformer_block": "ignores_what_is_masked",
    "bert_layer": "sees_nothing_of_what_is_masked",
    "bert_encoder": "sees_nothing_of_what_is_masked",
    "bert_model": "answers_as_without_padding",
}
AXES = {
    "scaled_dot_product_attention": "applies_any_mask_that_broadcasts",
    "multi_head_attention": "obeys_masks_of_every_shape",
    "self_attention": "obeys_masks_of_every_shape",
    "cross_attention": "obeys_masks_of_every_shape",
    "decoder_layer": "hands_each_mask_to_its_attention",
    "bert_attention": "adds_masks_of_every_shape",
    "transformer_block": "hands_the_mask_to_the_attention",
    "bert_layer": "hands_the_mask_to_the_attention",
    "bert_encoder": "hands_the_mask_to_every_layer",
}
FORM = {
    "scaled_dot_product_attention": "answers_with_output_and_weights",
    "multi_head_attention": "answers_with_output_and_weights",
    "self_attention": "answers_with_output_and_weights",
    "cross_attention": "answers_with_output_and_weights",
}
WIDTH = "refuses_a_width_it_cannot_split"
DROPS = "drops_in_training_only"
DEFAULT = dict.fromkeys(
    ("feed_forward", "transformer_block", "decoder_layer"), "is_four_times_as_wide_by_default"
)
TABLES = {"bert_embeddings": "has_three_tables_and_a_norm"}
MEMORY_WIDTH = {"cross_attention": "takes_a_memory_of_another_width"}
EPSILON = {"layer_norm": "adds_the_epsilon_that_it_is_given"}
ONE_TENSOR = "keeps_the_shape"
# What a person sees, and the check that it costs: for all exercises, or by exercise.
FACTS: dict[str, str | dict[str, str]] = {
    "no_biases": PARAMETERS,  # some are missing
    "own_width": PARAMETERS,  # the constructor takes no inner width
    "two_segments": PARAMETERS,  # their number is fixed
    "own_default": DEFAULT,  # the inner width has another value where none is given
    "no_default": DEFAULT,  # the inner width must be given, or an argument that the contract has not
    "globals": PARAMETERS | TABLES,  # sizes are read from global variables
    "opposite_mask": SENSE,  # the mask has another sense: the opposite, numbers, or added to the scores
    "mask_axes": AXES,  # some masks that broadcast are not taken
    "mask_needed": AXES | {"bert_model": SENSE["bert_model"]},  # a mask must be given
    "output_alone": FORM,  # the weights do not come beside the output
    "any_width": WIDTH,  # a width that the heads do not divide is no error
    "no_dropout": DROPS,  # none acts in training, or its rate is fixed
    "for_each_query": {"padding_mask": "is_a_bool_mask_of_four_axes"},  # written out for all queries
    "no_negative_index": {"cross_entropy": "ignores_what_is_to_be_ignored"},  # it raises for such a target
    "fixed_head_width": {"list_of_heads": "has_heads_and_a_projection"},  # the heads share the model's
    "memory_as_wide": MEMORY_WIDTH,  # the memory is as wide as the input
    "fixed_eps": EPSILON,  # the constructor takes none
    "shifted_at_first": {"layer_norm": "begins_with_mean_0_and_variance_1"},  # its shift is no zero
    "pair": ONE_TENSOR,  # something comes beside the one tensor that is due
    "no_narrow_window": {"local_attention": "takes_a_narrow_window"},  # it raises for one of 0 or of 1
    "no_layer": {"receptive_field": "begins_with_the_position_itself"},  # it raises without layers
}


@dataclass(frozen=True)
class Answer:
    """A piece of a stranger's code, as an answer to one exercise.

    Attributes:
        repository: owner and name.
        commit: the commit that was read.
        exercise: the exercise that it is handed in for.
        symbol: the stranger's own name of it.
        at: the file and the lines where it stands; in a notebook, the lines of all code cells counted on.
        files: other files of the repository that it imports from.
        shim: what is put behind the file, where `Theirs` is the symbol; empty for the name alone.
        costs: the checks that its deviations cost.
        may_cost: checks that it may lose or not: a person would not decide.
        raises: the error that the code ends in, whatever it is asked; or empty.
        mistakes: names of known mistakes that truly describe what is wrong in it; empty for right code.
        also: names of known mistakes that describe its deviations beside that.
    """

    repository: str
    commit: str
    exercise: str
    symbol: str
    at: str
    files: tuple[str, ...]
    shim: str
    costs: frozenset[str]
    may_cost: frozenset[str]
    raises: str
    mistakes: frozenset[str]
    also: frozenset[str]

    @property
    def path(self) -> str:
        """The file in which it stands."""
        return self.at.rpartition(":")[0]


def read_corpus() -> list[Answer]:
    """All answers of the list."""
    return [answer for path in sorted(FOLDER.glob("*.toml")) for answer in _answers(path)]


def _answers(path: Path) -> Iterator[Answer]:
    for repository in tomllib.loads(path.read_text(encoding="utf-8"))["repository"]:
        for entry in repository["answers"]:
            yield _answer(repository, entry)


def _answer(repository: dict[str, Any], entry: dict[str, Any]) -> Answer:
    exercise = entry["exercise"]
    return Answer(
        repository=repository["name"],
        commit=repository["commit"],
        exercise=exercise,
        symbol=entry["symbol"],
        at=entry["at"],
        files=tuple(repository.get("files", ())),
        shim=entry.get("shim", ""),
        costs=frozenset(_check(fact, exercise) for fact in entry.get("but", ())),
        may_cost=frozenset(_check(fact, exercise) for fact in entry.get("perhaps", ())),
        raises=entry.get("raises", ""),
        mistakes=frozenset(entry.get("wrong", ())),
        also=frozenset(entry.get("also", ())),
    )


def _check(fact: str, exercise: str) -> str:
    check = FACTS[fact]
    return check if isinstance(check, str) else check[exercise]
