import torch


def shift_right(labels, start_id, pad_id):
    rows = []
    for row in labels.tolist():
        before = [start_id] + row[:-1]
        rows.append([pad_id if i == -100 else i for i in before])
    return torch.tensor(rows)
