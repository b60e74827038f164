"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn


class BertPooler(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)

    def pick(self, hidden_states):
        return hidden_states[:, 0]

    def project(self, picked):
        return self.dense(picked)

    def activate(self, projected):
        return torch.tanh(projected)

    def forward(self, hidden_states):
        return self.activate(self.project(self.pick(hidden_states)))


class BertPooler__last_position(BertPooler):
    """The last position is taken. [CLS] stands in front of the text, and its position is the first.

    fr: C'est la dernière position qui est prise. [CLS] se trouve devant le texte, et sa position est la
    première.
    """

    def pick(self, hidden_states):
        return hidden_states[:, -1]


class BertPooler__second_position(BertPooler):
    """The second position is taken: positions count from 0.

    fr: C'est la deuxième position qui est prise : les positions se comptent à partir de 0.
    """

    def pick(self, hidden_states):
        return hidden_states[:, :2][:, -1]


class BertPooler__mean_of_positions(BertPooler):
    """The mean of all positions goes into the layer. Other models pool so; BERT's pooler takes one position.

    fr: C'est la moyenne de toutes les positions qui entre dans la couche. D'autres modèles procèdent ainsi ;
    le pooler de BERT prend une seule position.
    """

    def pick(self, hidden_states):
        return hidden_states.mean(1)


class BertPooler__largest_of_positions(BertPooler):
    """The largest value over all positions is taken, column by column; BERT's pooler takes one position.

    fr: C'est la plus grande valeur de toutes les positions qui est prise, colonne par colonne ; le pooler de
    BERT prend une seule position.
    """

    def pick(self, hidden_states):
        return hidden_states.amax(1)


class BertPooler__mean_of_outputs(BertPooler):
    """All positions go through layer and tanh, and their mean comes back; one position is due.

    fr: Toutes les positions traversent la couche et tanh, et leur moyenne est rendue ; on attend une seule
    position.
    """

    def forward(self, hidden_states):
        return self.activate(self.project(hidden_states)).mean(1)


class BertPooler__every_position(BertPooler):
    """All positions come back, (B, S, E); one vector for each sequence is due.

    fr: Toutes les positions sont rendues, (B, S, E) ; on attend un vecteur par séquence.
    """

    def pick(self, hidden_states):
        return hidden_states


class BertPooler__keeps_an_axis(BertPooler):
    """The output is (B, 1, E): the axis of positions is still there. Look at how the first is taken.

    fr: La sortie est (B, 1, E) : l'axe des positions est encore là. Regardez comment la première est prise.
    """

    def pick(self, hidden_states):
        return hidden_states[:, :1]


class BertPooler__first_sequence(BertPooler):
    """The first sequence of the batch is taken, not the first position of each. Look at the axis.

    fr: C'est la première séquence du lot qui est prise, et non la première position de chacune. Regardez
    l'axe.
    """

    def pick(self, hidden_states):
        return hidden_states[0]


class BertPooler__without_activation(BertPooler):
    """The layer's output comes back as it is; tanh is missing.

    fr: La sortie de la couche est rendue telle quelle ; il manque tanh.
    """

    def activate(self, projected):
        return projected


class BertPooler__relu(BertPooler):
    """The activation is ReLU; BERT's pooler has tanh.

    fr: L'activation est ReLU ; le pooler de BERT a tanh.
    """

    def activate(self, projected):
        return projected.relu()


class BertPooler__gelu(BertPooler):
    """The activation is GELU, as in the feed-forward network; the pooler has tanh.

    fr: L'activation est GELU, comme dans le réseau feed-forward ; le pooler a tanh.
    """

    def activate(self, projected):
        return nn.functional.gelu(projected)


class BertPooler__sigmoid(BertPooler):
    """The activation is the sigmoid; BERT's pooler has tanh, whose values lie between -1 and 1.

    fr: L'activation est la sigmoïde ; le pooler de BERT a tanh, dont les valeurs vont de -1 à 1.
    """

    def activate(self, projected):
        return projected.sigmoid()


class BertPooler__activation_first(BertPooler):
    """tanh acts on the input of the layer; it belongs behind it.

    fr: tanh agit sur l'entrée de la couche ; elle va derrière.
    """

    def forward(self, hidden_states):
        return self.project(self.activate(self.pick(hidden_states)))


class BertPooler__without_layer(BertPooler):
    """tanh acts on the first position itself; the linear layer is not used.

    fr: tanh agit directement sur la première position ; la couche linéaire ne sert pas.
    """

    def project(self, picked):
        return picked


class BertPooler__two_layers(BertPooler):
    """There are two linear layers; the pooler has one.

    fr: Il y a deux couches linéaires ; le pooler en a une.
    """

    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.second = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states):
        return self.second(super().forward(hidden_states))


class BertPooler__normalises(BertPooler):
    """A layer norm acts on the first position; the encoder has normalised it already.

    fr: Une normalisation de couche agit sur la première position ; l'encodeur l'a déjà normalisée.
    """

    def pick(self, hidden_states):
        return nn.functional.layer_norm(super().pick(hidden_states), hidden_states.shape[-1:])


class BertPooler__residual(BertPooler):
    """The first position is added to the output; the pooler has no residual.

    fr: La première position est ajoutée à la sortie ; le pooler n'a pas de résidu.
    """

    def forward(self, hidden_states):
        return self.pick(hidden_states) + super().forward(hidden_states)


class BertPooler__without_bias(BertPooler):
    """The layer has no bias.

    fr: La couche n'a pas de biais.
    """

    def __init__(self, hidden_size):
        super().__init__(hidden_size)
        self.dense.bias = None


class BertPooler__dropout_in_evaluation(BertPooler):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def activate(self, projected):
        return nn.functional.dropout(super().activate(projected), 0.1)


class BertPooler__detached(BertPooler):
    """What goes into the layer is cut off from the gradients: the encoder learns nothing from the pooler.

    fr: Ce qui entre dans la couche est coupé des gradients : l'encodeur n'apprend rien du pooler.
    """

    def pick(self, hidden_states):
        return super().pick(hidden_states).detach()


class BertPooler__changes_its_input(BertPooler):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, hidden_states):
        output = super().forward(hidden_states)
        hidden_states.data[:, 0] = output.data
        return output
