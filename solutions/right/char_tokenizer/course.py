def char_tokenizer(corpus, text, ids):
    chars = sorted(list(set(corpus)))
    stoi = {ch: i for i, ch in enumerate(chars)}
    itos = {i: ch for i, ch in enumerate(chars)}
    encode = lambda s: [stoi[c] for c in s]
    decode = lambda l: "".join([itos[i] for i in l])
    return chars, encode(text), decode(ids)
