"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint."""

import torch
from torch import nn

from solutions.gpt_block import GPTBlock, GPTBlock__pre_norm
from solutions.gpt_embeddings import GPTEmbeddings


class SimpleGPTModel(nn.Module):
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
    ):
        super().__init__()
        self.embeddings = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)
        self.blocks = nn.ModuleList(
            GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)
        )
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)

    def embed(self, input_ids):
        return self.embeddings(input_ids)

    def masks(self, mask):
        return [mask for _ in self.blocks]

    def through(self, x, mask):
        for block, its_mask in zip(self.blocks, self.masks(mask), strict=True):
            x = block(x, its_mask)
        return x

    def score(self, x):
        return self.lm_head(x)

    def give(self, logits):
        return logits

    def forward(self, input_ids, attention_mask=None):
        return self.give(self.score(self.through(self.embed(input_ids), attention_mask)))


class SimpleGPTModel__without_head(SimpleGPTModel):
    """The hidden states come back; the last layer should make a score for each word of the vocabulary of
    them.

    fr: Ce sont les états cachés qui sont rendus ; la dernière couche doit en tirer un score par mot du
    vocabulaire.
    """

    def score(self, x):
        return x


class SimpleGPTModel__softmax(SimpleGPTModel):
    """Probabilities come back; logits are the scores before any softmax, and the loss applies its own.

    fr: Ce sont des probabilités qui sont rendues ; les logits sont les scores avant tout softmax, et la perte
    applique le sien.
    """

    def give(self, logits):
        return logits.softmax(-1)


class SimpleGPTModel__log_softmax(SimpleGPTModel):
    """Log-probabilities come back; logits are the scores before any softmax, and the loss applies its own.

    fr: Ce sont des log-probabilités qui sont rendues ; les logits sont les scores avant tout softmax, et la
    perte applique le sien.
    """

    def give(self, logits):
        return logits.log_softmax(-1)


class SimpleGPTModel__returns_words(SimpleGPTModel):
    """The most likely words come back; the scores of all words are due.

    fr: Ce sont les mots les plus probables qui sont rendus ; on attend les scores de tous les mots.
    """

    def give(self, logits):
        return logits.argmax(-1)


class SimpleGPTModel__last_position_only(SimpleGPTModel):
    """Only the last position's logits come back; training needs those of every position.

    fr: Seuls les logits de la dernière position sont rendus ; l'entraînement demande ceux de chaque position.
    """

    def give(self, logits):
        return logits[:, -1]


class SimpleGPTModel__logits_shifted(SimpleGPTModel):
    """The logits are shifted by one position; it is the loss that compares each with the next word.

    fr: Les logits sont décalés d'une position ; c'est la perte qui compare chacun au mot suivant.
    """

    def give(self, logits):
        return logits.roll(1, 1)


class SimpleGPTModel__last_logit_cut_off(SimpleGPTModel):
    """The last position's logits are missing; it is the loss that leaves out the last position.

    fr: Les logits de la dernière position manquent ; c'est la perte qui écarte la dernière position.
    """

    def give(self, logits):
        return logits[:, :-1]


class SimpleGPTModel__returns_a_dict(SimpleGPTModel):
    """A dict comes back; the logits themselves are due.

    fr: C'est un dictionnaire qui est rendu ; on attend les logits eux-mêmes.
    """

    def give(self, logits):
        return {"logits": logits}


class SimpleGPTModel__blocks_share_weights(SimpleGPTModel):
    """All blocks are the same one, with the same weights. How often is a block made?

    fr: Tous les blocs n'en font qu'un, avec les mêmes poids. Combien de fois un bloc est-il construit ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.blocks = nn.ModuleList([self.blocks[0]] * len(self.blocks))


class SimpleGPTModel__blocks_not_chained(SimpleGPTModel):
    """Every block gets the embeddings, and only the last one's answer is used; each should get the one
    before's.

    fr: Chaque bloc reçoit les embeddings, et seule la réponse du dernier sert ; chacun doit recevoir celle du
    précédent.
    """

    def through(self, x, mask):
        return self.blocks[-1](x, mask)


class SimpleGPTModel__blocks_in_a_list(SimpleGPTModel):
    """The blocks are kept in a plain list, where PyTorch does not find their parameters.

    fr: Les blocs sont rangés dans une liste ordinaire, où PyTorch ne trouve pas leurs paramètres.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        blocks = list(self.blocks)
        del self.blocks
        self.blocks = blocks


class SimpleGPTModel__one_block_too_few(SimpleGPTModel):
    """There is one block too few. From where to where do you count them?

    fr: Il manque un bloc. D'où à où les comptez-vous ?
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.blocks = self.blocks[1:]


class SimpleGPTModel__last_block_unused(SimpleGPTModel):
    """The last block is there but not used. Where does the loop over the blocks end?

    fr: Le dernier bloc existe mais ne sert pas. Où s'arrête la boucle sur les blocs ?
    """

    def through(self, x, mask):
        for block in self.blocks[:-1]:
            x = block(x, mask)
        return x


class SimpleGPTModel__mask_in_first_block_only(SimpleGPTModel):
    """attention_mask reaches the first block alone; in the others what it hides is seen again.

    fr: attention_mask n'atteint que le premier bloc ; dans les autres, ce qu'il cache est vu de nouveau.
    """

    def masks(self, mask):
        return [mask, *super().masks(None)][: len(self.blocks)]


class SimpleGPTModel__mask_lost(SimpleGPTModel):
    """attention_mask does not reach the blocks. Follow it from forward on.

    fr: attention_mask n'atteint pas les blocs. Suivez-le depuis forward.
    """

    def masks(self, mask):
        return super().masks(None)


class SimpleGPTModel__embeddings_added_again(SimpleGPTModel):
    """The embeddings are added once more to what the last block gave; the blocks hold all the sums there are.

    fr: Les embeddings sont ajoutés une fois de plus à ce qu'a donné le dernier bloc ; toutes les sommes sont
    dans les blocs.
    """

    def through(self, x, mask):
        return x + super().through(x, mask)


class SimpleGPTModel__final_norm(SimpleGPTModel):
    """One more norm stands before the last layer, as in GPT-2; these blocks end with a norm already.

    fr: Une norme de plus précède la dernière couche, comme dans GPT-2 ; ces blocs se terminent déjà par une
    norme.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.final_norm = nn.LayerNorm(self.lm_head.in_features)

    def score(self, x):
        return super().score(self.final_norm(x))


class SimpleGPTModel__as_gpt2(SimpleGPTModel__final_norm):
    """The norms stand where GPT-2 has them: before each part, and one before lm_head, but none on the
    embeddings. Here the embeddings end with a norm, each sum in a block is followed by one, and none stands
    before lm_head.

    fr: Les normes sont là où GPT-2 les a : avant chaque partie, et une avant lm_head, mais aucune sur les
    embeddings. Ici, les embeddings se terminent par une norme, chaque somme d'un bloc est suivie d'une norme,
    et aucune ne précède lm_head.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.embeddings.layer_norm = nn.Identity()
        for block in self.blocks:
            block.__class__ = GPTBlock__pre_norm


class SimpleGPTModel__embeddings_without_norm(SimpleGPTModel):
    """The embeddings go into the first block without a layer norm, which is missing altogether.

    fr: Les embeddings entrent dans le premier bloc sans normalisation, laquelle manque tout à fait.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.embeddings.layer_norm = nn.Identity()


class SimpleGPTModel__num_heads_ignored(SimpleGPTModel):
    """The number of heads is fixed, whatever num_heads says.

    fr: Le nombre de têtes est fixé, quoi que dise num_heads.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        for block in self.blocks:
            block.attn.num_heads = 4


class SimpleGPTModel__wide_by_default(SimpleGPTModel):
    """The blocks are 512 wide inside where nothing else is asked for; 256 are due.

    fr: Les blocs ont une largeur intérieure de 512 quand rien n'est précisé ; il en faut 256.
    """

    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=512,
        max_position_embeddings=512,
    ):
        super().__init__(
            vocab_size, hidden_size, num_heads, num_layers, intermediate_size, max_position_embeddings
        )


class SimpleGPTModel__embeddings_detached(SimpleGPTModel):
    """The embeddings are cut off from the gradients: their tables learn nothing.

    fr: Les embeddings sont coupés des gradients : leurs tables n'apprennent rien.
    """

    def embed(self, input_ids):
        return super().embed(input_ids).detach()


class SimpleGPTModel__without_gradients(SimpleGPTModel):
    """No gradient is kept at all, so that nothing can learn. What switches gradients off, and when?

    fr: Aucun gradient n'est gardé, si bien que rien ne peut apprendre. Qui coupe les gradients, et quand ?
    """

    def forward(self, input_ids, attention_mask=None):
        with torch.no_grad():
            return super().forward(input_ids, attention_mask)


class SimpleGPTModel__always_in_evaluation(SimpleGPTModel):
    """The parts are kept in evaluation mode, so that dropout never acts. What calls eval?

    fr: Les parties restent en mode évaluation, si bien que le dropout n'agit jamais. Qui appelle eval ?
    """

    def forward(self, input_ids, attention_mask=None):
        self.eval()
        return super().forward(input_ids, attention_mask)


class SimpleGPTModel__always_in_training(SimpleGPTModel):
    """The parts are put into training mode at each call, so that dropout acts in evaluation too. What calls
    train?

    fr: Les parties passent en mode entraînement à chaque appel, si bien que le dropout agit aussi en
    évaluation. Qui appelle train ?
    """

    def forward(self, input_ids, attention_mask=None):
        self.train()
        return super().forward(input_ids, attention_mask)


class SimpleGPTModel__overwrites_the_first_word(SimpleGPTModel):
    """The first id of each sequence is overwritten, in the caller's tensor too. Nothing starts a sequence
    here.

    fr: Le premier identifiant de chaque séquence est écrasé, y compris dans le tenseur de l'appelant. Ici,
    rien ne marque le début d'une séquence.
    """

    def embed(self, input_ids):
        input_ids[:, 0] = 0
        return super().embed(input_ids)
