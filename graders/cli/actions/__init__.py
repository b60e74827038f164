"""What commands do once their options are known to be right. All of these modules import PyTorch."""

import gc

gc.disable()  # while torch is imported: collections take a tenth of that time and find nothing

import torch  # noqa: E402, F401

gc.enable()
gc.freeze()  # what is imported stays: collections need not look at it, nor copy its pages in a fork
