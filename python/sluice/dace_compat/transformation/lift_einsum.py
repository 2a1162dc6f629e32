"""LiftEinsum: a map around one product becomes a library node.

    map i, j, k { C[i, j] += A[i, k] * B[k, j] }   ->   Einsum "ik,kj->ij"

L1 the map holds one tasklet, and what it assigns is the product of its inputs, each once, with numbers and symbols.
L2 each index of what it reads is a parameter of the map that begins at 0 in steps of 1; all occur; input and output types are equal.
L3 the output is another container, by parameters that differ, or one element; it is summed up, unless no parameter is summed over.
"""
import ast

from sluice import _core
from sluice.ports import is_port_in
from sluice.transformation import Transformation, chain, refuse, register
from sluice.walking import renamed

from ..libraries.blas import Einsum


def _factors(node):
    """The factors of a product as Python trees."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def _letters(box, params):
    """Indices that are parameters; None where one is something else. Where there is one element, that has no letter."""
    if box is None or all(begin == end and not begin.free_symbols for begin, end, _ in box):
        return []
    names = [str(begin) for begin, end, _ in box if begin == end]
    return names if len(names) == box.dims() and set(names) <= set(params) else None


@register
class LiftEinsum(Transformation):
    """Makes an Einsum node of a map around a product."""
    pattern = chain(map="MapEntry", tasklet="Tasklet", exit="MapExit")
    conditions = {"L1": "the map holds one tasklet, which assigns the product of its inputs, each once, and of numbers and symbols",
                  "L2": "each index of what it reads is a parameter of the map, from 0 on in steps of 1; all occur; types are equal",
                  "L3": "the output is another container, indexed by parameters that differ; it is a sum unless nothing is summed over"}

    def can_apply(self, site):
        found = self._plan(site)
        return found if isinstance(found[0], str) and found[0] in self.conditions else None

    def _plan(self, site):
        """A refusal, or (inputs as (container, letters), output edge, its letters, factor, beta, ranges by parameter)."""
        state, entry, tasklet = site.state, site.map, site.tasklet
        arrays = site.sdfg.arrays
        reads, writes = state.in_edges(tasklet), state.out_edges(tasklet)
        if state.scope_subgraph(entry).number_of_nodes() != 3 or len(writes) != 1 or not reads or tasklet.language != "Python":
            return refuse("L1", "there are other nodes in it, or another number of results")
        if any(edge.dst_conn and not is_port_in(edge.dst_conn) for edge in state.in_edges(entry)):
            return refuse("L2", "its range is read from memory")
        body = ast.parse(tasklet.code).body
        while len(body) > 1 and isinstance(body[0], ast.Assign) and isinstance(body[0].value, ast.Constant):  # numbers with a name
            body = ast.parse(renamed(ast.unparse(body[1:]), {body[0].targets[0].id: repr(body[0].value.value)})).body
        if len(body) != 1 or not isinstance(body[0], ast.Assign) or getattr(body[0].targets[0], "id", None) != writes[0].src_conn:
            return refuse("L1", "its code is no single assignment")
        factors = _factors(body[0].value)
        by_name = {edge.dst_conn: edge for edge in reads}
        used = [one.id for one in factors if isinstance(one, ast.Name) and one.id in by_name]
        others = [ast.unparse(one) for one in factors if not (isinstance(one, ast.Name) and one.id in by_name)]
        symbols = set(site.sdfg.symbols) - set(entry.params)
        if sorted(used) != sorted(by_name) or any(
                not isinstance(one, ast.Constant) and not (isinstance(one, ast.Name) and one.id in symbols)
                for one in factors if not (isinstance(one, ast.Name) and one.id in by_name)):
            return refuse("L1", "it is no product of its inputs")
        params = dict(zip(entry.params, entry.range))
        inputs = [(edge.data.data, _letters(edge.data.subset, params)) for edge in (by_name[name] for name in used)]
        out = writes[0].data
        result = _letters(out.subset, params)
        if any(letters is None for _, letters in inputs) or set().union(*(letters for _, letters in inputs)) != set(params):
            return refuse("L2", "an index is no parameter, or a parameter is none")
        if any(begin != 0 or step != 1 for begin, _, step in params.values()):
            return refuse("L2", "a parameter begins elsewhere, or takes other steps")
        if any(arrays[name].dtype != arrays[out.data].dtype or arrays[name].kind not in ("Array", "Scalar") for name, _ in inputs):
            return refuse("L2", "its inputs have other types than its output")
        if result is None or len(set(result)) != len(result) or any(name == out.data for name, _ in inputs):
            return refuse("L3", "the output is read as well, or has other indices")
        summed = out.wcr is not None
        if summed and not _is_sum(out.wcr) or not summed and set(result) != set(params):
            return refuse("L3", "the output is no sum")
        return inputs, writes[0], result, " * ".join(others) or "1", int(summed), params

    def apply(self, site):
        inputs, _, result, factor, beta, params = self._plan(site)
        state, entry = site.state, site.map
        leave = state.exit_node(entry)
        names = {}
        for _, letters in inputs:
            for name in letters:
                names.setdefault(name, "ijklmnopqrstuvwxyzabcdefgh"[len(names)])
        text = ",".join("".join(names[one] for one in letters) for _, letters in inputs) + "->" + "".join(names[one] for one in result)
        sources = {edge.data.data: edge.src for edge in state.in_edges(entry) if not edge.data.is_empty()}
        target = state.out_edges(leave)[0].dst
        written = state.in_edges(leave)[0].data
        node = state.add_library_node("Einsum", [f"_in{at:02}" for at in range(len(inputs))], ["_out"], "einsum",
                                      einsum_str=text, alpha=_core.Expr(factor) if not factor.isdigit() else int(factor), beta=beta)

        def box(letters, subset):
            return ", ".join(f"0:{params[one][1] + 1}" for one in letters) or subset

        for at, (name, letters) in enumerate(inputs):
            subset = next(edge.data.subset for edge in state.out_edges(entry) if edge.data.data == name)
            state.add_edge(sources[name], None, node, f"_in{at:02}", _memlet(name, box(letters, subset)))
        state.add_edge(node, "_out", target, None, _memlet(written.data, box(result, written.subset)))
        for one in (site.tasklet, leave, entry):
            state.remove_node(one)


def _is_sum(text):
    tree = ast.parse(text, mode="eval").body
    names = [argument.arg for argument in tree.args.args] if isinstance(tree, ast.Lambda) else []
    body = getattr(tree, "body", None)
    return isinstance(body, ast.BinOp) and isinstance(body.op, ast.Add) and sorted(
        getattr(side, "id", "") for side in (body.left, body.right)) == sorted(names)


def _memlet(data, subset):
    from sluice import Memlet
    return Memlet(data=data, subset=subset)
