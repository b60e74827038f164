# %% [markdown] lang="en"
# ## Labels for instructions
#
# A language model that has read much text learns in a second phase to answer: it is shown a prompt and the
# answer to it, and learns the answer alone.

# %% [markdown] lang="fr"
# ## Les labels des instructions
#
# Un modèle de langage qui a lu beaucoup de texte apprend, dans une seconde phase, à répondre : on lui montre
# une consigne et sa réponse, et il n'apprend que la réponse.

# %%
def instruction_labels(prompt, answer, eos):
    """The inputs of a causal language model and the id that it should predict at each of them.

    The text is the prompt, then the answer, then eos. At each position of the inputs the target is the id
    that comes next in the text: the shift by one is done here, once, and not in the model or in the loss.
    A target that belongs to the prompt is -100, the value that F.cross_entropy ignores; the ids of the
    answer and eos are learned.

    Args:
        prompt: the ids of the prompt, a list of ints, not empty.
        answer: the ids of the answer, a list of ints, not empty.
        eos: the id that ends the answer.

    Returns:
        (inputs, targets), two lists of len(prompt) + len(answer) ints: inputs is the text without eos.

    For prompt 5 6 7, answer 8 9 and eos 2: inputs 5 6 7 8 9, targets -100 -100 8 9 2.

    fr: Les entrées d'un modèle de langage causal et l'identifiant qu'il doit prédire à chacune d'elles.

    Le texte est la consigne, puis la réponse, puis eos. À chaque position des entrées, la cible est
    l'identifiant qui suit dans le texte : le décalage d'une position se fait ici, une seule fois, et non dans
    le modèle ou dans la perte. Une cible qui appartient à la consigne vaut -100, la valeur qu'ignore
    F.cross_entropy ; les identifiants de la réponse et eos sont appris.

    Args:
        prompt: les identifiants de la consigne, une liste d'entiers, non vide.
        answer: les identifiants de la réponse, une liste d'entiers, non vide.
        eos: l'identifiant qui termine la réponse.

    Returns:
        (inputs, targets), deux listes de len(prompt) + len(answer) entiers : inputs est le texte sans eos.

    Pour la consigne 5 6 7, la réponse 8 9 et eos 2 : inputs 5 6 7 8 9, targets -100 -100 8 9 2.
    """
    raise NotImplementedError
