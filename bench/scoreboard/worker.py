"""One cell of the scoreboard, in a process of its own: a peer runs a kernel as often as it is asked.

    worker.py PEER KERNEL PRESET FOLDER

Writes to standard output one line of JSON for each line that it reads: at first {"first", "version", "mode"} or {"refused"}, then for
`run COUNT` {"times"}, for `moved` (NumPy's results on arguments moved by one unit in the last place) {}, for `end` {"peak"}. Results of the
first call lie in FOLDER/PEER.npz, returned ones as r0, r1, ..., arguments after the call as a0, a1, ....
"""
import gc
import json
import os
import pathlib
import resource
import sys
import time
import warnings

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from measuring import flat, fresh, load, moved, timed  # noqa: E402

SEED = 42


def tell(**line):
    print(json.dumps(line), file=tell.output, flush=True)


def save(folder, name, returned, arguments):
    np.savez(folder / f"{name}.npz", **{f"r{at}": np.asarray(value) for at, value in enumerate(flat(returned)) if value is not None},
             **{f"a{at}": np.asarray(value) for at, value in enumerate(arguments)})


def first_line(error):
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{getattr(error, 'code', '') or type(error).__name__}: {(lines or [''])[0][:120]}"


def main():
    peer_name, name, preset, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    tell.output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever a peer prints is no line of the protocol
    kernel = load(HERE / "kernels" / f"{name}.py", name)
    inputs = kernel.inputs(np.random.default_rng(SEED), *kernel.SIZES[preset])
    arguments = list(inputs.values())
    try:
        peer = load(HERE / "peers" / f"{peer_name}.py", f"peer_{peer_name}")
        copies = getattr(peer, "fresh", fresh)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            begin = time.perf_counter()
            function = peer.prepare(kernel, name, inputs, kernel.SIZES[preset], folder)
            _, returned, own = timed(function, arguments, time.perf_counter, copies)
            first = time.perf_counter() - begin
        if hasattr(peer, "results"):
            returned, own = peer.results(returned, own)
        save(folder, peer_name, returned, own)
    except Exception as error:  # whatever goes wrong is a cell of the table
        tell(refused=first_line(error))
        return
    tell(first=first, version=peer.version(), mode="partly Python" if any(one.category.__name__ == "FallbackWarning" for one in said) else "compiled")
    del returned, own
    gc.disable()
    for line in sys.stdin:
        command, *rest = line.split()
        if command == "run":
            tell(times=[timed(function, arguments, time.perf_counter, copies)[0] for _ in range(int(rest[0]))])
        elif command == "moved":
            _, returned, own = timed(function, moved(arguments), time.perf_counter)
            save(folder, "moved", returned, own)
            tell()
        else:
            tell(peak=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
            return


if __name__ == "__main__":
    main()
