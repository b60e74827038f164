"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.activation = nn.GELU()
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def activate(self, x):
        return self.activation(x)

    def forward(self, x):
        return self.fc2(self.activate(self.fc1(x)))


class PositionwiseFeedForward__relu(PositionwiseFeedForward):
    """The activation is ReLU; BERT's is GELU, which lets small negative values through.

    fr: L'activation est ReLU ; celle de BERT est GELU, qui laisse passer de petites valeurs négatives.
    """

    def activate(self, x):
        return nn.functional.relu(x)


class PositionwiseFeedForward__leaky_relu(PositionwiseFeedForward):
    """The activation is the leaky ReLU, not GELU.

    fr: L'activation est la « leaky ReLU », et non GELU.
    """

    def activate(self, x):
        return nn.functional.leaky_relu(x)


class PositionwiseFeedForward__silu(PositionwiseFeedForward):
    """The activation is SiLU, not GELU.

    fr: L'activation est SiLU, et non GELU.
    """

    def activate(self, x):
        return nn.functional.silu(x)


class PositionwiseFeedForward__quick_gelu(PositionwiseFeedForward):
    """The activation is the approximation of GELU by a sigmoid; GELU itself or its approximation by tanh is
    due.

    fr: L'activation est l'approximation de GELU par une sigmoïde ; il faut GELU elle-même ou son
    approximation par tanh.
    """

    def activate(self, x):
        return x * (1.702 * x).sigmoid()


class PositionwiseFeedForward__sigmoid(PositionwiseFeedForward):
    """The activation is the sigmoid, not GELU.

    fr: L'activation est la sigmoïde, et non GELU.
    """

    def activate(self, x):
        return x.sigmoid()


class PositionwiseFeedForward__tanh(PositionwiseFeedForward):
    """The activation is tanh itself, not GELU approximated by tanh.

    fr: L'activation est tanh elle-même, et non GELU approchée par tanh.
    """

    def activate(self, x):
        return x.tanh()


class PositionwiseFeedForward__relu_squared(PositionwiseFeedForward):
    """The activation is ReLU squared; GELU is due.

    fr: L'activation est le carré de ReLU ; on attend GELU.
    """

    def activate(self, x):
        return nn.functional.relu(x).square()


class PositionwiseFeedForward__without_activation(PositionwiseFeedForward):
    """There is no activation between the layers: together they are one linear map.

    fr: Il n'y a pas d'activation entre les couches : ensemble elles ne font qu'une application linéaire.
    """

    def activate(self, x):
        return x


class PositionwiseFeedForward__activation_first(PositionwiseFeedForward):
    """The activation acts on the input, before both layers; it belongs between the two.

    fr: L'activation agit sur l'entrée, avant les deux couches ; sa place est entre les deux.
    """

    def forward(self, x):
        return self.fc2(self.fc1(self.activate(x)))


class PositionwiseFeedForward__activation_last(PositionwiseFeedForward):
    """The activation acts after the second layer; it belongs between the two.

    fr: L'activation agit après la deuxième couche ; sa place est entre les deux.
    """

    def forward(self, x):
        return self.activate(self.fc2(self.fc1(x)))


class PositionwiseFeedForward__activation_twice(PositionwiseFeedForward):
    """The activation acts after both layers; what the second layer gives is the answer.

    fr: L'activation agit après chacune des deux couches ; ce que donne la deuxième couche est la réponse.
    """

    def forward(self, x):
        return self.activate(super().forward(x))


class PositionwiseFeedForward__gated(PositionwiseFeedForward):
    """A third layer is a gate: its activation is multiplied by what the first layer gives (GEGLU, SwiGLU).

    fr: Une troisième couche sert de porte : son activation est multipliée par ce que donne la première couche
    (GEGLU, SwiGLU).
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__(hidden_size, intermediate_size)
        self.gate = nn.Linear(hidden_size, intermediate_size)

    def forward(self, x):
        return self.fc2(self.activate(self.gate(x)) * self.fc1(x))


class PositionwiseFeedForward__without_fc2(PositionwiseFeedForward):
    """The hidden values come back as they are; the second layer leads back to the width E.

    fr: Les valeurs cachées sont rendues telles quelles ; la deuxième couche ramène à la largeur E.
    """

    def forward(self, x):
        return self.activate(self.fc1(x))


class PositionwiseFeedForward__one_layer(PositionwiseFeedForward):
    """There is only the first layer: fc2, which leads back to the width E, is missing.

    fr: Il n'y a que la première couche : fc2, qui ramène à la largeur E, manque.
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__(hidden_size, intermediate_size)
        del self.fc2

    def forward(self, x):
        return self.activate(self.fc1(x))


class PositionwiseFeedForward__without_bias(PositionwiseFeedForward):
    """The layers have no bias. Look at the arguments of the linear layers.

    fr: Les couches n'ont pas de biais. Regardez les arguments des couches linéaires.
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__(hidden_size, intermediate_size)
        self.fc1.bias = self.fc2.bias = None


class PositionwiseFeedForward__residual(PositionwiseFeedForward):
    """The input is added to the output; that is the layer's work, where both parts are put together.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail de la couche, qui assemble les deux parties.
    """

    def forward(self, x):
        return x + super().forward(x)


class PositionwiseFeedForward__residual_and_norm(PositionwiseFeedForward):
    """The input is added to the output and the sum is normalised; both are the layer's work. Look at what
    follows the second layer.

    fr: L'entrée est ajoutée à la sortie et la somme est normalisée ; les deux sont le travail
    de la couche. Regardez ce qui suit la deuxième couche.
    """

    def forward(self, x):
        return nn.functional.layer_norm(x + super().forward(x), x.shape[-1:])


class PositionwiseFeedForward__normalises_its_input(PositionwiseFeedForward):
    """The input is normalised first; that is the layer's work. Look at what the first layer gets.

    fr: L'entrée est d'abord normalisée ; c'est le travail de la couche. Regardez ce que reçoit la première
    couche.
    """

    def forward(self, x):
        return super().forward(nn.functional.layer_norm(x, x.shape[-1:]))


class PositionwiseFeedForward__mixes_positions(PositionwiseFeedForward):
    """The positions are averaged: each should go through the network by itself.

    fr: Les positions sont moyennées : chacune doit traverser le réseau seule.
    """

    def forward(self, x):
        return super().forward(x.mean(1, keepdim=True).expand_as(x))


class PositionwiseFeedForward__dropout_in_evaluation(PositionwiseFeedForward):
    """Dropout acts in evaluation too: two calls answer differently. Look for a dropout that is always on.

    fr: Le dropout agit aussi en évaluation : deux appels répondent différemment. Cherchez un dropout toujours
    actif.
    """

    def forward(self, x):
        return nn.functional.dropout(super().forward(x), 0.1)


class PositionwiseFeedForward__detached(PositionwiseFeedForward):
    """The first layer is cut off from the gradients and learns nothing. Look for detach, data and no_grad.

    fr: La première couche est coupée des gradients et n'apprend rien. Cherchez detach, data et no_grad.
    """

    def activate(self, x):
        return super().activate(x).detach()


class PositionwiseFeedForward__changes_its_input(PositionwiseFeedForward):
    """The caller's tensor is changed: something works in place on the input.

    fr: Le tenseur de l'appelant est modifié : une opération travaille en place sur l'entrée.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.copy_(output)
        return output
