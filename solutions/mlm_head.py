"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

F = nn.functional


class MaskedLMHead(nn.Module):
    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.dense = nn.Linear(hidden_size, hidden_size)
        self.activation = nn.GELU()
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def project(self, x):
        return self.dense(x)

    def activate(self, x):
        return self.activation(x)

    def normalise(self, x):
        return self.LayerNorm(x)

    def transform(self, x):
        return self.normalise(self.activate(self.project(x)))

    def compare(self, x, table):
        return x @ table.T

    def forward(self, hidden_states, embedding_weight):
        return self.compare(self.transform(hidden_states), embedding_weight) + self.bias


class MaskedLMHead__without_transform(MaskedLMHead):
    """The positions are compared with the table as they are: dense, GELU and LayerNorm come before.

    fr: Les positions sont comparées telles quelles avec la table : dense, GELU et LayerNorm viennent avant.
    """

    def transform(self, x):
        return x


class MaskedLMHead__without_dense(MaskedLMHead):
    """The linear layer is not used: it comes before GELU.

    fr: La couche linéaire ne sert pas : elle vient avant GELU.
    """

    def project(self, x):
        return x


class MaskedLMHead__without_activation(MaskedLMHead):
    """No activation stands between the linear layer and the norm; GELU is due.

    fr: Aucune activation ne sépare la couche linéaire de la norme ; on attend GELU.
    """

    def activate(self, x):
        return x


class MaskedLMHead__relu(MaskedLMHead):
    """The activation is ReLU; BERT's head has GELU.

    fr: L'activation est ReLU ; la tête de BERT a GELU.
    """

    def activate(self, x):
        return F.relu(x)


class MaskedLMHead__tanh(MaskedLMHead):
    """The activation is tanh, as in the pooler; this head has GELU.

    fr: L'activation est tanh, comme dans le pooler ; cette tête a GELU.
    """

    def activate(self, x):
        return x.tanh()


class MaskedLMHead__without_norm(MaskedLMHead):
    """The layer norm is missing behind GELU.

    fr: Il manque la normalisation de couche derrière GELU.
    """

    def normalise(self, x):
        return x


class MaskedLMHead__norm_before_activation(MaskedLMHead):
    """The norm stands before GELU; it belongs behind it.

    fr: La norme se trouve avant GELU ; elle va derrière.
    """

    def transform(self, x):
        return self.activate(self.normalise(self.project(x)))


class MaskedLMHead__norm_first(MaskedLMHead):
    """The norm acts on the input; it belongs behind GELU.

    fr: La norme agit sur l'entrée ; elle va derrière GELU.
    """

    def transform(self, x):
        return self.activate(self.project(self.normalise(x)))


class MaskedLMHead__residual(MaskedLMHead):
    """The input is added before the norm, as in a layer of the encoder. The head has no residual.

    fr: L'entrée est ajoutée avant la norme, comme dans une couche de l'encodeur. La tête n'a pas de résidu.
    """

    def transform(self, x):
        return self.normalise(x + self.activate(self.project(x)))


class MaskedLMHead__eps_too_large(MaskedLMHead):
    """The norm's epsilon is 1e-3, which changes the output; BERT's is 1e-12.

    fr: L'epsilon de la norme vaut 1e-3, ce qui change la sortie ; celui de BERT vaut 1e-12.
    """

    def __init__(self, vocab_size, hidden_size):
        super().__init__(vocab_size, hidden_size)
        self.LayerNorm.eps = 1e-3


class MaskedLMHead__untied(MaskedLMHead):
    """The last layer has a weight of its own, and the table of the embeddings is not used.

    fr: La dernière couche a un poids à elle, et la table des embeddings ne sert pas.
    """

    def __init__(self, vocab_size, hidden_size):
        super().__init__(vocab_size, hidden_size)
        self.decoder = nn.Linear(hidden_size, vocab_size, bias=False)

    def compare(self, x, table):
        return self.decoder(x)


class MaskedLMHead__one_layer(MaskedLMHead):
    """There is one linear layer alone, with a weight of its own: dense, GELU, LayerNorm and the table of the
    embeddings are missing.

    fr: Il n'y a qu'une seule couche linéaire, avec un poids à elle : dense, GELU, LayerNorm et la table des
    embeddings manquent.
    """

    def __init__(self, vocab_size, hidden_size):
        nn.Module.__init__(self)
        self.decoder = nn.Linear(hidden_size, vocab_size, bias=False)
        self.bias = nn.Parameter(torch.zeros(vocab_size))

    def transform(self, x):
        return x

    def compare(self, x, table):
        return self.decoder(x)


class MaskedLMHead__table_detached(MaskedLMHead):
    """The table is cut off from the gradients: the words' embeddings learn nothing from the head.

    fr: La table est coupée des gradients : les embeddings des mots n'apprennent rien de la tête.
    """

    def compare(self, x, table):
        return super().compare(x, table.detach())


class MaskedLMHead__table_normalised(MaskedLMHead):
    """The rows of the table are made of length 1. The scalar product is taken as they are.

    fr: Les lignes de la table sont ramenées à la longueur 1. Le produit scalaire les prend telles quelles.
    """

    def compare(self, x, table):
        return super().compare(x, F.normalize(table, dim=-1))


class MaskedLMHead__divided_by_the_root_of_the_width(MaskedLMHead):
    """The scores are divided by the root of the width, as in attention. Here nothing is divided.

    fr: Les scores sont divisés par la racine de la largeur, comme dans l'attention. Ici, rien n'est divisé.
    """

    def compare(self, x, table):
        return super().compare(x, table) / x.shape[-1] ** 0.5


class MaskedLMHead__without_bias(MaskedLMHead):
    """The bias of the words is missing: each word has one, beside the table.

    fr: Il manque le biais des mots : chaque mot en a un, en plus de la table.
    """

    def __init__(self, vocab_size, hidden_size):
        super().__init__(vocab_size, hidden_size)
        del self.bias
        self.bias = 0.0


class MaskedLMHead__dense_without_bias(MaskedLMHead):
    """The linear layer before GELU has no bias.

    fr: La couche linéaire avant GELU n'a pas de biais.
    """

    def __init__(self, vocab_size, hidden_size):
        super().__init__(vocab_size, hidden_size)
        self.dense.bias = None


class MaskedLMHead__log_probabilities(MaskedLMHead):
    """Logarithms of probabilities come back. Logits are due: cross-entropy takes the logarithm itself.

    fr: Ce sont des logarithmes de probabilités qui sont rendus. On attend des logits : l'entropie croisée
    prend elle-même le logarithme.
    """

    def forward(self, hidden_states, embedding_weight):
        return super().forward(hidden_states, embedding_weight).log_softmax(-1)


class MaskedLMHead__probabilities(MaskedLMHead):
    """Probabilities come back; logits are due.

    fr: Ce sont des probabilités qui sont rendues ; on attend des logits.
    """

    def forward(self, hidden_states, embedding_weight):
        return super().forward(hidden_states, embedding_weight).softmax(-1)


class MaskedLMHead__first_position_alone(MaskedLMHead):
    """Only the first position has logits. Each position has, for any of them may be masked.

    fr: Seule la première position a des logits. Chaque position en a, car toutes peuvent être masquées.
    """

    def forward(self, hidden_states, embedding_weight):
        return super().forward(hidden_states[:, 0], embedding_weight)


class MaskedLMHead__dropout_in_evaluation(MaskedLMHead):
    """Something is dropped in evaluation too. Does the dropout know whether the module is in training?

    fr: Le dropout agit aussi en évaluation. Sait-il si le module est en entraînement ?
    """

    def transform(self, x):
        return F.dropout(super().transform(x), 0.1)


class MaskedLMHead__detached(MaskedLMHead):
    """What is normalised is cut off from the gradients: dense and the encoder learn nothing.

    fr: Ce qui est normalisé est coupé des gradients : dense et l'encodeur n'apprennent rien.
    """

    def activate(self, x):
        return super().activate(x).detach()


class MaskedLMHead__changes_its_input(MaskedLMHead):
    """The caller's tensor is changed: something is computed in place on the input.

    fr: Le tenseur de l'appelant est modifié : un calcul se fait en place sur l'entrée.
    """

    def forward(self, hidden_states, embedding_weight):
        logits = super().forward(hidden_states, embedding_weight)
        hidden_states.data.copy_(self.transform(hidden_states).data)
        return logits
