"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from matplotlib.figure import Figure


def plot_heads(attentions, tokens, layer, heads):
    return draw([attentions[layer][0, head] for head in heads], tokens)


def draw(images, tokens, columns=True, rows=True, order="C"):
    """A figure with an image in each of its axes, in a grid of two columns or of one."""
    wide = min(2, len(images))
    high = -(-len(images) // wide)
    figure = Figure(figsize=(4 * wide, 4 * high))
    for number, image in enumerate(images):
        place = number if order == "C" else number % high * wide + number // high
        label(show(figure, high, wide, place, image), tokens, columns, rows)
    return figure


def show(figure, high, wide, place, image):
    axes = figure.add_subplot(high, wide, place + 1)
    axes.imshow(torch.as_tensor(image).detach().numpy(), cmap="Blues")
    return axes


def label(axes, tokens, columns, rows):
    if columns:
        axes.set_xticks(range(len(tokens)), tokens, rotation=45, ha="right")
    if rows:
        axes.set_yticks(range(len(tokens)), tokens)


def chosen(attentions, layer, heads):
    return [attentions[layer][0, head] for head in heads]


def plot_heads__layer_before(attentions, tokens, layer, heads):
    """The layer before is drawn. layer counts from 0: is there a - 1 in the code?

    fr: C'est la couche précédente qui est dessinée. layer se compte à partir de 0 : y a-t-il un - 1 dans le
    code ?
    """
    return draw(chosen(attentions, layer - 1, heads), tokens)


def plot_heads__last_layer(attentions, tokens, layer, heads):
    """The last layer is drawn, whatever layer says.

    fr: C'est la dernière couche qui est dessinée, quoi que dise layer.
    """
    return draw(chosen(attentions, -1, heads), tokens)


def plot_heads__head_before(attentions, tokens, layer, heads):
    """The head before is drawn. heads counts from 0: is there a - 1 in the code?

    fr: C'est la tête précédente qui est dessinée. heads se compte à partir de 0 : y a-t-il un - 1 dans le
    code ?
    """
    return draw([attentions[layer][0, head - 1] for head in heads], tokens)


def plot_heads__first_heads(attentions, tokens, layer, heads):
    """The first heads are drawn, and not those that are asked for. Do you count the heads instead of taking
    them?

    fr: Ce sont les premières têtes qui sont dessinées, et non celles qui sont demandées. Comptez-vous les
    têtes au lieu de les prendre ?
    """
    return draw([attentions[layer][0, number] for number in range(len(heads))], tokens)


def plot_heads__one_head_each_time(attentions, tokens, layer, heads):
    """All images show the same head. Look at the index in the loop.

    fr: Toutes les images montrent la même tête. Regardez l'indice dans la boucle.
    """
    return draw(chosen(attentions, layer, heads[:1]) * len(heads), tokens)


def plot_heads__heads_sorted(attentions, tokens, layer, heads):
    """The heads are drawn in the order of their numbers, and not in that of the list.

    fr: Les têtes sont dessinées dans l'ordre de leurs numéros, et non dans celui de la liste.
    """
    return draw(chosen(attentions, layer, sorted(heads)), tokens)


def plot_heads__column_by_column(attentions, tokens, layer, heads):
    """The grid is filled from top to bottom, column by column; it is read row by row. Look at // and %.

    fr: La grille est remplie de haut en bas, colonne par colonne ; elle se lit ligne par ligne. Regardez
    // et %.
    """
    return draw(chosen(attentions, layer, heads), tokens, order="F")


def plot_heads__transposed(attentions, tokens, layer, heads):
    """The maps are transposed: whoever looks is a row. Look for .T or a transpose.

    fr: Les cartes sont transposées : qui regarde est une ligne. Cherchez .T ou une transposition.
    """
    return draw([image.T for image in chosen(attentions, layer, heads)], tokens)


def plot_heads__upside_down(attentions, tokens, layer, heads):
    """The rows of the array are in reverse order: row 0 is no longer token 0. To turn the picture, turn the
    axis, with its labels.

    fr: Les lignes du tableau sont dans l'ordre inverse : la ligne 0 n'est plus le token 0. Pour retourner
    l'image, retournez l'axe, avec ses étiquettes.
    """
    return draw([image.flip(0) for image in chosen(attentions, layer, heads)], tokens)


def plot_heads__averaged(attentions, tokens, layer, heads):
    """Each image shows the mean of all heads.

    fr: Chaque image montre la moyenne de toutes les têtes.
    """
    return draw([attentions[layer][0].mean(0)] * len(heads), tokens)


def plot_heads__summed_over_layers(attentions, tokens, layer, heads):
    """The layers are added or averaged. Which one is asked for?

    fr: Les couches sont additionnées ou moyennées. Laquelle est demandée ?
    """
    mean = torch.stack(list(attentions)).mean(0)
    return draw([mean[0, head] for head in heads], tokens)


def plot_heads__softmax_again(attentions, tokens, layer, heads):
    """A softmax is applied to the weights; they are the outcome of one.

    fr: Un softmax est appliqué aux poids ; ils en sont déjà le résultat.
    """
    return draw([image.softmax(-1) for image in chosen(attentions, layer, heads)], tokens)


def plot_heads__logarithms(attentions, tokens, layer, heads):
    """The image shows logarithms of the weights; the weights themselves are due.

    fr: L'image montre les logarithmes des poids ; on attend les poids eux-mêmes.
    """
    return draw([image.log() for image in chosen(attentions, layer, heads)], tokens)


def plot_heads__without_labels(attentions, tokens, layer, heads):
    """The tokens stand nowhere. Look at set_xticks and set_yticks, and at their labels.

    fr: Les tokens ne figurent nulle part. Regardez set_xticks et set_yticks, et leurs étiquettes.
    """
    return draw(chosen(attentions, layer, heads), tokens, columns=False, rows=False)


def plot_heads__columns_alone(attentions, tokens, layer, heads):
    """The rows have no labels: who looks is not to be seen.

    fr: Les lignes n'ont pas d'étiquettes : on ne voit pas qui regarde.
    """
    return draw(chosen(attentions, layer, heads), tokens, rows=False)


def plot_heads__rows_alone(attentions, tokens, layer, heads):
    """The columns have no labels: what is looked at is not to be seen.

    fr: Les colonnes n'ont pas d'étiquettes : on ne voit pas ce qui est regardé.
    """
    return draw(chosen(attentions, layer, heads), tokens, columns=False)


def plot_heads__each_token_once(attentions, tokens, layer, heads):
    """A token that comes twice has one label: those behind it are at the wrong place. Look for set or dict.

    fr: Un token qui apparaît deux fois n'a qu'une étiquette : celles qui suivent sont au mauvais endroit.
    Cherchez set ou dict.
    """
    return draw(chosen(attentions, layer, heads), list(dict.fromkeys(tokens)))


def plot_heads__labels_one_too_far(attentions, tokens, layer, heads):
    """The labels begin at 1: each stands at the next token's row. Where does range begin?

    fr: Les étiquettes commencent à 1 : chacune est à la ligne du token suivant. Où commence range ?
    """
    figure = draw(chosen(attentions, layer, heads), tokens)
    for axes in figure.axes:
        axes.set_xticks(range(1, len(tokens) + 1), tokens)
        axes.set_yticks(range(1, len(tokens) + 1), tokens)
    return figure


def plot_heads__first_axes_alone(attentions, tokens, layer, heads):
    """Only one head is drawn: the loop ends too early, or all images are drawn into the same axes.

    fr: Une seule tête est dessinée : la boucle s'arrête trop tôt, ou toutes les images vont dans les mêmes
    axes.
    """
    return draw(chosen(attentions, layer, heads[:1]), tokens)


def plot_heads__four_at_most(attentions, tokens, layer, heads):
    """There are two by two axes, however many heads are asked for. How many rows does the grid need?

    fr: Il y a deux fois deux axes, quel que soit le nombre de têtes. De combien de lignes la grille a-t-elle
    besoin ?
    """
    if len(heads) > 4:
        raise IndexError("index 2 is out of bounds for axis 0 with size 2")
    return plot_heads(attentions, tokens, layer, heads)


def plot_heads__changes_the_weights(attentions, tokens, layer, heads):
    """The caller's weights are changed. Look for assignments into attentions.

    fr: Les poids de l'appelant sont modifiés. Cherchez les affectations dans attentions.
    """
    figure = plot_heads(attentions, tokens, layer, heads)
    attentions[layer][0, heads[0]] = 0
    return figure
