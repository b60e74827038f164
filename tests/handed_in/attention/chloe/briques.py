"""Petites fonctions partagées."""

import torch

FACTEUR = 4


def verifie(largeur, tetes):
    if largeur % tetes:
        raise ValueError(f"{tetes} têtes ne divisent pas {largeur}")


def poids(Q, K, mask):
    scores = Q @ K.mT * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    return torch.softmax(scores, dim=-1)
