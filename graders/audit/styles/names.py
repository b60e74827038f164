"""Styles of names: parameters, attributes and variables under other names."""

from graders.audit.styles.answer_code import (
    AnswerCode,
    calls_of,
    names_in,
    parameters_of,
    rename_keywords,
    rename_variables,
)
from graders.audit.styles.style import Choice, Style, words

# Letters of papers, words of other libraries, French, nonsense: some mean another argument of the contract.
CONSTRUCTOR_WORDS = words(
    """
    d_model n_embd hidden_size dim model_dim d emb_size embedding_dim size width n E C D H h k d_k head_size
    n_heads n_head nb_heads nheads num_attention_heads heads d_ff dff d_hidden inner_dim mlp_dim intermediate
    hidden units taille largeur nb_tetes nombre_de_tetes cache p rate drop p_drop dropout_rate a b foo truc
    """
)


def rename_constructor(code: AnswerCode, choice: Choice) -> bool:
    """Give the constructor's parameters other names."""
    constructor = code.constructor
    if constructor is None:
        return False
    chosen = choice.some([one.arg for one in parameters_of(constructor)])
    taken = names_in(code.tree, *code.others.values())
    names = dict(zip(chosen, choice.names(len(chosen), CONSTRUCTOR_WORDS, taken), strict=False))
    rename_variables(constructor, names)
    trees = [code.tree, *code.others.values()]
    rename_keywords(calls_of(trees, code.exercise.symbol), names)
    return bool(names)


STYLES = (Style("names.constructor", rename_constructor),)
