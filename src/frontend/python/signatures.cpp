#include "frontend/python/signatures.h"

#include <algorithm>
#include <array>

#include "code/infer.h"
#include "code/print.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

// As NumPy documents them: `/` ends the positional-only parameters, `*` begins those that are passed by keyword only.
constexpr auto kSignatures = std::to_array<std::string_view>({
    // reductions
    "numpy.sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True)",
    "numpy.prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True)",
    "numpy.max(a, axis=None, out=None, keepdims=False, initial=None, where=True)",
    "numpy.min(a, axis=None, out=None, keepdims=False, initial=None, where=True)",
    "numpy.any(a, axis=None, out=None, keepdims=False, *, where=True)",
    "numpy.all(a, axis=None, out=None, keepdims=False, *, where=True)",
    "numpy.mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True)",
    "numpy.var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0)",
    "numpy.std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0)",
    "numpy.argmax(a, axis=None, out=None, *, keepdims=False)",
    "numpy.argmin(a, axis=None, out=None, *, keepdims=False)",
    "ndarray.sum(axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True)",
    "ndarray.prod(axis=None, dtype=None, out=None, keepdims=False, initial=1, where=True)",
    "ndarray.max(axis=None, out=None, keepdims=False, initial=None, where=True)",
    "ndarray.min(axis=None, out=None, keepdims=False, initial=None, where=True)",
    "ndarray.any(axis=None, out=None, keepdims=False, *, where=True)",
    "ndarray.all(axis=None, out=None, keepdims=False, *, where=True)",
    "ndarray.mean(axis=None, dtype=None, out=None, keepdims=False, *, where=True)",
    "ndarray.var(axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0)",
    "ndarray.std(axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=0)",
    "ndarray.argmax(axis=None, out=None, *, keepdims=False)",
    "ndarray.argmin(axis=None, out=None, *, keepdims=False)",
    // creation
    "numpy.zeros(shape, dtype=float, order='C', *, device=None, like=None)",
    "numpy.ones(shape, dtype=float, order='C', *, device=None, like=None)",
    "numpy.empty(shape, dtype=float, order='C', *, device=None, like=None)",
    "numpy.ndarray(shape, dtype=float, buffer=None, offset=0, strides=None, order='C')",
    "numpy.full(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
    "numpy.zeros_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    "numpy.ones_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    "numpy.empty_like(a, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    "numpy.full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
    "numpy.eye(N, M=None, k=0, dtype=float, order='C', *, device=None, like=None)",
    "numpy.identity(n, dtype=float, *, like=None)",
    "numpy.arange(start, stop=None, step=1, dtype=None, *, device=None, like=None)",
    "numpy.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)",
    "numpy.copy(a, order='K', subok=False)",
    "numpy.array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, ndmax=0, like=None)",
    "numpy.asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
    "numpy.ascontiguousarray(a, dtype=None, *, like=None)",
    "ndarray.copy(order='C')",
    "ndarray.astype(dtype, order='K', casting='unsafe', subok=True, copy=True)",
    "ndarray.fill(value)",
    // shapes
    "numpy.transpose(a, axes=None)",
    "numpy.reshape(a, /, shape, order='C', *, copy=None)",
    "numpy.ravel(a, order='C')",
    "ndarray.transpose(*axes)",
    "ndarray.reshape(*shape, order='C', copy=None)",
    "ndarray.ravel(order='C')",
    "ndarray.flatten(order='C')",
    "numpy.moveaxis(a, source, destination)",
    "numpy.swapaxes(a, axis1, axis2)",
    "numpy.broadcast_to(array, shape, subok=False)",
    "numpy.diagonal(a, offset=0, axis1=0, axis2=1)",
    "numpy.expand_dims(a, axis)",
    "numpy.squeeze(a, axis=None)",
    "numpy.ndim(a)",
    "numpy.atleast_1d(*arys)",
    "numpy.atleast_2d(*arys)",
    "numpy.atleast_3d(*arys)",
    "numpy.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False)",
    "numpy.broadcast_shapes(*args)",
    "numpy.broadcast_arrays(*args)",
    "numpy.meshgrid(*xi, copy=True, sparse=False, indexing='xy')",
    "numpy.ix_(*args)",
    "numpy._item(a, *args)",
    "numpy._at_most(n, most)",
    "numpy.gradient(f, *varargs, axis=None, edge_order=1)",
    "numpy.shape(a)",
    "numpy.size(a, axis=None)",
    "numpy.concatenate(arrays, /, axis=0, out=None)",
    "numpy.stack(arrays, axis=0)",
    "numpy.vstack(tup)",
    "numpy.hstack(tup)",
    "numpy.column_stack(tup)",
    "numpy.append(arr, values, axis=None)",
    // products, order and choice
    "numpy.einsum(subscripts, *operands, out=None, dtype=None, order='K', casting='safe', optimize=False)",
    "numpy._operation(name, inputs, shapes, distribution=None)",
    "numpy._inside(indices, size, axis)",
    "numpy.random._generator(state)",
    "numpy.random._legacy_rand(generator, *size)",
    "numpy.random._legacy_randn(generator, *size)",
    "sluice.explicit.generator(state)",
    "numpy.dot(a, b, out=None)",
    "numpy.matmul(x1, x2, /, out=None, *, casting='same_kind', order='K', dtype=None, subok=True)",
    "numpy.outer(a, b, out=None)",
    "ndarray.dot(b, out=None)",
    "numpy.where(condition, x=None, y=None, /)",
    "numpy.clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None)",
    "ndarray.clip(min=None, max=None, out=None)",
    "numpy.round(a, decimals=0, out=None)",
    "ndarray.round(decimals=0, out=None)",
    "ndarray.conj()",
    "ndarray.view(dtype)",
    "ndarray.conjugate()",
    // Python's own
    "abs(x, /)",
    "round(number, ndigits=None)",
    "sum(iterable, /, start=0)",
    "pow(base, exp, mod=None)",
    "divmod(x, y, /)",
    "len(obj, /)",
    "ord(c, /)",
    "map(function, /, *iterables)",
    "filter(function, iterable, /)",
    "list(iterable=None, /)",
    "tuple(iterable=None, /)",
    "sorted(iterable, /, *, key=None, reverse=False)",
    "any(iterable, /)",
    "all(iterable, /)",
    "int(x, /)",
    "float(x, /)",
    "bool(x, /)",
    "complex(real, imag=0)",
    "min(*values, key=None)",
    "max(*values, key=None)",
    "itertools.chain(*iterables)",
    "itertools.zip_longest(*iterables, fillvalue=None)",
    "itertools.product(*iterables, repeat=1)",
    // Sluice's and DaCe's
    "sluice.elementwise(function, in_array, out_array=None)",
    "sluice.reduce(op, in_array, out_array=None, axis=None, identity=None)",
    "sluice.define_local(dimensions, dtype=float, storage=None, allow_conflicts=False, lifetime=None)",
    "sluice.ndarray(shape, dtype=float, buffer=None, offset=0, strides=None, order='C')",
    "sluice.explicit.given(collection)",
    "sluice.define_local_scalar(dtype=float, storage=None, lifetime=None)",
    "sluice.comm.Create_cart(dims, periods=None, reorder=False)",
    "sluice.comm.Cart_create(dims)",
    "sluice.comm.Cart_sub(parent_grid, color)",
    "sluice.comm.Cartcomm.Sub(remain_dims)",
    "sluice.comm.Cartcomm.Get_coords(rank)",
    "sluice.comm.Cartcomm.Get_cart_rank(coords)",
    "sluice.comm.Cartcomm.Shift(direction, disp)",
    "sluice.comm.Cartcomm.MatMult(a, b)",
    "sluice.distr.MatMult(a, b, shape)",
    "sluice.comm.Cartcomm.Get_dim()",
    "sluice.comm.Cartcomm.Get_topo()",
    "sluice.comm.Get_rank()",
    "sluice.comm.Get_size()",
    "sluice.comm.Send(buf, dest, tag=0)",
    "sluice.comm.Ssend(buf, dest, tag=0)",
    "sluice.comm.Recv(buf, source, tag=0)",
    "sluice.comm.Isend(buf, dest, tag, request)",
    "sluice.comm.Irecv(buf, source, tag, request)",
    "sluice.comm.Wait(request)",
    "sluice.comm.Waitall(requests)",
    "sluice.comm.Barrier()",
    "sluice.comm.barrier()",
    "sluice.comm.Bcast(buf, root=0)",
    "sluice.comm.Reduce(sendbuf, recvbuf, op='sum', root=0)",
    "sluice.comm.Allreduce(sendbuf, recvbuf, op='sum')",
    "sluice.comm.Scatter(sendbuf, recvbuf, root=0)",
    "sluice.comm.Gather(sendbuf, recvbuf, root=0)",
    "sluice.comm.Allgather(sendbuf, recvbuf)",
    "sluice.comm.Alltoall(sendbuf, recvbuf)",
    "sluice.comm.BlockScatter(part, result=None, root=0)",
    "sluice.comm.BlockGather(part, result=None, root=0)",
    "sluice.define_stream(dtype=float, buffer_size=1)",
    "sluice.define_streamarray(dimensions, dtype=float, buffer_size=1)",
});

std::string_view trimmed_text(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

CallSignature parse_signature(std::string_view text) {
    using Kind = CallParameter::Kind;
    const std::size_t open = text.find('(');
    CallSignature signature{std::string(text.substr(0, open)), {}, {}, "F005"};
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    Kind kind = Kind::Either;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view item = trimmed_text(rest.substr(0, comma));
        rest.remove_prefix(std::min(comma + 1, rest.size()));
        if (item == "/") {
            for (CallParameter& before : signature.parameters) before.kind = Kind::PositionalOnly;
        } else if (item.starts_with("*")) {
            signature.rest = item.substr(1);
            kind = Kind::KeywordOnly;
        } else {
            const std::size_t equals = std::min(item.find('='), item.size());
            signature.parameters.push_back({kind, std::string(item.substr(0, equals)),
                                            std::string(equals < item.size() ? item.substr(equals + 1) : std::string_view())});
        }
    }
    return signature;
}

std::string described(const CallSignature& signature) {
    std::string text;
    for (const CallParameter& parameter : signature.parameters) text += (text.empty() ? "" : ", ") + parameter.name;
    return text.empty() ? "nothing" : text;
}

}  // namespace

const CallSignature* signature_of(std::string_view name) {
    static const std::map<std::string, CallSignature, std::less<>> kAll = [] {
        std::map<std::string, CallSignature, std::less<>> all;
        for (const std::string_view text : kSignatures) {
            CallSignature one = parse_signature(text);
            all.emplace(one.name, std::move(one));
        }
        return all;
    }();
    const auto found = kAll.find(name);
    return found == kAll.end() ? nullptr : &found->second;
}

CallSignature elementwise_signature(const std::string& name, int operands, int most) {
    using Kind = CallParameter::Kind;
    CallSignature signature{name, {}, most > operands ? "more" : "", "F005"};
    for (int at = 0; at < operands; ++at)
        signature.parameters.push_back({Kind::PositionalOnly, operands == 1 ? "x" : "x" + std::to_string(at + 1), {}});
    if (!name.starts_with("numpy.")) return signature;
    signature.rest.clear();  // `numpy.maximum(a, b, c)` writes to c.
    signature.parameters.push_back({Kind::Either, "out", "None"});
    for (const auto& [keyword, otherwise] :
         {std::pair{"where", "True"}, {"casting", "'same_kind'"}, {"order", "'K'"}, {"dtype", "None"}, {"subok", "True"}})
        signature.parameters.push_back({Kind::KeywordOnly, keyword, otherwise});
    return signature;
}

bool is_given_out(const CallExpr& call, const Bindings& bindings) {
    const auto is_out = [](const auto& one) { return one.name == "out"; };
    if (std::ranges::any_of(call.keywords, is_out)) return true;
    const std::string name = qualified_name(*call.function, bindings);
    const auto has_place = [&](const CallSignature& signature) {
        const auto out = std::ranges::find_if(signature.parameters, is_out);
        return out != signature.parameters.end() && out->kind != CallParameter::Kind::KeywordOnly &&
               call.arguments.size() > static_cast<std::size_t>(out - signature.parameters.begin());
    };
    if (const CallSignature* signature = signature_of(name)) return has_place(*signature);
    const Function* function = code::find_function(name);
    return function && has_place(elementwise_signature(name, function->arity, function->max_arity));
}

// ---- one call -----------------------------------------------------------------------------------------------------------
Arguments::Arguments(const CallSignature& signature, const CallExpr& call, const Span& span) : signature_(&signature), span_(span) {
    using Kind = CallParameter::Kind;
    std::size_t next = 0;
    const auto& parameters = signature.parameters;
    for (const ExprPtr& argument : call.arguments) {
        if (next < parameters.size() && parameters[next].kind != Kind::KeywordOnly)
            given_.emplace(parameters[next++].name, argument);
        else if (!signature.rest.empty())
            more_.push_back(argument);
        else
            refuse(signature_->code, signature.name + " takes at most " + std::to_string(next) + " positional arguments",
                   argument->span, "its parameters are " + described(signature));
    }
    for (const Keyword& keyword : call.keywords) {
        const auto at = std::ranges::find_if(
            parameters, [&](const CallParameter& one) { return one.name == keyword.name && one.kind != Kind::PositionalOnly; });
        const Span& where = keyword.value->span;
        if (at == parameters.end() && signature.more_keywords && !keyword.name.empty()) {
            more_keywords_.push_back(keyword);
            continue;
        }
        if (at == parameters.end())
            refuse(signature_->code, signature.name + " has no parameter " + (keyword.name.empty() ? "**" : keyword.name), where,
                   "its parameters are " + described(signature));
        if (!given_.emplace(keyword.name, keyword.value).second)
            refuse(signature_->code, signature.name + " is given " + keyword.name + " twice", where, "give it once");
    }
    for (const CallParameter& parameter : parameters)
        if (parameter.otherwise.empty() && !given_.contains(parameter.name))
            refuse(signature_->code, "the argument " + parameter.name + " of " + signature.name + " is missing", span, "pass it");
}

ExprPtr Arguments::find(const std::string& name) const {
    read_.insert(name);
    const auto given = given_.find(name);
    if (given == given_.end()) return nullptr;
    // None is most defaults' way to say that nothing is given.
    return is_none(given->second) ? nullptr : given->second;
}

ExprPtr Arguments::given(const std::string& name) const {
    read_.insert(name);
    const auto given = given_.find(name);
    return given == given_.end() ? nullptr : given->second;
}

ExprPtr Arguments::at(const std::string& name) const {
    const ExprPtr found = find(name);
    if (!found) refuse(signature_->code, "the argument " + name + " of " + signature_->name + " is missing", span_, "pass it");
    return found;
}

void Arguments::refuse_unread() const {
    for (const CallParameter& parameter : signature_->parameters) {
        const auto given = given_.find(parameter.name);
        if (given == given_.end() || read_.contains(parameter.name)) continue;
        const std::string text = code::to_string(*given->second);
        const bool order = parameter.name == "order" && (text == "'C'" || text == "'K'" || text == "'A'");
        if (text != parameter.otherwise && !order)
            refuse(signature_->code, signature_->name + " with " + parameter.name + "=" + text + " is not known to programs",
                   given->second->span, "leave it out: " + parameter.name + " is " + parameter.otherwise + " then");
    }
}

}  // namespace sluice::frontend
