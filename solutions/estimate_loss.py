"""The reference, then known mistakes: `symbol__mistake`, whose docstring is the hint.

A mistake gives the reference another part, and what it is given itself goes before.
"""

import torch


def batch(data, block_size, batch_size):
    place = torch.randint(len(data) - block_size, (batch_size, 1)) + torch.arange(block_size)
    return data[place], data[place + 1]


def loss_of(model, x, y):
    return model(x, y)[1]


def as_it_was(model, training):
    model.train(training)


def mean(losses):
    return float(torch.stack(losses).mean())


def estimate_loss(
    model,
    data,
    block_size,
    batch_size,
    eval_iters,
    draw=batch,
    loss=loss_of,
    tracked=False,
    mode=False,
    after=as_it_was,
    together=mean,
):
    training = model.training
    model.train(training if mode is None else mode)
    with torch.set_grad_enabled(tracked):
        losses = [loss(model, *draw(data, block_size, batch_size)) for _ in range(eval_iters)]
    after(model, training)
    return together([loss.detach() for loss in losses])


def estimate_loss__sum(model, data, block_size, batch_size, eval_iters, **parts):
    """The losses are added up and not divided. Look at what makes a mean of a sum.

    fr: Les pertes sont additionnées et non divisées. Regardez ce qui fait d'une somme une moyenne.
    """
    together = lambda losses: float(sum(losses))  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"together": together, **parts})


def estimate_loss__last(model, data, block_size, batch_size, eval_iters, **parts):
    """The loss of the last batch alone comes back. Look at whether the others are kept.

    fr: Seule la perte du dernier lot est renvoyée. Regardez si les autres sont gardées.
    """
    together = lambda losses: float(losses[-1])  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"together": together, **parts})


def estimate_loss__first(model, data, block_size, batch_size, eval_iters, **parts):
    """Only one batch is used. Look at where in the loop the return stands.

    fr: Un seul lot est regardé. Regardez où se trouve le return par rapport à la boucle.
    """
    return estimate_loss(model, data, block_size, batch_size, 1, **parts)


def estimate_loss__fixed_count(model, data, block_size, batch_size, eval_iters, **parts):
    """The number of batches is fixed, whatever eval_iters says. Look at what the loop counts.

    fr: Le nombre de lots est fixe, quoi que dise eval_iters. Regardez ce que compte la boucle.
    """
    return estimate_loss(model, data, block_size, batch_size, 200, **parts)


def estimate_loss__one_less(model, data, block_size, batch_size, eval_iters, **parts):
    """One batch too few is used, and the sum divided by eval_iters. Look at how often the loop runs.

    fr: Un lot de moins est regardé, et la somme divisée par eval_iters. Regardez combien de fois tourne la
    boucle.
    """
    together = lambda losses: float(sum(losses[1:])) / len(losses)  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"together": together, **parts})


def estimate_loss__divided_twice(model, data, block_size, batch_size, eval_iters, **parts):
    """The mean is divided by the size of the batch too. The loss of a batch is a mean already.

    fr: La moyenne est divisée aussi par la taille du lot. La perte d'un lot est déjà une moyenne.
    """
    together = lambda losses: mean(losses) / batch_size  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"together": together, **parts})


def estimate_loss__every_loss(model, data, block_size, batch_size, eval_iters, **parts):
    """All losses come back, and not their mean. Look at what is returned.

    fr: Toutes les pertes sont renvoyées, et non leur moyenne. Regardez ce qui est renvoyé.
    """
    parts = {"together": torch.stack, **parts}
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **parts)


def estimate_loss__perplexity(model, data, block_size, batch_size, eval_iters, **parts):
    """The exponential of the loss comes back, the perplexity. Look at what is done with the mean.

    fr: L'exponentielle de la perte est renvoyée, la perplexité. Regardez ce qui est fait de la moyenne.
    """
    together = lambda losses: float(torch.stack(losses).mean().exp())  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"together": together, **parts})


def estimate_loss__the_logits(model, data, block_size, batch_size, eval_iters, **parts):
    """The logits are averaged, not the loss. Look at the order of what model(x, y) gives.

    fr: Ce sont les logits qui sont moyennés et non la perte. Regardez l'ordre de ce que donne model(x, y).
    """
    loss = lambda model, x, y: model(x, y)[0].mean()  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"loss": loss, **parts})


def estimate_loss__without_eval(model, data, block_size, batch_size, eval_iters, **parts):
    """The model stays in the mode in which it was, so that dropout may act. Look at what switches it off.

    fr: Le modèle reste dans le mode où il était, si bien que le dropout peut agir. Regardez ce qui l'éteint.
    """
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"mode": None, **parts})


def estimate_loss__in_training(model, data, block_size, batch_size, eval_iters, **parts):
    """The model is put into training mode, in which dropout acts. Look at which mode an estimate needs.

    fr: Le modèle est mis en mode entraînement, où le dropout agit. Regardez de quel mode une estimation a
    besoin.
    """
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"mode": True, **parts})


def estimate_loss__stays_in_eval(model, data, block_size, batch_size, eval_iters, **parts):
    """The model stays in evaluation mode, and would be trained without its dropout from then on. Look at what
    happens after the loop.

    fr: Le modèle reste en mode évaluation, et serait ensuite entraîné sans son dropout. Regardez ce qui se
    passe après la boucle.
    """
    after = lambda model, training: model.train(False)  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"after": after, **parts})


def estimate_loss__always_back_to_training(model, data, block_size, batch_size, eval_iters, **parts):
    """The model is in training mode afterwards, also where it was not before. Look at how the former mode is
    remembered.

    fr: Le modèle est ensuite en mode entraînement, même s'il n'y était pas avant. Regardez comment l'ancien
    mode est retenu.
    """
    after = lambda model, training: model.train()  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"after": after, **parts})


def estimate_loss__with_gradients(model, data, block_size, batch_size, eval_iters, **parts):
    """Gradients stay on, which costs memory at every batch and is not needed. Look at what switches them off.

    fr: Des gradients sont préparés, ce qui coûte de la mémoire à chaque lot et ne sert à rien. Regardez ce
    qui les éteint.
    """
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"tracked": True, **parts})


def estimate_loss__gradients_off_for_good(model, data, block_size, batch_size, eval_iters, **parts):
    """Gradients are switched off and stay so, and nothing can be trained afterwards. Look at whether they
    come back after the loop.

    fr: Les gradients sont éteints et le restent, et rien ne peut plus être entraîné ensuite. Regardez s'ils
    reviennent après la boucle.
    """
    estimate = estimate_loss(model, data, block_size, batch_size, eval_iters, **parts)
    torch.set_grad_enabled(False)
    return estimate


def estimate_loss__same_batch(model, data, block_size, batch_size, eval_iters, **parts):
    """One batch is drawn once and used eval_iters times. Look at whether the drawing stands inside the loop.

    fr: Un seul lot est tiré et regardé eval_iters fois. Regardez si le tirage est dans la boucle.
    """
    kept = []

    def draw(data, block_size, batch_size):
        kept.append(kept[0] if kept else batch(data, block_size, batch_size))
        return kept[0]

    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"draw": draw, **parts})


def estimate_loss__from_the_start(model, data, block_size, batch_size, eval_iters, **parts):
    """Every batch is the beginning of the text. Draw the windows at random.

    fr: Chaque lot est le début du texte. Tirez les fenêtres au hasard.
    """

    def draw(data, block_size, batch_size):
        place = torch.zeros(batch_size, 1, dtype=torch.int64) + torch.arange(block_size)
        return data[place], data[place + 1]

    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"draw": draw, **parts})


def estimate_loss__targets_are_x(model, data, block_size, batch_size, eval_iters, **parts):
    """The model is asked to repeat x: its targets are x itself. Look at what is handed to the model.

    fr: On demande au modèle de répéter x : ses cibles sont x lui-même. Regardez ce qui est donné au modèle.
    """
    loss = lambda model, x, y: model(x, x)[1]  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"loss": loss, **parts})


def estimate_loss__targets_first(model, data, block_size, batch_size, eval_iters, **parts):
    """x and y have changed places when the model is called. Look at the order of its arguments.

    fr: x et y ont échangé leurs places à l'appel du modèle. Regardez l'ordre de ses arguments.
    """
    loss = lambda model, x, y: model(y, x)[1]  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"loss": loss, **parts})


def estimate_loss__sizes_swapped(model, data, block_size, batch_size, eval_iters, **parts):
    """Batches have block_size windows of length batch_size. Look at the order in which the sizes are handed
    on.

    fr: Les lots ont block_size fenêtres de longueur batch_size. Regardez l'ordre dans lequel les tailles sont
    transmises.
    """
    draw = lambda data, block, many: batch(data, many, block)  # noqa: E731
    return estimate_loss(model, data, block_size, batch_size, eval_iters, **{"draw": draw, **parts})
