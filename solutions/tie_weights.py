"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
WHOLE = (
    "does_nothing",
    "copied",
)
HALF = (
    "same_storage",
    "output_detached",
)
SMALL = ("frozen",)


def tie_weights(model):
    model.lm_head.weight = model.embedding.weight
    return model


class Head(nn.Module):
    """Logits by a function of the table, which is no parameter of this module."""

    def __init__(self, logits):
        super().__init__()
        self.logits = logits

    def forward(self, x):
        return self.logits(x)


def tie_weights__does_nothing(model):
    """Both ends keep parameters of their own. Which attribute of which layer should be another's?

    fr: Les deux bouts gardent chacun leur paramètre. Quel attribut de quelle couche devrait être celui d'une
    autre ?
    """
    return model


def tie_weights__copied(model):
    """The values are copied, and there are still two parameters: after a step of training they differ. An
    assignment makes them one.

    fr: Les valeurs sont copiées, et il y a toujours deux paramètres : après un pas d'entraînement, ils
    diffèrent. C'est une affectation qui en fait un seul.
    """
    with torch.no_grad():
        model.lm_head.weight.copy_(model.embedding.weight)
    return model


def tie_weights__same_storage(model):
    """A new Parameter is made around the same numbers: values stay equal, but the optimiser sees two
    parameters, and gradients do not add up. Assign the parameter itself.

    fr: Un nouveau Parameter est fait autour des mêmes nombres : les valeurs restent égales, mais l'optimiseur
    voit deux paramètres, et les gradients ne s'ajoutent pas. Affectez le paramètre lui-même.
    """
    model.lm_head.weight = nn.Parameter(model.embedding.weight.data)
    return model


def tie_weights__output_detached(model):
    """The output layer uses the table cut off from its gradient: what is due at the output teaches nothing.
    Look for detach or data.

    fr: La dernière couche se sert de la table coupée de son gradient : ce qui est dû en sortie n'apprend
    rien. Cherchez detach ou data.
    """
    table = model.embedding
    model.lm_head = Head(lambda x: x @ table.weight.detach().T)
    return model


def tie_weights__input_detached(model):
    """Ids are looked up in the table cut off from its gradient: only the output teaches it. Look for detach
    or data.

    fr: Les identifiants sont cherchés dans la table coupée de son gradient : seule la sortie l'instruit.
    Cherchez detach ou data.
    """
    head = model.lm_head
    model.embedding = Head(lambda ids: head.weight.detach()[ids])
    return model


def tie_weights__frozen(model):
    """The table is one parameter, but is not trained any more. Look for requires_grad.

    fr: La table est un seul paramètre, mais ne s'entraîne plus. Cherchez requires_grad.
    """
    tie_weights(model).embedding.weight.requires_grad_(False)
    return model


def tie_weights__made_anew(model):
    """The table gets new random values: what it had learned is lost. Tie before the initialisation, or leave
    values alone.

    fr: La table reçoit de nouvelles valeurs au hasard : ce qu'elle avait appris est perdu. Liez avant
    l'initialisation, ou laissez les valeurs.
    """
    model.embedding.weight = nn.Parameter(torch.full_like(model.embedding.weight, 0.02))
    return tie_weights(model)


def tie_weights__averaged(model):
    """The table gets the mean of both values: it fits neither end. One of them is to be kept.

    fr: La table reçoit la moyenne des deux valeurs : elle ne convient à aucun bout. L'une des deux est à
    garder.
    """
    with torch.no_grad():
        model.embedding.weight.add_(model.lm_head.weight).div_(2)
    return tie_weights(model)


def tie_weights__transposed(model):
    """The matrix of the output layer is the table transposed: its shape fits no longer. Which shape has the
    weight of nn.Linear(E, V)?

    fr: La matrice de la dernière couche est la table transposée : sa forme ne convient plus. Quelle est la
    forme du poids de nn.Linear(E, V) ?
    """
    model.lm_head.weight = nn.Parameter(model.embedding.weight.data.T)
    return model


def tie_weights__with_bias(model):
    """The new output layer has a bias that the model did not have. Look at how it is made.

    fr: La nouvelle couche de sortie a un biais que le modèle n'avait pas. Regardez comment elle est faite.
    """
    words, width = model.lm_head.weight.shape
    model.lm_head = nn.Linear(width, words).to(model.embedding.weight.dtype)
    return tie_weights(model)


def tie_weights__copied_at_each_call(model):
    """Before each call the values are copied from one end to the other: what the output layer learns is lost.
    One parameter needs no copies.

    fr: Avant chaque appel, les valeurs sont copiées d'un bout à l'autre : ce qu'apprend la dernière couche
    est perdu. Un seul paramètre se passe de copies.
    """

    def copy(_module, _given):
        model.lm_head.weight.data.copy_(model.embedding.weight.data)

    model.register_forward_pre_hook(copy)
    return model


def tie_weights__changes_other_layers(model):
    """Other layers of the model are changed too. Only two parameters become one.

    fr: D'autres couches du modèle sont modifiées aussi. Seuls deux paramètres deviennent un.
    """
    with torch.no_grad():
        model.layer.weight.mul_(0.5)
    return tie_weights(model)
