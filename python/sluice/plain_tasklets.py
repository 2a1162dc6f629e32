"""`with sluice.tasklet:` in plain Python, so that `program.f(...)` is a reference for the compiled program.

The block's memlets are read from its source: `a << A[i]` gives `a` its value, the other statements run, `b >> B[i]` writes `b` into the
array, with `B(1, lambda x, y: x + y)[i]` by that function. Python itself must not run the block, whose names have no values: a trace
function raises at its first line and the context manager takes the exception.
"""
import ast
import inspect
import linecache
import sys


class _Skip(BaseException):
    """Ends the block that has been run already."""


def _source_of(frame):
    """The `with` statement whose block begins behind the line that the frame is at."""
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals) or inspect.getsourcelines(frame.f_code)[0]
    tree = ast.parse("".join(lines))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.With) and node.lineno <= frame.f_lineno < node.body[0].lineno]
    if not found:
        raise TypeError("`with sluice.tasklet:` in plain Python needs the source of the function around, and a block on lines of its own")
    return max(found, key=lambda node: node.lineno)


def _memlet(statement):
    """(connector, other side, whether it is an output); None for a statement that computes."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, (ast.LShift, ast.RShift)) or not isinstance(value.left, ast.Name):
        return None
    return value.left.id, value.right, isinstance(value.op, ast.RShift)


def _parts(side):
    """(container, index or None, conflict resolution or None) of `A`, `A[i]`, `A(1)[i]` and `A(1, lambda x, y: x + y)[i]`."""
    index = side.slice if isinstance(side, ast.Subscript) else None
    container = side.value if isinstance(side, ast.Subscript) else side
    resolution = None
    if isinstance(container, ast.Call):
        resolution = container.args[1] if len(container.args) > 1 else None
        if len(container.args) > 2:
            raise TypeError("a memlet's identity has no meaning in plain Python: nobody knows which iteration is the first")
        container = container.func
    return container, index, resolution


def _is_dynamic(side):
    """Whether a memlet says that it may move nothing: `B(-1)[i]`."""
    container = side.value if isinstance(side, ast.Subscript) else side
    return isinstance(container, ast.Call) and bool(container.args) and ast.unparse(container.args[0]) == "-1"


class _Run:
    def __init__(self, frame):
        self.frame, self.names = frame, dict(frame.f_locals)

    def value(self, node):
        code = compile(ast.fix_missing_locations(ast.Expression(node)), self.frame.f_code.co_filename, "eval")
        return eval(code, {**self.frame.f_globals, **self.names})

    def element(self, side):
        container, index, _ = _parts(side)
        return self.value(container) if index is None else self.value(container)[self.value(index)]

    def write(self, side, result):
        container, index, resolution = _parts(side)
        array = self.value(container)
        if not hasattr(array, "__setitem__"):
            raise TypeError("a tasklet in plain Python writes into arrays, not into numbers")
        place = slice(None) if index is None and getattr(array, "ndim", 1) else () if index is None else self.value(index)
        array[place] = self.value(resolution)(array[place], result) if resolution is not None else result

    def run(self, body):
        memlets = [_memlet(statement) for statement in body]
        inputs = {one[0]: self.element(one[1]) for one in memlets if one and not one[2]}
        rest = [statement for statement, memlet in zip(body, memlets) if memlet is None]
        if any(isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str) for one in rest):
            raise TypeError("a tasklet in C++ does not run in plain Python")
        names = {**self.frame.f_globals, **self.names, **inputs}
        for memlet in memlets:
            if memlet and memlet[2] and memlet[0] not in inputs:
                names.pop(memlet[0], None)
        exec(compile(ast.Module(rest, []), self.frame.f_code.co_filename, "exec"), names)
        for memlet in memlets:  # B(-1)[i]: written or not, as the code decides
            if memlet and memlet[2] and not (_is_dynamic(memlet[1]) and memlet[0] not in names):
                self.write(memlet[1], names[memlet[0]])


class Tasklet:
    """`sluice.tasklet`: a word of programs, and a context manager in plain Python."""
    __name__ = "tasklet"

    def __init__(self):
        self._traces = []  # of the threads' frames that are inside: what to put back

    def __call__(self, *arguments, **keywords):
        if arguments or set(keywords) - {"language", "code_global", "code_init", "code_exit", "side_effects"}:
            raise TypeError("`sluice.tasklet` takes no arguments outside of a function decorated with @sluice.program")
        return self

    def __enter__(self):
        frame = sys._getframe(1)
        body = _source_of(frame).body
        _Run(frame).run(body)

        def skip(at, event, argument):
            raise _Skip
        self._traces.append((sys.gettrace(), frame, frame.f_trace))
        if not all(isinstance(one, ast.Pass) for one in body):  # of which Python makes no code in the block
            sys.settrace(lambda *_: None)
            frame.f_trace = skip
        return self

    def __exit__(self, kind, error, traceback):
        before, frame, own = self._traces.pop()
        sys.settrace(before)
        frame.f_trace = own
        return kind is _Skip

    def __repr__(self):
        return "<sluice.tasklet>"


Tasklet.__module__ = "sluice.explicit"  # what programs know it by
