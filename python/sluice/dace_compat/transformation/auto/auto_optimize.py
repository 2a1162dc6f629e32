"""auto_optimize: the highest pipeline under DaCe's name."""
from sluice.dtypes import DeviceType


def auto_optimize(sdfg, device=DeviceType.CPU, validate=True, validate_all=False, symbols=None, **unknown):
    """Optimises the graph in place by SDFG.optimize(3) and returns it. symbols: values that are put in first. Raises ValueError for a
    device other than the CPU, TypeError for an argument that it does not have."""
    if unknown:
        raise TypeError(f"auto_optimize has no argument {', '.join(sorted(unknown))}")
    if device is not DeviceType.CPU:
        raise ValueError(f"graphs are compiled for the CPU, not for {getattr(device, 'name', device)}")
    if symbols:
        raise ValueError("auto_optimize takes no values of symbols: call sdfg.specialize first, or leave them open")
    sdfg.optimize(3)
    return sdfg
