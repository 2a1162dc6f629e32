"""Random functions of plain Python: integers that grow, integers beside floats, lists, dictionaries, tuples, `while`, returns in the middle, functions
that call others. Each runs as it is and as a strict program on equal arguments; values, types, arguments and what is raised must agree.

    python tests/python/random_functions.py --seed 1 --count 200 [--refusals]

An OverflowError where Python has an integer of more than 64 bits is counted as a refusal.
"""
import argparse
import collections
import linecache
import random
import sys

import numpy as np

import sluice
from changed_arguments import TooLong, compare, outcome

PARAMETERS = ("n", "m", "big", "x", "xs", "ys", "a", "w")
HEAD = '''import numpy as np


def twice(v):
    return v * 2


def middle(v, u):
    if v < u:
        return u, v
    return v, u


def first_above(values, limit):
    for at, v in enumerate(values):
        if v > limit:
            return at
    return -1


def counted(values, by=1):
    total = 0
    for v in values:
        if v > 0:
            total += by
    return total


'''


def arguments(seed):
    rng = random.Random(seed)
    return [rng.randint(0, 5), rng.randint(-4, 4), rng.choice([2**31, 2**40, -2**33, 2**62]), round(rng.uniform(-3, 3), 2), [rng.randint(-9, 9) for _ in range(6)],
            [round(rng.uniform(-3, 3), 1) for _ in range(5)], np.array([rng.randint(-9, 9) for _ in range(6)]), np.array([round(rng.uniform(-3, 3), 1) for _ in range(5)])]


class Writer:
    """`self.known` maps names to kinds: i and f are numbers that were integers and floats when they were bound, l and g lists of such, d dictionaries, t tuples."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.known = {"n": "i", "m": "i", "x": "f", "xs": "l", "ys": "g", "a": "l", "w": "g"}
        self.count = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, kinds):
        names = [n for n, kind in self.known.items() if kind in kinds]
        return self.random.choice(names) if names else None

    def new(self, kind):
        own = [n for n, known in self.known.items() if n not in PARAMETERS and (known == kind or {known, kind} <= set("if"))]
        if own and self.random.random() < 0.5:
            name = self.random.choice(own)
        else:
            self.count += 1
            name = f"{kind}{self.count}"
        self.known[name] = kind
        return name

    # ---- expressions ----
    def index(self):
        return self.pick("0", "-1", "1", "n % 3", "m % 5", "2", "n", "i" if "i" in self.known else "3")

    def integer(self, depth=0):
        choices = ["0", "1", "2", "3", "-1", "7", self.name("i"), self.name("i"), f"{self.name('l')}[{self.index()}]", f"len({self.name('lg')})"]
        if self.random.random() < 0.08:
            choices += ["big"] * 6
        if self.name("d"):
            choices.append(f"{self.name('d')}.get({self.pick('0', 'n', 'm', '2')}, {self.pick('0', '-1')})")
        if self.name("t"):
            choices.append(f"{self.name('t')}[0]")
        if depth < 2:
            one, two = self.integer(depth + 1), self.integer(depth + 1)
            choices += [f"({one} {self.pick('+', '-', '*', '*', '//', '%', '&', '|', '^')} {two})"] * 5
            choices += [f"({one} {self.pick('<< 3', '>> 1', '** 2', '* 1000003', '** 3')})", f"{self.pick('min', 'max')}({one}, {two})", f"abs({one})", f"({one} if {self.condition(depth + 1)} else {two})", f"int({self.real(depth + 1)})", f"twice({one})",
                        f"first_above({self.name('lg')}, {one})", f"counted({self.name('lg')}, {one})", f"middle({one}, {two})[1]", f"-{one}", f"sum({self.name('l')})", f"({one} {self.pick('and', 'or')} {two})", f"int({self.condition(depth + 1)})"]
        return self.random.choice(choices)

    def real(self, depth=0):
        choices = ["0.5", "1.0", "-2.5", "x", self.name("f"), f"{self.name('g')}[{self.index()}]"]
        if depth < 2:
            one, two = self.real(depth + 1), self.number(depth + 1)
            choices += [f"({one} {self.pick('+', '-', '*')} {two})"] * 3 + [f"({two} {self.pick('-', '*')} {one})", f"({one} / {self.pick('2', 'n', '4.0', two)})", f"({self.integer(depth + 1)} / {self.pick('2', '3', 'n')})", f"abs({one})", f"{self.pick('min', 'max')}({one}, {two})",
                        f"({one} {self.pick('// 2', '% 1.5', '** 2')})", f"float({self.integer(depth + 1)})", f"round({one}, 1)", f"twice({one})", f"sum({self.name('g')})", f"({one} if {self.condition(depth + 1)} else {two})"]
        return self.random.choice(choices)

    def number(self, depth=0):
        return self.integer(depth) if self.random.random() < 0.6 else self.real(depth)

    def condition(self, depth=0):
        compared = f"{self.number(depth + 1)} {self.pick('<', '>', '<=', '==', '!=')} {self.number(depth + 1)}"
        return self.pick(compared, compared, "n > 2", "m < 0", f"{self.integer(depth + 1)} % 2 == 0", f"0 < {self.number(depth + 1)} < 3", f"{self.integer(depth + 1)} in {self.name('l')}", f"not {self.name('lg')}" if depth == 0 else "n", f"{compared} and m != 0")

    # ---- statements ----
    def statement(self):
        l, g = self.name("l"), self.name("g")
        roll = self.random.random()
        if roll < 0.3:
            kind = self.pick("i", "i", "f")
            value = self.integer() if kind == "i" else self.real()
            return f"{self.new(kind)} = {value}"
        if roll < 0.42:
            target = self.name("if") if self.random.random() < 0.5 else None
            own = [n for n, kind in self.known.items() if kind in "if" and n not in PARAMETERS and n != "i"]
            target = self.random.choice(own) if own else None
            if target:
                value = self.number(1)
                return f"{target} {self.pick('+=', '-=', '*=')} {value}"
        if roll < 0.55:
            e = self.integer(1)
            made = self.pick("[]", f"[{e}]", f"[{e}, {self.integer(2)}]", f"[0] * {self.pick('n', '4')}", f"[v * 2 for v in {l}]", f"[v for v in {l} if v > {self.integer(2)}]", f"[i * {self.integer(2)} for i in range({self.pick('n', '4')})]", f"list({l})", f"{l}[{self.pick('1:', ':-1', '::-1', ':n')}]", f"sorted({l})", f"[{self.integer(2)} for _ in range(n)]")
            return f"{self.new('l')} = {made}"
        if roll < 0.6:
            made = self.pick(f"[{self.real(1)}]", f"[0.0] * {self.pick('n', '3')}", f"[v * 0.5 for v in {self.name('lg')}]", f"[v for v in {g} if v > {self.number(2)}]", f"sorted({g}, reverse=True)", f"{g}[1:]")
            return f"{self.new('g')} = {made}"
        if roll < 0.74:
            own = [n for n, kind in self.known.items() if kind in "lg" and n not in ("a", "w")]
            name = self.random.choice(own)
            value = self.integer(1) if self.known[name] == "l" else self.real(1)
            return self.pick(f"{name}.append({value})", f"{name}.append({value})", f"{name}[{self.index()}] = {value}", f"{name}[{self.index()}] {self.pick('+=', '*=', '-=')} {value}", f"{name}.sort()", f"{name}.reverse()", f"{name}.insert(0, {value})", f"{name}.extend([{value}, {value}])",
                             f"if {name}:\n    {self.new('i' if self.known[name] == 'l' else 'f')} = {name}.pop({self.pick('', '0', '-1')})\nelse:\n    {self.new('i')} = -1", f"del {name}[0]", f"{name} += [{value}]")
        if roll < 0.82:
            d = self.name("d")
            if not d or self.random.random() < 0.3:
                made = self.pick("{}", f"{{0: {self.integer(1)}, 1: 2}}", f"{{i: i * {self.integer(2)} for i in range({self.pick('n', '3')})}}")
                return f"{self.new('d')} = {made}"
            return self.pick(f"{d}[{self.pick('0', 'n', 'm', '1')}] = {self.integer(1)}", f"for v in {l}:\n    {d}[v % 3] = {d}.get(v % 3, 0) + {self.pick('1', 'v', 'n')}", f"{self.new('i')} = len({d})", f"{self.new('i')} = sum({d}.values())", f"if n in {d}:\n    {d}[n] += {self.integer(1)}",
                             f"for key, v in {d}.items():\n    xs.append(key * {self.integer(2)} + v)")
        if roll < 0.9:
            if self.random.random() < 0.5:
                return f"{self.new('t')} = ({self.integer(1)}, {self.number(1)})"
            one, two = self.integer(1), self.integer(1)
            left = self.new("i")
            return self.pick(f"{left}, {self.new('i')} = {one}, {two}", f"{left}, {self.new('i')} = divmod({one}, {self.pick('3', 'm', '-2')})", f"{left}, {self.new('i')} = middle({one}, {two})")
        return f"if {self.condition()}:\n    return {self.result()}"

    def result(self):
        return self.pick(self.number(1), self.name("if"), self.name("lg"), f"{self.integer(1)}, {self.name('lgt') or 'n'}")

    def block(self, depth, length):
        lines = []
        for _ in range(length):
            roll, known = self.random.random(), dict(self.known)
            if depth < 2 and roll < 0.16:
                over = self.pick("for i in range(n):", "for i in range(1, 5):", f"for i in range(len({self.name('lg')})):", f"for i, v{depth} in enumerate({self.name('lg')}):", f"for i in range({self.pick('4', 'n')}, -1, -1):")
                self.known["i"] = "i"
                lines += [over] + ["    " + line for line in self.block(depth + 1, self.pick(1, 2, 3))]
                self.known = known
            elif depth < 2 and roll < 0.22:
                self.count += 1
                q = f"q{self.count}"
                self.known[q] = "i"
                ends = self.pick("", f"    if {self.condition(1)}:\n        {self.pick('break', 'break', f'return {self.result()}')}\n").split("\n")[:-1]
                lines += [f"{q} = {self.pick('0', 'n', '1')}", f"while {q} < {self.pick('5', 'n', '3')}:", f"    {q} += {self.pick('1', '2')}"] + ends + ["    " + line for line in self.block(depth + 1, self.pick(1, 2))]
                self.known = {**known, q: "i"}
            elif depth < 2 and roll < 0.34:
                lines += [f"if {self.condition()}:"] + ["    " + line for line in self.block(depth + 1, self.pick(1, 2))]
                self.known = dict(known)
                if self.random.random() < 0.6:
                    lines += ["else:"] + ["    " + line for line in self.block(depth + 1, self.pick(1, 2))]
                    self.known = dict(known)
            else:
                lines += self.statement().split("\n")
        return lines


def load(text, name):
    """The function of this text, whose source Python knows."""
    scope, file = {}, f"<random {name}>"
    linecache.cache[file] = (len(HEAD + text), None, (HEAD + text).splitlines(True), file)
    exec(compile(HEAD + text, file, "exec"), scope)
    return scope[name]


def write_function(seed, name="f"):
    """Text of a function that Python runs: a statement that raises is dropped, but for some at the end."""
    writer, lines = Writer(seed), []
    head = f"def {name}({', '.join(PARAMETERS)}):\n"
    text = lambda more: head + "".join(f"    {line}\n" for line in lines + more)  # noqa: E731

    def runs(more):
        try:
            return not any(isinstance(outcome(load(text(more), name), arguments(s)), Exception) for s in (1, 2))
        except TooLong:
            return False

    length = writer.random.randint(3, 8)
    for at in range(3 * length):
        known, more = dict(writer.known), writer.block(0, 1)
        if runs(more) or (at == 3 * length - 1 and writer.random.random() < 0.2):
            lines += more
        else:
            writer.known = known
        if len(lines) > 3 * length:
            break
    results = [n for n in writer.known if n not in PARAMETERS and n != "i" and runs([f"return {n}"])]
    writer.random.shuffle(results)
    return text([f"return {', '.join(results[:3]) or 'n'}"])


def campaign(seed, count, report=print, refusals=False):
    """Outcomes by kind, and findings."""
    outcomes, findings = collections.Counter(), []
    for number in range(count):
        text = write_function(seed * 100_000 + number)
        function = load(text, "f")
        program = sluice.program(function, strict=True)
        for s in (1, 2, 3):
            try:
                kind, detail = compare(function, program, arguments(s))
            except TooLong:
                kind, detail = "too long", ""
            if kind != "ok":
                break
        outcomes[kind] += 1
        if kind == "WRONG" or kind == "too long" or (refusals and kind != "ok"):
            report(f"{text}# number {number} of seed {seed}, arguments {s}: {kind} " + detail.replace("\n", "\n# "))
        if kind == "WRONG":
            findings.append(f"{text}# {detail}")
    return outcomes, findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--refusals", action="store_true", help="print what was refused as well")
    options = parser.parse_args()
    outcomes, findings = campaign(options.seed, options.count, refusals=options.refusals)
    print(dict(outcomes))
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
