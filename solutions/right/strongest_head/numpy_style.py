import numpy as np


def strongest(attentions, kind):
    table = []
    for layer in attentions:
        w = layer.detach().numpy().mean(axis=0) if kind != "entropy" else layer.detach().numpy()
        if kind == "previous":
            table.append(np.diagonal(w, offset=-1, axis1=-2, axis2=-1).mean(-1))
        elif kind == "self":
            table.append(np.diagonal(w, axis1=-2, axis2=-1).mean(-1))
        elif kind == "first":
            table.append(w[..., 0].mean(-1))
        else:
            logs = np.log(np.where(w > 0, w, 1))
            table.append((w * logs).sum(-1).mean(-1).mean(0))
    layer, head = np.unravel_index(np.argmax(table), np.shape(table))
    return int(layer), int(head)
