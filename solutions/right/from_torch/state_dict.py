import torch


def from_torch(theirs, mine):
    state = theirs.state_dict()
    width = state["out_proj.weight"].shape[0]
    state.setdefault("in_proj_bias", torch.zeros(3 * width))
    state.setdefault("out_proj.bias", torch.zeros(width))
    names = ("W_q", "W_k", "W_v")
    new = {f"{n}.weight": w for n, w in zip(names, state["in_proj_weight"].split(width))}
    new |= {f"{n}.bias": b for n, b in zip(names, state["in_proj_bias"].split(width))}
    new |= {f"W_o.{kind}": state[f"out_proj.{kind}"] for kind in ("weight", "bias")}
    mine.load_state_dict(new)
    return mine
