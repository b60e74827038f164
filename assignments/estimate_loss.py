# %% [markdown] lang="en"
# ## How good is the model by now?
#
# The loss of one batch goes up and down by chance. The mean over several says more, on text that the model
# has been trained on and on text that it has not.

# %% [markdown] lang="fr"
# ## Où en est le modèle ?
#
# La perte d'un seul lot monte et descend au hasard. La moyenne sur plusieurs en dit plus, sur du texte vu à
# l'entraînement et sur du texte qui ne l'a pas été.

# %%
def estimate_loss(model, data, block_size, batch_size, eval_iters):
    """Estimate the loss of a model on a text.

    Args:
        model: a module; model(x, y) gives (logits, loss) for x and y of shape (B, T).
        data: the text as ids, an int64 tensor of shape (N,).
        block_size: T, the length of a window.
        batch_size: B, the number of windows of a batch.
        eval_iters: how many batches.

    Returns:
        the mean of the losses of eval_iters random batches of data, each drawn anew as get_batch does: one
        number, a float or a tensor without axes.

    The model is called in evaluation mode and without gradients. Afterwards it is in the mode in which it was
    before, training or evaluation.

    fr: Estime la perte d'un modèle sur un texte.

    Arguments :
        model : un module ; model(x, y) donne (logits, loss) pour x et y de forme (B, T).
        data : le texte en identifiants, un tenseur int64 de forme (N,).
        block_size : T, la longueur d'une fenêtre.
        batch_size : B, le nombre de fenêtres d'un lot.
        eval_iters : le nombre de lots.

    Renvoie :
        la moyenne des pertes de eval_iters lots tirés au hasard dans data, chacun à nouveau comme le fait
        get_batch : un seul nombre, un float ou un tenseur sans axe.

    Le modèle est appelé en mode évaluation et sans gradients. Ensuite il est dans le mode où il était avant,
    entraînement ou évaluation.
    """
    raise NotImplementedError
