"""Random NumPy programs: each runs as plain NumPy and as a @sluice.program on equal inputs; results, dtypes and arguments must agree.

    python tests/python/random_programs.py --seed 1 --count 200 [--only references,views] [--refusals]

A program is valid by construction: every statement is tried in NumPy first and dropped where it raises. What the compiler refuses is
counted by its code and is no finding; a different value, dtype, shape or argument is one, and so is an internal error.
"""
import argparse
import collections
import importlib.util
import itertools
import pathlib
import random
import re
import sys
import tempfile
import warnings

import numpy as np

from against_numpy import differences
from random_statements import MORE

N, M = 7, 4
OTHER_PATHS = 3  # The seed of arguments with which `k` is negative, if NumPy runs the program with it.
HEADER = '''import math
import numpy as np
import sluice
N, M = sluice.symbol("N"), sluice.symbol("M")
f8, f4, i8, i4, u1, b1 = sluice.float64, sluice.float32, sluice.int64, sluice.int32, sluice.uint8, sluice.bool_


@sluice.program
def increase(v: f8[N]):
    v[0] += 1.0
    return v[0]


@sluice.program
def shifted(v: f8[N], w: f8[N]):
    w[:] = v + 1.0


@sluice.program
def doubled(v: f8[N]):
    return v * 2.0


@sluice.program
def mixed(v: f8[N], w: f8[N], z: f8[N]):
    z[:] = v - w
    z[0] = v[1] + w[0]


def scaled(v, c=2.0):
    w = v * c
    return w


def total_and_half(v):
    total = v.sum()
    return total, v / 2


def signed(v, c):
    if c > 1:
        return v
    return -v


def smoothed(v, n):
    w = v.copy()
    for _ in range(n):
        u = w * 0.5
        w = w - u + 1.0
    return w


def nudge(v, c):
    v[0] += c


def partial_sums(v):
    out = [0.0]
    for x in v:
        out.append(out[-1] + x)
    return np.array(out)
'''
PARAMETERS = "A: f8[N], B: f8[N], C: f8[N, M], D: f8[N, M], X: f4[N], I: i8[N], J: i8[N], U: u1[N], k: i8, j: i8, s: f8"
NAMES = [p.split(":")[0].strip() for p in re.findall(r"\w+: \w+", PARAMETERS)]
FAMILIES = ("plain", "rebinding", "references", "views", "shared", "keywords", "counters", "many", "extremes", "sums", "andor", "copies",
            "calls", "sizes", "scalars", "loops", "masks", "unbound", "empty", "weak",
            "helpers", "lists", "lengths", "dictionaries", "aliases", *(family for family in MORE if family != "types"))  # Types by path have known differences (docs/python-subset.md): --only types.
# Families that show more where numbers are Python's.
OF_PYTHON = {"weak", "bytes", "operands", "ends", "tuples", "tables", "bounds", "types"}
TYPES = "    # types of numbers count\n"  # A comment of programs whose results are compared in their types of Python's as well.
SHARED = {"B is A": lambda a: a, "B is A from its end": lambda a: a[::-1]}


class Maps:
    """What stands for sluice.map in plain Python."""

    def __getitem__(self, slice_):
        return range(slice_.start, slice_.stop)


class PlainSluice:
    map = Maps()


def arguments(seed, text=""):
    """A comment of the program says which arguments share memory."""
    rng = np.random.default_rng(seed)
    real = lambda *shape: np.round(rng.uniform(-4, 4, shape), 3)  # noqa: E731
    made = [real(N), real(N), real(N, M), real(N, M), real(N).astype(np.float32), rng.integers(-5, 6, N), rng.integers(0, N, N),
            rng.integers(0, 256, N).astype(np.uint8), int(rng.integers(0, 4)), int(rng.integers(1, 4)), float(real())]
    if seed == OTHER_PATHS:
        made[NAMES.index("k")] -= 4
    for words, other in SHARED.items():
        if f"# {words}\n" in text:
            made[1] = other(made[0])
    return made


class Writer:
    """Writes one program; `self.known` maps names to what was bound to them last: "v" (1-D), "m" (2-D) or "n" (a number)."""

    def __init__(self, seed, families):
        self.random = random.Random(seed)
        chosen = [f for f in families if len(families) == 1 or self.random.random() < 0.45]
        self.families = chosen or [self.random.choice(families)]
        self.known = {"A": "v", "B": "v", "C": "m", "D": "m", "I": "i", "J": "i", "U": "u", "s": "n"}
        self.fresh = itertools.count()

    def pick(self, *choices):
        return self.random.choice(choices)

    def name(self, kinds="v"):
        names = [n for n, kind in self.known.items() if kind in kinds]
        return self.random.choice(names) if names else "A"

    def new(self, kind):
        locals_ = [n for n, known in self.known.items() if known == kind and n not in NAMES]
        if locals_ and self.random.random() < 0.5:
            return self.random.choice(locals_)
        name = f"{kind}{next(self.fresh)}"
        self.known[name] = kind
        return name

    # ---- expressions ----
    def index(self):
        return self.pick("0", "1", "-1", "k", "j", "k - 1", "2", "-2", "J[1]", "J[k]")

    def bounds(self):
        return self.pick(":-1", "1:", "k:", ":k", "1:-1", "k:k + 3", "::2", "::-1", "j:k", ":", "2:5", "-3:", "k - 4:", "j:j + 2", "J[0]:")

    def number(self, depth=0):
        choices = ["1.0", "2", "0.5", "s", "k", f"{self.name('v')}[{self.index()}]", f"{self.name('m')}[{self.index()}, {self.pick('0', '1', 'j', '-1')}]"]
        if depth < 2:
            choices += [f"({self.number(depth + 1)} {self.pick('+', '-', '*')} {self.number(depth + 1)})", f"np.{self.pick('sum', 'max', 'min', 'mean')}({self.vector(depth + 1)})",
                        f"abs({self.number(depth + 1)})"]
        if "calls" in self.families and depth < 2:
            choices.append(f"increase({self.name('v')})")
        if "extremes" in self.families:
            choices.append(f"np.{self.pick('argmax', 'argmin')}({self.vector(2)})")
        if "andor" in self.families and depth < 2:
            a, b = self.number(2), self.number(2)
            choices += [f"({self.pick('k', 'j', a)} {self.pick('or', 'and')} {b})"] * 2
        return self.random.choice(choices)

    def vector(self, depth=0):
        v = self.name("v")
        choices = [v, f"{v}[{self.bounds()}]", f"{self.name('m')}[{self.index()}]", f"{self.name('m')}[:, {self.pick('0', '1', '-1', 'j')}]"]
        if depth < 2:
            choices += [f"({self.vector(depth + 1)} {self.pick('+', '-', '*')} {self.pick(self.vector(depth + 1), self.number(2))})"] * 2
            choices += [f"np.{self.pick('sin', 'abs', 'sqrt', 'floor', 'square')}({self.pick('', 'np.abs')}({self.vector(depth + 1)}))", f"np.sum({self.matrix(depth + 1)}, axis={self.pick('0', '1')})",
                        f"np.where({v} > {self.number(2)}, {v}, {self.name('v')})"]
        if "copies" in self.families:
            choices += [f"{v}.copy()", f"{self.name('m')}.flatten()", f"{v}.astype(np.float64)", f"{v}[J]", f"np.copy({v})", f"{self.name('m')}.ravel()", f"{v}[::-1].copy()"]
        if "keywords" in self.families:
            choices += [self.keyword_vector() for _ in range(3)]
        if "calls" in self.families and depth < 2:
            choices.append(f"doubled({self.vector(2)})")
        if "helpers" in self.families and depth < 2:
            choices += [self.helped(depth)] * 3
        if "lengths" in self.families and depth < 2:
            choices += [self.of_unknown_length()] * 2
        return self.random.choice(choices)

    def helped(self, depth=1):
        """A vector that a plain function computes."""
        v = self.vector(depth + 1)
        return self.pick(f"scaled({v})", f"scaled({v}, c={self.number(2)})", f"signed({v}, {self.pick('k', 'j', 's', 't0' if 't0' in self.known else 'k')})", f"smoothed({v}, {self.pick('k', 'j', '2')})",
                         f"total_and_half({v})[1]", f"(lambda z: z * 2 - s)({v})", f"partial_sums({v})", f"scaled(scaled({v}), {self.number(2)})")

    def of_unknown_length(self):
        """A vector as long as the data say."""
        v, w = self.name("v"), self.name("v")
        return self.pick(f"{v}[{v} > {self.number(2)}]", f"{v}[np.abs({v}) > {self.number(2)}]", f"np.nonzero({v} > {self.number(2)})[0] * 1.0", f"np.where({v} < {self.number(2)})[0] + 0.5", f"np.concatenate(({v}, {w}))",
                         f"np.arange(k) * 1.0", f"np.unique(I) * 0.5", f"np.append({v}, {self.number(2)})", f"np.repeat({v}, {self.pick('2', 'k', 'j')})", f"np.sort({v})", f"np.cumsum({v})", f"np.delete({v}, {self.pick('0', 'k', '-1')})",
                         f"{v}[np.argsort({v})[:{self.pick('k', '2', 'j')}]]", f"np.diff({v})", f"np.hstack(({v}, {w}[{self.bounds()}]))", f"np.compress({v} > 0, {v})", f"np.flatnonzero({v} > 0) * 2.0")

    def element(self):
        """Of a list of numbers."""
        return f"{self.name('l')}[{self.pick('0', '-1', 'k', 'j', '1', '-2')}]"

    def list_statements(self):
        l, v, e, n = self.name("l") if "l" in self.known.values() else "", self.name("v"), self.number(1), self.pick("k", "j", "3")
        made = self.pick("[]", f"[{e}]", f"[{e}, {self.number(2)}]", f"[0.0] * {n}", f"[x * 2 for x in {v}]", f"[x for x in {v} if x > {self.number(2)}]", f"list({v})", f"[{v}[i] + i for i in range({n})]", f"{v}.tolist()")
        made = [f"{self.new('l')} = {made}"]
        if not l:
            return made
        appended = f"{l}.append({self.pick(e, 'x', 'float(i)')})"
        x = "for x in " + v + ":\n    " + appended.replace("float(i)", "x * 2")
        i = f"for i in range({self.pick('k', '3', f'len({l})', 'j')}):\n    " + appended.replace("(x)", "(i * 0.5)")
        w = f"while len({l}) {self.pick('< 5', '< k', '> 2', '> k')}:\n    "
        w += f"{l}.append({e})" if "<" in w else f"{l}.pop({self.pick('', '0', '-1')})"
        loops = [x, i, w, f"for x in {l}:\n    {v}[0] += x", f"for i, x in enumerate({l}):\n    {v}[{self.index()}] = x * i", f"for x, y in zip({l}, {v}):\n    {self.new('n')} = x - y",
                 f"for i in range(len({l})):\n    {l}[i] {self.pick('=', '+=', '*=')} {e}", f"for x in {v}:\n    if x > {self.number(2)}:\n        {l}.append(x)\n    elif len({l}) > 1:\n        {l}.pop()"]
        changes = [f"{l}.append({e})", f"{self.element()} = {e}", f"{l}.extend([{e}, {e}])", f"{l}.insert({self.pick('0', '1', 'k')}, {e})", f"{l}.reverse()", f"{l}.sort()", f"{self.new('n')} = {l}.pop()", f"{l} += [{e}]", f"{self.new('l')} = {l}",
                   f"{self.new('l')} = {l} + [{e}]", f"{self.new('l')} = {l}[{self.pick('1:', ':-1', ':', '::-1', ':k')}]", f"{self.new('l')} = sorted({l})", f"{self.new('l')} = {l}.copy()", f"{self.new('l')} = [y + 1 for y in {l}]", f"del {l}[0]", f"{l}.clear()"]
        reads = [f"{self.new('n')} = {self.pick('sum', 'max', 'min', 'len')}({l})", f"{self.new('v')} = np.array({l})", f"{self.new('n')} = {self.element()}", f"{self.new('v')} = np.array({l}) * {v}", f"{self.new('v')} = np.array([y * 2 for y in {l}])",
                 f"{self.new('n')} = np.{self.pick('mean', 'sum', 'max')}({l})", f"if {l}:\n    {v}[0] = {l}[0]", f"{v}[:len({l})] = {l}", f"{self.new('n')} = 1.0 if {self.number(2)} in {l} else 0.0"]
        return self.pick(made, loops, loops, changes, changes, reads)

    def dictionary_statements(self):
        d, v, key, e = self.name("d") if "d" in self.known.values() else "", self.name("v"), self.pick("'a'", "'b'", "'c'"), self.number(1)
        if not d:
            return [f"{self.new('d')} = {{'a': {e}, 'b': {self.vector(2)}, 'c': {self.number(2)}}}", f"{self.new('d')} = dict(a={e}, b={self.vector(2)}, c=1.0)"]
        return [f"{d}['a'] {self.pick('=', '+=')} {e}", f"{d}['b'] = {self.vector(1)}", f"{d}['b'][0] = {e}", f"{self.new('v')} = {d}['b']", f"{self.new('n')} = {d}['a'] * {d}['c']", f"for t in range({self.pick('k', '3')}):\n    {d}['a'] += {e}\n    {d}['b'] = {d}['b'] * 0.5",
                f"if {self.condition()}:\n    {d}['c'] = {d}['a']", f"{self.new('n')} = {d}.get('a', 0.0)", f"for key in {d}:\n    {v}[0] += 1", f"{self.new('n')} = len({d})", f"{v}[0] = sum(np.sum(x) for x in {d}.values())", f"{self.new('d')} = {d}"]

    def keyword_vector(self):
        m, v = self.name("m"), self.name("v")
        return self.pick(f"np.sum({m}, axis={self.pick('0', '1', '-1')}, initial={self.pick('2.0', 's')})", f"np.max({m}, axis=0, initial=1.5)", f"np.std({m}, axis=0, ddof=1)",
                         f"np.var({m}, axis=1, ddof=1)", f"np.sum({m}, axis=0, where={m} > 0)", "np.linspace(0, 1, N, endpoint=False)", "np.linspace(0.0, s, N)", f"np.sum({m}, 1)",
                         f"{m}.mean(0)", f"{m}.max(1)", f"np.prod({m}, axis=1, initial=0.5)", f"np.mean({m}, axis=0, keepdims=True)[0]", f"np.reshape({m}, N * M, order='F')",
                         f"{m}.ravel(order='F')", f"{m}.flatten('F')", f"np.full_like({v}, 2)", f"np.ones_like({v}, shape=3)", f"np.arange(k, N)", f"np.round({v}, 1)",
                         f"np.zeros(N, dtype=np.float64)", f"np.argmax({m}, axis=1, keepdims=True)[:, 0] + 0.0", "np.eye(N, M, 1)[1]", "np.eye(N, k=-1)[2]", f"np.clip({v}, -1, 1)",
                         f"np.round(np.sum({m}, axis=0, dtype=np.float32).astype(np.float64), 3)", f"np.add({v}, {v})", f"np.transpose({m}, (1, 0))[1]", f"np.min({m}, axis=1, keepdims=True)[:, 0]")

    def matrix(self, depth=0):
        m = self.name("m")
        choices = [m, f"{m}[{self.bounds()}]"]
        if depth < 2:
            choices += [f"({self.matrix(depth + 1)} {self.pick('+', '-', '*')} {self.pick(self.matrix(depth + 1), self.number(2), m)})", f"({m} * {self.pick('C[0]', 'D[1]')})", f"np.abs({self.matrix(depth + 1)})"]
        if "copies" in self.families:
            choices += [f"{m}.copy()", f"{m}[J]", f"{m}.astype(np.float64)"]
        if "sizes" in self.families:
            choices += [f"np.reshape({m}, (N, M))", f"{m}.reshape(N, -1)", f"np.zeros((N, M)) + {m}"]
        return self.random.choice(choices)

    def condition(self):
        return self.pick("k > 1", "j < 2", f"{self.name('v')}[0] > {self.number(2)}", f"s > 0", f"{self.number(2)} < {self.number(2)}", "k % 2 == 0", "not k",
                         *(["k or j > 2", "increase(A) > 2 or increase(B) > 1", f"s > 0 and {self.name('v')}[0] > 0"] if "andor" in self.families or "calls" in self.families else []))

    # ---- statements ----
    def simple(self):
        v, m = self.name("v"), self.name("m")
        writes = [f"{v}[{self.index()}] {self.pick('=', '+=', '-=', '*=')} {self.number()}", f"{v}[{self.bounds()}] {self.pick('=', '+=', '-=')} {self.pick(self.vector(), self.number())}",
                  f"{v} {self.pick('+=', '*=')} {self.pick(self.number(), self.vector(1))}", f"{m}[{self.index()}] {self.pick('=', '+=')} {self.pick(self.vector(), self.number())}",
                  f"{m}[{self.bounds()}] = {self.matrix()}", f"{self.new('n')} = {self.number()}", f"{self.new('v')} = {self.vector()}", f"{self.new('m')} = {self.matrix()}"]
        common, writes = writes, []
        if {"references", "views"} & set(self.families):
            writes += [f"{self.new('v')} = {v}", f"{self.new('m')} = {m}"] if "references" in self.families else []
            writes += [f"{self.new('v')} = {v}[{self.bounds()}]", f"{self.new('v')} = {m}[{self.index()}]", f"{self.new('m')} = {m}[{self.bounds()}]"] * (2 if "views" in self.families else 0)
        if "views" in self.families:
            x, i = self.new("v"), self.pick("k", "j", "J[0]", "k - 4")
            writes += [f"{x} = {m}[{i}]\n{x} += 1.0", f"{x} = {v}[{i}:]\n{x}[0] = 5.0", f"{x} = {v}[1:4]\n{x} += 1.0\n{x} = {x} + 1.0", f"{x} = {v}[k:k + 3]\n{v}[k] = 99.0\n{v}[0] = {x}[0]"] * 2
        if "references" in self.families:
            a, b = self.name("v"), self.name("v")
            writes += [f"{a}, {b} = {b}, {a}", f"{self.new('v')} = {self.new('v')} = {self.vector(1)}", f"{self.new('v')} = {a} if {self.condition()} else {b}",
                       f"{v}[0], {v}[1] = {v}[1], {v}[0]", f"{m}[0], {m}[1] = {m}[1], {m}[0]"]
        if "rebinding" in self.families:
            w = self.new("v")
            writes += [f"for t in range({self.pick('2', 'k', 'j')}):\n    {w} = {v} * 2.0\n    {v} = {w}", f"if {self.condition()}:\n    {v} = {self.vector(1)}\n{v}[0] = 7.0"]
            writes += [f"{v} = {self.vector()}", f"{m} = {self.matrix()}", f"{v} = {self.name('v')}"] * 2
        if "shared" in self.families:
            writes += [f"shifted({v}{self.pick('[:-1]', '')}, {self.pick(v, self.name('v'))}{self.pick('[1:]', '')})", f"mixed({v}, {self.name('v')}, {self.pick(v, self.name('v'))})"] * 3
        if "calls" in self.families:
            a = self.name("v")
            writes += [f"{v}[int(increase({a}))] {self.pick('=', '+=')} {self.number()}", f"{self.new('n')} = {a}[0] {self.pick('+', '-', '*')} increase({a})", f"{self.new('v')} = {self.new('v')} = doubled({v})",
                       f"{v}[{self.bounds()}] += increase({a})", f"increase({a})", f"{self.new('n')} = {self.new('n')} = increase({a})"]
        if "copies" in self.families:
            x = self.new("v")
            writes += [f"{x} = {self.pick(f'{m}.flatten()', f'{v}.astype(np.float64)', f'{v}.copy()', f'{m}.ravel()', f'{v}[J]', f'np.array({v})')}\n{x}[{self.index()}] = {self.number()}"] * 3
        if "masks" in self.families:
            writes += [f"{v}[{v} > {self.number(2)}] {self.pick('=', '+=')} {self.number(2)}", f"{m}[{m} < 0] *= 2.0", f"{v}[({v} > 0) & ({v} < 2)] = {self.number(2)}"] * 2
        if "sizes" in self.families:
            n = self.pick("N", "k", "len(A)", "N - 1", "j", "A.shape[0]", "k + 1", "N * M", "7", "4", "3", "5", "1")
            z = self.new("v")
            writes += [f"{z} = np.zeros(({n},))\n{z}[:] = {self.vector()}", f"{v}[:{n}] = {self.vector()}", f"{z} = np.reshape({m}, ({n},))", f"{self.new('m')} = np.reshape({m}, ({self.pick('k', 'j', 'M', 'N', '2')}, {self.pick('k', 'N', '14', 'M', '-1')}))",
                       f"{v}[0:{n}] = {self.name('v')}[0:{self.pick('k', 'j', 'N')}]"] * 2
        if "extremes" in self.families:
            writes += [f"{v}[k] = np.nan\n{self.new('n')} = np.argmax({v})", f"{v}[np.argmax({v})] = 0.0", f"{v}[k] = np.nan", f"{self.new('n')} = np.argmin({m})"]
        if "scalars" in self.families:
            n, i = self.new("n"), self.name("i")
            writes += [f"{n} = {self.pick(f'round({self.number()})', f'math.floor({self.number()})', f'math.ceil({self.number()})', f'int({self.number()})', f'2 ** k', '2 ** (j - 2)', f'{i}[1] // 2', f'{i}[0] % 3', f'max(1.0, {self.number()})', 'np.int32(k) << 3', f'float(k) / j', f'{i}[2] ** 2', f'min(k, {self.number()})', f'divmod(k, 2)[1]', f'sum(A)', f'sum({m})[0]', f'np.fabs({i})[1]', f'-k // 2', f'k % -3', f'round({self.number()}, 1)', 'np.int8(k)', 'np.float32(s)', f'bool({self.number()})')}"] * 4
        if "unbound" in self.families:
            n, i = self.new("n"), f"t{self.random.randint(5, 9)}"
            bind, read = self.pick(f"{n} = {self.number(1)}", f"{n} = {i}", f"{n} = k"), self.pick(f"{v}[0] += {n}", f"{self.new('n')} = {n} + 1.0", f"{n} += 1")
            bounds = self.pick("k", "j", "k - 1", "j - 2", "1, k", "k, 0, -1", "3")
            writes += [f"for {i} in range({bounds}):\n    {bind}\n{read}", f"{i} = 2\nif {self.condition()}:\n    {bind}\n{read}", f"for {i} in range({bounds}):\n    if {i} >= j:\n        break\n    {bind}\n{read}",
                       f"{i} = k\nwhile {i} > {self.pick('1', '2', 'j')}:\n    {bind}\n    {i} -= 1\n{read}", f"{i} = 1\nif {self.condition()}:\n    {bind}\nelif {self.condition()}:\n    {n} = 1.5\n{read}",
                       f"for {i} in range({bounds}):\n    for q{i} in range({i}):\n        {bind}\n{read}", f"for {i} in range({bounds}):\n    {self.new('v')} = {self.vector(1)}", f"for {i} in range({bounds}):\n    pass\n{self.new('n')} = {i}"] * 2
        if "empty" in self.families:
            z, part = self.new("v"), self.pick("k:k", ":k", "j:1", "2:k", "k:j", "7:", "j:", ":0")
            writes += [f"{self.new('n')} = np.{self.pick('sum', 'prod', 'max', 'min', 'mean', 'argmax', 'any', 'all')}({v}[{part}])", f"{z} = np.{self.pick('max', 'sum', 'min')}({m}[{part}], axis={self.pick('0', '1')})",
                       f"{z} = np.{self.pick('zeros', 'ones')}(({self.pick('k - 1', 'j - 2', 'k')}, {self.pick('k - 1', 'j - 2', '2')}))[:, 0]", f"{z} = {v}[{part}] * 2.0", f"{v}[{part}] = {self.number(2)}"] * 2
        if "weak" in self.families:
            w, x, s = self.new("w"), self.pick("X", "X[1:]", "X[k]", self.name("w") if "w" in self.known.values() else "X", "I", "np.int32(k)", "np.float32(s)"), self.pick("s", "k", "(s + k)", "2", "0.5", "s * 2", "k / 2", "-k", "abs(s)", "s")
            writes += [f"{w} = {x} {self.pick('*', '+', '-', '/')} {s}", f"{w} = {s} {self.pick('*', '-')} {x}", f"{w} = np.maximum({x}, {s})", f"{w} = np.where({x} > 0, {x}, {s})", f"{w} = {x} ** 2", f"{self.new('n')} = {s} * 2",
                       f"{w} = np.add({x}, {s})", f"X[0] {self.pick('+=', '*=')} {s}"] * 2
        if "helpers" in self.families:
            a, b, f = self.new("v"), self.new("v"), self.new("n")
            writes += [f"{a}, {b} = {self.helped()}, {self.helped()}", f"{f}, {a} = total_and_half({self.vector(1)})", f"nudge({v}, {self.number(2)})", f"{a} = {self.helped()} + {self.helped()}", f"{v}[{self.bounds()}] = {self.helped()}",
                       f"helper = lambda z: {self.pick('z + s', 'z * z', 'np.abs(z) - k', f'{v} * z', 'scaled(z) + 1')}\n{a}, {b} = helper({self.vector(1)}), helper({self.vector(1)})",
                       f"for q in range({self.pick('k', '3')}):\n    {a}, {b} = {self.helped()}, {self.helped()}\n    {v} = {a} + {self.pick(b, '1.0')}", f"{f} = total_and_half({self.vector(1)})[0] + {self.helped()}[0]"] * 2
        if "lists" in self.families:
            writes += self.list_statements() * 3
        if "dictionaries" in self.families:
            writes += self.dictionary_statements() * 3
        if "lengths" in self.families:
            z = self.new("v")
            writes += [f"{z} = {self.of_unknown_length()}", f"{z} = {self.of_unknown_length()}\n{self.new('n')} = len({z}) + {z}.sum()", f"while len({v}) > {self.pick('2', 'j')}:\n    {v} = {v}[{self.pick('1:', ':-1', '::2')}]",
                       f"for q in range({self.pick('k', '3')}):\n    {v} = {self.of_unknown_length()}", f"if {self.condition()}:\n    {v} = {self.of_unknown_length()}", f"{z} = {self.of_unknown_length()}\n{z}[{self.index()}] += {self.number(2)}",
                       f"for x in {self.of_unknown_length()}:\n    {self.name('v')}[0] += x", f"{self.new('n')} = {self.of_unknown_length()}.{self.pick('sum()', 'size', 'mean()', 'max()')}"] * 2
        for family in self.families:
            writes += MORE[family](self) * 2 if family in MORE else []
        if "sums" in self.families:
            writes += [f"{self.new('n')} = np.{self.pick('sum', 'mean', 'std', 'var')}({self.pick('X', 'X * X', 'np.ones(100000, dtype=np.float32) * X[0]', f'{m}', 'I', 'np.full(30000, X[1])')})"] * 3
        return self.random.choice(writes if writes and self.random.random() < 0.6 else common)

    def counters(self):
        c = f"c{next(self.fresh)}"
        self.known[c] = "n"
        return [f"{c} = {self.pick('0', '1', 'k')}", "for i in sluice.map[0:N]:", f"    {c} {self.pick('+= 1', '+= I[i]', '+= i', '+= k')}"]

    def loops(self):
        name, body = self.new("n"), self.random.choice(["", "\n        " + self.simple().replace("\n", "\n        ")])
        i = self.pick("t", "q")
        return [f"{name} = 0", f"for {i} in range({self.pick('3', 'k + 1', 'j')}):", f"    for {self.pick(i, 'r')} in range({self.pick('2', 'j', 'k + 1')}):", f"        {name} += 1{body}", f"    {name} = {name} + 10 * {i}"]

    def block(self, depth, length):
        lines = []
        for _ in range(length):
            roll, known = self.random.random(), dict(self.known)
            if depth < 2 and roll < 0.16:
                lines += [f"for t{depth} in range({self.pick('k', '3', 'j', 'k + 1')}):"] + self.indented(self.block(depth + 1, self.pick(1, 2, 3)))
                self.known = known
            elif depth < 2 and roll < 0.3:
                lines += [f"if {self.condition()}:"] + self.indented(self.block(depth + 1, self.pick(1, 2)))
                self.known = known
                if self.random.random() < 0.5:
                    lines += ["else:"] + self.indented(self.block(depth + 1, self.pick(1, 2)))
                    self.known = known
            elif "counters" in self.families and roll < 0.5:
                lines += self.counters()
            elif "loops" in self.families and roll < 0.5:
                lines += self.loops()
            else:
                lines += self.simple().split("\n")
        return lines

    @staticmethod
    def indented(lines):
        return ["    " + line for line in lines]


def plain_function(text, name):
    """The program as plain Python, with the programs that it calls."""
    scope = {"np": np, "sluice": PlainSluice, "N": N, "M": M, "math": __import__("math")}
    source = re.sub(r"@sluice.program\n", "", HEADER.split("f8, f4")[1].split("\n", 1)[1] + text)
    source = re.sub(r"(\w+): \w+(\[[^\]]*\])?(?=[,)])", r"\1", source)
    exec(compile(source, name, "exec"), scope)
    return scope[name]


def outcome_of(text, name, seed):
    """"" or the name of the error that NumPy raises."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            plain_function(text, name)(*arguments(seed, text))
    except Exception as error:
        return type(error).__name__
    return ""


def runs(text, name, seeds):
    return all(outcome_of(text, name, seed) == "" for seed in seeds)


def write_program(seed, families, name):
    """Text of a program that NumPy runs."""
    writer = Writer(seed, families)
    parameters = PARAMETERS
    if OF_PYTHON & set(writer.families):
        parameters = parameters.replace("k: i8, j: i8, s: f8", "k: int, j: int, s: float")
    shares = writer.pick(*SHARED) if "aliases" in writer.families else ""
    head = f"\n\n@sluice.program\ndef {name}({parameters}):\n" + (f"    # {shares}\n" if shares else "") + (TYPES if writer.families == ["types"] else "")
    lines = []
    for _ in range(writer.random.randint(2, 7)):
        known = dict(writer.known)
        more = writer.block(0, 1)
        text = head + "\n".join("    " + line for line in lines + more) + "\n"
        if runs(text, name, (1, 2)):
            lines += more
            writer.known = {n: kind for n, kind in writer.known.items() if n in NAMES or re.search(rf"\b{n}\b", text)}
        else:
            writer.known = known
    errors = [error for family, error in (("sizes", "ValueError"), ("empty", "ValueError"), ("unbound", "UnboundLocalError"), ("bytes", "OverflowError"), ("operands", "ZeroDivisionError"), ("bounds", "IndexError")) if family in writer.families]
    if errors and writer.random.random() < 0.4:  # Python raises an error: so must the program.
        for _ in range(20):
            last = writer.simple().split("\n")
            if "bounds" in writer.families and re.search(r"\bif |[IJ]\[i\]|break|for q", " ".join(last)):
                continue  # Such indices are compared with check=True alone.
            if outcome_of(head + "\n".join("    " + line for line in lines + last) + "\n", name, 1) in errors:
                return head + "\n".join("    " + line for line in lines + last) + "\n"
    results = [n for n in writer.known if n not in NAMES and re.search(rf"\b{n}\b", "\n".join(lines))]
    writer.random.shuffle(results)
    count = 12 if "many" in writer.families else 3
    results = [n for n in results if runs(head + "\n".join("    " + line for line in lines + [f"return {n}"]) + "\n", name, (1, 2))][:count]
    if "many" in writer.families and results:
        results = [f"{writer.random.choice(results)} + {i}" if i else results[0] for i in range(writer.random.choice([2, 11, 12]))]
    tail = [f"return {', '.join(results)}"] if results else []
    return head + "\n".join("    " + line for line in lines + tail or ["pass"]) + "\n"


def compare(program, text, name):
    """(outcome, detail): ok, refused CODE, raised at the call, or WRONG. Other numbers take other paths."""
    first = compare_once(program, text, name, 1)
    if first[0] == "ok" and outcome_of(text, name, OTHER_PATHS) in ("", "UnboundLocalError"):
        return compare_once(program, text, name, OTHER_PATHS)
    return first


def type_differences(wanted, got, label):
    if isinstance(wanted, (tuple, list)) and isinstance(got, (tuple, list)):
        return [d for i, (w, g) in enumerate(zip(wanted, got)) for d in type_differences(w, g, f"{label}[{i}]")]
    return [] if type(wanted) is type(got) else [f"{label}: a {type(got).__name__} instead of a {type(wanted).__name__}"]


def compare_once(program, text, name, seed):
    plain = plain_function(text, name)
    ours, theirs = arguments(seed, text), arguments(seed, text)
    raises = outcome_of(text, name, seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        wanted = None if raises else plain(*theirs)
    try:
        got = program(*ours)
    except Exception as error:
        code = getattr(error, "code", None)
        if not code and type(error).__name__ == raises:  # Python runs the line.
            return "ok", ""
        if type(error).__name__ == "NotImplementedError" and code == "A014":  # A sort of NaN by Python's order.
            return "refused A014", str(error)
        if (code == "A012") != (raises == "UnboundLocalError") and (code or "").startswith("A01"):
            return "WRONG", f"{error}\nwhere NumPy raises {raises or 'nothing'}"
        if code == "A011":
            return ("ok", "") if raises == "IndexError" else ("WRONG", f"{error}\nwhere NumPy raises {raises or 'nothing'}")
        if code:
            return f"refused {code}", str(error)
        return ("refused E", str(error)) if type(error).__name__ in ("ValueError", "TypeError", "IndexError") else ("WRONG", f"{type(error).__name__}: {error}")
    if raises:
        return "WRONG", f"no error where NumPy raises {raises}"
    found = differences(wanted, got, "result") + (type_differences(wanted, got, "result") if TYPES in text else [])
    for label, w, g in zip(NAMES, theirs, ours):
        found += differences(w, g, label)
    return ("WRONG", "\n".join(found)) if found else ("ok", "")


def load(text, path):
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def campaign(seed, count, families, folder, report=print, refusals=False):
    """Outcomes by kind, and the texts of the findings."""
    outcomes, findings = collections.Counter(), []
    for start in range(0, count, 25):
        texts = {f"p{n}": write_program(seed * 100_000 + n, families, f"p{n}") for n in range(start, min(start + 25, count))}
        module = load(HEADER + "".join(texts.values()), pathlib.Path(folder) / f"batch_{seed}_{start}.py")
        for name, text in texts.items():
            outcome, detail = compare(getattr(module, name), text, name)
            outcomes[outcome] += 1
            if refusals and outcome.startswith("refused"):
                report(f"{text}\n# {name} of seed {seed}: " + detail.replace("\n", "\n# "))
            if outcome == "WRONG":
                findings.append((name, text, detail))
                report(f"{text}\n# {name} of seed {seed}: " + detail.replace("\n", "\n# "))
    return outcomes, findings


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default=",".join(FAMILIES))
    parser.add_argument("--refusals", action="store_true", help="print what was refused as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        outcomes, findings = campaign(options.seed, options.count, options.only.split(","), folder, refusals=options.refusals)
    print(dict(outcomes))
    sys.exit(bool(findings))


if __name__ == "__main__":
    main()
