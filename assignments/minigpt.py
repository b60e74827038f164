# %% [markdown] lang="en"
# ## A trained model
#
# Train your `MiniGPT` on `train.txt`, the text beside this file, and hand in the model that you got:
# `minigpt.safetensors`, beside your code. It is measured in bits per character (lower is better) on text that
# is not in `train.txt`:
#
# | what | bits per character |
# | --- | --- |
# | a guess among all {{ characters }} characters | {{ guess | number(".2f") }} |
# | a bigram that counts pairs: no points for the loss | {{ bigram | number(".2f") }} |
# | **the target: all points for the loss** | **{{ target | number(".2f") }}** |
# {% if counting %}
# | a table that counts what came after the last {{ order }} characters | {{ counting | number(".2f") }} |
# {% endif %}
# {% if entropy %}
# | a perfect model: the entropy of the grammar that wrote the text | {{ entropy | number(".2f") }} |
# {% endif %}
#
# Between the bigram and the target the points grow in a straight line.
# {% if not entropy %}
# Nobody knows what a perfect model would reach here: people wrote this text, and no grammar with a known
# entropy.
# {% endif %}
#
# `train` and `save_minigpt` are complete. `train` uses your `get_batch`, `estimate_loss` and `generate`, and
# it trains your bigram as well as your `MiniGPT`. `save_minigpt` writes the weights, the arguments of your
# class (`config`), and the tokens in the order of their numbers (`chars`).

# %% [markdown] lang="fr"
# ## Un modèle entraîné
#
# Entraînez votre `MiniGPT` sur `train.txt`, le texte qui accompagne ce fichier, et rendez le modèle obtenu :
# `minigpt.safetensors`, à côté de votre code. Il est évalué en bits par caractère (moins il y en a, mieux
# c'est) sur un texte qui n'est pas dans `train.txt` :
#
# | quoi | bits par caractère |
# | --- | --- |
# | une réponse au hasard parmi les {{ characters }} caractères | {{ guess | number(".2f") }} |
# | un bigramme qui compte les paires : aucun point pour la perte | {{ bigram | number(".2f") }} |
# | **l'objectif : tous les points pour la perte** | **{{ target | number(".2f") }}** |
# {% if counting %}
# | une table qui compte ce qui a suivi les {{ order }} derniers caractères | {{ counting | number(".2f") }} |
# {% endif %}
# {% if entropy %}
# | un modèle parfait : l'entropie de la grammaire qui a produit le texte | {{ entropy | number(".2f") }} |
# {% endif %}
#
# Entre le bigramme et l'objectif, les points augmentent en ligne droite.
# {% if not entropy %}
# Personne ne sait ce qu'un modèle parfait atteindrait ici : ce texte a été écrit par des gens, et non par une
# grammaire dont on connaît l'entropie.
# {% endif %}
#
# `train` et `save_minigpt` sont complets. `train` utilise vos fonctions `get_batch`, `estimate_loss` et
# `generate`, et entraîne aussi bien votre bigramme que votre `MiniGPT`. `save_minigpt` écrit les poids, les
# arguments de votre classe (`config`) et les tokens dans l'ordre de leurs numéros (`chars`).

# %%
import json
import math
import time
from pathlib import Path

import torch
from safetensors.torch import save_file


def train(model, steps, learning_rate, train_data, val_data, chars):
    """Train a model, and show how it gets on.

    Args:
        model: model(x, y) gives (logits, loss), with the loss in nats.
        steps: how many batches it learns from.
        learning_rate: that of AdamW.
        train_data: the text that it learns from, as ids.
        val_data: text that it does not learn from, as ids.
        chars: the characters in the order of their ids.

    Returns:
        the learning curve: rows [step, loss on train_data, loss on val_data], in nats.

    fr: Entraîne un modèle, et montre où il en est.

    Arguments :
        model : model(x, y) donne (logits, loss), avec la perte en nats.
        steps : le nombre de lots sur lesquels il apprend.
        learning_rate : celui d'AdamW.
        train_data : le texte sur lequel il apprend, en identifiants.
        val_data : un texte sur lequel il n'apprend pas, en identifiants.
        chars : les caractères dans l'ordre de leurs identifiants.

    Renvoie :
        la courbe d'apprentissage : des lignes [pas, perte sur train_data, perte sur val_data], en nats.
    """
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses, start = [], time.monotonic()
    for step in range(1, steps + 1):
        x, y = get_batch(train_data, block_size, batch_size)
        _, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            left = (time.monotonic() - start) / step * (steps - step)
            bits = f"{loss.item() / math.log(2):.2f} bits"
            print(f"\r{step}/{steps}  {bits}  {left:.0f} s  ", end="", flush=True)
        if step % eval_interval == 0 or step == steps:
            seen, unseen = (
                float(estimate_loss(model, text, block_size, batch_size, eval_iters))
                for text in (train_data, val_data)
            )
            losses.append([step, seen, unseen])
            bits = f"train {seen / math.log(2):.2f}  val {unseen / math.log(2):.2f} bits"
            print(f"\r{step}/{steps}  {bits}  {write(model, chars, 60)!r}")
    return losses


def write(model, chars, count):
    """What a model writes after the first of chars: count characters.

    fr: Ce qu'un modèle écrit après le premier de chars : count caractères.
    """
    was_training = model.training
    model.eval()
    with torch.no_grad():
        ids = generate(model, torch.zeros((1, 1), dtype=torch.int64), count, block_size)
    model.train(was_training)
    return decode(ids[0, 1:].tolist(), chars)


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


# %% [markdown] lang="en"
# ### Characters and numbers
#
# Complete `encode` and `decode`. The simplest tokenizer will do: a token is a character, and its number is
# its place in `chars`. Another one is welcome. Both functions get `chars` from the file that you hand in and
# run by themselves, so that they must not need anything else that your notebook computed from a text.

# %% [markdown] lang="fr"
# ### Des caractères et des nombres
#
# Complétez `encode` et `decode`. Le tokenizer le plus simple suffit : un token est un caractère, et son
# numéro est sa place dans `chars`. Un autre est bienvenu. Les deux fonctions reçoivent `chars` du fichier que
# vous rendez et tournent seules : elles ne doivent dépendre de rien d'autre que votre notebook aurait calculé
# à partir d'un texte.


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


# %% [markdown] lang="en"
# ### Train it
#
# | name | what it is |
# | --- | --- |
# | `batch_size` | how many windows of text a step learns from, side by side |
# | `block_size` | the length of a window: how many characters the model sees at most |
# | `max_iters` | the number of steps, each on a new batch |
# | `learning_rate` | how far AdamW moves the weights in a step |
# | `eval_interval` | after how many steps the loss is estimated |
# | `eval_iters` | over how many batches its mean is taken |
# | `n_embd`, `n_head`, `n_layer`, `dropout` | the other arguments of `MiniGPT` |
#
# {% if minutes %}
# With these sizes a right `MiniGPT` reaches the target within {{ minutes | number }} minutes on a laptop's
# processor; the model is so small that neither a GPU nor a second thread helps. Once it works, change one of
# them and see what comes of it.
# {% else %}
# These sizes train within minutes on a laptop's processor. On your text they may not reach the target: a
# longer window, a wider model or more steps can. Change one of them at a time.
# {% endif %}
#
# The last cell trains your bigram first and your `MiniGPT` after it. While it runs, a line shows the step,
# the loss of its batch and how many seconds are left. After every `eval_interval` steps the line stays, with
# the loss on text that the model learns from (`train`), on text that it does not learn from (`val`), and with
# some characters that the model writes. At the end the file `minigpt.safetensors` is beside this one.

# %% [markdown] lang="fr"
# ### L'entraîner
#
# | nom | ce que c'est |
# | --- | --- |
# | `batch_size` | sur combien de fenêtres de texte, côte à côte, un pas apprend |
# | `block_size` | la longueur d'une fenêtre : combien de caractères le modèle voit au plus |
# | `max_iters` | le nombre de pas, chacun sur un nouveau lot |
# | `learning_rate` | de combien AdamW déplace les poids en un pas |
# | `eval_interval` | tous les combien de pas la perte est estimée |
# | `eval_iters` | sur combien de lots on en prend la moyenne |
# | `n_embd`, `n_head`, `n_layer`, `dropout` | les autres arguments de `MiniGPT` |
#
# {% if minutes %}
# Avec ces tailles, un `MiniGPT` juste atteint l'objectif en {{ minutes | number }} minutes au plus sur le
# processeur d'un portable ; le modèle est si petit que ni un GPU ni un second thread n'aident. Quand tout
# marche, changez-en une et voyez ce qui en résulte.
# {% else %}
# Avec ces tailles, l'entraînement dure quelques minutes sur le processeur d'un portable. Sur votre texte,
# elles peuvent ne pas suffire pour l'objectif : une fenêtre plus longue, un modèle plus large ou plus de pas
# le peuvent. Changez-en une à la fois.
# {% endif %}
#
# La dernière cellule entraîne d'abord votre bigramme, puis votre `MiniGPT`. Pendant ce temps, une ligne
# montre le pas, la perte sur son lot et le nombre de secondes restantes. Tous les `eval_interval` pas, la
# ligne reste, avec la perte sur le texte d'apprentissage (`train`), sur un texte dont le modèle n'apprend
# rien (`val`), et avec quelques caractères que le modèle écrit. À la fin, le fichier `minigpt.safetensors`
# est à côté de celui-ci.

# %%
batch_size = 16
block_size = 32
max_iters = 5000
learning_rate = 3e-3
eval_interval = 500
eval_iters = 50
n_embd, n_head, n_layer, dropout = 64, 4, 2, 0.0

# %% tags=["raises-exception"]
if __name__ == "__main__":
    torch.manual_seed(1337)
    torch.set_num_threads(1)
    text = Path("train.txt").read_text(encoding="utf-8")
    chars = "".join(sorted(set(text)))
    data = torch.tensor(encode(text, chars))
    cut = len(data) * 9 // 10
    train_data, val_data = data[:cut], data[cut:]

    train(BigramLanguageModel(len(chars)), max_iters // 5, 10 * learning_rate, train_data, val_data, chars)

    config = {
        "vocab_size": len(chars),
        "block_size": block_size,
        "n_embd": n_embd,
        "n_head": n_head,
        "n_layer": n_layer,
        "dropout": dropout,
    }
    model = MiniGPT(**config)
    losses = train(model, max_iters, learning_rate, train_data, val_data, chars)
    print(write(model, chars, 400))
    save_minigpt(model, config, chars, losses=losses)
