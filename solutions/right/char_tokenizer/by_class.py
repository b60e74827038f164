class Tokenizer:
    def __init__(self, corpus):
        self.vocabulary = sorted({char for char in corpus})
        self.char_to_id = dict(zip(self.vocabulary, range(len(self.vocabulary))))
        self.id_to_char = {number: char for char, number in self.char_to_id.items()}

    @property
    def vocab_size(self):
        return len(self.vocabulary)

    def encode(self, text):
        return list(map(self.char_to_id.__getitem__, text))

    def decode(self, ids):
        return "".join(map(self.id_to_char.__getitem__, ids))


def char_tokenizer(corpus, text, ids):
    tokenizer = Tokenizer(corpus)
    return tokenizer.vocabulary, tokenizer.encode(text), tokenizer.decode(ids)
