"""Which loops of loops.py may run their iterations at the same time, found by running them: every access to an array element and
to a local variable is recorded with the iterations that it happens in. Independent of the compiler: plain Python runs the plain
source. `exact.py` prints the table, `exact.py --check FILE` compares it with a stored one.

A loop is `no` if in some run two iterations of one execution touch one array element, one of them writing, or a local variable carries a
value from one iteration to another or out of the loop, or a break ends it. It is `data` if the contents of an index array decide."""
import ast
import math
import pathlib
import random
import sys
import types

HERE = pathlib.Path(__file__).parent


class Tracker:
    """Who touched what, in which iteration of which execution of which loop."""

    def __init__(self):
        self.active = []      # [loop, execution, iteration]
        self.executions = 0
        self.touched = {}     # (execution, location) -> (iterations that read, iterations that write)
        self.wrote = {}       # local -> [(loop, execution, iteration)] at its last write
        self.locals = {}
        self.carried = set()  # (loop, local)
        self.conflicts = set()
        self.left = set()     # loops that a break ended

    def loop(self, number, values):
        self.executions += 1
        here = [number, self.executions, None]
        self.active.append(here)
        finished = False
        try:
            for value in values:
                here[2] = value
                yield value
            finished = True
        finally:
            if not finished:
                self.left.add(number)
            self.active.pop()

    def touch(self, location, writes):
        for number, execution, iteration in self.active:
            reads, written = self.touched.setdefault((execution, location), (set(), set()))
            if writes:
                if (reads | written) - {iteration}:
                    self.conflicts.add(number)
                written.add(iteration)
            else:
                if written - {iteration}:
                    self.conflicts.add(number)
                reads.add(iteration)

    def get(self, name):
        now = {execution: iteration for _, execution, iteration in self.active}
        for number, execution, iteration in self.wrote.get(name, []):
            if now.get(execution) != iteration:
                self.carried.add((number, name))
        return self.locals[name]

    def set(self, name, value):
        self.locals[name] = value
        self.wrote[name] = [tuple(entry) for entry in self.active]


class Tracked:
    def __init__(self, tracker, name, shape, fill):
        self.tracker, self.name, self.shape, self.fill, self.values = tracker, name, shape, fill, {}

    def at(self, index):
        index = index if isinstance(index, tuple) else (index,)
        assert len(index) == len(self.shape), (self.name, index)
        return tuple(i + extent if i < 0 else i for i, extent in zip(index, self.shape))

    def __getitem__(self, index):
        index = self.at(index)
        assert all(0 <= i < extent for i, extent in zip(index, self.shape)), (self.name, index, self.shape)
        self.tracker.touch((self.name, index), False)
        return self.values.setdefault(index, self.fill())

    def __setitem__(self, index, value):
        index = self.at(index)
        assert all(0 <= i < extent for i, extent in zip(index, self.shape)), (self.name, index, self.shape)
        self.tracker.touch((self.name, index), True)
        self.values[index] = value


class Instrument(ast.NodeTransformer):
    """Loops, and reads and writes of local variables, tell the tracker."""

    def __init__(self, function):
        self.parameters = {argument.arg for argument in function.args.args}
        self.loops = []  # (variable)
        self.variables = {node.target.id for node in ast.walk(function) if isinstance(node, ast.For)}
        stores = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.locals = stores - self.variables

    def visit_For(self, node):
        number = len(self.loops)
        self.loops.append(node.target.id)
        node.iter = self.visit(node.iter)
        node.body = [self.visit(statement) for statement in node.body]
        node.iter = call("loop", ast.Constant(number), node.iter)
        return node

    def visit_Name(self, node):
        return call("get", ast.Constant(node.id)) if node.id in self.locals and isinstance(node.ctx, ast.Load) else node

    def visit_Assign(self, node):
        target = node.targets[0]
        value = self.visit(node.value)
        if isinstance(target, ast.Name):
            return ast.Expr(call("set", ast.Constant(target.id), value))
        return ast.Assign(targets=[self.visit(target)], value=value)


def call(method, *arguments):
    function = ast.Attribute(value=ast.Name(id="TRACKER", ctx=ast.Load()), attr=method, ctx=ast.Load())
    return ast.Call(func=function, args=list(arguments), keywords=[])


def run(function, code, n, k, indices, seed):
    tracker = Tracker()
    noise = random.Random(seed)
    scope = {"TRACKER": tracker, "N": n, "K": k, "np": types.SimpleNamespace(sin=math.sin, cos=math.cos), "abs": abs}
    arguments = []
    for argument in function.args.args:
        text = ast.unparse(argument.annotation)
        text = {"Row": "sluice.float64[N]", "Matrix": "sluice.float64[N, N]", "Index": "sluice.int64[N]"}.get(text, text)
        kind, _, shape = text.partition("[")
        if not shape:
            arguments.append(noise.uniform(-1, 1))
            continue
        extents = eval(f"({shape[:-1]},)", {"N": n, "K": k})
        if kind.endswith("int64"):
            tracked = Tracked(tracker, argument.arg, extents, lambda: 0)
            tracked.values = {(i,): indices(i, n, noise) for i in range(n)}
            arguments.append(tracked)
        else:
            arguments.append(Tracked(tracker, argument.arg, extents, lambda: noise.uniform(-1, 1)))
    exec(code, scope)
    try:
        scope[function.name](*arguments)
    except AssertionError:
        return None  # Out of bounds for these sizes.
    return tracker


INDICES = {
    "permutation": lambda i, n, noise: n - 1 - i,
    "constant": lambda i, n, noise: 0,
    "random": lambda i, n, noise: noise.randrange(n),
}


def verdicts(function):
    instrument = Instrument(function)
    uses_k = any(isinstance(node, ast.Name) and node.id == "K" for node in ast.walk(function))
    indexed = any(ast.unparse(argument.annotation) == "Index" for argument in function.args.args)
    function.decorator_list = []
    tree = instrument.visit(ast.parse(ast.unparse(function)).body[0])
    for argument in tree.args.args:
        argument.annotation = None
    code = compile(ast.fix_missing_locations(ast.Module(body=[tree], type_ignores=[])), function.name, "exec")
    sizes_of_k = (1, 3, 12) if uses_k else (1,)
    answers = {}
    runs = 0
    for name, indices in (INDICES if indexed else {"permutation": INDICES["permutation"]}).items():
        bad = set()
        for n in (2, 5, 11, 12, 70):
            for k in sizes_of_k:
                for seed in range(4 if n < 70 else 1):
                    tracker = run(function, code, n, k, indices, seed)
                    if tracker is None:
                        continue
                    runs += 1
                    bad |= tracker.conflicts | tracker.left | {number for number, _ in tracker.carried}
        answers[name] = bad
    assert runs >= 12, function.name
    for number, variable in enumerate(instrument.loops):
        found = {number in bad for bad in answers.values()}
        yield number, variable, "data" if len(found) == 2 else "no" if found == {True} else "yes"


def table():
    module = ast.parse((HERE / "loops.py").read_text())
    for function in module.body:
        if isinstance(function, ast.FunctionDef):
            for number, variable, answer in verdicts(function):
                yield f"{function.name} {number} {variable} {answer}"


if __name__ == "__main__":
    lines = "\n".join(table()) + "\n"
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        if pathlib.Path(sys.argv[2]).read_text() != lines:
            sys.exit(f"{sys.argv[2]} is not what running the loops shows; write it anew with exact.py")
    else:
        sys.stdout.write(lines)
