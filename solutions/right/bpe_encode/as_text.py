def bpe_encode(text, merges):
    symbols = text.encode("utf-8").decode("latin-1")
    for number, (left, right) in enumerate(merges):
        symbols = symbols.replace(chr(left) + chr(right), chr(256 + number))
    return [ord(symbol) for symbol in symbols]
