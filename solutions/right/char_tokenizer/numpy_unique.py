import numpy as np


def char_tokenizer(corpus, text, ids):
    chars = np.unique(list(corpus))
    known = chars.tolist()
    for char in text:
        if char not in known:
            raise ValueError(f"unknown character {char!r}")
    encoded = np.searchsorted(chars, list(text)).tolist() if text else []
    decoded = "".join(known[number] for number in ids)
    return known, encoded, decoded
