"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

from torch import nn
from torch.nn import functional


class Residual(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        self.layer = layer
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)
        self.pre = pre

    def apply_layer(self, x):
        return self.dropout(self.layer(x))

    def add(self, x, answer):
        return x + answer

    def norm_first(self, x):
        return self.add(x, self.apply_layer(self.norm(x)))

    def norm_last(self, x):
        return self.norm(self.add(x, self.apply_layer(x)))

    def forward(self, x):
        return self.norm_first(x) if self.pre else self.norm_last(x)


class NormOverTheSequence(nn.LayerNorm):
    def forward(self, x):
        normed = functional.layer_norm(x.transpose(1, 2), x.shape[1:2], eps=self.eps).transpose(1, 2)
        return normed * self.weight + self.bias


class UnbiasedNorm(nn.LayerNorm):
    def forward(self, x):
        normed = (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + self.eps)
        return normed * self.weight + self.bias


class Residual__always_post(Residual):
    """The norm always comes after the sum, whatever pre says.

    fr: La norme vient toujours après la somme, quoi que dise pre.
    """

    def norm_first(self, x):
        return self.norm_last(x)


class Residual__always_pre(Residual):
    """The norm always comes before the layer, whatever pre says.

    fr: La norme vient toujours avant la couche, quoi que dise pre.
    """

    def norm_last(self, x):
        return self.norm_first(x)


class Residual__pre_inverted(Residual):
    """pre is read the other way round, or its default is False.

    fr: pre est lu à l'envers, ou sa valeur par défaut est False.
    """

    def forward(self, x):
        return self.norm_last(x) if self.pre else self.norm_first(x)


class Residual__without_residual(Residual):
    """The input is not added to what the layer answers. What is a residual connection?

    fr: L'entrée n'est pas ajoutée à la réponse de la couche. Qu'est-ce qu'une connexion résiduelle ?
    """

    def norm_first(self, x):
        return self.apply_layer(self.norm(x))

    def norm_last(self, x):
        return self.norm(self.apply_layer(x))


class Residual__without_norm(Residual):
    """The norm is there and is not used.

    fr: La norme est là mais ne sert pas.
    """

    def norm_first(self, x):
        return x + self.apply_layer(x)

    def norm_last(self, x):
        return x + self.apply_layer(x)


class Residual__adds_the_normed_input(Residual):
    """What is added to the layer's answer is the normed input; the input itself is due. Do you give the
    normed input the name of x?

    fr: Ce qui est ajouté à la réponse de la couche est l'entrée normée ; on attend l'entrée elle-même.
    Donnez- vous le nom de x à l'entrée normée ?
    """

    def norm_first(self, x):
        return self.norm(x) + self.apply_layer(self.norm(x))


class Residual__norm_of_the_answer(Residual):
    """The norm acts on what the layer answers, x + norm(layer(x)): neither before the layer nor on the sum.

    fr: La norme agit sur la réponse de la couche, x + norm(layer(x)) : ni avant la couche, ni sur la somme.
    """

    def norm_first(self, x):
        return x + self.norm(self.apply_layer(x))

    def norm_last(self, x):
        return x + self.norm(self.apply_layer(x))


class Residual__norm_twice(Residual):
    """The norm acts before the layer and on the sum too.

    fr: La norme agit avant la couche et aussi sur la somme.
    """

    def norm_first(self, x):
        return self.norm(super().norm_first(x))

    def norm_last(self, x):
        return self.norm(x + self.apply_layer(self.norm(x)))


class Residual__layer_twice(Residual):
    """The layer is applied twice, one after the other.

    fr: La couche est appliquée deux fois, l'une après l'autre.
    """

    def apply_layer(self, x):
        return self.dropout(self.layer(self.layer(x)))


class Residual__input_twice(Residual):
    """The input is added twice. Does the layer's answer already hold it?

    fr: L'entrée est ajoutée deux fois. La réponse de la couche la contient-elle déjà ?
    """

    def norm_first(self, x):
        return x + super().norm_first(x)

    def norm_last(self, x):
        return self.norm(x + x + self.apply_layer(x))


class Residual__dropout_before_the_layer(Residual):
    """Dropout acts on what the layer is given; it belongs on what the layer answers.

    fr: Le dropout agit sur ce que la couche reçoit ; sa place est sur ce que la couche répond.
    """

    def apply_layer(self, x):
        return self.layer(self.dropout(x))


class Residual__subtracted(Residual):
    """The layer's answer is subtracted.

    fr: La réponse de la couche est soustraite.
    """

    def apply_layer(self, x):
        return -super().apply_layer(x)


class Residual__averaged(Residual):
    """The mean of input and answer is taken; their sum is due.

    fr: La moyenne de l'entrée et de la réponse est prise ; on attend leur somme.
    """

    def norm_first(self, x):
        return super().norm_first(x) / 2


class Residual__norm_over_the_sequence(Residual):
    """The norm runs over the positions; each position has its own. Look at the axis.

    fr: La norme porte sur les positions ; chaque position a la sienne. Regardez l'axe.
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__(layer, dim, dropout, pre)
        self.norm = NormOverTheSequence(dim)


class Residual__unbiased_norm(Residual):
    """The norm divides by a standard deviation over E - 1 values, as torch.std and torch.var do by
    themselves; a layer norm divides by E.

    fr: La norme divise par un écart type sur E - 1 valeurs, comme torch.std et torch.var le font
    d'eux-mêmes ; une normalisation de couche divise par E.
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__(layer, dim, dropout, pre)
        self.norm = UnbiasedNorm(dim)


class Residual__without_any_norm(Residual):
    """There is no norm: x + layer(x) is all. Where do the gain and the shift come in?

    fr: Il n'y a pas de norme : x + layer(x) est tout. Où interviennent le gain et le décalage ?
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__(layer, dim, dropout, pre)
        self.norm = nn.Identity()


class Residual__norm_learns_nothing(Residual):
    """The norm has no gain and no shift to be learned. Look at elementwise_affine.

    fr: La norme n'a ni gain ni décalage à apprendre. Regardez elementwise_affine.
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__(layer, dim, dropout, pre)
        self.norm = nn.LayerNorm(dim, elementwise_affine=False)


class Residual__layer_in_a_list(Residual):
    """The layer is kept in a plain list, where PyTorch does not find its parameters.

    fr: La couche est gardée dans une simple liste, où PyTorch ne trouve pas ses paramètres.
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__(layer, dim, dropout, pre)
        del self.layer
        self.kept = [layer]

    def apply_layer(self, x):
        return self.dropout(self.kept[0](x))


class Residual__layer_of_its_own(Residual):
    """A new layer stands in the place of the one that is given. What does the argument layer hold?

    fr: Une nouvelle couche prend la place de celle qui est donnée. Que contient l'argument layer ?
    """

    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__(layer, dim, dropout, pre)
        self.layer = nn.Linear(dim, dim, bias=False)
        nn.init.eye_(self.layer.weight)


class Residual__residual_detached(Residual):
    """No gradient passes beside the layer: the input that is added is cut off. Look for detach or data.

    fr: Aucun gradient ne passe à côté de la couche : l'entrée ajoutée est coupée. Cherchez detach ou data.
    """

    def norm_first(self, x):
        return x.detach() + self.apply_layer(self.norm(x))

    def norm_last(self, x):
        return self.norm(x.detach() + self.apply_layer(x))


class Residual__layer_detached(Residual):
    """The layer's answer is cut off from the gradients: it learns nothing. Look for detach, data or no_grad.

    fr: La réponse de la couche est coupée des gradients : elle n'apprend rien. Cherchez detach, data ou
    no_grad.
    """

    def apply_layer(self, x):
        return super().apply_layer(x).detach()


class Residual__without_dropout(Residual):
    """Nothing is dropped in training. Where does the layer's answer go through the dropout?

    fr: Aucune valeur n'est annulée à l'entraînement. Où la réponse de la couche passe-t-elle par le dropout ?
    """

    def apply_layer(self, x):
        return self.layer(x)


class Residual__dropout_by_default(Residual):
    """Something is dropped in training where no rate is asked for. Look at the default of dropout.

    fr: Le dropout agit à l'entraînement sans qu'aucun taux ne soit demandé. Regardez la valeur par défaut de
    dropout.
    """

    def __init__(self, layer, dim, dropout=0.1, pre=True):
        super().__init__(layer, dim, dropout, pre)


class Residual__dropout_in_evaluation(Residual):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def apply_layer(self, x):
        return functional.dropout(self.layer(x), self.dropout.p)


class Residual__drops_the_sum(Residual):
    """Dropout acts on the sum, so that parts of the input are lost too. It belongs to the layer's answer.

    fr: Le dropout agit sur la somme, si bien que des parties de l'entrée se perdent aussi. Il concerne la
    réponse de la couche.
    """

    def norm_first(self, x):
        return self.dropout(x + self.layer(self.norm(x)))

    def norm_last(self, x):
        return self.norm(self.dropout(x + self.layer(x)))


class Residual__changes_its_input(Residual):
    """The caller's x is changed: the layer's answer is added in place. Look for +=.

    fr: Le x de l'appelant est modifié : la réponse de la couche est ajoutée en place. Cherchez +=.
    """

    def forward(self, x):
        output = super().forward(x)
        x.data.add_(self.layer(x).data)
        return output


class Residual__adds_in_place(Residual):
    """The input is added in place to what the layer answers, which the layer may need again in its backward
    pass: PyTorch raises an error there. Look for +=.

    fr: L'entrée est ajoutée en place à la réponse de la couche, dont celle-ci peut avoir encore besoin dans
    sa passe arrière : PyTorch y lève une erreur. Cherchez +=.
    """

    def add(self, x, answer):
        answer += x
        return answer
