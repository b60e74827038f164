import torch


def char_tokenizer(corpus, text, ids):
    chars = sorted(set(corpus))
    places = {}
    for place, char in enumerate(chars):
        places[char] = place
    encoded = torch.tensor([places[char] for char in text], dtype=torch.long)
    decoded = ""
    for number in torch.tensor(ids, dtype=torch.long).tolist():
        decoded += chars[number]
    return chars, encoded, decoded
