"""Where a function that cannot be compiled as a whole is cut: pure syntax, nothing runs here.

A *segment* is a run of statements that compile together; a *break* is a statement that Python runs between them. A loop or a branch
around a break is Python's as well, and what is inside of it is cut in turn. A segment hands over what it assigned and somebody reads
later. The cut keeps the meaning of the function whatever the statements are: a segment has one way in and one way out.
"""
import ast
import builtins
import copy
import dataclasses
import functools

from .work import ANY, STRAIGHT

_TRIES = (ast.Try, ast.TryStar)
# Statements that are never part of a segment: they change names or control flow in ways that a result cannot hand over.
_NEVER = (*_TRIES, ast.Import, ast.ImportFrom, ast.ClassDef, ast.Global, ast.Nonlocal, ast.Delete, ast.Yield, ast.YieldFrom,
          ast.Await, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef, ast.Match)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.While)
# So many statements without a loop are worth a call inside of a loop that Python runs.
_STRAIGHT_LINE = 3


@dataclasses.dataclass
class Segment:
    """Statements of one block on the lines first to last, at the given indentation."""
    first: int
    last: int
    indentation: str
    reads: list  # local names that it may read before it assigns them
    binds: set  # local names that it may assign
    outputs: list  # those of them that are read later
    tail: bool  # the function ends with it: what it returns is what the function returns
    statements: list
    work: int  # how much it does, which may make it worth compiling whatever the sizes (work.py)
    over: frozenset  # names that its loops go over

    def shadows(self, name):
        """Whether a scope inside of it has a variable of that name."""
        return name in self._inner_names

    def takes_apart(self, name):
        """Whether it looks into the value of a name: `x[0]`, `x.shape`, `x()`."""
        return name in self._looked_into

    @functools.cached_property
    def _nodes(self):
        return [one for statement in self.statements for one in ast.walk(statement)]

    @functools.cached_property
    def _inner_names(self):
        return frozenset().union(*map(own_names, self._nodes))

    @functools.cached_property
    def _looked_into(self):
        return {part.id for one in self._nodes if isinstance(one, (ast.Attribute, ast.Subscript, ast.Call))
                for part in (getattr(one, "value", None), getattr(one, "func", None)) if isinstance(part, ast.Name)}


@functools.lru_cache(maxsize=4096)
def loaded(node):
    """Names that a statement or expression reads, inner functions included; an augmented assignment reads its target. What a
    comprehension binds is its own."""
    if isinstance(node, ast.Name):
        return frozenset() if isinstance(node.ctx, ast.Store) else frozenset({node.id})
    found = frozenset().union(*map(loaded, ast.iter_child_nodes(node)))
    if _is_tasklet(node):
        return found - _connectors(node)
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        own = set().union(*(stored(one.target) for one in node.generators))
        found = (found - own) | loaded(node.generators[0].iter)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found |= {node.target.id}
    return found


def _is_map(node):
    """`for i in sluice.map[...]`, also with a schedule: its variables do not outlive it."""
    over = node.iter.left if isinstance(node, ast.For) and isinstance(node.iter, ast.BinOp) else getattr(node, "iter", None)
    return isinstance(node, ast.For) and isinstance(over, ast.Subscript) and isinstance(over.value, ast.Attribute) and over.value.attr in ("map", "parrange")


def _is_tasklet(node):
    """`with sluice.tasklet:`, whose names are its own."""
    given = node.items[0].context_expr if isinstance(node, ast.With) and len(node.items) == 1 else None
    named = given.func if isinstance(given, ast.Call) else given
    return getattr(named, "attr", getattr(named, "id", None)) == "tasklet"


def _connectors(tasklet):
    """`a << x[i]`, `b >> y[i]`, and what its code assigns."""
    memlets = [one.value.left for one in tasklet.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.BinOp)]
    return {one.id for one in memlets if isinstance(one, ast.Name)}.union(*map(stored, tasklet.body))


def stored(node):
    """Names that a statement binds in the scope that it stands in."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, (ast.Store, ast.Del)) else set()
    if _is_tasklet(node):
        return set()
    if _is_map(node):
        return set().union(*map(stored, (node.iter, *node.body)))
    found = set()
    if isinstance(node, _SCOPES):
        return {node.name} if hasattr(node, "name") else set()
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(one.asname or one.name).partition(".")[0] for one in node.names}
    if isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
        found.add(node.name)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.comprehension):  # what it binds is its own
            found |= stored(child.iter).union(*(stored(one) for one in child.ifs))
        else:
            found |= stored(child)
    return found


def _declared(node):
    """Names that a statement declares to be those of a scope around."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return set(node.names)
    return set() if isinstance(node, _SCOPES) else set().union(*map(_declared, ast.iter_child_nodes(node)))


def parameters(node):
    """Names of a function's parameters."""
    every = node.args
    return {one.arg for one in (*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg) if one}


def own_names(scope):
    """The variables of an inner function, a lambda or a comprehension; of anything else none."""
    if isinstance(scope, ast.comprehension):
        return stored(scope.target)
    if isinstance(scope, ast.Lambda):
        return parameters(scope)
    return parameters(scope).union(*map(stored, scope.body)) if isinstance(scope, ast.FunctionDef) else set()


def bodies(statement):
    """The blocks inside of a statement that run in the same scope."""
    if isinstance(statement, _SCOPES) or _is_tasklet(statement):
        return []
    blocks = [getattr(statement, field, None) for field in ("body", "orelse", "finalbody")]
    blocks += [handler.body for handler in getattr(statement, "handlers", ())] + [case.body for case in getattr(statement, "cases", ())]
    return [block for block in blocks if block]


def _escapes(statement):
    """Whether control may leave the statement other than at its end or by an exception."""
    def walk(node, in_loop):
        if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not in_loop):
            return True
        if isinstance(node, _SCOPES):
            return False
        if isinstance(node, _LOOPS):
            return any(walk(one, True) for one in node.body) or any(walk(one, in_loop) for one in node.orelse)
        return any(walk(one, in_loop) for one in ast.iter_child_nodes(node))
    return walk(statement, False)


def _binds(statement):
    """Names that the statement surely assigns, taking it that a `for` has something to go through: where it has not, a name that is read
    later, on some path only, raises its UnboundLocalError already behind the loop."""
    if isinstance(statement, ast.If):
        return _block_binds(statement.body) & _block_binds(statement.orelse)
    if isinstance(statement, ast.While):
        return set()
    if isinstance(statement, ast.For):
        return (set() if _is_map(statement) else stored(statement.target)) | _block_binds(statement.body)
    if _is_tasklet(statement):
        return set()
    if isinstance(statement, ast.With):
        return _block_binds(statement.body).union(*(stored(one) for one in statement.items))
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
        return stored(statement)
    # `a and (b := c)` may not come to its assignment.
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    return set() if bodies(statement) else set().union(*(stored(target) for target in targets if target is not None))


def _block_binds(block):
    bound = set()
    for statement in block:
        if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return bound | _Everything()
        bound = bound | _binds(statement)
    return bound


class _Everything(set):
    """What is bound where control does not come: whatever the other path binds."""

    def __and__(self, other):
        return other

    def __rand__(self, other):
        return other

    def __or__(self, other):
        return self

    def __ror__(self, other):
        return self


def _exposed(block, assigned):
    """Names that a block may read before it assigns them, given those that are assigned before."""
    found, assigned = set(), set(assigned)
    for statement in block:
        before = assigned
        if isinstance(statement, ast.For):
            found |= loaded(statement.iter) - assigned
            before = assigned | stored(statement.target)
        inside = bodies(statement)
        found |= set().union(*(_exposed(one, before) for one in inside))
        if inside:
            kept = [field for field in ("test", "items", "subject") if hasattr(statement, field)]
            for part in kept:
                value = getattr(statement, part)
                found |= set().union(*map(loaded, value if isinstance(value, list) else [value])) - assigned
        else:
            found |= loaded(statement) - assigned
        if not isinstance(statement, _LOOPS):
            assigned |= _binds(statement)
    return found


class Cut:
    """The function `node` cut around the lines in `refused` and the names in `unfit`.

    lines: its source, by line number. refused: lines that cannot be compiled, None for all; unfit: names whose values cannot be handed
    to compiled code; symbols: names of the annotations, variables as well. Gives `body`, the statements that Python runs, in which
    `_sluice_segments[k](_sluice_locals())` stands for segment k; `segments`; `breaks`, the statements left to Python. whole: all of it may be
    one segment, whatever functions and names of functions it holds; work_of: how much statements do.
    """

    def __init__(self, node, lines, refused, unfit=(), symbols=(), whole=False, work_of=lambda statements: (ANY, frozenset())):
        self.lines, self.refused, self._work_of = lines, refused, work_of
        self.segments, self.breaks = [], []
        self._guarded = 0  # how many `try` are around the block
        bound = parameters(node) | set(symbols)
        declared = set().union(*map(_declared, node.body))
        self.local = frozenset(bound.union(*(stored(statement) for statement in node.body)) - declared)
        inner = [one for statement in node.body for one in ast.walk(statement) if isinstance(one, _SCOPES)]
        # What an inner function assigns may change during any call: a segment would hold an earlier value.
        self.unfit = frozenset(unfit).union(*(one.names for scope in inner for one in ast.walk(scope) if isinstance(one, ast.Nonlocal)))
        self._captured = declared | {name for one in inner for name in loaded(one) | set().union(*map(stored, ast.iter_child_nodes(one)))}
        self._behind = {}  # of a statement: what follows it in its block, and the statement that the block lies in
        self._note_places(node.body, None)
        self.body = self._block(node.body, bound, [], True)
        statements = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        if whole and not refused and [one.statements for one in self.segments] != [statements] and self._is_closed(statements):
            self.segments, self.breaks = [], []
            self.body = self._segment(statements, [], True)
            for one in self.segments:
                one.reads = sorted(parameters(node))

    def _is_closed(self, statements):
        """Whether nothing in it binds names of other scopes."""
        never = (ast.Global, ast.ClassDef, ast.AsyncFunctionDef)
        return not any(isinstance(one, never) for statement in statements for one in ast.walk(statement))

    def _block(self, block, bound, loops, tail):
        """The statements for a block. bound: names surely assigned before; loops: the loops around it that Python runs; tail: the function
        ends where the block ends."""
        result, run = [], []
        end = len(block)  # what is behind it can end the function as one segment
        while tail and end and self._compiles(block[end - 1]):
            end -= 1
        for statement in block[:end]:
            if self._fits(statement, bound, loops) and not (self._guarded and self._partial(statement, loops)):
                run.append(statement)
                if self._guarded:
                    result += self._segment(run, loops, False)
                    run = []
            else:
                result += self._segment(run, loops, False)
                run = []
                result.append(self._python(statement, bound, loops, tail and statement is block[-1]))
            bound = bound | _binds(statement)
        result += self._segment(run, loops, False)
        return result + self._segment(block[end:], loops, True)

    def _compiles(self, statement):
        """Whether a statement may be part of the function's last segment."""
        if self.refused is None or any(statement.lineno <= line <= statement.end_lineno for line in self.refused):
            return False
        binds = stored(statement)
        return not any(isinstance(one, (*_NEVER, *_SCOPES)) for one in ast.walk(statement)) and \
            not (loaded(statement) | binds) & self.unfit and not binds & self._captured

    def _fits(self, statement, bound, loops):
        """Whether a statement may be part of a segment. What only one path assigns may have no value to hand over."""
        return self._compiles(statement) and not _escapes(statement) and \
            not self._read_later([statement]) - bound - _binds(statement)

    def _partial(self, statement, loops):
        """Whether an exception in the statement may leave some of its names assigned and others not."""
        return bodies(statement) and self._read_later([statement])

    def _note_places(self, block, parent):
        for at, statement in enumerate(block):
            self._behind[statement] = block[at + 1:], parent
            for inside in bodies(statement):
                self._note_places(inside, statement)

    def _read_later(self, run):
        """Which names that the statements bind are read behind them, or by the next pass of a loop around them, before they are bound
        again."""
        found, assigned = set(), set()
        rest, parent = self._behind[run[-1]]
        while True:
            found |= _exposed(rest, assigned)
            if parent is None:
                return found & set().union(*map(stored, run))
            binds = _block_binds(rest)
            if isinstance(parent, ast.If) and not isinstance(binds, _Everything):
                assigned |= binds
            else:  # Several ways lead on from here.
                assigned = set()
            if not isinstance(parent, (ast.If, ast.With)):
                found |= _exposed([parent], ())
            rest, parent = self._behind[parent]

    def _python(self, statement, bound, loops, tail):
        """A statement that Python runs, with segments inside of its blocks."""
        inside = bodies(statement)
        if not inside or not self._has_own_lines(statement):
            self.breaks.append(statement)
            return statement
        if self.refused is None or any(statement.lineno <= line < inside[0][0].lineno for line in self.refused):
            self.breaks.append(statement)
        result = copy.copy(statement)
        if isinstance(statement, _LOOPS):
            loops, tail = [*loops, statement], False
        if isinstance(statement, ast.For):
            bound = bound | stored(statement.target)
        if isinstance(statement, (*_TRIES, ast.With)):
            tail = False  # what is raised by the returned expression is still caught
        catches = isinstance(statement, _TRIES)
        self._guarded += catches
        result.body = self._block(statement.body, bound, loops, tail)
        self._guarded -= catches
        last = catches and bool(statement.finalbody)
        self._guarded += last
        if getattr(statement, "orelse", None):
            alone = self._is_elif(statement.orelse)
            result.orelse = [self._python(statement.orelse[0], bound, loops, tail)] if alone else \
                self._block(statement.orelse, bound, loops, tail)
        if catches:
            result.handlers = [copy.copy(one) for one in statement.handlers]
            for handler in result.handlers:
                handler.body = self._block(handler.body, bound, loops, False)
        self._guarded -= last
        if last:
            result.finalbody = self._block(statement.finalbody, bound, loops, False)
        return result

    def _has_own_lines(self, statement):
        """Whether the blocks inside begin on lines of their own."""
        first = [block[0] for block in bodies(statement) if not self._is_elif(block)]
        return not isinstance(statement, ast.Match) and all(self._begins_line(one) for one in first)

    def _is_elif(self, block):
        return isinstance(block[0], ast.If) and self.lines[block[0].lineno][block[0].col_offset:].startswith("elif")

    def _begins_line(self, node):
        return self.lines[node.lineno][:node.col_offset].strip() == ""

    def _ends_line(self, node):
        return self.lines[node.end_lineno].encode()[node.end_col_offset:].decode().strip().partition("#")[0] == ""

    def _segment(self, run, loops, tail):
        """The call that stands for statements that fit, or the statements where a call would cost more."""
        if not run or not self._begins_line(run[0]) or not self._ends_line(run[-1]) or all(_is_trivial(one) for one in run):
            return run
        work, over = self._work_of(run)
        if loops and work == STRAIGHT and len(run) < _STRAIGHT_LINE:
            return run
        first, last = run[0].lineno, run[-1].end_lineno
        binds = set().union(*map(stored, run))
        outputs = [] if tail else sorted(self._read_later(run))
        # What it binds on some path only comes in and goes out again on the others.
        surely = set().union(*(_binds(one) for one in run if not isinstance(one, _LOOPS)))
        reads = sorted(_exposed(run, ()) & self.local | (set(outputs) - surely))
        self.segments.append(Segment(first, last, self.lines[first][:run[0].col_offset], reads, binds, outputs, tail, run, work, over))
        call = f"_sluice_segments[{len(self.segments) - 1}](_sluice_locals())"
        text = f"return {call}" if tail else f"{', '.join(outputs)}, = {call}" if outputs else call
        statement = ast.parse(text).body[0]
        for one in ast.walk(statement):
            if hasattr(one, "lineno"):
                one.lineno = one.end_lineno = first
        if loops and work != ANY:  # Where it has little to do, even the question costs too much.
            test = ast.parse(f"_sluice_segments[{len(self.segments) - 1}].is_small", mode="eval").body
            statement = ast.copy_location(ast.If(test, copy.deepcopy(run), [statement]), statement)
            statement.is_of_segment = True
        return [statement]


def _is_trivial(statement):
    """Whether a statement only moves names and constants: nothing to compile."""
    value = getattr(statement, "value", None)
    parts = value.elts if isinstance(value, ast.Tuple) else [value]
    moves = all(isinstance(one, (ast.Constant, ast.Name, type(None))) for one in parts)
    return isinstance(statement, (ast.Pass, ast.Raise, ast.Break, ast.Continue)) or (
        isinstance(statement, (ast.Assign, ast.Expr, ast.Return)) and moves and
        all(isinstance(one, ast.Name) for one in getattr(statement, "targets", ())))


class CallsOfPrograms(ast.NodeTransformer):
    """`f(x)` of a function around the program becomes `_sluice_callee(f)(x)`: what Python calls is compiled as well. Where little is done it is
    called as it is, but for programs whose numbers are arrays elsewhere (everywhere)."""

    def __init__(self, local, everywhere=True):
        self.local, self.everywhere = local, everywhere

    def visit_If(self, node):
        if self.everywhere or not hasattr(node, "is_of_segment"):
            return self.generic_visit(node)
        node.orelse = [self.visit(one) for one in node.orelse]
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id not in self.local and not node.func.id.startswith("_sluice_") and \
                not hasattr(builtins, node.func.id):
            node.func = ast.copy_location(ast.Call(ast.copy_location(ast.Name("_sluice_callee", ast.Load()), node), [node.func], []), node)
            ast.fix_missing_locations(node)
        return node
