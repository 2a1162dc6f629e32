"""Loads, validates and runs graphs in DaCe. Runs under the Python of DaCe's own environment.

Input: lines of JSON {"id", "file", "program", "run"}; output: lines {"id", "loads", "runs"}, each value "yes" or what went wrong.
Results of a run are kept as <id>.npz in the folder of the first argument. Each graph has a process of its own.
"""
import contextlib
import io
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sys
import tempfile
import traceback
import warnings

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cases  # noqa: E402

SECONDS = 240  # of the clock, and
PROCESSOR_SECONDS = 40  # for one graph; the compiler runs in processes of its own


def short(error):
    text = re.sub(r"\s+", " ", str(error).replace(tempfile.gettempdir(), "")).strip()
    text = re.sub(r"/interop-\w+", "", text)  # the folder of this run
    return f"{type(error).__name__}: {text[:200]}"


def work(job, results):
    import dace
    from dace.frontend.python.parser import infer_symbols_from_datadescriptor
    answer = {"id": job["id"]}
    try:
        sdfg = dace.SDFG.from_file(job["file"])
        sdfg.validate()
        answer["loads"] = "yes"
    except Exception as error:
        return {**answer, "loads": short(error)}
    if not job["run"]:
        return answer
    try:
        program = sdfg.compile()
        names = set(sdfg.arglist()) | {str(name) for name in sdfg.free_symbols}
        differs, kept = "", {}
        for number, (arguments, expected) in enumerate(cases.cases_of(job["program"])):
            actual = cases.copied(arguments)
            given = {name: value for name, value in actual.items() if name in names and name != "__return"}
            returned = program(**infer_symbols_from_datadescriptor(sdfg, given), **given)
            if "__return" in actual:
                actual["__return"] = returned
            kept.update({f"{number}.{name}": value for name, value in actual.items() if isinstance(value, np.ndarray)})
            differs = differs or cases.difference(actual, expected)
        np.savez(results / job["id"], **kept)
        answer["runs"] = differs or "yes"
    except Exception as error:
        answer["runs"] = short(error)
        if os.environ.get("INTEROP_TRACE"):
            traceback.print_exc()
    return answer


def in_process(job, results):
    """The answer of work(), or what became of the process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))
        folder = tempfile.mkdtemp(prefix="interop-")
        os.chdir(folder)
        captured = io.StringIO()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        os.dup2(2, 1)
        with contextlib.redirect_stdout(captured), contextlib.redirect_stderr(captured):
            answer = work(job, results)
        os.write(writing, json.dumps(answer).encode())
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if said:
        return json.loads(said)
    ended = "no end" if -status in (signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL) else f"ended by signal {-status}"
    return {"id": job["id"], "loads": "yes" if job["run"] else ended, "runs": ended}


def main():
    warnings.filterwarnings("ignore")
    results = pathlib.Path(sys.argv[1]).resolve()
    results.mkdir(parents=True, exist_ok=True)
    answers = sys.stdout
    import dace
    print(json.dumps({"version": dace.__version__}), flush=True)
    for line in sys.stdin:
        print(json.dumps(in_process(json.loads(line), results)), file=answers, flush=True)


if __name__ == "__main__":
    main()
