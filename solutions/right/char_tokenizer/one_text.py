def char_tokenizer(corpus, text, ids):
    chars = "".join(sorted(set(corpus)))
    return chars, [chars.index(char) for char in text], "".join(chars[number] for number in ids)
