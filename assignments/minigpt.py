# %% [markdown] lang="en"
# ## A trained model
#
# Train your `MiniGPT` on the corpus of the course and hand in the model that you got: the file
# `minigpt.safetensors`, beside your code, in a folder or a zip. It is measured on text that is held out from
# training, in bits per character: lower is better, and it must beat a bigram.
#
# `save_minigpt` writes the file: the weights, the arguments of your class (`config`), and the tokens in the
# order of their numbers (`chars`). Where a token is a character and its number its place in `chars`, nothing
# else is needed; with another tokenizer, complete `encode` and `decode`. They get `chars` from the file and
# run by themselves, so that they must not need anything else that your notebook computed from a text.

# %% [markdown] lang="fr"
# ## Un modèle entraîné
#
# Entraînez votre `MiniGPT` sur le corpus du cours et rendez le modèle obtenu : le fichier
# `minigpt.safetensors`, à côté de votre code, dans un dossier ou un zip. Il est évalué sur un texte mis
# de côté, en bits par caractère : moins il y en a, mieux c'est, et il doit battre un bigramme.
#
# `save_minigpt` écrit le fichier : les poids, les arguments de votre classe (`config`) et les tokens dans
# l'ordre de leurs numéros (`chars`). Si un token est un caractère et son numéro sa place dans `chars`, rien
# d'autre n'est nécessaire ; avec un autre tokenizer, complétez `encode` et `decode`. Ces fonctions reçoivent
# `chars` du fichier et tournent seules : elles ne doivent dépendre de rien d'autre que votre notebook aurait
# calculé à partir d'un texte.

# %%
import json

from safetensors.torch import save_file


def save_minigpt(model, config, chars, path="minigpt.safetensors", losses=()):
    """Write a trained model as it is handed in.

    Args:
        model: your MiniGPT.
        config: a dictionary with the arguments that it was made with; `MiniGPT(**config)` makes another.
        chars: the tokens in the order of their numbers: a text, or a list of texts.
        path: the file, minigpt.safetensors.
        losses: if you like, your learning curve: rows [step, training loss, held-out loss], in nats.

    fr: Écrit un modèle entraîné tel qu'il doit être rendu.

    Arguments :
        model : votre MiniGPT.
        config : un dictionnaire des arguments avec lesquels il a été créé ; `MiniGPT(**config)` en crée un
            autre.
        chars : les tokens dans l'ordre de leurs numéros : un texte, ou une liste de textes.
        path : le fichier, minigpt.safetensors.
        losses : si vous le souhaitez, votre courbe d'apprentissage : des lignes [pas, perte d'entraînement,
            perte sur le texte mis de côté], en nats.
    """
    weights = {name: value.detach().cpu().clone().contiguous() for name, value in model.state_dict().items()}
    notes = {"config": config, "chars": chars, "losses": [list(row) for row in losses]}
    save_file(weights, path, metadata={name: json.dumps(value) for name, value in notes.items()})


# %%
def encode(text, chars):
    """Turn a text into numbers.

    Args:
        text: a str.
        chars: the tokens in the order of their numbers, as they were saved.

    Returns:
        a list of whole numbers from 0 to vocab_size - 1.

    fr: Transforme un texte en nombres.

    Arguments :
        text : une chaîne de caractères.
        chars : les tokens dans l'ordre de leurs numéros, tels qu'ils ont été enregistrés.

    Renvoie :
        une liste d'entiers de 0 à vocab_size - 1.
    """
    raise NotImplementedError


def decode(ids, chars):
    """Turn numbers back into the text.

    Args:
        ids: a list of whole numbers.
        chars: the tokens in the order of their numbers, as they were saved.

    Returns:
        a str: exactly the text that encode was given.

    fr: Retransforme des nombres en texte.

    Arguments :
        ids : une liste d'entiers.
        chars : les tokens dans l'ordre de leurs numéros, tels qu'ils ont été enregistrés.

    Renvoie :
        une chaîne de caractères : exactement le texte qu'encode avait reçu.
    """
    raise NotImplementedError
