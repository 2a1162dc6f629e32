// Messages become library nodes, each in a state of its own, so that they keep their order. What a request moves is in use until
// somebody waits for it: Wait reads and writes these arrays, so that whatever touches them stays on its side.
#include "frontend/python/messages.h"

#include <algorithm>
#include <map>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/process_grids.h"
#include "ir/messages.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// `sum` for `comm.SUM`, `"MPI_SUM"` or `"sum"`; empty for anything else.
std::string operator_of(const ExprPtr& e, const Bindings& bindings) {
    static const std::map<std::string, std::string> kNames{
        {"SUM", "sum"},        {"PROD", "product"},     {"MIN", "min"},          {"MAX", "max"},        {"LAND", "logical_and"},
        {"LOR", "logical_or"}, {"LXOR", "logical_xor"}, {"BAND", "bitwise_and"}, {"BOR", "bitwise_or"}, {"BXOR", "bitwise_xor"}};
    std::string name = qualified_name(*e, bindings);
    if (!name.starts_with("sluice.comm.")) name = {};
    name = name.substr(name.rfind('.') + 1);
    if (const std::string* text = text_of(e)) name = text->starts_with("MPI_") ? text->substr(4) : *text;
    if (const auto found = kNames.find(name); found != kNames.end()) return found->second;
    const bool known = std::ranges::any_of(kNames, [&](const auto& entry) { return entry.second == name; });
    return known && text_of(e) ? name : std::string();
}

/// A part of a container whose elements are taken in the order of its dimensions.
bool stands_in_memory(const Value& value) {
    const Operand* view = value.is_elements() ? as_view(value) : nullptr;
    const auto subset = view ? subset_of_view(*view, value.shape) : std::nullopt;
    if (!subset) return false;
    std::vector<bool> taken(value.rank());
    std::size_t next = 0;
    for (std::size_t at = 0; at < view->index.size(); ++at) {
        const Expr& step = subset->dims[at].step;
        if (!step.is_integer() || step.integer() < 1) return false;
        for (std::size_t dim = 0; dim < value.rank(); ++dim) {
            if (!symbolic::depends_on(view->index[at], iteration_of(dim, value.rank()).name())) continue;
            if (dim < next) return false;
            next = dim + 1;
            taken[dim] = true;
        }
    }
    for (std::size_t dim = 0; dim < value.rank(); ++dim)
        if (!taken[dim] && !value.shape[dim].is_integer(1)) return false;
    return true;
}

}  // namespace

std::optional<Value> Messages::attribute(const std::string& name, const Span& span) {
    if (!is_one(name)) return std::nullopt;
    const std::string last = name.substr(name.rfind('.') + 1);
    if (last == "PROC_NULL") return symbolic_value(Expr(kNoRank), span);
    if (last == "rank") return rank(span);
    if (last != "size") return std::nullopt;
    t_.need_symbols({ir::kRanks});
    return symbolic_value(symbolic::symbol(ir::kRanks), span);
}

Value Messages::rank(const Span& span) {
    t_.need_symbols({ir::kRankPlace});
    return symbolic_value(symbolic::symbol(ir::kRankPlace) - 1, span);
}

std::optional<Value> Messages::call(const std::string& name, const Arguments& arguments) {
    if (!is_one(name)) return std::nullopt;
    const std::string what = name.substr(name.rfind('.') + 1);
    const Span& span = arguments.span();
    t_.hint_.reset();
    t_.name_.clear();
    if (auto grid = ProcessGrids(t_).call(name, arguments)) return grid;
    if (what == "Get_rank") return rank(span);
    if (what == "Get_size") return attribute("sluice.comm.size", span);
    if (what == "Send" || what == "Ssend" || what == "Isend" || what == "Recv" || what == "Irecv")
        point_to_point(what, arguments);
    else if (what == "Wait" || what == "Waitall")
        wait(arguments, what == "Wait" ? "request" : "requests");
    else if (what == "Barrier" || what == "barrier")
        send("MPI_Barrier", {}, {}, span);
    else if (what == "BlockScatter" || what == "BlockGather") {
        if (!arguments.find("result"))
            refuse("F005", "comm." + what + " makes an array whose size it cannot know", span,
                   what == "BlockScatter" ? "assign it to a part: lA[:, :] = comm.BlockScatter(A), or name the part behind A"
                                          : "assign it: A[:] = comm.BlockGather(lA), or name the array behind lA");
        blocks(what, in_memory(arguments.at("part")), received(arguments.at("result"), "of blocks"), arguments.find("root"), span);
    } else {
        collective(what, arguments);
    }
    return none_value();
}

Value Messages::in_memory(const ExprPtr& e) {
    const Value value = t_.evaluate(e);
    if (!value.is_elements()) unsupported("this value in a message", e->span, "send arrays and parts of arrays");
    const Value array = t_.as_array(value, e->span);
    return stands_in_memory(array) ? array : t_.materialise(array, "sent");
}

/// What comes is written where it belongs.
Value Messages::received(const ExprPtr& e, const char* what) {
    const Value value = t_.evaluate(e);
    if (!stands_in_memory(value) || t_.container(as_view(value)->data).shape.empty())
        refuse("F005", std::string("what comes in a message ") + what + " has no place in memory", e->span,
               "name an array, or a part of one");
    return value;
}

Value Messages::request(const ExprPtr& e) {
    const Value value = received(e, "with a request");
    if (!(value.type.dtype == DType(Scalar::Int64)))
        refuse("F009", "a request is an element of type " + code::to_string(value.type.dtype), e->span,
               "make the requests by np.empty(n, dtype=sluice.MPI_Request)");
    return value;
}

void Messages::send(const std::string& operation, const NamedValues& in, const NamedValues& out, const Span& span,
                    Properties properties) {
    if (grid_) properties.merge(ProcessGrids::group(*grid_, span));
    t_.run_operation(operation, {}, in, out, span, properties);
}

void Messages::start(const Value& request, const Value& buffer, const Span& span) {
    const std::string& requests = as_view(request)->data;
    const std::string& data = as_view(buffer)->data;
    auto& held = t_.context_.under_way[requests];
    if (t_.depth_ > 0 && t_.context_.waited_for.contains(requests) && !held.contains(data))
        refuse("F005", "a message begins behind the Wait for its request, in the same loop", span,
               "wait behind the messages in the loop's body, and once more behind the loop");
    held.insert(data);
}

void Messages::point_to_point(const std::string& what, const Arguments& arguments) {
    const Span& span = arguments.span();
    const bool sends = what.ends_with("end"), asks = what[0] == 'I';
    const Value buffer = sends ? in_memory(arguments.at("buf")) : received(arguments.at("buf"), "of one rank");
    const std::string other = sends ? "dest" : "source";
    std::map<std::string, ir::Property> properties{{"peer", t_.integer_of(arguments.at(other))}, {"tag", Expr(0)}};
    if (const ExprPtr tag = arguments.find("tag")) properties["tag"] = t_.integer_of(tag);
    NamedValues in, out;
    (sends ? in : out).emplace_back("_buffer", buffer);
    if (asks) {
        const Value place = request(arguments.at("request"));
        start(place, buffer, span);
        out.emplace_back("_request", place);
    }
    send("MPI_" + what, in, out, span, properties);
}

void Messages::wait(const Arguments& arguments, const std::string& parameter) {
    const Value requests = request(arguments.at(parameter));
    const std::string& data = as_view(requests)->data;
    const auto found = t_.context_.under_way.find(data);
    if (found == t_.context_.under_way.end())
        refuse("F005", "no message in front of this Wait has such a request", arguments.span(),
               "begin a message and wait for it in one function, the Wait behind it");
    t_.context_.waited_for.insert(data);
    NamedValues both{{"_request", requests}};
    for (const std::string& held : found->second)
        if (t_.sdfg_.containers.contains(held))
            both.emplace_back("_held" + std::to_string(both.size() - 1), t_.read_container(held));
    t_.run_operation("MPI_Wait", {}, both, both, arguments.span());
}

void Messages::collective(const std::string& what, const Arguments& arguments) {
    const Span& span = arguments.span();
    std::map<std::string, ir::Property> properties;
    const bool rooted = what == "Bcast" || what == "Reduce" || what == "Scatter" || what == "Gather";
    if (rooted) {
        const ExprPtr root = arguments.find("root");
        properties["root"] = root ? t_.integer_of(root) : Expr(0);
    }
    if (what == "Reduce" || what == "Allreduce") {
        const ExprPtr given = arguments.find("op");
        const std::string op = given ? operator_of(given, t_.bindings_) : "sum";
        if (op.empty())
            refuse("F005", "this operator of comm." + what + " is not known", given->span,
                   "use comm.SUM, comm.MAX, ... or \"sum\", \"max\", ...");
        properties["op"] = op;
    }
    if (what == "Bcast") {
        const Value buffer = received(arguments.at("buf"), "to all ranks");
        return send("MPI_Bcast", {{"_buffer", buffer}}, {{"_buffer", buffer}}, span, properties);
    }
    Value part = in_memory(arguments.at("sendbuf"));
    const Value result = received(arguments.at("recvbuf"), "among all ranks");
    if (!(part.type.dtype == result.type.dtype)) {
        // A number of Python's takes the type of the array.
        if (!part.type.weak)
            refuse("F009",
                   "comm." + what + " turns " + code::to_string(part.type.dtype) + " into " + code::to_string(result.type.dtype),
                   span, "convert what is sent: x.astype(...)");
        part = t_.materialise(t_.cast(part, result.type.dtype, span), "sent");
    }
    if (as_view(part)->data == as_view(result)->data) part = t_.materialise(part, "sent");
    send("MPI_" + what, {{"_in", part}}, {{"_out", result}}, span, properties);
}

void Messages::blocks(const std::string& what, Value part, const Value& result, const ExprPtr& root, const Span& span) {
    if (part.rank() != result.rank() || !(part.type.dtype == result.type.dtype))
        refuse("F004", "the blocks of comm." + what + " have another type or number of dimensions than the whole", span,
               "let both have one type and as many dimensions");
    if (as_view(part)->data == as_view(result)->data) part = t_.materialise(part, "sent");
    send("MPI_" + what, {{"_in", part}}, {{"_out", result}}, span, {{"root", root ? t_.integer_of(root) : Expr(0)}});
}

bool Messages::assign(const ExprPtr& target, const ExprPtr& value) {
    const auto* call = std::get_if<CallExpr>(&value->node);
    if (const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr)
        if (const auto grid = t_.variables_.find(std::string(name_of(method->object)));
            !grid_ && grid != t_.variables_.end() && grid->second.value.kind == Value::Kind::Grid)
            return Messages(t_, grid->second.value.grid.get()).assign_blocks("sluice.comm." + method->name, target, value);
    return assign_blocks(call ? message_function(*call->function, t_.bindings_) : std::string(), target, value);
}

bool Messages::assign_blocks(const std::string& name, const ExprPtr& target, const ExprPtr& value) {
    const std::string what = name.substr(name.rfind('.') + 1);
    if (!is_one(name) || (what != "BlockScatter" && what != "BlockGather")) return false;
    const Arguments arguments(*signature_of(name), std::get<CallExpr>(value->node), value->span);
    if (arguments.find("result")) return false;
    t_.hint_.reset();
    t_.name_.clear();
    const Value part = in_memory(arguments.at("part"));
    blocks(what, part, received(target, "of blocks"), arguments.find("root"), value->span);
    arguments.refuse_unread();
    return true;
}

}  // namespace sluice::frontend
