# %% [markdown] lang="en"
# ## Beam search
#
# The likeliest id at each step does not lead to the likeliest sequence. Beam search goes on from several
# sequences at once, and keeps the best of all their continuations. Since a longer sequence is less probable
# than its beginning, what has ended is compared by its probability per id.

# %% [markdown] lang="fr"
# ## La recherche en faisceau
#
# L'identifiant le plus probable à chaque pas ne mène pas à la séquence la plus probable. La recherche en
# faisceau continue plusieurs séquences à la fois, et garde les meilleures de toutes leurs suites. Comme une
# séquence plus longue est moins probable que son début, ce qui est fini se compare par sa probabilité par
# identifiant.

# %%
import torch


def beam_search(model, start_id, stop_id, beams, max_len, length_penalty=1.0):
    """The best sequence that a beam finds.

    At each step every sequence of the beam is continued by every id, and the `beams` continuations with the
    largest sum of log-probabilities are kept, of all sequences together. Those that end in stop_id are
    finished: they leave the beam, and nobody takes their place in it. The others go on. The search ends when
    the beam is empty, or after max_len steps; what is then in the beam is finished, too, without a stop.

    The best of all that is finished has the largest

        (sum of the log-probabilities of its ids) / (number of its ids) ** length_penalty

    where stop_id is one of its ids, and start_id is not.

    Args:
        model: model(ids), with ids int64 of shape (N, T), gives logits of shape (N, T, V); those of the last
            position tell of the next id. N may be any number, and sequences do not influence one another.
        start_id: the id with which every sequence begins for the model.
        stop_id: the id that ends a sequence.
        beams: how many continuations are kept at each step, 1 or more.
        max_len: how many ids a sequence has at most behind start_id, 1 or more.
        length_penalty: 0 and above; with 0, the sums themselves are compared.

    Returns:
        a list of ints: the ids of the best sequence, without start_id and without stop_id. What is chosen of
        sequences of exactly equal worth is undefined.

    fr: La meilleure séquence que trouve un faisceau.

    À chaque pas, toute séquence du faisceau est continuée par tout identifiant, et les `beams` suites de plus
    grande somme de log-probabilités sont gardées, toutes séquences confondues. Celles qui finissent par
    stop_id sont finies : elles quittent le faisceau, et personne n'y prend leur place. Les autres continuent.
    La recherche s'arrête quand le faisceau est vide, ou après max_len pas ; ce qui s'y trouve alors est fini
    aussi, sans arrêt.

    La meilleure de toutes les séquences finies a le plus grand

        (somme des log-probabilités de ses identifiants) / (nombre de ses identifiants) ** length_penalty

    où stop_id est l'un de ses identifiants, et start_id ne l'est pas.

    Args:
        model: model(ids), avec ids int64 de forme (N, T), donne des logits de forme (N, T, V) ; ceux de la
            dernière position parlent de l'identifiant suivant. N est quelconque, et les séquences ne
            s'influencent pas.
        start_id: l'identifiant par lequel toute séquence commence pour le modèle.
        stop_id: l'identifiant qui finit une séquence.
        beams: combien de suites sont gardées à chaque pas, 1 ou davantage.
        max_len: combien d'identifiants une séquence a au plus derrière start_id, 1 ou davantage.
        length_penalty: 0 ou davantage ; avec 0, ce sont les sommes mêmes qui sont comparées.

    Returns:
        une liste d'int : les identifiants de la meilleure séquence, sans start_id et sans stop_id. Laquelle
        de séquences exactement équivalentes est choisie n'est pas défini.
    """
    raise NotImplementedError
