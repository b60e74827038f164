"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.activation = nn.GELU()
        self.dropout = nn.Dropout(dropout)
        self.linear2 = nn.Linear(ff_dim, embed_dim)

    def widen(self, x):
        return self.linear1(x)

    def activate(self, hidden):
        return self.activation(hidden)

    def drop(self, hidden):
        return self.dropout(hidden)

    def narrow(self, hidden):
        return self.linear2(hidden)

    def forward(self, x):
        return self.narrow(self.drop(self.activate(self.widen(x))))


class FeedForward__without_activation(FeedForward):
    """There is no activation between the layers: together they are one linear map. Look at what happens
    between the two.

    fr: Il n'y a pas d'activation entre les couches : ensemble, elles ne font qu'une application linéaire.
    Regardez ce qui se passe entre les deux.
    """

    def activate(self, hidden):
        return hidden


class FeedForward__activation_first(FeedForward):
    """The activation acts before the first layer, not between the two. Look at what the first layer gets.

    fr: L'activation agit avant la première couche, et non entre les deux. Regardez ce que reçoit la première
    couche.
    """

    def widen(self, x):
        return super().widen(self.activation(x))

    def activate(self, hidden):
        return hidden


class FeedForward__activation_last(FeedForward):
    """The activation acts after the second layer, not between the two. Look at what the second layer gets.

    fr: L'activation agit après la deuxième couche, et non entre les deux. Regardez ce que reçoit la deuxième
    couche.
    """

    def activate(self, hidden):
        return hidden

    def narrow(self, hidden):
        return self.activation(super().narrow(hidden))


class FeedForward__activation_twice(FeedForward):
    """The activation acts after the second layer too. Look at what is done to the output at the end.

    fr: L'activation agit aussi après la deuxième couche. Regardez ce qui est fait de la sortie à la fin.
    """

    def narrow(self, hidden):
        return self.activation(super().narrow(hidden))


class FeedForward__silu(FeedForward):
    """The activation is SiLU, not GELU. Look at the function between the layers.

    fr: L'activation est SiLU au lieu de GELU. Regardez la fonction entre les couches.
    """

    def activate(self, hidden):
        return nn.functional.silu(hidden)


class FeedForward__quick_gelu(FeedForward):
    """The activation is the sigmoid approximation of GELU (quick-GELU), which is too rough. Look at your
    formula of GELU.

    fr: L'activation est l'approximation de GELU par une sigmoïde (quick-GELU), trop grossière. Regardez votre
    formule de GELU.
    """

    def activate(self, hidden):
        return hidden * (1.702 * hidden).sigmoid()


class FeedForward__sigmoid(FeedForward):
    """The activation is the sigmoid, not GELU. Look at the function between the layers.

    fr: L'activation est la sigmoïde au lieu de GELU. Regardez la fonction entre les couches.
    """

    def activate(self, hidden):
        return hidden.sigmoid()


class FeedForward__tanh(FeedForward):
    """The activation is tanh itself, not GELU by tanh. Look at the function between the layers.

    fr: L'activation est tanh elle-même, et non GELU par tanh. Regardez la fonction entre les couches.
    """

    def activate(self, hidden):
        return hidden.tanh()


class FeedForward__leaky_relu(FeedForward):
    """The activation is LeakyReLU, not GELU. Look at the function between the layers.

    fr: L'activation est LeakyReLU au lieu de GELU. Regardez la fonction entre les couches.
    """

    def activate(self, hidden):
        return nn.functional.leaky_relu(hidden)


class FeedForward__elu(FeedForward):
    """The activation is ELU, not GELU. Look at the function between the layers.

    fr: L'activation est ELU au lieu de GELU. Regardez la fonction entre les couches.
    """

    def activate(self, hidden):
        return nn.functional.elu(hidden)


class FeedForward__relu_squared(FeedForward):
    """The activation is ReLU squared; GELU or ReLU is due.

    fr: L'activation est le carré de ReLU ; on attend GELU ou ReLU.
    """

    def activate(self, hidden):
        return nn.functional.relu(hidden).square()


class FeedForward__softmax(FeedForward):
    """A softmax stands between the layers, which makes the units depend on one another. Look at which
    function GELU is.

    fr: Un softmax se trouve entre les couches et lie les unités entre elles. Regardez quelle fonction est
    GELU.
    """

    def activate(self, hidden):
        return hidden.softmax(-1)


class FeedForward__gated(FeedForward):
    """A third layer is a gate: its activation is multiplied by what the first layer gives (GEGLU, SwiGLU).
    Count the layers.

    fr: Une troisième couche sert de porte : son activation est multipliée par ce que donne la première couche
    (GEGLU, SwiGLU). Comptez les couches.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, ff_dim, dropout)
        self.gate = nn.Linear(embed_dim, self.linear2.in_features)

    def forward(self, x):
        return self.narrow(self.drop(self.activate(self.gate(x)) * self.widen(x)))


class FeedForward__twice_as_wide(FeedForward):
    """The inner width is 2 * E by default, not 4 * E. Look at what ff_dim becomes when it is not given.

    fr: La largeur intérieure est 2 * E par défaut, et non 4 * E. Regardez ce que devient ff_dim s'il n'est
    pas donné.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, 2 * embed_dim if ff_dim is None else ff_dim, dropout)


class FeedForward__ff_dim_ignored(FeedForward):
    """The inner width is 4 * E, whatever ff_dim says. Look at whether ff_dim is used.

    fr: La largeur intérieure est 4 * E, quel que soit ff_dim. Regardez si ff_dim est utilisé.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, None, dropout)


class FeedForward__without_second_layer(FeedForward):
    """What comes back is F wide: the second layer is never applied. Look at how the width gets back to E.

    fr: Ce qui est renvoyé est de largeur F : la deuxième couche n'est jamais appliquée. Regardez comment la
    largeur revient à E.
    """

    def narrow(self, hidden):
        return hidden


class FeedForward__without_dropout(FeedForward):
    """Dropout never acts. Look at whether the layer is called in forward.

    fr: Le dropout n'agit jamais. Regardez si la couche est appelée dans forward.
    """

    def drop(self, hidden):
        return hidden


class FeedForward__dropout_in_evaluation(FeedForward):
    """Dropout acts in evaluation too. Look at what tells F.dropout that it is not training.

    fr: Le dropout agit aussi en évaluation. Regardez ce qui dit à F.dropout qu'on n'entraîne pas.
    """

    def drop(self, hidden):
        return nn.functional.dropout(hidden, self.dropout.p)


class FeedForward__rate_ignored(FeedForward):
    """The rate of the dropout is always 0.1, whatever is asked for. Look at what nn.Dropout gets.

    fr: Le taux du dropout est toujours 0.1, quoi qu'on demande. Regardez ce que reçoit nn.Dropout.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, ff_dim, 0.1)


class FeedForward__without_bias(FeedForward):
    """The layers have no bias. Look at the arguments of nn.Linear.

    fr: Les couches n'ont pas de biais. Regardez les arguments de nn.Linear.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, ff_dim, dropout)
        self.linear1.bias = self.linear2.bias = None


class FeedForward__without_second_bias(FeedForward):
    """The second layer has no bias. Look at the arguments of both nn.Linear.

    fr: La deuxième couche n'a pas de biais. Regardez les arguments des deux nn.Linear.
    """

    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__(embed_dim, ff_dim, dropout)
        self.linear2.bias = None


class FeedForward__residual(FeedForward):
    """The input is added to the output; that is the block's work. Look at what is added at the end.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc. Regardez ce qui est ajouté à la fin.
    """

    def forward(self, x):
        return x + super().forward(x)


class FeedForward__normalises_its_input(FeedForward):
    """The input is normalised first; that is the block's work. Look at what the first layer gets.

    fr: L'entrée est d'abord normalisée ; c'est le travail du bloc. Regardez ce que reçoit la première couche.
    """

    def widen(self, x):
        return super().widen(nn.functional.layer_norm(x, x.shape[-1:]))


class FeedForward__residual_and_norm(FeedForward):
    """The input is added to the output and the sum is normalised; both are the block's work. Look at what
    follows the second layer.

    fr: L'entrée est ajoutée à la sortie et la somme est normalisée ; les deux sont le travail
    du bloc. Regardez ce qui suit la deuxième couche.
    """

    def forward(self, x):
        return nn.functional.layer_norm(x + super().forward(x), x.shape[-1:])


class FeedForward__mixes_positions(FeedForward):
    """The positions are averaged: each should go through the network by itself. Look for operations on the
    axis of S.

    fr: Les positions sont moyennées : chacune doit traverser le réseau seule. Cherchez les opérations sur
    l'axe de S.
    """

    def forward(self, x):
        return super().forward(x.mean(1, keepdim=True).expand_as(x))


class FeedForward__half_precision(FeedForward):
    """What stands between the layers passes through half precision. Look for a cast (.half(), .bfloat16(),
    autocast).

    fr: Ce qui est entre les couches passe par la demi-précision. Cherchez une conversion (.half(),
    .bfloat16(), autocast).
    """

    def activate(self, hidden):
        return super().activate(hidden.bfloat16()).to(hidden.dtype)


class FeedForward__detached(FeedForward):
    """The first layer is cut off from the gradients. Look for .detach(), .data, no_grad or a new tensor made
    of numbers.

    fr: La première couche est coupée des gradients. Cherchez .detach(), .data, no_grad ou un tenseur refait à
    partir de nombres.
    """

    def activate(self, hidden):
        return super().activate(hidden).detach()


class FeedForward__changes_its_input(FeedForward):
    """The caller's tensor is changed. Look for assignments into x and for methods that end in an underscore.

    fr: Le tenseur de l'appelant est modifié. Cherchez les affectations dans x et les méthodes qui finissent
    par un tiret bas.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.zero_()
        return output
