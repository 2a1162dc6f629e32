"""DaCe's registry of libraries: classes of library nodes of users, with their expansions, as they are written for DaCe.

    @dace.library.expansion
    class ExpandTwice(ExpandTransformation):
        environments = []

        @staticmethod
        def expansion(node, parent_state, parent_sdfg):
            return nodes.Tasklet("twice", {"_in"}, {"_out"}, "_out = 2 * _in")

    @dace.library.node
    class Twice(nodes.LibraryNode):
        implementations, default_implementation = {"pure": ExpandTwice}, "pure"

Such nodes are expanded before a graph is compiled, or by SDFG.expand_library_nodes. Operations of Sluice have contracts and references:
sluice.operation.
"""
import contextlib
import sys
import warnings

from sluice import nodes
from sluice import operation as _operation
from sluice._absent import members

from .libraries._operations import _Operation
from .properties import make_properties, properties_of

__getattr__ = members(__name__, "operations and their expansions are chosen by the setting `expansions` and registered by sluice.operation")


def _kept_in_graph(one):
    def read(self):
        value = self.properties.get(one.name)
        return one.first() if value is None else one.converted(value)

    def write(self, value):
        self.state._graph.set_library_property(self.state._path, self.node_id, one.name, value if value is None else one.converted(value))
    return property(read, write, doc=one.desc)


def node(cls):
    """Class decorator: nodes of this class have its expansions."""
    if not issubclass(cls, nodes.LibraryNode):
        raise TypeError(f"{cls.__name__} is no subclass of dace.sdfg.nodes.LibraryNode")
    for needed in ("implementations", "default_implementation"):
        if not hasattr(cls, needed):
            raise ValueError(f"{cls.__name__} has no {needed}")
    cls.__properties__ = properties_of(cls)
    for name, one in cls.__properties__.items():
        setattr(cls, name, _kept_in_graph(one))
    cls.implementations = dict(cls.implementations)
    cls.register_implementation = classmethod(lambda cls, name, one: cls.implementations.__setitem__(name, one))
    cls.expand = _expand
    nodes.OWN[f"{cls.__module__}.{cls.__qualname__}"] = cls
    return cls


def expansion(cls):
    """Class decorator: `expansion(node, parent_state, parent_sdfg)` gives what takes a node's place."""
    if not hasattr(cls, "environments"):
        raise ValueError(f"{cls.__name__} has no environments: an empty list says that it needs none")
    return make_properties(cls)


def register_expansion(library_node, expansion_name):
    """Class decorator: a further expansion of a class of nodes."""
    def add(cls):
        library_node.implementations[expansion_name] = expansion(cls)
        return cls
    return add


def register_implementation(implementation_name, expansion_cls, node_cls):
    """A further expansion of a class of nodes."""
    node_cls.implementations[implementation_name] = expansion_cls


def register_library(module_name, name):
    """A module of nodes; its `default_implementation` is that of nodes which name none."""
    module = sys.modules[module_name]
    if not hasattr(module, "default_implementation"):
        module.default_implementation = None


def environment(cls):
    """Class decorator: headers, flags and code that generated code needs. Raises ValueError for what CMake would have to find."""
    if any(getattr(cls, name, None) for name in ("cmake_packages", "cmake_files", "cmake_variables", "dependencies", "state_fields")):
        raise ValueError(f"{cls.__name__} asks CMake, which builds nothing here: sluice.operation.environment names headers and libraries")
    headers = cls.headers.get("frame", []) if isinstance(cls.headers, dict) else list(cls.headers)
    flags = [*getattr(cls, "cmake_compile_flags", ()), *getattr(cls, "cmake_link_flags", ()), *(f"-I{one}" for one in getattr(cls, "cmake_includes", ()))]
    _operation.environment(cls.__name__, headers, getattr(cls, "cmake_libraries", ()), flags, cls.init_code, cls.finalize_code)
    return cls


def _expand(self, state, *rest, implementation=None, **options):
    """Puts an expansion in the node's place: expand(state, implementation), or expand(sdfg, state); returns its name. Raises KeyError where
    there is none of that name."""
    if hasattr(state, "states"):
        warnings.warn("The expand(sdfg, state) interface is deprecated: expand(state, implementation)", DeprecationWarning, stacklevel=2)
    given = [one for one in (state, *rest) if not hasattr(one, "_graph")]
    chosen = (given[0] if given else None) or implementation
    library = sys.modules[type(self).__module__]
    names = [one for one in ((chosen,) if chosen else (self.implementation, getattr(library, "default_implementation", None), self.default_implementation,
                                                       *self.implementations)) if one is not None]
    if names[0] not in self.implementations:
        raise KeyError(f"Unknown implementation for node {type(self).__name__}: {names[0]}")
    _replace(self, self.implementations[names[0]], options)
    return names[0]


def _replace(node, cls, options):
    state = node.state
    made = cls.expansion(node, state, state.sdfg, **options)
    inputs, outputs = dict(node.in_connectors), dict(node.out_connectors)
    if hasattr(made, "states"):
        made = nodes.NestedSDFG(node.label, made, set(inputs), set(outputs))
    state.add_node(made)
    if isinstance(made, nodes.Tasklet):
        made.environments = sorted({*made.environments, *(one.__name__ for one in cls.environments)})
    into, out = state.in_edges(node), state.out_edges(node)
    for edge, memlet in [(edge, edge.data) for edge in into]:
        state.remove_edge(edge)
        state.add_edge(edge.src, edge.src_conn, made, edge.dst_conn, memlet)
    for edge, memlet in [(edge, edge.data) for edge in out]:
        state.remove_edge(edge)
        state.add_edge(made, edge.src_conn, edge.dst, edge.dst_conn, memlet)
    state.remove_node(node)


@contextlib.contextmanager
def change_default(library, implementation):
    """Another expansion of a class of nodes, or of all those of a library, within a `with` block."""
    classes = [library] if isinstance(library, type) else [one for one in vars(library).values() if isinstance(one, _Operation)]
    if not isinstance(library, type) and hasattr(library, "default_implementation"):
        classes.append(library)
    before = [one.default_implementation for one in classes]
    try:
        for one in classes:
            one.default_implementation = implementation
        yield
    finally:
        for one, kept in zip(classes, before):
            one.default_implementation = kept
