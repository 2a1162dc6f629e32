#!/usr/bin/env python3
"""Runs the fuzzers one after the other, each with its seeds; exit status 1 if one of them found something.

    tests/fuzz_targets/run.py --bin build/fuzz/bin --command build/release/bin/sluice --seconds 600 [--samples FOLDER] [TARGET ...]

An input that takes more than a second, needs more than 1 GiB, crashes, breaks a promise or makes a sanitizer speak is a finding; it
is left in OUT/TARGET/findings. The fuzzer's clock also runs while the machine does other things, so what it calls slow is run again by
itself, and a second of the processor's time counts.
"""
import argparse
import collections
import gzip
import pathlib
import re
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = {"text": 16384, "sdfg_json": 32768, "python_subset": 4096, "programs": 4096}


def graphs(options):
    """Every graph at hand, as (name, path)."""
    folders = [ROOT / "tests/interchange/data", ROOT / "examples", *options.samples]
    paths = sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".sdfg", ".sdfgz"))
    return [("_".join(path.parts[-3:]), path) for path in paths]


def printed(options, path, suffix):
    """The graph in another form; nothing if the command refuses it."""
    target = options.out / ("seed" + suffix)
    done = subprocess.run([options.command, "convert", path, "-o", target], capture_output=True)
    if done.returncode or not target.exists():
        return b""
    try:
        return target.read_bytes()
    finally:
        target.unlink()


def code_blocks(text):
    """Tasklets, conditions and assignments of a textual graph."""
    blocks = re.findall(r"`([^`\n]+)`|\{ (.+) \}$|\{\n((?: {4,}.*\n)+) *\}$", text, re.MULTILINE)
    return {"".join(parts).encode() for parts in blocks}


def seeds(target, options):
    """Contents of the seed files; graphs in the form that the target reads, modules and snippets of code for the parser."""
    found = set()
    for _, path in graphs(options):
        data = path.read_bytes()
        if target == "text":
            found.add(printed(options, path, ".txt"))
        elif target == "sdfg_json" and path.suffix != ".py":
            found |= {data, gzip.decompress(data)} if path.suffix == ".sdfgz" else {data}
        elif target == "sdfg_json":
            found |= {printed(options, path, ".sdfg"), printed(options, path, ".sdfgz")}
        elif target == "python_subset":
            found |= {data} if path.suffix == ".py" else code_blocks(printed(options, path, ".txt").decode())
        elif path.suffix == ".py":
            found.add(data)
    if target == "programs":
        found |= {("import sluice\nimport numpy as np\nN = sluice.symbol('N')\n" + body).encode()
                  for path in (ROOT / "tests/python").glob("*.py")
                  for body in re.findall(r"^@sluice\.program\ndef .*\n(?:    .*\n|\n)+", path.read_text(), re.MULTILINE)}
    return {seed for seed in found if 0 < len(seed) <= LONGEST[target]}


def dictionary(contents):
    """The words of the seeds, most frequent first."""
    words = collections.Counter(word for seed in contents for word in re.findall(rb"[A-Za-z_][\w.]{2,30}|[-+*/<>=!&|:]{2,3}", seed))
    return "".join(f'"{word.decode()}"\n' for word, _ in words.most_common(600))


def prepare(target, options):
    folder = options.out / target
    for part in ("seeds", "corpus", "findings"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    contents = sorted(seeds(target, options))
    for number, seed in enumerate(contents):
        (folder / "seeds" / f"{number:04}").write_bytes(seed)
    (folder / "words").write_text(dictionary(contents))
    return folder, len(contents)


def run(target, options):
    """Whether the fuzzer ran its time without a finding."""
    folder, count = prepare(target, options)
    print(f"{target}: {count} seeds, {options.seconds} s", flush=True)
    command = [options.bin / f"fuzz_{target}", f"-max_total_time={options.seconds}", f"-max_len={LONGEST[target]}", "-timeout=10",
               "-report_slow_units=1", "-rss_limit_mb=1024", "-malloc_limit_mb=1024", f"-dict={folder / 'words'}", f"-artifact_prefix={folder / 'findings'}/",
               "-print_final_stats=1", "-reload=0", folder / "corpus", folder / "seeds"]
    with open(folder / "log", "w") as log:
        status = subprocess.run([str(word) for word in command], stdout=log, stderr=log, check=False).returncode
    findings = [path for path in (folder / "findings").iterdir() if not is_quick(options, target, path)]
    stats = re.findall(r"stat::(number_of_executed_units|peak_rss_mb): +(\d+)", (folder / "log").read_text(errors="replace"))
    print(f"{target}: {len(findings)} findings, status {status}; " + ", ".join(f"{name} {value}" for name, value in stats), flush=True)
    return status == 0 and not findings


def is_quick(options, target, path):
    """Was the input called slow, and takes less than a second of the processor's time after all? Then it is no finding."""
    if not path.name.startswith(("slow-unit", "timeout")):
        return False
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([options.bin / f"fuzz_{target}", "-timeout=60", path], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(LONGEST))
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / "build/fuzz/bin")
    parser.add_argument("--command", type=pathlib.Path, default=ROOT / "build/release/bin/sluice")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--samples", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/fuzz/out")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    return 0 if all([run(target, options) for target in options.targets or LONGEST]) else 1


if __name__ == "__main__":
    sys.exit(main())
