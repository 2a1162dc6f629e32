"""Calls in a process of their own, which a crash does not take along."""
import multiprocessing

import numpy as np


def safe_call(program, *args, **kwargs):
    """What `program(*args, **kwargs)` returns, computed in a process that is forked for it; arrays get what it wrote. Raises what it raises,
    and RuntimeError where the process ends without an answer."""
    arrays = [one for one in (*args, *kwargs.values()) if isinstance(one, np.ndarray)]

    def work(pipe):
        try:
            pipe.send((None, program(*args, **kwargs), arrays))
        except Exception as error:
            pipe.send((error, None, []))

    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(theirs,))
    process.start()
    theirs.close()
    try:
        error, result, written = ours.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"the program's process ended with {process.exitcode}") from None
    process.join()
    if error is not None:
        raise error
    for array, contents in zip(arrays, written):
        if array.flags.writeable:
            array[...] = contents
    return result
