class Encoder:
    def __init__(self, cls_token_id, sep_token_id, pad_token_id, max_length):
        self.cls_token_id = cls_token_id
        self.sep_token_id = sep_token_id
        self.pad_token_id = pad_token_id
        self.max_length = max_length

    def truncate(self, pair):
        pair = [list(p) for p in pair]
        for _ in range(sum(map(len, pair)) - (self.max_length - 3)):
            longest = 0 if len(pair[0]) > len(pair[1]) else 1
            pair[longest] = pair[longest][:-1]
        return pair

    def encode(self, pair):
        input_ids, token_type_ids = [self.cls_token_id], [0]
        for segment, tokens in enumerate(self.truncate(pair)):
            tokens.append(self.sep_token_id)
            input_ids.extend(tokens)
            token_type_ids.extend([segment] * len(tokens))
        attention_mask = [1 for _ in input_ids]
        missing = self.max_length - len(input_ids)
        return (
            input_ids + missing * [self.pad_token_id],
            token_type_ids + missing * [0],
            attention_mask + missing * [0],
        )


def pair_inputs(a, b, cls, sep, max_len, pad=0):
    return Encoder(cls, sep, pad, max_len).encode((a, b))
