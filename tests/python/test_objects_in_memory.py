"""Strict programs with objects of the user's classes of which the run decides how many there are: results, arguments after the call and exceptions
are those of Python, and Python runs nothing of them."""
import copy
import heapq
import math
import sys
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

import sluice

PROGRAMS = []


def case(*argument_lists):
    def add(f):
        PROGRAMS.append((f, argument_lists))
        return f
    return add


def kinds(value):
    """The value with the types of all that is in it."""
    if isinstance(value, (list, tuple, deque)):
        return type(value).__name__, [kinds(one) for one in value]
    if isinstance(value, dict):
        return [(kinds(key), kinds(one)) for key, one in value.items()]
    return type(value).__name__, repr(value)


class Body:
    def __init__(self, x, y, vx, vy, mass=1.0):
        self.x, self.y, self.vx, self.vy = x, y, vx, vy
        self.mass = mass

    def kick(self, fx, fy, dt):
        self.vx += fx / self.mass * dt
        self.vy += fy / self.mass * dt

    def move(self, dt):
        self.x += self.vx * dt
        self.y += self.vy * dt

    @property
    def energy(self):
        return 0.5 * self.mass * (self.vx ** 2 + self.vy ** 2)


@dataclass
class Particle:
    x: float
    v: float
    alive: bool = True
    trail: list = field(default_factory=list)

    def step(self, dt):
        self.x += self.v * dt
        self.trail.append(self.x)
        if self.x > 1.0:
            self.alive = False


@case(([(0.0, 0.0, 1.0, 0.5, 2.0), (1.0, 2.0, -0.5, 0.0, 1.0), (3.0, 1.0, 0.0, 0.25, 0.5)], 0.1, 5))
def bodies_and_particles(data, dt, steps):
    bodies = [Body(*row) for row in data]
    particles = []
    for row in data:
        particles.append(Particle(row[0], row[2]))
    for _ in range(steps):
        for a in bodies:
            fx = fy = 0.0
            for b in bodies:
                if a is not b:
                    r2 = (b.x - a.x) ** 2 + (b.y - a.y) ** 2 + 0.01
                    inverse = a.mass * b.mass / (r2 * math.sqrt(r2))
                    fx += (b.x - a.x) * inverse
                    fy += (b.y - a.y) * inverse
            a.kick(fx, fy, dt)
        for b in bodies:
            b.move(dt)
        for p in particles:
            if p.alive:
                p.step(dt)
    heaviest = max(bodies, key=lambda b: b.mass)
    ranked = sorted(bodies, key=lambda b: (-b.mass, b.x))
    heaviest.x = 7
    return [(b.x, b.y) for b in bodies], sum(b.energy for b in bodies), [b.mass for b in ranked], [p.trail for p in particles]


class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class Stack:
    def __init__(self):
        self.head = None
        self.size = 0

    def push(self, value):
        self.head = Node(value, self.head)
        self.size += 1

    def pop(self):
        if self.head is None:
            raise IndexError("pop from an empty stack")
        value = self.head.value
        self.head = self.head.next
        self.size -= 1
        return value

    def reverse(self):
        before, current = None, self.head
        while current:
            current.next, before, current = before, current, current.next
        self.head = before

    def __len__(self):
        return self.size

    def __iter__(self):
        node = self.head
        while node is not None:
            yield node.value
            node = node.next


class TreeNode:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None


class Tree:
    def __init__(self):
        self.root = None

    def insert(self, key):
        self.root = self._insert(self.root, key)

    def _insert(self, node, key):
        if node is None:
            return TreeNode(key)
        if key < node.key:
            node.left = self._insert(node.left, key)
        elif key > node.key:
            node.right = self._insert(node.right, key)
        return node

    def __contains__(self, key):
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None

    def in_order(self, node, out):
        if node is not None:
            self.in_order(node.left, out)
            out.append(node.key)
            self.in_order(node.right, out)


@case(([5, 2, 8, 1, 9, 3], 2), ([1.5, 0.5], 0), ([4], 2))
def linked(keys, pops):
    stack, tree = Stack(), Tree()
    for key in keys:
        stack.push(key)
        tree.insert(key)
    out = []
    tree.in_order(tree.root, out)
    before = list(stack)
    stack.reverse()
    popped = [stack.pop() for _ in range(pops)]
    rest = [x for x in stack]
    return out, before, popped, rest, len(stack), bool(stack), not stack, 8 in tree, 7 not in tree


class Vertex:
    def __init__(self, name):
        self.name = name
        self.neighbours = []
        self.visited = False
        self.parent = self


def find(vertex):
    if vertex.parent is not vertex:
        vertex.parent = find(vertex.parent)
    return vertex.parent


def union(a, b):
    a, b = find(a), find(b)
    if a is b:
        return False
    b.parent = a
    return True


@case((5, [(0, 1), (1, 2), (3, 4), (2, 0)]))
def graph(n, edges):
    vertices = {i: Vertex(i) for i in range(n)}
    used = []
    for a, b in edges:
        vertices[a].neighbours.append(vertices[b])
        vertices[b].neighbours.append(vertices[a])
        if union(vertices[a], vertices[b]):
            used.append((a, b))
    sizes, seen = [], set()
    for v in vertices.values():
        if v.visited:
            continue
        v.visited = True
        queue, size = deque([v]), 0
        while queue:
            u = queue.popleft()
            seen.add(u)
            size += 1
            for w in u.neighbours:
                if not w.visited:
                    w.visited = True
                    queue.append(w)
        sizes.append(size)
    return sizes, used, len(seen), vertices[0] in seen, Vertex(0) in seen


class Task:
    def __init__(self, priority, name):
        self.priority = priority
        self.name = name

    def __lt__(self, other):
        return self.priority < other.priority


@dataclass(order=True)
class Entry:
    key: int
    name: str


@dataclass(frozen=True)
class Point:
    x: int
    y: int

    def distance(self, other):
        return abs(self.x - other.x) + abs(self.y - other.y)


class Residue:
    def __init__(self, k):
        self.k = k

    def __eq__(self, other):
        return self.k % 3 == other.k % 3

    def __call__(self, x):
        return self.k + x


@case(([(3, "write"), (1, "plan"), (2, "code"), (1, "a")],))
def orders_and_equality(jobs):
    heap, entries = [], [Entry(p, name) for p, name in jobs]
    for at, (p, name) in enumerate(jobs):
        heapq.heappush(heap, Task(p, name))
    done = []
    while heap:
        done.append(heapq.heappop(heap).priority)
    entries.sort()
    queue = [(p, at, Task(p, name)) for at, (p, name) in enumerate(jobs)]
    heapq.heapify(queue)
    points = [Point(p, p * p) for p, _ in jobs]
    residues = [Residue(p) for p, _ in jobs]
    other, first = Point(1, 1), residues[0]
    return (done, [e.name for e in entries], entries[0] < entries[1], max(entries).name, heapq.heappop(queue)[2].name, other in points,
            points.index(other), points.count(other), points[0] != points[1], points[1] == points[3], points[1] is points[3], other == None,  # noqa: E711
            Residue(5) in residues, residues[0] == residues[1], residues[0] != residues[1], points[0].distance(other),
            len({p for p in points}), {p: at for at, p in enumerate(points)}[other], Point(2, 2) in {p: 0 for p in points}, first(5))


class Account:
    fee = 1.5
    limit = 2
    kind = "account"

    def __init__(self, owner, balance=0.0, *, note="none"):
        self.owner = owner
        self.balance = balance
        self.note = note
        self.history = []

    def deposit(self, amount):
        self.check(amount)
        self.balance += amount - self.fee
        self.history.append(("deposit", amount))
        return self.balance

    def check(self, amount):
        if amount <= 0:
            raise ValueError(f"{self.owner}: {amount} is not positive")

    def describe(self):
        return self.owner + ":" + self.kind + ":" + self.note

    def full(self):
        if len(self.history) >= self.limit:
            self.limit = 5
            return True
        return False

    @staticmethod
    def rounded(x):
        return round(x, 1)

    @classmethod
    def of(cls, text):
        name, amount = text.split("=")
        return cls(name, float(amount))


class Savings(Account):
    fee = 0.25
    kind = "savings"

    def __init__(self, owner, rate):
        super().__init__(owner, note="saved")
        self.rate = rate

    def deposit(self, amount):
        return super().deposit(amount) * (1 + self.rate)


@case(([("ann", 3.0), ("bob", 5.0)], [20.0, 30.0, 40.0]), ([("ann", 3.0)], [1.0, -2.0]))
def accounts(owners, amounts):
    banks = {}
    for name, rate in owners:
        if rate > 4:
            banks[name] = Savings(name, rate)
        else:
            banks[name] = Account.of(name + "=1.5")
    deposits = []
    for amount in amounts:
        for account in banks.values():
            if not account.full():
                deposits.append(account.deposit(amount))
    return (deposits, {name: one.balance for name, one in banks.items()}, [one.describe() for one in banks.values()], [one.fee for one in banks.values()],
            [one.limit for one in banks.values()], [isinstance(one, Savings) for one in banks.values()], Account.rounded(1.25), Account.fee, Savings.kind,
            [isinstance(one, (Account, Savings)) for one in banks.values()], banks["ann"].history)


class Edge(NamedTuple):
    u: int
    v: int
    weight: float = 1.0

    def other(self, end):
        return self.v if end == self.u else self.u


class Vector:
    __slots__ = "x", "y"

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __rmul__(self, k):
        return self * k

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __getitem__(self, at):
        return self.x if at == 0 else self.y

    def __setitem__(self, at, value):
        if at == 0:
            self.x = value
        else:
            self.y = value


@case((3, [(0, 1, 2.5), (1, 2, 0.5), (0, 2, 4.0)]))
def tuples_and_operators(n, rows):
    edges = [Edge(*row) for row in rows] + [Edge(2, v=0)]
    distance = [float("inf")] * n
    distance[0] = 0.0
    for _ in range(n):
        for e in edges:
            distance[e.v] = min(distance[e.v], distance[e.u] + e.weight)
    vectors = [Vector(e.weight, e.other(e.u)) for e in edges]
    total = Vector(0.0, 0)
    for v in vectors:
        v[1] = v[1] + 1
        total += 2 * v + -v * 0.5
    a, b, w = max(edges)
    return distance, total.x, total[1], (a, b, w), sorted(edges, key=lambda e: e.weight)[0].u, Edge(0, 1, 2.5) in edges, len({(e.u, e.v): e for e in edges})


class Late:
    def __init__(self, n):
        self.n = n
        if n > 1:
            self.extra = n * 2

    def more(self):
        self.most = self.extra + 1
        return self.most


class Odd(Late):
    def only(self):
        return self.n


@case((0, [2, 3]), (0, [2, 1]), (1, [4]), (2, [4, 3]), (3, [1]), (4, [1, 1]), (5, [4, 5]))
def errors(kind, ns):
    objects = []
    for n in ns:
        objects.append(Odd(n) if n == 3 else Late(n))
    if kind == 0:
        return [one.more() for one in objects]
    node = None
    for n in ns:
        node = Node(n, node)
    if kind == 1:
        return node.value
    if kind == 2:
        return [one.only() for one in objects]
    if kind == 3:
        return node.next.value
    if kind == 4:
        pairs = [(n, one) for n, one in zip(ns, objects)]
        return min(pairs)[0]
    for one in objects:
        if one.n == 4:
            objects.append(Late(6))
    return [one.n for one in objects], [one.more() for one in objects], objects[0].most


def called(f, program, arguments):
    """What the call of the program gives or raises, and whether Python ran the function."""
    ran = []

    def watch(frame, event, _):
        if event == "call" and frame.f_code is f.__code__:
            ran.append(frame)
    sys.setprofile(watch)
    try:
        return kinds(program(*arguments)), bool(ran)
    except Exception as error:
        if isinstance(error, sluice.CompileError):
            raise
        return (type(error), str(error)), False
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("f, argument_lists", PROGRAMS, ids=lambda one: getattr(one, "__name__", ""))
def test_programs(f, argument_lists):
    compiled = sluice.program(strict=True)(f)
    for arguments in argument_lists:
        theirs, ours = copy.deepcopy(arguments), copy.deepcopy(arguments)
        assert called(f, compiled, ours) == (called(f, f, theirs)[0], False)
        assert kinds(ours) == kinds(theirs)


class Counter:
    made = 0

    def __init__(self):
        Counter.made += 1


def counts(n: int):
    return len([Counter() for _ in range(n)])


def returns_object(n: int):
    stack = None
    for k in range(n):
        stack = Node(k, stack)
    return stack


def returns_named(n: int):
    edges = []
    for k in range(n):
        edges.append(Edge(k, k + 1))
    return edges[-1]


class Growing:
    def __init__(self, n):
        self.items = [n]

    def walk(self):
        for item in self.items:
            yield item

    def grow(self):
        if len(self.items) < 5:
            self.items.append(len(self.items))
        return len(self.items)


def changes_what_it_walks(n: int):
    several = [Growing(k) for k in range(n)]
    seen = []
    for item in several[0].walk():
        size = several[0].grow()
        seen = [size + item]
    return seen


def changes_in_a_comprehension(n: int):
    several = [Growing(k) for k in range(n)]
    return [several[0].grow() + item for item in several[0].walk()]


@pytest.mark.parametrize("f, what", [(changes_what_it_walks, "its generator reads"), (changes_in_a_comprehension, "its generator reads"), (counts, "attribute of a class"), (returns_object, "is returned"), (returns_named, "is returned")])
def test_refused(f, what):
    with pytest.raises(sluice.CompileError, match=what):
        sluice.program(strict=True)(f)(3)
