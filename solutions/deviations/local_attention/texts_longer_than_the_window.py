"""A text that is no longer than the window is an error.

loses: takes_a_text_shorter_than_the_window
"""

import torch


def local_attention(Q, K, V, window):
    S = Q.shape[2]
    assert window < S, "the text is too short"
    rows = []
    for i in range(S):
        seen = slice(max(0, i - window), i + window + 1)
        scores = Q[:, :, i : i + 1] @ K[:, :, seen].transpose(2, 3) / Q.shape[3] ** 0.5
        rows.append(scores.softmax(-1) @ V[:, :, seen])
    return torch.cat(rows, 2)
