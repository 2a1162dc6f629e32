"""Checks graphs that DaCe wrote against Sluice, and graphs that Sluice wrote against DaCe.

    python tests/interop/check.py --samples FOLDER [--command build/release/bin/sluice] [--dace RELEASE[:PATTERN]]...
                                  [--only PATTERN] [--report docs/interop.md]

FOLDER holds .sdfg and .sdfgz files named <program>.<form>.sdfg; references/<program>.py says what a program computes. Each release
of DaCe is installed from PyPI into build/interop/dace-<release>; it loads and validates every graph that Sluice saved again, draws it
in its viewer SDFV (viewer.py), and compiles and runs those whose names match its PATTERN (seconds each; what it said of the same bytes
before is remembered). Where it objects, it is asked about the file as DaCe wrote it, too. Exit status 1 if anything differs that report.py does not explain.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import venv

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import cases  # noqa: E402
import library  # noqa: E402
import report  # noqa: E402
import viewer  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "interop"
YES = "yes"
SECONDS = 60


def attempt(action):
    """`yes`, what the action returned, or why it failed."""
    try:
        return action() or YES
    except library.Failure as failure:
        return str(failure)
    except subprocess.TimeoutExpired:
        return "no end within the time limit"


def program_of(path):
    stem = path.name.split(".")[0]
    return "scale" if stem.startswith("scale_") else stem


def convert(command, source, target, *options):
    library.sluice(command, "convert", source, "-o", target, *options)
    return target


def round_trip(command, source, folder, *options):
    """The bytes stay the same after one normalisation, and the graph with them."""
    once = convert(command, source, folder / "once.sdfg", *options)
    twice = convert(command, once, folder / "twice.sdfg", *options)
    if once.read_bytes() != twice.read_bytes():
        return "the second copy differs from the first"
    if library.sluice(command, "show", source) != library.sluice(command, "show", once):
        return "the graph differs"
    return ""


def run_here(command, source, program, folder):
    for arguments, expected in cases.cases_of(program):
        actual = cases.copied(arguments)
        in_process(lambda: library.call(command, source, actual, folder / "library"), actual, folder)
        wrong = cases.difference(actual, expected)
        if wrong:
            return wrong
    return ""


def in_process(action, arguments, folder):
    """Runs a compiled program in a process of its own, which it may end; the arrays come back through a file."""
    said, results = folder / "failure", folder / "results.npz"
    said.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        try:
            action()
            np.savez(results, **{name: value for name, value in arguments.items() if isinstance(value, np.ndarray)})
        except BaseException as error:
            said.write_text(str(error))
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if said.exists():
        raise library.Failure(said.read_text())
    if status != 0:
        raise library.Failure(f"ended by signal {-status}")
    with np.load(results) as loaded:
        for name in loaded.files:
            arguments[name][...] = loaded[name]


def check_here(command, path, name):
    """What Sluice makes of one sample; its re-saved forms lie in build/interop/saved/."""
    program = program_of(path)
    result = {"file": name, "program": program, "path": str(path)}
    saved = WORK / "saved" / name.replace("/", "_").replace(".sdfgz", "").replace(".sdfg", "")
    saved.parent.mkdir(parents=True, exist_ok=True)
    checked = attempt(lambda: library.sluice(command, "check", path) and "")
    result["loads"] = checked if checked.startswith("J") or "[J" in checked else YES
    result["verifies"] = checked
    if checked != YES:
        return result
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        kept = [attempt(lambda: round_trip(command, path, folder, "--dialect", dialect)) for dialect in ("dollar", "legacy")]
        result["stable"] = next((said for said in kept if said != YES), YES)
        for dialect in ("dollar", "legacy"):
            result[dialect] = str(convert(command, path, f"{saved}.{dialect}.sdfg", "--dialect", dialect))
        if cases.module_of(program):
            result["runs"] = attempt(lambda: run_here(command, path, program, folder))
    return result


def environment(release):
    """The Python of an environment with this release of DaCe."""
    folder = WORK / f"dace-{release}"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        # Later releases of networkx leave the start out of its own dominators; no DaCe before 2.0 knows that.
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"dace=={release}", "scipy", "networkx<3.5"], check=True)
    return python


def ask_dace(release, jobs):
    """Answers by id. What a release said of the same bytes before is kept in build/interop/."""
    python = environment(release)
    memory = WORK / f"answers-{release}.json"
    known = json.loads(memory.read_text()) if memory.exists() else {}
    key = {job["id"]: hashlib.sha256(pathlib.Path(job["file"]).read_bytes() + job["program"].encode() + bytes([job["run"]])).hexdigest()
           for job in jobs}
    new = [job for job in jobs if key[job["id"]] not in known]
    process = subprocess.Popen([python, ROOT / "tests/interop/under_dace.py", WORK / f"results-{release}"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, env={**os.environ, "CMAKE_CXX_COMPILER_LAUNCHER": ccache()})
    process.stdout.readline()
    for number, job in enumerate(new, 1):
        process.stdin.write(json.dumps(job) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        known[key[job["id"]]] = answer
        memory.write_text(json.dumps(known))
        print(f"DaCe {release} {number}/{len(new)} {job['id']}: {answer.get('runs', answer['loads'])}", file=sys.stderr, flush=True)
    process.stdin.close()
    process.wait()
    return {job["id"]: known[key[job["id"]]] for job in jobs}


def ccache():
    found = subprocess.run(["which", "ccache"], capture_output=True, text=True)
    return found.stdout.strip()


def in_dace(release, patterns, results):
    """What a release says of each saved file goes into result["dace"]; where it objects, also what it says of the file as DaCe wrote it."""
    dialect = "legacy" if release.startswith(("0", "1")) else "dollar"

    def ask(chosen, key, prefix):
        jobs = [{"id": prefix + result["file"].replace("/", "_"), "file": result[key], "program": result["program"],
                 "run": result.get("runs") == YES and any(fnmatch.fnmatch(result["file"], pattern) for pattern in patterns)}
                for result in chosen]
        answers = ask_dace(release, jobs)
        return [answers[job["id"]] for job in jobs]

    def draw(chosen, key):
        site = next((environment(release).parents[1] / "lib").glob("python*/site-packages"))
        drawn = viewer.draw(site, {result["file"]: result[key] for result in chosen})
        return [drawn[result["file"]] for result in chosen]

    saved = [result for result in results if dialect in result]
    for result, answer, drawn in zip(saved, ask(saved, dialect, ""), draw(saved, dialect)):
        result.setdefault("dace", {})[release] = {key: answer[key] for key in ("loads", "runs") if key in answer} | {"draws": drawn}
    objected = [result for result in saved if "path" in result and any(said != YES for said in result["dace"][release].values())]
    for result, answer, drawn in zip(objected, ask(objected, "path", "original_"), draw(objected, "path")):
        result["dace"][release]["original"] = answer | {"draws": drawn}


def check_example(command, source):
    """An example, exported for DaCe; its graph goes through the same questions as a sample."""
    result = {"file": f"examples/{source.name}", "program": f"example.{source.stem}"}
    saved = WORK / "saved" / f"example_{source.stem}"
    saved.parent.mkdir(parents=True, exist_ok=True)
    result["loads"] = result["verifies"] = attempt(lambda: library.sluice(command, "check", source) and "")
    for dialect in ("dollar", "legacy"):
        result[dialect] = str(convert(command, source, f"{saved}.{dialect}.sdfg", "--dialect", dialect))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        result["stable"] = attempt(lambda: round_trip(command, pathlib.Path(result["dollar"]), folder))
        result["runs"] = attempt(lambda: run_here(command, pathlib.Path(result["dollar"]), result["program"], folder))
    return result


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--samples", type=pathlib.Path, required=True)
    options.add_argument("--command", type=pathlib.Path, default=ROOT / "build/release/bin/sluice")
    options.add_argument("--dace", action="append", default=[], metavar="RELEASE[:PATTERN]")
    options.add_argument("--only", default="*", metavar="PATTERN")
    options.add_argument("--report", type=pathlib.Path)
    chosen = options.parse_args()
    paths = [path for path in sorted(chosen.samples.rglob("*.sdfg*")) if fnmatch.fnmatch(str(path.relative_to(chosen.samples)), chosen.only)]
    names = {path: str(path.relative_to(chosen.samples)) for path in paths}
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        results = list(pool.map(check_here, [chosen.command] * len(paths), paths, names.values()))
    if chosen.only == "*":
        results += [check_example(chosen.command, path) for path in sorted((ROOT / "examples").glob("*.py")) if path.stem != "demo"]
    patterns = collections.defaultdict(list)
    for text in chosen.dace:
        release, _, pattern = text.partition(":")
        patterns[release].append(pattern)
    for release, wanted in patterns.items():
        in_dace(release, wanted, results)
    WORK.mkdir(parents=True, exist_ok=True)
    (WORK / "results.json").write_text(json.dumps(results, indent=1))
    if chosen.report:
        report.write(chosen.report, results, list(patterns))
    return report.summarise(results, list(patterns))


if __name__ == "__main__":
    sys.exit(main())
