"""Operations: what library nodes mean and how they are carried out.

    import sluice
    from sluice.operation import Operation, expansion

    @sluice.operation.register
    class Scale(Operation):
        '''_y = factor * _x.'''
        forms = ["_x[N] -> _y[N]"]
        properties = {"factor": (2, "The factor.")}
        element_wise = True

        def reference(self, _x, factor):
            return factor * _x

        @expansion
        def loops(self, node):
            state = node.sdfg.add_state()
            state.add_mapped_tasklet("scale", {"i": f"0:{node.shape('_x')[0]}"}, {"x": sluice.Memlet("_x[i]")},
                                     f"y = {node.properties['factor']} * x", {"y": sluice.Memlet("_y[i]")}, external_edges=True)

A node is added by `state.add_library_node(Scale, inputs=["_x"], outputs=["_y"], factor=3)`. Whoever wrote an expansion, it is compared with the
reference on generated nodes before its first use in a process; the setting `verify_operations` switches that off.
"""
import pathlib
import sys

import numpy as np

from . import _core

_core.add_library_folder(sys.prefix + "/lib")  # packages of PyPI that bring libraries, such as mkl


def _share_blas_of_numpy():
    """Products call the BLAS that is already in the process: a second one has threads of its own, and those that wait keep the
    others from the processor."""
    folder = pathlib.Path(np.__file__).parent.parent / "numpy.libs"
    for library in folder.glob("libscipy_openblas64_*.so"):
        _core.add_library_folder(str(folder))
        for name, header in (("numpy", "sluice/blas.h"), ("numpy_lapack", "sluice/lapack.h")):
            _core.add_environment(name, [header], [library.name], ["-DSLUICE_SCIPY_OPENBLAS"], "", "")


_share_blas_of_numpy()


def expansion(method=None, *, requires="", one_at_a_time=False, target="cpu"):
    """Marks a method of an Operation as an expansion. requires: an environment that must be installed. one_at_a_time: what it calls has
    threads of its own, so it does not serve inside parallel scopes."""
    def mark(function):
        if target != "cpu":
            raise ValueError(f"expansions of Python are for the target cpu, not {target}")
        function._expansion = (function.__name__, (function.__doc__ or "").strip().split("\n")[0], requires, bool(one_at_a_time))
        return function
    return mark if method is None else mark(method)


class Operation:
    """Base class of operations. The class's name is the operation's, the docstring's first line its summary.

    forms: how it is called, `_a[M, K], _b[K, N] -> _c[M, N]`, or pairs of that and a dict of properties under which it holds.
    properties: name to (default, sentence). types: names of element types that it takes; empty: every number.
    element_wise: an element of the output depends on the same elements of inputs of its sizes, so it may run in place.
    reference(self, **inputs, **properties): the definition in NumPy; returns the output, or a dict by connector."""
    forms = ()
    properties = {}
    types = ()
    element_wise = False
    classpath = ""

    reference = None

    def _run_reference(self, operands, properties):
        outputs = [name for form in self.forms for name in _outputs(form)]
        arrays = {name: np.array(values).astype(_numpy_type(dtype)).reshape(shape) for name, (shape, dtype, values) in operands.items()}
        result = self.reference(**{name: array for name, array in arrays.items() if name not in outputs or name in _inputs_of(self.forms)},
                                **{name: value for name, value in properties.items() if name in self.properties})
        if not isinstance(result, dict):
            result = {outputs[0]: result}
        return {name: np.asarray(values).reshape(-1).tolist() for name, values in result.items()}

    def _run_expansion(self, name, graph, operands, properties, parallel):
        return _run(getattr(self, name), graph, operands, properties, parallel)


def _run(function, graph, operands, properties, parallel):
    node = Node(graph, operands, properties, parallel)
    answer = function(node)
    if answer is None or answer is node.sdfg:
        return None
    if isinstance(answer, tuple):
        return answer
    raise TypeError(f"an expansion fills node.sdfg, or returns node.operation(...), not {type(answer).__name__}")


def _numpy_type(name):
    try:
        return np.dtype(name)
    except TypeError:
        return np.dtype("float64")  # one that NumPy lacks, such as bfloat16


def _text(form):
    return form if isinstance(form, str) else form[0]


def _names(side):
    names, depth, word = [], 0, ""
    for letter in side + ",":
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth == 0:
            names.append(word.split("[")[0].strip())
            word = ""
        else:
            word += letter
    return [name for name in names if name]


def _outputs(form):
    return _names(_text(form).split("->")[1])


def _inputs_of(forms):
    return {name for form in forms for name in _names(_text(form).split("->")[0])}


class Node:
    """A node that is being expanded: `sdfg` has a container for each connector and waits to be filled; `properties` by name; `parallel`:
    points of a scope around it may run at the same time."""

    def __init__(self, graph, operands, properties, parallel):
        from .sdfg import SDFG
        self.sdfg = SDFG(None, _graph=graph)
        self.properties, self.parallel, self._operands = properties, parallel, operands

    def dtype(self, connector):
        """The element type's name."""
        return self._operands[connector][0]

    def shape(self, connector):
        """The sizes, as expressions."""
        return self._operands[connector][1]

    def strides(self, connector):
        """The strides in elements, as expressions."""
        return self._operands[connector][2]

    def operation(self, name, inputs, outputs, **properties):
        """Another operation in the node's place. inputs, outputs: connector of this node to connector of that one."""
        return _name(name), dict(inputs), dict(outputs), properties


def _name(operation):
    return operation if isinstance(operation, str) else operation.__name__


def register(cls):
    """Registers an operation; one of the same name is replaced. Raises CompileError B006 where the contract contradicts itself."""
    if cls.reference is None:
        raise TypeError(f"{cls.__name__} has no reference: define reference(self, ...) in NumPy")
    expansions = [value._expansion for value in vars(cls).values() if hasattr(value, "_expansion")]
    forms = [(form, {}) if isinstance(form, str) else (form[0], dict(form[1])) for form in cls.forms]
    _core.add_operation(cls(), cls.__name__, cls.classpath, (cls.__doc__ or "").strip().split("\n")[0], forms,
                        [(name, default, about) for name, (default, about) in cls.properties.items()], [str(each) for each in cls.types],
                        bool(cls.element_wise), expansions)
    return cls


class _Added:
    def __init__(self, function):
        self._function = function

    def _run_expansion(self, name, graph, operands, properties, parallel):
        return _run(self._function, graph, operands, properties, parallel)


def register_expansion(operation, name=None, **options):
    """Decorator: adds a function of one Node as an expansion to an operation, before those it has."""
    def add(function):
        marked = expansion(**options)(function)
        described = (name or function.__name__, *marked._expansion[1:])
        _core.add_expansion(_Added(function), _name(operation), described)
        return function
    return add


def environment(name, headers=(), libraries=(), flags=(), init_code="", finalize_code=""):
    """Registers what generated code takes from outside. libraries: file names, any one of which must be found (`libfftw3.so`)."""
    _core.add_environment(name, list(headers), list(libraries), list(flags), init_code, finalize_code)


def load(library):
    """Adds the operations of a shared library in C++ (docs/writing-operations.md); returns their names."""
    return _core.load_operations(str(library))


def verify(operation, seed=1):
    """Runs all expansions on generated nodes against the reference: expansion to (nodes, differences, why not run on others)."""
    return _core.verify_operation(_name(operation), seed)


def describe(operation):
    """The contract: class path, summary, forms, names of the expansions."""
    return _core.describe_operation(_name(operation))


def names():
    """Names of all operations."""
    return _core.operations()
