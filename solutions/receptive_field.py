"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch


def receptive_field(layers, window):
    return 2 * window * layers + 1


def receptive_field__without_itself(layers, window):
    """The position itself is not counted.

    fr: La position elle-même n'est pas comptée.
    """
    return receptive_field(layers, window) - 1


def receptive_field__few_layers(layers, window):
    """Layers are counted up to the 64th. Which number in the code should be an argument?

    fr: Les couches sont comptées jusqu'à la 64e. Quel nombre du code devrait être un argument ?
    """
    return receptive_field(min(layers, 64), window)


def receptive_field__one_side(layers, window):
    """Only one side is counted: a window has `window` positions on each.

    fr: Un seul côté est compté : une fenêtre a `window` positions de chaque côté.
    """
    return (receptive_field(layers, window) + 1) // 2


def receptive_field__one_side_without_itself(layers, window):
    """One side alone is counted, and the position itself is not.

    fr: Un seul côté est compté, et la position elle-même ne l'est pas.
    """
    return receptive_field(layers, window) // 2


def receptive_field__power(layers, window):
    """The width of one window is raised to the power of the layers. Windows of neighbours overlap: how much
    does one layer add?

    fr: La largeur d'une fenêtre est élevée à la puissance du nombre de couches. Les fenêtres des voisins se
    recouvrent : qu'ajoute une couche ?
    """
    return receptive_field(1, window) ** layers


def receptive_field__product(layers, window):
    """The width of one window is multiplied by the layers, so that the position itself counts once for each.
    How much does one layer add?

    fr: La largeur d'une fenêtre est multipliée par le nombre de couches, si bien que la position elle-même
    compte une fois pour chacune. Qu'ajoute une couche ?
    """
    return receptive_field(1, window) * layers


def receptive_field__one_layer(layers, window):
    """The window of one layer is counted, whatever layers says.

    fr: C'est la fenêtre d'une seule couche qui est comptée, quoi que dise layers.
    """
    return receptive_field(1, window)


def receptive_field__one_layer_less(layers, window):
    """One layer is not counted: the first layer already sees a window.

    fr: Une couche n'est pas comptée : la première couche voit déjà une fenêtre.
    """
    return receptive_field(layers - 1, window)


def receptive_field__one_layer_more(layers, window):
    """One layer too many is counted: the input is no layer.

    fr: Une couche de trop est comptée : l'entrée n'est pas une couche.
    """
    return receptive_field(layers + 1, window)


def receptive_field__window_is_the_width(layers, window):
    """`window` is taken for the width of the whole window, the position included, as for a convolution's
    kernel. Here it counts each side.

    fr: `window` est pris pour la largeur de la fenêtre entière, position comprise, comme pour le noyau d'une
    convolution. Ici, il compte chaque côté.
    """
    return layers * (window - 1) + 1


def receptive_field__sum(layers, window):
    """Layers and window are added; each layer adds a window.

    fr: Les couches et la fenêtre sont additionnées ; or chaque couche ajoute une fenêtre.
    """
    return receptive_field(1, layers + window)


def receptive_field__doubles(layers, window):
    """The view doubles with each layer, as if windows were dilated. How much does one layer add?

    fr: La vue double à chaque couche, comme si les fenêtres étaient dilatées. Qu'ajoute une couche ?
    """
    return 2 * window * 2 ** (layers - 1) + 1


def receptive_field__a_float(layers, window):
    """The answer is a float. Look for a division with /.

    fr: La réponse est un float. Cherchez une division avec /.
    """
    return float(receptive_field(layers, window))


def receptive_field__a_tensor(layers, window):
    """The answer is a tensor; an int is due.

    fr: La réponse est un tenseur ; un int est attendu.
    """
    return torch.tensor(receptive_field(layers, window))
