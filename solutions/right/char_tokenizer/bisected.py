from bisect import bisect_left


def char_tokenizer(corpus, text, ids):
    chars = []
    for char in corpus:
        place = bisect_left(chars, char)
        if place == len(chars) or chars[place] != char:
            chars.insert(place, char)

    def number(char):
        place = bisect_left(chars, char)
        if place == len(chars) or chars[place] != char:
            raise KeyError(char)
        return place

    return chars, [number(char) for char in text], "".join([chars[i] for i in ids])
