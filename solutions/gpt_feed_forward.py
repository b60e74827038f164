"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.activation = nn.GELU()
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def widen(self, x):
        return self.fc1(x)

    def activate(self, x):
        return self.activation(x)

    def narrow(self, x):
        return self.fc2(x)

    def forward(self, x):
        return self.narrow(self.activate(self.widen(x)))


class PositionwiseFeedForward__without_activation(PositionwiseFeedForward):
    """There is no activation between the layers: together they are one linear map.

    fr: Il n'y a pas d'activation entre les couches : ensemble, elles ne font qu'une application linéaire.
    """

    def activate(self, x):
        return x


class PositionwiseFeedForward__activation_last(PositionwiseFeedForward):
    """The activation acts after the second layer, not between the two.

    fr: L'activation agit après la seconde couche, au lieu d'agir entre les deux.
    """

    def forward(self, x):
        return self.activate(self.narrow(self.widen(x)))


class PositionwiseFeedForward__activation_twice(PositionwiseFeedForward):
    """The activation acts after the second layer too; it belongs between the two alone.

    fr: L'activation agit aussi après la seconde couche ; elle va entre les deux seulement.
    """

    def forward(self, x):
        return self.activate(super().forward(x))


class PositionwiseFeedForward__silu(PositionwiseFeedForward):
    """The activation is SiLU; GELU or ReLU is due.

    fr: L'activation est SiLU ; on attend GELU ou ReLU.
    """

    def activate(self, x):
        return nn.functional.silu(x)


class PositionwiseFeedForward__quick_gelu(PositionwiseFeedForward):
    """The activation is the sigmoid approximation of GELU, which is too coarse.

    fr: L'activation est l'approximation de GELU par la sigmoïde, trop grossière.
    """

    def activate(self, x):
        return x * (1.702 * x).sigmoid()


class PositionwiseFeedForward__sigmoid(PositionwiseFeedForward):
    """The activation is the sigmoid; GELU or ReLU is due.

    fr: L'activation est la sigmoïde ; on attend GELU ou ReLU.
    """

    def activate(self, x):
        return x.sigmoid()


class PositionwiseFeedForward__tanh(PositionwiseFeedForward):
    """The activation is tanh itself; GELU, perhaps approximated by tanh, or ReLU is due.

    fr: L'activation est tanh elle-même ; on attend GELU, au besoin approchée par tanh, ou ReLU.
    """

    def activate(self, x):
        return x.tanh()


class PositionwiseFeedForward__leaky_relu(PositionwiseFeedForward):
    """The activation is the leaky ReLU, which lets some of what is negative through; GELU or ReLU is due.

    fr: L'activation est la leaky ReLU, qui laisse passer une part du négatif ; on attend GELU ou ReLU.
    """

    def activate(self, x):
        return nn.functional.leaky_relu(x)


class PositionwiseFeedForward__softmax(PositionwiseFeedForward):
    """A softmax stands between the layers; GELU or ReLU is due.

    fr: Un softmax se trouve entre les couches ; on attend GELU ou ReLU.
    """

    def activate(self, x):
        return x.softmax(-1)


class PositionwiseFeedForward__relu_squared(PositionwiseFeedForward):
    """The activation is ReLU squared; GELU or ReLU is due.

    fr: L'activation est le carré de ReLU ; on attend GELU ou ReLU.
    """

    def activate(self, x):
        return nn.functional.relu(x).square()


class PositionwiseFeedForward__gated(PositionwiseFeedForward):
    """A third layer is a gate: its activation is multiplied by what the first layer gives (GEGLU, SwiGLU).

    fr: Une troisième couche sert de porte : son activation est multipliée par ce que donne la première couche
    (GEGLU, SwiGLU).
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__(hidden_size, intermediate_size)
        self.gate = nn.Linear(hidden_size, intermediate_size)

    def forward(self, x):
        return self.narrow(self.activate(self.gate(x)) * self.widen(x))


class PositionwiseFeedForward__one_layer(PositionwiseFeedForward):
    """There is one layer, from the width E to the width E; a second is due, and more columns between them.

    fr: Il n'y a qu'une couche, de la largeur E à la largeur E ; il en faut une deuxième, et plus de colonnes
    entre les deux.
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__(hidden_size, intermediate_size)
        self.fc1 = nn.Linear(hidden_size, hidden_size)
        del self.fc2

    def narrow(self, x):
        return x


class PositionwiseFeedForward__intermediate_size_ignored(PositionwiseFeedForward):
    """The inner width is four times the outer, whatever intermediate_size says.

    fr: La largeur intérieure vaut quatre fois l'extérieure, quoi que dise intermediate_size.
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__(hidden_size, 4 * hidden_size)


class PositionwiseFeedForward__without_bias(PositionwiseFeedForward):
    """The layers have no bias.

    fr: Les couches n'ont pas de biais.
    """

    def __init__(self, hidden_size, intermediate_size):
        super().__init__(hidden_size, intermediate_size)
        self.fc1.bias = self.fc2.bias = None


class PositionwiseFeedForward__residual(PositionwiseFeedForward):
    """The input is added to the output; that is the block's work.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc.
    """

    def forward(self, x):
        return x + super().forward(x)


class PositionwiseFeedForward__residual_and_norm(PositionwiseFeedForward):
    """The input is added to the output and the sum is normalised; both are the block's work. Look at what
    follows the second layer.

    fr: L'entrée est ajoutée à la sortie et la somme est normalisée ; les deux sont le travail
    du bloc. Regardez ce qui suit la deuxième couche.
    """

    def forward(self, x):
        return nn.functional.layer_norm(x + super().forward(x), x.shape[-1:])


class PositionwiseFeedForward__normalises_its_input(PositionwiseFeedForward):
    """The input is normalised first; that is the block's work. Look at what the first layer gets.

    fr: L'entrée est d'abord normalisée ; c'est le travail du bloc. Regardez ce que reçoit la première couche.
    """

    def forward(self, x):
        return super().forward(nn.functional.layer_norm(x, x.shape[-1:]))


class PositionwiseFeedForward__mixes_positions(PositionwiseFeedForward):
    """The positions are averaged; each should go through the network by itself.

    fr: Les positions sont moyennées ; chacune doit traverser le réseau à part.
    """

    def widen(self, x):
        return super().widen(x.mean(1, keepdim=True).expand_as(x))


class PositionwiseFeedForward__dropout_in_evaluation(PositionwiseFeedForward):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def activate(self, x):
        return nn.functional.dropout(super().activate(x), 0.1)


class PositionwiseFeedForward__detached(PositionwiseFeedForward):
    """The first layer is cut off from the gradients: it learns nothing.

    fr: La première couche est coupée des gradients : elle n'apprend rien.
    """

    def activate(self, x):
        return super().activate(x).detach()


class PositionwiseFeedForward__changes_its_input(PositionwiseFeedForward):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.add_(output.data)
        return output
