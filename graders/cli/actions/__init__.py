"""What commands do once their options are known to be right. All of these modules import PyTorch."""

import gc

gc.disable()  # while torch is imported: collections take a tenth of that time and find nothing

import torch  # noqa: E402, F401

gc.enable()
gc.set_threshold(
    10_000, 20, 20
)  # with Python's own 700 they find little, and take a tenth of some commands' time
gc.freeze()  # what is imported stays: collections need not look at it, nor copy its pages in a fork
