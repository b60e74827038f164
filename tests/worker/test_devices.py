"""What a module has is moved as it is."""

import torch
from torch import nn

from softmark_worker.devices import in_dtype


def test_complex_numbers_of_a_module_stay_complex():
    module = nn.Linear(2, 2)
    module.register_buffer("rotations", torch.polar(torch.ones(3), torch.arange(3.0)))
    module.register_buffer("places", torch.arange(3))
    in_dtype(module, torch.float64)
    assert [module.weight.dtype, module.rotations.dtype] == [torch.float64, torch.complex128]
    assert module.rotations.imag.any() and module.places.dtype == torch.int64
    assert in_dtype(module, torch.float32).rotations.dtype == torch.complex64
