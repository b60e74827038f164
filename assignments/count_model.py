# %% [markdown] lang="en"
# ## The parameters of a whole model
#
# Tables, layers, norms, last layer: where the 109 million parameters of BERT base are, and what a shared
# table saves.

# %% [markdown] lang="fr"
# ## Les paramètres d'un modèle entier
#
# Tables, couches, normes, dernière couche : où sont les 109 millions de paramètres de BERT base, et ce
# qu'économise une table partagée.


# %%
def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    """The number of parameters of a Transformer, from its embeddings to its logits.

    Args:
        vocab_size: V, the number of words, each with a row of the words' table.
        dim: E, the width of the model.
        layers: the number of layers. Each has four linear layers of attention from E to E, two of the
            feed-forward network from E to F and back, all with bias, and two layer norms with gain and shift.
        ff_dim: F, the inner width of the feed-forward network.
        positions: the number of rows of the positions' table, which is learned.
        types: the number of rows of the table of segment types; 0 where there is none, as in GPT.
        tied: whether the last layer, from E to V without bias, shares its weights with the words' table;
            shared weights count once. Without it, the last layer has V * E weights of its own.

    One layer norm follows the embeddings. There is no norm after the last layer, and no pooler.

    Returns:
        an int: for BERT base, count_model(30522, 768, 12, 3072, 512, types=2) is 108891648.

    fr: Le nombre de paramètres d'un Transformer, des embeddings aux logits.

    Args:
        vocab_size: V, le nombre de mots, chacun ayant une ligne dans la table des mots.
        dim: E, la largeur du modèle.
        layers: le nombre de couches. Chacune a quatre couches linéaires d'attention de E vers E, deux du
            réseau feed-forward de E vers F et retour, toutes avec biais, et deux normes avec gain et
            décalage.
        ff_dim: F, la largeur intérieure du réseau feed-forward.
        positions: le nombre de lignes de la table des positions, qui est apprise.
        types: le nombre de lignes de la table des types de segment ; 0 s'il n'y en a pas, comme dans GPT.
        tied: si la dernière couche, de E vers V sans biais, partage ses poids avec la table des mots ; des
            poids partagés comptent une fois. Sinon, la dernière couche a V * E poids à elle.

    Une norme suit les embeddings. Il n'y a pas de norme après la dernière couche, ni de pooler.

    Returns:
        un int : pour BERT base, count_model(30522, 768, 12, 3072, 512, types=2) vaut 108891648.
    """
    raise NotImplementedError
