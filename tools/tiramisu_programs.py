#!/usr/bin/env python3
"""Runs Tiramisu's programs, from a checkout, against Sluice's header, and prints what becomes of each.

    tools/tiramisu_programs.py CHECKOUT [--only 01 26 tutorial_02] [--work FOLDER] [--halide FOLDER] [--library FOLDER] [--markdown]

Each generator is compiled against `tiramisu/tiramisu.h` and linked with libsluice, run, its object linked with the wrapper beside it, and
that run. Halide.h and libHalide come from the wheel `halide` of PyPI: `--halide` names its folder. Nothing of the checkout is changed.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: Its wrapper compares nothing: what it prints is no proof.
COMPARES = re.compile(r"compare_\w*buffers|print_test_results|assert\s*\(|exit\s*\(")


def run(command, folder, seconds=600):
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return 124, f"no end within {seconds} s"
    return done.returncode, done.stdout + done.stderr


def enabled(checkout):
    """Numbers of the tests that the checkout runs, with what they need in brackets."""
    tests = {}
    for line in (checkout / "tests/test_list.txt").read_text().split():
        number, _, needs = line.partition("[")
        tests[number] = needs.rstrip("]")
    return tests


class Harness:
    def __init__(self, options):
        self.checkout = pathlib.Path(options.checkout).resolve()
        self.work = pathlib.Path(options.work).resolve()
        self.halide = pathlib.Path(options.halide).resolve()
        self.library = pathlib.Path(options.library).resolve()
        self.flags = ["-std=c++20", "-O0", "-w", f"-I{self.work}/include", f"-I{ROOT}/src", f"-I{self.halide}/include",
                      "-DHALIDE_NO_PNG", "-DHALIDE_NO_JPEG"]
        self.flags += [f"-I{file.parent}" for file in self.halide.rglob("halide_image_io.h")]
        library_folder = next(self.halide.glob("lib*/libHalide.so*")).parent
        self.link_halide = [f"-L{library_folder}", "-lHalide", f"-Wl,-rpath,{library_folder}"]
        self.link = ["-fuse-ld=mold"] if shutil.which("mold") else []

    def prepare(self):
        """A copy of the programs, and Halide.h precompiled."""
        for folder in ("tests", "tutorials"):
            shutil.copytree(self.checkout / folder, self.work / folder, dirs_exist_ok=True)
        include = self.work / "include"
        include.mkdir(exist_ok=True)
        if not (include / "tiramisu").exists():
            (include / "tiramisu").symlink_to(ROOT / "src/tiramisu")
        (self.work / "build").mkdir(exist_ok=True)
        compiled = self.work / "include/Halide.h.gch"
        if not compiled.exists():
            status, output = run(["g++", *self.flags, "-x", "c++-header", "-o", compiled, self.halide / "include/Halide.h"], self.work)
            if status:
                sys.exit(output)
            shutil.copy(self.halide / "include/Halide.h", self.work / "include/Halide.h")

    def compile(self, source, program, more):
        return run(["g++", *self.flags, "-include", self.work / "include/Halide.h", "-o", program, source, *more, *self.link], self.work)

    def outcome(self, generator, wrapper, built):
        """(`passes` or what else, why)."""
        program = self.work / "build" / generator.stem
        status, output = self.compile(generator, program, [f"-L{self.library}", "-lsluice", f"-Wl,-rpath,{self.library}", *self.link_halide])
        if status:
            errors = [line for line in output.splitlines() if "error:" in line or "undefined" in line]
            return "does not compile", (errors or output.splitlines() or ["?"])[0].split("error:")[-1].strip()
        built.unlink(missing_ok=True)
        status, output = run([program], self.work)
        if status:
            message = re.search(r"error\[?(\w*)\]?:?.*", output) or re.search(r"[^\n]*Assertion[^\n]*", output)
            lines = [line for line in output.splitlines() if line.strip()]
            codes = [line for line in lines if re.search(r"\b[A-Z]\d{3}\b", line)]
            return "refused" if codes else "fails", (codes or [message.group(0) if message else (lines or [f"status {status}"])[-1]])[0]
        if not built.exists():
            return "fails", f"no object {built.name}"
        if not wrapper.exists():
            return "passes", "has no wrapper"
        tester = self.work / "build" / wrapper.stem
        status, output = self.compile(wrapper, tester, [built, "-fopenmp", "-lpthread", "-ldl", *self.link_halide])
        if status:
            errors = [line for line in output.splitlines() if "error:" in line or "undefined" in line]
            return "wrapper does not compile", (errors or ["?"])[0].split("error:")[-1].strip()
        status, output = run([tester], self.work, 120)
        if status and "is too small or of another type" in output:
            return "refused", "at its call: " + next(line for line in output.splitlines() if "too small" in line)
        if status:
            return "wrong", ([line for line in output.splitlines() if line.strip()] or [f"status {status}"])[-1]
        return "passes", "" if COMPARES.search(wrapper.read_text(errors="replace")) else "its wrapper compares nothing"

    def one(self, name, needs):
        if name.startswith("tutorial"):
            folder = self.work / "tutorials/developers" / name
            result = self.outcome(folder / f"{name}.cpp", folder / f"wrapper_{name}.cpp",
                                  self.work / f"build/generated_fct_developers_{name}.o")
        else:
            tests = self.work / "tests"
            result = self.outcome(tests / f"test_{name}.cpp", tests / f"wrapper_test_{name}.cpp",
                                  self.work / f"build/generated_fct_test_{name}.o")
        return name, needs, *result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout")
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--work", default="/tmp/tiramisu_programs")
    parser.add_argument("--halide", required=True, help="the folder of the wheel, `site-packages/halide`")
    parser.add_argument("--library", default=ROOT / "build/release/src", help="the folder of libsluice.so")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--markdown", action="store_true", help="only what does not pass, as rows of a table")
    options = parser.parse_args()
    harness = Harness(options)
    harness.work.mkdir(parents=True, exist_ok=True)
    harness.prepare()
    programs = enabled(harness.checkout)
    programs |= {folder.name: "" for folder in sorted((harness.checkout / "tutorials/developers").iterdir()) if folder.is_dir()}
    chosen = {name: needs for name, needs in programs.items() if not options.only or name in options.only}
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for name, needs, result, why in pool.map(lambda item: harness.one(*item), chosen.items()):
            counts[result] = counts.get(result, 0) + 1
            if options.markdown and result != "passes":
                print(f"| {name} | {result} | {why} |", flush=True)
            elif not options.markdown:
                print(f"{name:16} {result:18} {why}{f' [{needs}]' if needs else ''}", flush=True)
    print(", ".join(f"{count} {result}" for result, count in sorted(counts.items(), key=lambda one: -one[1])))


if __name__ == "__main__":
    main()
