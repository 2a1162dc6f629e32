"""Random functions of plain Python, cut at random lines: whatever the cut, the function must do what it did.

    .venv/bin/python tests/python/random_cuts.py [--seed 1] [--programs 1000]

Segments run as Python, so that thousands of cuts take seconds; what is tested is where they begin and end, and what they hand over.
A function whose outcome differs is printed, made small. Exit status 1 if one differs.
"""
import argparse
import linecache
import random
import re
import sys
import types

import sluice
from sluice import fallback, segment_calls

NAMES = "abcd"


class Maker:
    """Writes a function of two numbers and a list, to which it appends what it sees."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = self.depth = 0
        self.lines = [line for _ in range(self.random.randint(3, 8)) for line in self.statement()]

    def value(self):
        choose = self.random.choice
        return choose([choose(NAMES), choose(NAMES), str(choose(range(-2, 6))), f"{choose(NAMES)} + {choose(range(4))}",
                       f"{choose(NAMES)} * {choose(NAMES)} % 7", f"sum({choose(NAMES)} + e for e in range(3))", f"outer({choose(NAMES)})",
                       f"(w := {choose(NAMES)} + 1)", f"[{choose(NAMES)} for _ in range(2)][0]", f"len(text) + {choose(NAMES)}"])

    def condition(self):
        choose = self.random.choice
        return choose([f"{choose(NAMES)} > {choose(range(4))}", f"{choose(NAMES)} % 2 == {choose('01')}", "flag is None", "text == 'one'"])

    def block(self):
        self.depth += 1
        lines = [line for _ in range(self.random.randint(1, 3)) for line in self.statement()]
        self.depth -= 1
        return ["    " + line for line in lines]

    def statement(self):
        choose = self.random.choice
        kinds = ["assign"] * 6 + ["augment", "augment", "see", "see", "pair", "raise", "inner", "nonlocal", "del", "import"]
        kinds += ["if", "for", "for", "while", "try", "with", "elif", "line", "lambda"] if self.depth < 3 else []
        kinds += ["break", "continue"] if self.loops else []
        kinds += ["return"] if self.depth else []
        kind, name = choose(kinds), choose(NAMES)
        if kind in ("if", "elif"):
            text = [f"if {self.condition()}:", *self.block()]
            text += [f"elif {self.condition()}:", *self.block()] if kind == "elif" else []
            return text + (["else:", *self.block()] if choose((True, False)) else [])
        if kind in ("for", "while"):
            self.loops += 1
            body = self.block()
            self.loops -= 1
            head = choose([f"for {name} in range({choose((1, 2, 3))}):", f"for {name}, z in zip(range(2), (5, 6)):"])
            if kind == "while":
                head = "while fuel and fuel.pop():"
            return [head, *body] + (["else:", *self.block()] if choose((True, False, False)) else [])
        if kind == "try":
            return ["try:", *self.block(), "except (NameError, ValueError) as fault:", *self.block()] + (
                ["finally:", *self.block()] if choose((True, False)) else [])
        if kind == "with":
            return ["with around:", *self.block()]
        if kind == "lambda":
            return [f"later = lambda: {name}", *self.statement(), "seen.append(later())"]
        value = self.value()
        if kind == "nonlocal":
            return [f"{name} = {value}", "def change():", f"    nonlocal {name}", f"    {name} += 10", *self.statement(), "change()",
                    f"seen.append({name})"]
        return {"assign": [f"{name} = {value}"], "augment": [f"{name} {choose('+-')}= {value}"], "see": [f"seen.append({value})"],
                "pair": [f"{name}, {choose('xyz')} = {value}, {choose(NAMES)}"], "return": [f"return {choose([name, value, ''])}"],
                "raise": [f"if {self.condition()}: raise ValueError('{choose('pq')}')"],
                "inner": [f"def inner(x=1): return x + {name}", "seen.append(inner())"],
                "del": [f"if {self.condition()}:", f"    del {name}"], "import": ["import math as m"],
                "line": [f"if {self.condition()}: {name} = 1", f"{choose(NAMES)} = 2; seen.append(3)"]}.get(kind, [kind])


class Around:
    def __enter__(self):
        return self

    def __exit__(self, *fault):
        return False


def function_of(lines, name):
    source = "def f(a, b, seen, text='one', flag=None):\n" + "\n".join("    " + line for line in lines) + "\n"
    linecache.cache[name] = len(source), None, source.splitlines(True), name
    space = {"__name__": name, "outer": lambda x: x + 100, "around": Around(), "fuel": []}
    exec(compile(source, name, "exec"), space)
    return space["f"]


def outcome(function, fuel, *arguments):
    seen, fuel[:] = [], [1] * 5
    try:
        return repr(function(*arguments, seen)), seen
    except NameError as fault:
        return re.search("'.*?'", str(fault))[0] + " has no value", seen
    except Exception as fault:
        return f"{type(fault).__name__}: {fault}", seen


def refusal(name, line):
    error = sluice.CompileError("refused")
    error.code, error.message, error.filename, error.lineno, error.offset = "F001", "refused", name, line, 1
    return error


def cut_at(function, line):
    """The function with a break at a line, its segments in Python."""
    program = sluice.program(function, strict=False)
    program.__dict__["_parsed"] = types.SimpleNamespace(parameters=lambda: [])
    driver = fallback.Driver(program, refusal(function.__code__.co_filename, line))
    return lambda *arguments: driver(arguments, {})


def differs(lines, line, name):
    try:
        function = function_of(lines, name)
    except SyntaxError:
        return None
    cut = cut_at(function, line)
    for arguments in ((1, 2), (0, 5)):
        wanted, got = (outcome(one, function.__globals__["fuel"], *arguments) for one in (function, cut))
        if wanted != got:
            return f"{arguments}: {got} instead of {wanted}"
    return None


def reduced(lines, line, name):
    """Fewer lines with a difference left, and the line of the break."""
    at = len(lines) - 1
    while at >= 0:
        fewer, there = lines[:at] + lines[at + 1:], line - (at + 2 < line)
        if at + 2 != line and differs(fewer, there, name + str(at)):
            lines, line = fewer, there
        at -= 1
    return lines, line


def campaign(seed, programs):
    """Differences found: (number, source, line, what). Everything runs in Python: nothing is worth compiling."""
    segment_calls.worth_compiling, kept = lambda segment, values: False, segment_calls.worth_compiling
    found = []
    try:
        for number in range(programs):
            maker = Maker(seed * 1_000_000 + number)
            line = maker.random.randint(2, len(maker.lines) + 1)
            if differs(maker.lines, line, f"<cut {seed} {number}>"):
                lines, line = reduced(maker.lines, line, f"<cut {seed} {number} reduced>")
                found.append((number, "\n".join(lines), line, differs(lines, line, f"<cut {seed} {number} least>")))
    finally:
        segment_calls.worth_compiling = kept
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1000)
    options = parser.parse_args()
    found = campaign(options.seed, options.programs)
    for number, source, line, what in found:
        print(f"{number}, broken at line {line}: {what}\n{source}\n")
    print(f"{options.programs} functions cut, {len(found)} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
