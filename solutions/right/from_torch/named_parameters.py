import torch


@torch.no_grad()
def from_torch(theirs, mine):
    where = {"W_q": 0, "W_k": 1, "W_v": 2}
    for name, parameter in mine.named_parameters():
        layer, kind = name.split(".")
        if layer == "W_o":
            source = getattr(theirs.out_proj, kind)
        else:
            stacked = getattr(theirs, f"in_proj_{kind}")
            source = None if stacked is None else stacked.unflatten(0, (3, -1))[where[layer]]
        parameter.zero_() if source is None else parameter.copy_(source)
    return mine
