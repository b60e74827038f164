"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
HALF = ("sum_of_the_branches", "without_gate", "without_activation")
SMALL = ("with_biases", "detached", "changes_its_input")


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.gate_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.up_proj = nn.Linear(dim, hidden_dim, bias=False)
        self.down_proj = nn.Linear(hidden_dim, dim, bias=False)

    def activate(self, x):
        return nn.functional.silu(x)

    def gate(self, x):
        return self.activate(self.gate_proj(x))

    def widen(self, x):
        return self.up_proj(x)

    def combine(self, gate, up):
        return gate * up

    def narrow(self, x):
        return self.down_proj(x)

    def forward(self, x):
        return self.narrow(self.combine(self.gate(x), self.widen(x)))


class SwiGLU__silu_on_the_other_branch(SwiGLU):
    """SiLU acts on up_proj's answer, and not on gate_proj's. Which of the two is the gate?

    fr: SiLU agit sur la réponse d'up_proj, et non sur celle de gate_proj. Laquelle des deux est la porte ?
    """

    def gate(self, x):
        return self.gate_proj(x)

    def widen(self, x):
        return self.activate(self.up_proj(x))


class SwiGLU__silu_on_both_branches(SwiGLU):
    """SiLU acts on both branches; only the gate goes through it.

    fr: SiLU agit sur les deux branches ; seule la porte y passe.
    """

    def widen(self, x):
        return self.activate(self.up_proj(x))


class SwiGLU__silu_of_the_product(SwiGLU):
    """SiLU acts on the product of both branches; it acts on the gate, before the product.

    fr: SiLU agit sur le produit des deux branches ; il agit sur la porte, avant le produit.
    """

    def gate(self, x):
        return self.gate_proj(x)

    def combine(self, gate, up):
        return self.activate(gate * up)


class SwiGLU__silu_at_the_end(SwiGLU):
    """SiLU acts on the output of the last layer; it acts on the gate.

    fr: SiLU agit sur la sortie de la dernière couche ; il agit sur la porte.
    """

    def gate(self, x):
        return self.gate_proj(x)

    def narrow(self, x):
        return self.activate(self.down_proj(x))


class SwiGLU__without_activation(SwiGLU):
    """The branches are multiplied without any activation. What makes a gate of the first one?

    fr: Les branches sont multipliées sans aucune activation. Qu'est-ce qui fait de la première une porte ?
    """

    def activate(self, x):
        return x


class SwiGLU__gelu(SwiGLU):
    """The gate goes through GELU (GEGLU); SiLU is due.

    fr: La porte passe par GELU (GEGLU) ; on attend SiLU.
    """

    def activate(self, x):
        return nn.functional.gelu(x)


class SwiGLU__gelu_by_tanh(SwiGLU):
    """The gate goes through the tanh form of GELU (GEGLU); SiLU is due.

    fr: La porte passe par la forme en tanh de GELU (GEGLU) ; on attend SiLU.
    """

    def activate(self, x):
        return nn.functional.gelu(x, approximate="tanh")


class SwiGLU__relu(SwiGLU):
    """The gate goes through ReLU (ReGLU); SiLU is due.

    fr: La porte passe par ReLU (ReGLU) ; on attend SiLU.
    """

    def activate(self, x):
        return nn.functional.relu(x)


class SwiGLU__sigmoid(SwiGLU):
    """The gate goes through the sigmoid alone, as in the first GLU. SiLU multiplies the sigmoid by its input.

    fr: La porte passe par la sigmoïde seule, comme dans le premier GLU. SiLU multiplie la sigmoïde par son
    entrée.
    """

    def activate(self, x):
        return x.sigmoid()


class SwiGLU__tanh(SwiGLU):
    """The gate goes through tanh; SiLU is due.

    fr: La porte passe par tanh ; on attend SiLU.
    """

    def activate(self, x):
        return x.tanh()


class SwiGLU__sum_of_the_branches(SwiGLU):
    """The branches are added; a gate multiplies.

    fr: Les branches sont additionnées ; une porte multiplie.
    """

    def combine(self, gate, up):
        return gate + up


class SwiGLU__without_gate(SwiGLU):
    """There are two layers with SiLU between them, and no gate: a plain feed-forward network. Three layers
    are due.

    fr: Il y a deux couches séparées par SiLU, et pas de porte : un simple réseau feed-forward. Il faut trois
    couches.
    """

    def __init__(self, dim, hidden_dim):
        super().__init__(dim, hidden_dim)
        del self.up_proj

    def forward(self, x):
        return self.narrow(self.gate(x))


class SwiGLU__one_layer_for_both(SwiGLU):
    """One layer makes both the gate and what passes it; there should be a layer for each.

    fr: Une seule couche fait à la fois la porte et ce qui la traverse ; il en faut une pour chacune.
    """

    def __init__(self, dim, hidden_dim):
        super().__init__(dim, hidden_dim)
        del self.up_proj

    def widen(self, x):
        return self.gate_proj(x)


class SwiGLU__up_unused(SwiGLU):
    """up_proj is there, and its answer is not used. What is the gate multiplied by?

    fr: up_proj existe, et sa réponse ne sert pas. Par quoi la porte est-elle multipliée ?
    """

    def combine(self, gate, up):
        return gate


class SwiGLU__with_biases(SwiGLU):
    """There are biases. Here no layer has one: look at the arguments of nn.Linear.

    fr: Il y a des biais. Ici, aucune couche n'en a : regardez les arguments de nn.Linear.
    """

    def __init__(self, dim, hidden_dim):
        super().__init__(dim, hidden_dim)
        self.gate_proj, self.up_proj = (nn.Linear(dim, hidden_dim) for _ in range(2))
        self.down_proj = nn.Linear(hidden_dim, dim)


class SwiGLU__two_thirds_of_the_width(SwiGLU):
    """The inner width is 2/3 of hidden_dim, as where a whole network is made smaller for its third layer.
    Here hidden_dim is the width itself.

    fr: La largeur intérieure vaut 2/3 de hidden_dim, comme quand un réseau entier est réduit pour sa
    troisième couche. Ici, hidden_dim est la largeur elle-même.
    """

    def __init__(self, dim, hidden_dim):
        super().__init__(dim, max(1, int(2 * hidden_dim / 3)))


class SwiGLU__hidden_dim_ignored(SwiGLU):
    """The inner width is 4 * dim, whatever hidden_dim says.

    fr: La largeur intérieure vaut 4 * dim, quoi que dise hidden_dim.
    """

    def __init__(self, dim, hidden_dim):
        super().__init__(dim, 4 * dim)


class SwiGLU__without_down(SwiGLU):
    """The product comes back as it is, F wide: the last layer is missing.

    fr: Le produit est rendu tel quel, de largeur F : la dernière couche manque.
    """

    def narrow(self, x):
        return x


class SwiGLU__residual(SwiGLU):
    """The input is added to the output; that is the block's work.

    fr: L'entrée est ajoutée à la sortie ; c'est le travail du bloc.
    """

    def forward(self, x):
        return x + super().forward(x)


class SwiGLU__dropout_in_evaluation(SwiGLU):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def narrow(self, x):
        return nn.functional.dropout(super().narrow(x), 0.1)


class SwiGLU__half_precision(SwiGLU):
    """The gate is computed in half precision; it should keep the precision of its input.

    fr: La porte est calculée en demi-précision ; elle doit garder la précision de son entrée.
    """

    def activate(self, x):
        return super().activate(x.bfloat16()).to(x.dtype)


class SwiGLU__detached(SwiGLU):
    """The gate is cut off from the gradients: its layer learns nothing.

    fr: La porte est coupée des gradients : sa couche n'apprend rien.
    """

    def gate(self, x):
        return super().gate(x).detach()


class SwiGLU__changes_its_input(SwiGLU):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.mul_(0.5)
        return output
