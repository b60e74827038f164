"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import torch

# How grave some mistakes are: what the audit asks them to cost (graders/course/gravity.py).
SMALL = ("leaves_in_evaluation", "with_gradients")


def draw_symbols(trials, symbols, generator):
    return torch.randint(1, symbols + 1, (trials,), generator=generator)


def make_sequences(drawn, lag, symbols):
    ids = torch.zeros(len(drawn), lag + 1, dtype=torch.int64)
    ids[:, 0], ids[:, -1] = drawn, symbols + 1
    return ids


def find_recalled(logits, ids):
    """Which symbols are recalled, (B,), or their share at each."""
    return (logits[:, -1].argmax(-1) == ids[:, 0]).double()


def gather(recalled):
    return torch.stack([each.mean() for each in recalled])


def generator_of(seed):
    return torch.Generator().manual_seed(seed)


def as_it_was(model, training):
    model.train(training)


def recall_by_lag(
    model,
    lags,
    trials,
    symbols,
    seed,
    draw=draw_symbols,
    make=make_sequences,
    recalled=find_recalled,
    together=gather,
    seeded=generator_of,
    mode=False,
    tracked=False,
    after=as_it_was,
):
    training = model.training
    model.train(training if mode is None else mode)
    generator, found = seeded(seed), []
    with torch.set_grad_enabled(tracked):
        for lag in lags:
            ids = make(draw(trials, symbols, generator), lag, symbols)
            found.append(recalled(model(ids), ids).detach())
    after(model, training)
    return together(found)


def recall_by_lag__all_positions(model, lags, trials, symbols, seed, **parts):
    """All positions are counted, blanks too: a model that says "blank" looks good. Which position holds the
    answer?

    fr: Toutes les positions sont comptées, les vides aussi : un modèle qui dit « vide » a l'air bon. Quelle
    position contient la réponse ?
    """

    def recalled(logits, ids):
        due = torch.cat([ids[:, 1:-1], ids[:, :1]], 1)
        return (logits[:, 1:].argmax(-1) == due).double().mean(-1)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"recalled": recalled, **parts})


def recall_by_lag__first_position(model, lags, trials, symbols, seed, **parts):
    """The answer is read at the first position, where the question has not been asked yet. Look at the index.

    fr: La réponse est lue à la première position, où la question n'a pas encore été posée. Regardez l'indice.
    """

    def recalled(logits, ids):
        return find_recalled(logits[:, :1], ids)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"recalled": recalled, **parts})


def recall_by_lag__probability(model, lags, trials, symbols, seed, **parts):
    """The probability of the symbol is averaged. The contract asks how often its logit is the largest.

    fr: C'est la probabilité du symbole qui est moyennée. Le contrat demande combien de fois son logit est le
    plus grand.
    """

    def recalled(logits, ids):
        return logits[:, -1].softmax(-1).gather(1, ids[:, :1])[:, 0].double()

    return recall_by_lag(model, lags, trials, symbols, seed, **{"recalled": recalled, **parts})


def recall_by_lag__counted_from_0(model, lags, trials, symbols, seed, **parts):
    """The place of the largest logit is compared with the symbol less 1. The logit of symbol n has number
    n: 0 is the blank.

    fr: La place du plus grand logit est comparée au symbole moins 1. Le logit du symbole n a le numéro n :
    0 est le vide.
    """

    def recalled(logits, ids):
        return (logits[:, -1].argmax(-1) == ids[:, 0] - 1).double()

    return recall_by_lag(model, lags, trials, symbols, seed, **{"recalled": recalled, **parts})


def recall_by_lag__errors(model, lags, trials, symbols, seed, **parts):
    """The share of errors comes back. The share of symbols that are recalled is asked for.

    fr: C'est la part des erreurs qui est renvoyée. La part des symboles retrouvés est demandée.
    """

    def recalled(logits, ids):
        return 1 - find_recalled(logits, ids)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"recalled": recalled, **parts})


def recall_by_lag__numbers(model, lags, trials, symbols, seed, **parts):
    """The number of recalled symbols comes back, not their share. Divide by the number of sequences.

    fr: C'est le nombre de symboles retrouvés qui est renvoyé, et non leur part. Divisez par le nombre de
    séquences.
    """

    def together(recalled):
        return torch.stack([each.sum() for each in recalled])

    return recall_by_lag(model, lags, trials, symbols, seed, **{"together": together, **parts})


def recall_by_lag__percent(model, lags, trials, symbols, seed, **parts):
    """The shares are in percent. From 0 to 1 they are asked for.

    fr: Les parts sont en pour cent. Elles sont demandées de 0 à 1.
    """

    def together(recalled):
        return 100 * gather(recalled)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"together": together, **parts})


def recall_by_lag__one_number(model, lags, trials, symbols, seed, **parts):
    """The mean over all lags comes back. A share for each lag is asked for.

    fr: C'est la moyenne sur tous les décalages qui est renvoyée. Une part pour chaque décalage est demandée.
    """

    def together(recalled):
        return gather(recalled).mean()

    return recall_by_lag(model, lags, trials, symbols, seed, **{"together": together, **parts})


def recall_by_lag__shares_add_up(model, lags, trials, symbols, seed, **parts):
    """The count goes on from lag to lag: it is never set back to 0.

    fr: Le compte continue d'un décalage à l'autre : il n'est jamais remis à 0.
    """

    def together(recalled):
        return gather(recalled).cumsum(0)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"together": together, **parts})


def recall_by_lag__one_blank_more(model, lags, trials, symbols, seed, **parts):
    """There are k blanks: the question stands k + 1 positions behind the symbol. A sequence of lag k has
    k + 1 ids.

    fr: Il y a k vides : la question se trouve k + 1 positions derrière le symbole. Une séquence de
    décalage k a k + 1 identifiants.
    """

    def make(drawn, lag, symbols):
        return make_sequences(drawn, lag + 1, symbols)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"make": make, **parts})


def recall_by_lag__one_blank_less(model, lags, trials, symbols, seed, **parts):
    """A sequence of lag k has k ids, so that the question stands one position too early. It has k + 1.

    fr: Une séquence de décalage k a k identifiants, si bien que la question est une position trop tôt.
    Elle en a k + 1.
    """

    def make(drawn, lag, symbols):
        return make_sequences(drawn, max(lag - 1, 1), symbols)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"make": make, **parts})


def recall_by_lag__without_question(model, lags, trials, symbols, seed, **parts):
    """The last id is a blank, and no question: the model cannot know when it is asked.

    fr: Le dernier identifiant est un vide, et non la question : le modèle ne peut pas savoir quand on
    l'interroge.
    """

    def make(drawn, lag, symbols):
        ids = make_sequences(drawn, lag, symbols)
        ids[:, -1] = 0
        return ids

    return recall_by_lag(model, lags, trials, symbols, seed, **{"make": make, **parts})


def recall_by_lag__symbol_everywhere(model, lags, trials, symbols, seed, **parts):
    """The symbol stands at every position before the question, so that nothing has to be kept. Blanks are
    due.

    fr: Le symbole se trouve à chaque position avant la question, si bien qu'il n'y a rien à retenir. Des
    vides sont attendus.
    """

    def make(drawn, lag, symbols):
        ids = drawn[:, None].repeat(1, lag + 1)
        ids[:, -1] = symbols + 1
        return ids

    return recall_by_lag(model, lags, trials, symbols, seed, **{"make": make, **parts})


def recall_by_lag__blank_as_symbol(model, lags, trials, symbols, seed, **parts):
    """Symbols are drawn from 0: 0 is the blank. They go from 1 to symbols.

    fr: Les symboles sont tirés à partir de 0 : 0 est le vide. Ils vont de 1 à symbols.
    """

    def draw(trials, symbols, generator):
        return torch.randint(symbols, (trials,), generator=generator)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"draw": draw, **parts})


def recall_by_lag__never_the_last_symbol(model, lags, trials, symbols, seed, **parts):
    """The last symbol is never drawn. Look at the upper bound of randint, which is left out.

    fr: Le dernier symbole n'est jamais tiré. Regardez la borne supérieure de randint, qui est exclue.
    """

    def draw(trials, symbols, generator):
        return torch.randint(1, symbols, (trials,), generator=generator)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"draw": draw, **parts})


def recall_by_lag__one_symbol_for_all(model, lags, trials, symbols, seed, **parts):
    """All sequences of a lag have the same symbol. Each has one of its own.

    fr: Toutes les séquences d'un décalage ont le même symbole. Chacune a le sien.
    """

    def draw(trials, symbols, generator):
        return draw_symbols(1, symbols, generator).expand(trials)

    return recall_by_lag(model, lags, trials, symbols, seed, **{"draw": draw, **parts})


def recall_by_lag__symbols_in_turn(model, lags, trials, symbols, seed, **parts):
    """The symbols come in turn, and not by chance: 1, 2, 3, and so on.

    fr: Les symboles viennent tour à tour, et non au hasard : 1, 2, 3, et ainsi de suite.
    """

    def draw(trials, symbols, generator):
        return torch.arange(trials) % symbols + 1

    return recall_by_lag(model, lags, trials, symbols, seed, **{"draw": draw, **parts})


def recall_by_lag__same_for_each_seed(model, lags, trials, symbols, seed, **parts):
    """The sequences are the same whatever the seed is: a model can have learned them. Where does seed go?

    fr: Les séquences sont les mêmes quelle que soit la graine : un modèle peut les avoir apprises. Où va
    seed ?
    """
    return recall_by_lag(
        model, lags, trials, symbols, seed, **{"seeded": lambda _: generator_of(1337), **parts}
    )


def recall_by_lag__ignores_the_seed(model, lags, trials, symbols, seed, **parts):
    """The same seed gives other sequences at each call. Where does seed go?

    fr: La même graine donne d'autres séquences à chaque appel. Où va seed ?
    """
    return recall_by_lag(model, lags, trials, symbols, seed, **{"seeded": lambda _: None, **parts})


def recall_by_lag__stays_in_training(model, lags, trials, symbols, seed, **parts):
    """The model is asked in the mode in which it comes, training too, where dropout acts. Call model.eval().

    fr: Le modèle est interrogé dans le mode où il arrive, à l'entraînement aussi, où le dropout agit. Appelez
    model.eval().
    """
    return recall_by_lag(model, lags, trials, symbols, seed, **{"mode": None, **parts})


def recall_by_lag__leaves_in_evaluation(model, lags, trials, symbols, seed, **parts):
    """Afterwards the model is in evaluation mode, whatever it was in before: training would go on without
    dropout.

    fr: Ensuite le modèle est en mode évaluation, quel que soit son mode d'avant : l'entraînement continuerait
    sans dropout.
    """
    return recall_by_lag(
        model, lags, trials, symbols, seed, **{"after": lambda model, _: model.eval(), **parts}
    )


def recall_by_lag__with_gradients(model, lags, trials, symbols, seed, **parts):
    """The model is called with gradients, which nobody takes: they cost time and memory. Look for no_grad.

    fr: Le modèle est appelé avec des gradients que personne ne prend : ils coûtent du temps et de la mémoire.
    Cherchez no_grad.
    """
    return recall_by_lag(model, lags, trials, symbols, seed, **{"tracked": True, **parts})
