"""How constructors are spelled: for each contract, signatures of students and what their arguments mean.

A line is a signature without `self`; after the arrow stands, for each of the contract's arguments in its
order, what the body uses in its place, and `-` where it is not taken.
"""

SPELLINGS = {
    "multi_head_attention": """
        d_model, n_heads -> d_model, n_heads
        d, h -> d, h
        E, H -> E, H
        C, nh -> C, nh
        dim, k -> dim, k
        a, b -> a, b
        x, y -> x, y
        n, m -> n, m
        width, count -> width, count
        taille, nb_tetes -> taille, nb_tetes
        emb, k -> emb, k
        D, N -> D, N
        input_dim, attention_heads -> input_dim, attention_heads
        hidden, parts -> hidden, parts
        d_model, k -> d_model, k
        units, splits -> units, splits
        heads, emb -> emb, heads
        h, d_model -> d_model, h
        n_head, n_embd -> n_embd, n_head
        num_heads, d_model -> d_model, num_heads
        e=64, h=8 -> e, h
        size, nb=8 -> size, nb
        dmodel, h=None -> dmodel, h
        *, d, h -> d, h
        *, n_heads, width -> width, n_heads
        d, *, h -> d, h
        d, h, / -> d, h
        d, h, /, bias=True -> d, h
        d, h, bias=True, device=None -> d, h
        d, h, p=0.0, verbose=False -> d, h
        dim, n, dropout -> dim, n
        dim, groups, max_len=512 -> dim, groups
        embed_dim, h -> embed_dim, h
        w, num_heads -> w, num_heads
        q, r -> q, r
        d_in, d_out, context_length, dropout, num_heads, qkv_bias=False -> d_in, num_heads
        h, d_k, d_model -> d_model, h
        embedding, tetes -> embedding, tetes
        T, H -> T, H
        hidden_size, all_head_count -> hidden_size, all_head_count
    """,
    "feed_forward": """
        d_model, d_ff -> d_model, d_ff, -
        d, f=None, p=0.1 -> d, f, p
        E, F=None -> E, F, -
        d, dff=None, rate=0.1 -> d, dff, rate
        n, m=None, drop=0.1 -> n, m, drop
        dim, hidden=None, dropout=0.1 -> dim, hidden, dropout
        a, b=None, c=0.1 -> a, b, c
        C, p=0.1, H=None -> C, H, p
        x, y -> x, y, -
        n_in, n_mid -> n_in, n_mid, -
        d_in, d_hidden, p -> d_in, d_hidden, p
        input_dim, hidden_dim -> input_dim, hidden_dim, -
        entree, cachee=None, taux=0.1 -> entree, cachee, taux
        dim, mult=4 -> dim, mult * dim, -
        width, inner=None, p_drop=0.1 -> width, inner, p_drop
        features, units=None, rate=0.1 -> features, units, rate
        d_model, hidden_size=None -> d_model, hidden_size, -
        hidden_size, d_model -> d_model, hidden_size, -
        size, mid=None, prob=0.1, bias=True -> size, mid, prob
        *, d, f=None -> d, f, -
        embed_dim, f=None, dropout=0.1 -> embed_dim, f, dropout
        d, ff_dim=None, p=0.1 -> d, ff_dim, p
        d, dropout=0.1 -> d, -, dropout
        d, inter, drop=0.1, act='gelu' -> d, inter, drop
    """,
    "gpt_feed_forward": """
        d_model, hidden_size -> d_model, hidden_size
        E, I -> E, I
        h, i -> h, i
        dim, inner -> dim, inner
        n_embd, n_hidden -> n_embd, n_hidden
        H, F -> H, F
        input_size, hidden_size -> input_size, hidden_size
        embed, hidden -> embed, hidden
        hidden, width -> hidden, width
        dim_in, dim_out -> dim_in, dim_out
        a, b -> a, b
    """,
    "transformer_block": """
        d, h, f=None, p=0.1 -> d, h, f, p
        E, H, F=None, p=0.1 -> E, H, F, p
        dim, heads, mlp=None, drop=0.1 -> dim, heads, mlp, drop
        a, b, c=None, e=0.1 -> a, b, c, e
        n_embd, n_head -> n_embd, n_head, -, -
        d_model, nhead, dim_feedforward=2048, dropout=0.1 -> d_model, nhead, dim_feedforward, dropout
        d_model, heads, dropout=0.1, d_ff=None -> d_model, heads, d_ff, dropout
        size, nb, inner=None, rate=0.1 -> size, nb, inner, rate
        k, heads, ff=4 -> k, heads, ff * k, -
        C, H, mult=4 -> C, H, mult * C, -
        width, splits, hidden=None -> width, splits, hidden, -
        dim, ff, heads -> dim, heads, ff, -
        n, m, k, p -> n, m, k, p
        embed_dim, h, f=None, p=0.1 -> embed_dim, h, f, p
        hid_dim, n_heads, pf_dim, dropout -> hid_dim, n_heads, pf_dim, dropout
        *, h, d, f=None, p=0.1 -> d, h, f, p
    """,
    "self_attention": """
        d_model -> d_model
        n -> n
        h -> h
        k -> k
        heads -> heads
        T -> T
        taille -> taille
        x -> x
        d_k -> d_k
        dim, bias=True -> dim
        D=8 -> D
        d_in, d_out -> d_in
        vocab -> vocab
    """,
    "layer_norm": """
        d -> d, -
        n_state, e=1e-5 -> n_state, e
        size, tiny=1e-6 -> size, tiny
        h, eps=1e-5 -> h, eps
        k, epsilon=1e-5 -> k, epsilon
        normalized_shape, eps=1e-5 -> normalized_shape, eps
        a, b=1e-5 -> a, b
        features, eps=1e-6, bias=True -> features, eps
        n -> n, -
        hidden_size, variance_epsilon=1e-12 -> hidden_size, variance_epsilon
        *, eps=1e-5, d -> d, eps
    """,
    "list_of_heads": """
        H, D, E, T -> H, D, E, T, -
        H, D, E, T, p=0.0 -> H, D, E, T, p
        n, d, e, t -> n, d, e, t, -
        a, b, c, d, p=0.0 -> a, b, c, d, p
        n_heads, head_dim, width, length -> n_heads, head_dim, width, length, -
        num_heads, hs, C, T -> num_heads, hs, C, T, -
        n_head, head_size, n_embd, block_size, dropout=0.0 -> n_head, head_size, n_embd, block_size, dropout
        h, dh, d, n -> h, dh, d, n, -
        num_heads, head_size, d_model, max_len -> num_heads, head_size, d_model, max_len, -
        nb, taille, dim, longueur -> nb, taille, dim, longueur, -
        heads, size, emb, ctx -> heads, size, emb, ctx, -
        k, s, w, l, drop=0.0 -> k, s, w, l, drop
    """,
    "causal_head": """
        E, D, T -> E, D, T, -
        E, D, T, p=0.0 -> E, D, T, p
        C, hs, T -> C, hs, T, -
        n, h, t -> n, h, t, -
        a, b, c -> a, b, c, -
        d_in, d_out, context -> d_in, d_out, context, -
        d_model, d_k, max_len, p=0.0 -> d_model, d_k, max_len, p
        head_size, n_embd, block_size -> n_embd, head_size, block_size, -
        dim, head, length, rate=0.0 -> dim, head, length, rate
        width, out, window -> width, out, window, -
        embed, size, ctx -> embed, size, ctx, -
        d, k, n -> d, k, n, -
    """,
    "gpt_embeddings": """
        V, E, T=512 -> V, E, T
        V, H, L=512 -> V, H, L
        vocab, dim, length=512 -> vocab, dim, length
        v, d, n=512 -> v, d, n
        a, b, c=512 -> a, b, c
        n_tokens, width, n_pos=512 -> n_tokens, width, n_pos
        d_model, vocab_size, max_len=512 -> vocab_size, d_model, max_len
        words, size, places=512 -> words, size, places
        src_vocab_size, d_model, seq_len=512 -> src_vocab_size, d_model, seq_len
    """,
    "bert_embeddings": """
        V, E, P, S -> V, E, P, S
        V, H, T, K -> V, H, T, K
        v, d, n, t -> v, d, n, t
        a, b, c, d -> a, b, c, d
        vocab, dim, max_len, segs -> vocab, dim, max_len, segs
        vocab_size, embed_size, max_len, n_segments -> vocab_size, embed_size, max_len, n_segments
        vocab_size, d_model, pos, seg -> vocab_size, d_model, pos, seg
        n_vocab, n_dim, n_pos, n_type -> n_vocab, n_dim, n_pos, n_type
        vocab_size, n_segments, max_len, embed_dim -> vocab_size, embed_dim, max_len, n_segments
    """,
    "bert_layer": """
        E, H, F -> E, H, F
        D, H, I -> D, H, I
        d, h, f -> d, h, f
        a, b, c -> a, b, c
        hidden, heads, inter -> hidden, heads, inter
        hidden, attn_heads, feed_forward_hidden, dropout=0.1 -> hidden, attn_heads, feed_forward_hidden
        hidden_size, num_attention_heads, n -> hidden_size, num_attention_heads, n
        heads, dim, ff -> dim, heads, ff
        dim, hidden, heads -> dim, heads, hidden
    """,
    "bert_encoder": """
        L, E, H, F -> L, E, H, F
        N, d, h, f -> N, d, h, f
        n, d, h, i -> n, d, h, i
        L, H, A, I -> L, H, A, I
        a, b, c, d -> a, b, c, d
        depth, width, heads, inner -> depth, width, heads, inner
        n_layers, hidden, n_heads, ff -> n_layers, hidden, n_heads, ff
        d_model, num_heads, d_ff, num_layers -> num_layers, d_model, num_heads, d_ff
        nb_couches, taille, nb_tetes, interne -> nb_couches, taille, nb_tetes, interne
        layers, size, k, hidden -> layers, size, k, hidden
    """,
    "bert_model": """
        V=99, E=8, H=2, L=2, F=16, P=32, T=2 -> V, E, H, L, F, P, T
        vocab, d, h, n, ff, length, types -> vocab, d, h, n, ff, length, types
        a, b, c, d, e, f, g -> a, b, c, d, e, f, g
        vocab, hid=8, depth=2, heads=2, ff=16, n_pos=9, segs=2 -> vocab, hid, heads, depth, ff, n_pos, segs
    """,
    "gpt_model": """
        V, E, H, L, F, T -> V, E, H, L, F, T
        vocab, d, h, n, ff, length=512 -> vocab, d, h, n, ff, length
        a, b, c, d, e, f -> a, b, c, d, e, f
        V, d_model, layers, heads, d_ff, max_len -> V, d_model, heads, layers, d_ff, max_len
    """,
    "cross_attention": """
        d, h, m=None -> d, h, m
        E, H, K=None -> E, H, K
        d_model, n_heads, d_context=None -> d_model, n_heads, d_context
        q_dim, heads, ctx=None -> q_dim, heads, ctx
        dim, heads, context_dim=None -> dim, heads, context_dim
        a, b, c=None -> a, b, c
        query_dim, num_heads, key_dim=None -> query_dim, num_heads, key_dim
        dim, n, mem=None -> dim, n, mem
        dim_x, heads, dim_y=None -> dim_x, heads, dim_y
    """,
    "decoder_layer": """
        d, h, f=None, p=0.1 -> d, h, f, p
        E, H, F=None, drop=0.1 -> E, H, F, drop
        d_model, n_head, ffn_hidden, drop_prob -> d_model, n_head, ffn_hidden, drop_prob
        a, b, c=None, e=0.1 -> a, b, c, e
        size, k, mid=None, rate=0.1 -> size, k, mid, rate
    """,
    "axial_positions": """
        n1, n2, d1, d2 -> n1, n2, d1, d2
        rows, columns, left, right -> rows, columns, left, right
        a, b, c, d -> a, b, c, d
        L1, L2, D1, D2 -> L1, L2, D1, D2
        h, w, dh, dw -> h, w, dh, dw
        d1, d2, l1, l2 -> l1, l2, d1, d2
    """,
    "bigram_model": """
        V -> V
        n -> n
        size -> size
        num_words -> num_words
        d_model -> d_model
        k=7 -> k
        nb_caracteres -> nb_caracteres
    """,
}

# Classes that take their sizes as a configuration, or read them of their file; `Reference` is the right one.
CONFIGURATIONS = {
    "a dataclass": """
        @dataclass
        class AttentionConfig:
            width: int = 64
            n_head: int = 8
            init_std: float = 0.02
            name: str = "tiny"

        class MultiHeadAttention(Reference):
            def __init__(self, c: AttentionConfig):
                assert c.init_std == 0.02 and c.name == "tiny" and isinstance(c, AttentionConfig)
                super().__init__(c.width, c.n_head)
        """,
    "a dataclass whose properties are computed": """
        @dataclass(frozen=True)
        class Config:
            n_embd: int
            n_head: int
            gain: float

            @property
            def head_dim(self):
                return self.n_embd // self.n_head

        class MultiHeadAttention(Reference):
            def __init__(self, settings: "Config"):
                assert settings.head_dim * settings.n_head == settings.n_embd
                super().__init__(settings.n_embd, settings.n_head)
        """,
    "a dataclass under an optional annotation": """
        @dataclass
        class Sizes:
            dim: int = 64
            heads: int = 8

        class MultiHeadAttention(Reference):
            def __init__(self, given: Optional[Sizes] = None, verbose=False):
                given = given or Sizes()
                super().__init__(given.dim, given.heads)
        """,
    "an object under any name": """
        class MultiHeadAttention(Reference):
            def __init__(self, encoder_config):
                super().__init__(encoder_config.hidden_size, encoder_config.num_attention_heads)
        """,
    "an object called by a letter": """
        class MultiHeadAttention(Reference):
            def __init__(self, c):
                super().__init__(c.d, c.h)
        """,
    "a dict under any name": """
        class MultiHeadAttention(Reference):
            def __init__(self, table):
                super().__init__(table["emb_dim"], table["n_heads"])
        """,
    "a dict with names that mean nothing": """
        class MultiHeadAttention(Reference):
            def __init__(self, o):
                super().__init__(o["a"], o["heads"])
        """,
    "a dict that is the default": """
        DEFAULTS = {"emb_dim": 768, "n_heads": 12, "drop_rate": 0.1}

        class MultiHeadAttention(Reference):
            def __init__(self, o=DEFAULTS):
                assert o["drop_rate"] == 0.1
                super().__init__(o["emb_dim"], o["n_heads"])
        """,
    "a dict with get": """
        class MultiHeadAttention(Reference):
            def __init__(self, kw):
                super().__init__(kw.get("emb_dim", 64), kw.get("n_heads", 8))
        """,
    "a namespace that is the default": """
        args = argparse.Namespace(n_embd=64, n_head=8, lr=0.1)

        class MultiHeadAttention(Reference):
            def __init__(self, a=args):
                assert a.lr == 0.1
                super().__init__(a.n_embd, a.n_head)
        """,
    "a class of constants that is the default": """
        class Config:
            d_model = 64
            n_heads = 8
            lr = 0.1

        class MultiHeadAttention(Reference):
            def __init__(self, c=Config):
                assert c.lr == 0.1
                super().__init__(c.d_model, c.n_heads)
        """,
    "a class with a constructor": """
        class Config:
            def __init__(self, dim=64, heads=8, depth=2):
                self.dim, self.heads, self.depth = dim, heads, depth
                self.per_head = dim // heads

        class MultiHeadAttention(Reference):
            def __init__(self, c: Config):
                assert c.per_head * c.heads == c.dim and c.depth == 2
                super().__init__(c.dim, c.heads)
        """,
    "kept and read in another method": """
        class MultiHeadAttention(Reference):
            def __init__(self, o):
                self.__dict__["o"] = o
                self.build()

            def build(self):
                Reference.__init__(self, self.o.dim, self.o.heads)
        """,
    "handed on to a part": """
        class Inner(Reference):
            def __init__(self, c):
                super().__init__(c.dim, c.heads)

        class MultiHeadAttention(nn.Module):
            def __init__(self, c):
                super().__init__()
                self.inner = Inner(c)
                self.taken = self.inner.taken

            def forward(self, x, mask=None):
                return self.inner(x, mask)
        """,
    "one global dict": """
        CFG = {"emb_dim": 768, "n_heads": 12, "lr": 0.1}

        class MultiHeadAttention(Reference):
            def __init__(self):
                super().__init__(CFG["emb_dim"], CFG["n_heads"])
                assert CFG["lr"] == 0.1
        """,
    "one global object": """
        cfg = SimpleNamespace(d_model=64, heads=8)

        class MultiHeadAttention(Reference):
            def __init__(self):
                super().__init__(cfg.d_model, cfg.heads)
        """,
    "a global class of constants": """
        class Config:
            d_model = 64
            n_heads = 8

        class MultiHeadAttention(Reference):
            def __init__(self):
                super().__init__(Config.d_model, Config.n_heads)
        """,
    "a global object of an absent file": """
        class MultiHeadAttention(Reference):
            def __init__(self):
                super().__init__(absent.d_model, absent.n_heads)
        """,
    "global constants": """
        D_MODEL, N_HEADS = 64, 8

        class MultiHeadAttention(Reference):
            def __init__(self):
                super().__init__(D_MODEL, N_HEADS)
        """,
    "class attributes": """
        class MultiHeadAttention(Reference):
            embed_size = 64
            heads = 8

            def __init__(self):
                super().__init__(self.embed_size, self.heads)
        """,
    "keywords of any name": """
        class MultiHeadAttention(Reference):
            def __init__(self, **kwargs):
                super().__init__(kwargs["d_model"], kwargs.pop("n_heads", 8))
        """,
    "keywords that are handed on": """
        class Base(Reference):
            def __init__(self, d, h):
                super().__init__(d, h)

        class MultiHeadAttention(Base):
            pass
        """,
    "arguments without names": """
        class MultiHeadAttention(Reference):
            def __init__(self, *args):
                d, h = args
                super().__init__(d, h)
        """,
    "one argument and others without names": """
        class MultiHeadAttention(Reference):
            def __init__(self, d, *rest, **options):
                super().__init__(d, rest[0] if rest else options["num_heads"])
        """,
    "sizes beside a configuration": """
        class MultiHeadAttention(Reference):
            def __init__(self, d, conf):
                super().__init__(d, conf.n_head)
        """,
    "a named tuple": """
        class Sizes(NamedTuple):
            dim: int = 64
            heads: int = 8
            rate: float = 0.5

        class MultiHeadAttention(Reference):
            def __init__(self, s: Sizes):
                assert s.rate == 0.5
                super().__init__(s.dim, s.heads)
        """,
}
