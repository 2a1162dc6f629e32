"""JAX on the CPU: jit of the kernel with jax.numpy for NumPy, numbers that are no arrays known to the compiler.

JAX has no stores into arrays. The kernel's source is rewritten by the rules that its manual gives for them: `A[i] = e` is
`A = A.at[i].set(e)`, and a loop whose counter bounds no slice is a `fori_loop` that carries what the body assigns. What is left (loops
that end by data, masks of unknown size, out=, functions that change their parameters) is not expressible so, and says so when it is traced;
a loop that stays Python's is unrolled.
"""
import ast
import pathlib

import jax
import jax.numpy
import numpy as np

jax.config.update("jax_enable_x64", True)
UPDATES = {ast.Add: "add", ast.Mult: "multiply", ast.Div: "divide"}


def expression(text):
    return ast.parse(text, mode="eval").body


def names(node, context=ast.Load):
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, context)}


def assigned(statements):
    return set().union(set(), *(names(statement, ast.Store) for statement in statements))


class Stores(ast.NodeTransformer):
    """Stores into arrays as updates of the name."""

    def update(self, target, call, value):
        at = ast.Subscript(ast.Attribute(ast.Name(target.value.id, ast.Load()), "at", ast.Load()), target.slice, ast.Load())
        return ast.Assign([ast.Name(target.value.id, ast.Store())], ast.Call(ast.Attribute(at, call, ast.Load()), [value], []))

    def visit_Assign(self, node):
        target = node.targets[0]
        return self.update(target, "set", node.value) if isinstance(target, ast.Subscript) else node

    def visit_AugAssign(self, node):
        if not isinstance(node.target, ast.Subscript):
            return node
        if isinstance(node.op, ast.Sub):
            return self.update(node.target, "add", ast.UnaryOp(ast.USub(), node.value))
        return self.update(node.target, UPDATES[type(node.op)], node.value)


class Loops:
    """Loops over ranges as fori_loop where the counter is no bound of a slice or of a range, and no test."""

    def __init__(self):
        self.count = 0

    def block(self, statements, known):
        known, result = set(known), []
        for statement in statements:
            if isinstance(statement, ast.For):
                result += self.loop(statement, known)
            else:
                result.append(statement)
            known |= assigned([statement])
        return result

    def is_static(self, statement):
        counter = statement.target.id
        for node in ast.walk(statement):
            bounds = [one for one in (node.lower, node.upper) if one] if isinstance(node, ast.Slice) else []
            if isinstance(node, (ast.If, ast.While)):
                bounds = [node.test]
            if isinstance(node, ast.For) and node is not statement:
                bounds = [node.iter]
            if any(counter in names(bound) for bound in bounds):
                return True
        return False

    def loop(self, statement, known):
        body = self.block(statement.body, known | {statement.target.id})
        is_range = isinstance(statement.iter, ast.Call) and getattr(statement.iter.func, "id", "") == "range" and len(statement.iter.args) < 3
        if not is_range or self.is_static(statement):
            return [ast.For(statement.target, statement.iter, body, [])]
        carried = sorted(assigned(statement.body) & known)
        self.count += 1
        bounds = statement.iter.args if len(statement.iter.args) == 2 else [ast.Constant(0), *statement.iter.args]
        values = ast.Tuple([ast.Name(name, ast.Load()) for name in carried], ast.Load())
        targets = ast.Tuple([ast.Name(name, ast.Store()) for name in carried], ast.Store())
        function = ast.parse(f"def body{self.count}({statement.target.id}, carried): pass").body[0]
        function.body = [ast.Assign([targets], ast.Name("carried", ast.Load())), *body, ast.Return(values)]
        call = ast.Call(expression("jax.lax.fori_loop"), [*bounds, ast.Name(function.name, ast.Load()), values], [])
        return [function, ast.Assign([targets], call)]


def rewritten(function, parameters):
    """The function's body in that form; it returns its result and its arguments."""
    body = [Stores().visit(statement) for statement in function.body]
    body = Loops().block(body, parameters)
    arguments = ast.Tuple([ast.Name(name, ast.Load()) for name in parameters], ast.Load())
    last = body.pop() if isinstance(body[-1], ast.Return) else ast.Return(ast.Constant(None))
    if any(isinstance(node, ast.Return) for statement in body for node in ast.walk(statement) if not isinstance(statement, ast.FunctionDef)):
        raise NotImplementedError("a return in the middle")
    function.body = [*body, ast.Return(ast.Tuple([last.value, arguments], ast.Load()))]
    return function


def prepare(kernel, name, inputs, sizes, folder):
    tree = ast.parse(pathlib.Path(kernel.__file__).read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name != "inputs"]
    for function in functions:
        parameters = [argument.arg for argument in function.args.args]
        if function.name == name:
            rewritten(function, parameters)
            continue
        function.body = Loops().block([Stores().visit(statement) for statement in function.body], parameters)
        if assigned(function.body) & set(parameters):
            raise NotImplementedError(f"{function.name} changes its parameter")
    tree.body = functions
    space = {"np": jax.numpy, "jax": jax}
    exec(compile(ast.fix_missing_locations(tree), f"jax_{name}", "exec"), space)
    static = tuple(at for at, value in enumerate(inputs.values()) if not isinstance(value, np.ndarray))
    compiled = jax.jit(space[name], static_argnums=static)
    return lambda *arguments: jax.block_until_ready(compiled(*arguments))


def fresh(arguments):
    return jax.block_until_ready([jax.numpy.array(value) if isinstance(value, np.ndarray) else value for value in arguments])


def results(returned, own):
    value, arguments = returned
    return [] if value is None else value, [np.asarray(one) for one in arguments]


def version():
    return f"JAX {jax.__version__}"
