stoi, itos = {}, {}


def encode(s):
    return [stoi[c] for c in s]


def decode(ids):
    return "".join(itos[i] for i in ids)


def char_tokenizer(corpus, text, ids):
    stoi.clear()
    itos.clear()
    for i, c in enumerate(sorted(set(corpus))):
        stoi[c], itos[i] = i, c
    return list(stoi), encode(text), decode(ids)
