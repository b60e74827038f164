"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

from solutions.bert_layer import BertLayer


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.layers = nn.ModuleList(
            self.layer(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)
        )

    def layer(self, hidden_size, num_heads, intermediate_size):
        return BertLayer(hidden_size, num_heads, intermediate_size)

    def stacked(self):
        return list(self.layers)

    def mask_of(self, number, mask):
        return mask

    def through(self, layer, x, mask):
        return layer(x, mask)

    def forward(self, hidden_states, attention_mask=None):
        for number, layer in enumerate(self.stacked()):
            hidden_states = self.through(layer, hidden_states, self.mask_of(number, attention_mask))
        return hidden_states


class BertEncoder__not_chained(BertEncoder):
    """Every layer gets the encoder's input, so that only the last one counts; each should get what the one
    before gave.

    fr: Chaque couche reçoit l'entrée de l'encodeur, et seule la dernière compte ; chacune doit recevoir ce
    qu'a donné la précédente.
    """

    def forward(self, hidden_states, attention_mask=None):
        output = hidden_states
        for number, layer in enumerate(self.stacked()):
            output = self.through(layer, hidden_states, self.mask_of(number, attention_mask))
        return output


class BertEncoder__returns_too_early(BertEncoder):
    """Only the first layer is used: the return stands inside the loop.

    fr: Seule la première couche est utilisée : le return est à l'intérieur de la boucle.
    """

    def stacked(self):
        return super().stacked()[:1]


class BertEncoder__last_layer_left_out(BertEncoder):
    """The last layer is built but not used. Look at where the loop ends.

    fr: La dernière couche est construite mais pas utilisée. Regardez où la boucle s'arrête.
    """

    def stacked(self):
        return super().stacked()[:-1]


class BertEncoder__first_layer_again_and_again(BertEncoder):
    """The first layer is used in every round; each layer has its turn.

    fr: La première couche sert à chaque tour ; chaque couche a le sien.
    """

    def stacked(self):
        layers = super().stacked()
        return layers[:1] * len(layers)


class BertEncoder__shared_layer(BertEncoder):
    """All layers are one and the same object with one set of weights. Look at how the list is made.

    fr: Toutes les couches sont un seul et même objet, avec un seul jeu de poids. Regardez comment la liste
    est faite.
    """

    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__(num_layers, hidden_size, num_heads, intermediate_size)
        self.layers = nn.ModuleList([self.layers[0]] * num_layers)


class BertEncoder__in_a_list(BertEncoder):
    """The layers are kept in a plain list, where PyTorch does not find their parameters.

    fr: Les couches sont dans une simple liste, où PyTorch ne trouve pas leurs paramètres.
    """

    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__(num_layers, hidden_size, num_heads, intermediate_size)
        layers = list(self.layers)
        del self.layers
        self.layers = layers


class BertEncoder__one_layer_too_few(BertEncoder):
    """There is one layer less than num_layers says. Look at where the counting begins and ends.

    fr: Il y a une couche de moins que ne dit num_layers. Regardez où le compte commence et finit.
    """

    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__(num_layers - 1, hidden_size, num_heads, intermediate_size)


class BertEncoder__one_layer_too_many(BertEncoder):
    """There is one layer more than num_layers says. Look at where the counting begins and ends.

    fr: Il y a une couche de plus que ne dit num_layers. Regardez où le compte commence et finit.
    """

    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__(num_layers + 1, hidden_size, num_heads, intermediate_size)


class BertEncoder__always_twelve_layers(BertEncoder):
    """There are twelve layers, as in BERT base, whatever num_layers says.

    fr: Il y a douze couches, comme dans BERT base, quoi que dise num_layers.
    """

    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__(12, hidden_size, num_heads, intermediate_size)


class BertEncoder__sizes_swapped(BertEncoder):
    """num_heads and intermediate_size reach the layer in each other's place. Look at the order of its
    arguments.

    fr: num_heads et intermediate_size arrivent dans la couche l'un à la place de l'autre. Regardez l'ordre de
    ses arguments.
    """

    def layer(self, hidden_size, num_heads, intermediate_size):
        return super().layer(hidden_size, intermediate_size, num_heads)


class BertEncoder__mask_lost(BertEncoder):
    """The mask does not reach the layers. Look at what each is called with.

    fr: Le masque n'arrive pas aux couches. Regardez avec quoi chacune est appelée.
    """

    def mask_of(self, number, mask):
        return None


class BertEncoder__mask_of_first_layer(BertEncoder):
    """Only the first layer gets the mask; padding comes back in by the later ones.

    fr: Seule la première couche reçoit le masque ; le remplissage revient par les suivantes.
    """

    def mask_of(self, number, mask):
        return mask if number == 0 else None


class BertEncoder__residual(BertEncoder):
    """The input of each layer is added to its output; the layers have their sums inside.

    fr: L'entrée de chaque couche est ajoutée à sa sortie ; les couches ont leurs sommes à l'intérieur.
    """

    def through(self, layer, x, mask):
        return x + super().through(layer, x, mask)


class BertEncoder__sum_of_layers(BertEncoder):
    """The outputs of all layers are added up; the output of the last one is due.

    fr: Les sorties de toutes les couches sont sommées ; celle de la dernière est attendue.
    """

    def forward(self, hidden_states, attention_mask=None):
        outputs = []
        for number, layer in enumerate(self.stacked()):
            hidden_states = self.through(layer, hidden_states, self.mask_of(number, attention_mask))
            outputs.append(hidden_states)
        return torch.stack(outputs).sum(0)


class BertEncoder__final_norm(BertEncoder):
    """A further norm follows the last layer; in BERT each layer ends with its own.

    fr: Une norme de plus suit la dernière couche ; dans BERT chaque couche finit par la sienne.
    """

    def forward(self, hidden_states, attention_mask=None):
        return nn.functional.layer_norm(
            super().forward(hidden_states, attention_mask), hidden_states.shape[-1:], eps=1e-12
        )


class BertEncoder__returns_all_layers(BertEncoder):
    """The outputs of all layers come back; one tensor is due, that of the last layer.

    fr: Les sorties de toutes les couches sont rendues ; un seul tenseur est attendu, celui de la dernière.
    """

    def forward(self, hidden_states, attention_mask=None):
        outputs = []
        for number, layer in enumerate(self.stacked()):
            hidden_states = self.through(layer, hidden_states, self.mask_of(number, attention_mask))
            outputs.append(hidden_states)
        return tuple(outputs)


class BertEncoder__detached(BertEncoder):
    """What goes from layer to layer is cut off from the gradients: only the last layer learns.

    fr: Ce qui passe d'une couche à l'autre est coupé des gradients : seule la dernière couche apprend.
    """

    def through(self, layer, x, mask):
        return super().through(layer, x.detach(), mask)


class BertEncoder__dropout_in_evaluation(BertEncoder):
    """Dropout acts in evaluation too: two calls answer differently. Look for a dropout that is always on.

    fr: Le dropout agit aussi en évaluation : deux appels répondent différemment. Cherchez un dropout toujours
    actif.
    """

    def through(self, layer, x, mask):
        return nn.functional.dropout(super().through(layer, x, mask), 0.1)
