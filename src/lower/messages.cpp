#include "lower/messages.h"

#include <algorithm>

#include "code/walk.h"
#include "ir/messages.h"
#include "ir/query.h"
#include "library/contract.h"
#include "library/expand.h"
#include "loop/names.h"
#include "loop/verify_messages.h"
#include "lower/layout.h"

namespace sluice::lower {

namespace {

constexpr std::size_t kMostDimensions = 8;  // runtime/mpi.h

class Message {
public:
    Message(StateContext& state, NodeId node)
        : state_(state),
          node_(node),
          context_(library::context_of(state.function.sdfg, state.state, node, state.path_of(node), state.function.in_parallel())) {
        library::bind(context_);
        if (state.function.in_parallel())
            context_.refuse("L027", "`" + context_.library().label + "` sends messages in a parallel scope",
                            "give the maps around it the schedule Sequential, with SetSchedule");
    }

    loop::Part at(const std::string& connector, bool input) const {
        const ir::EdgeId edge = input ? context_.input(connector) : context_.output(connector);
        const ir::Memlet& memlet = state_.state.edges[edge].memlet;
        const Location location = locate(state_, memlet.data, memlet.subset, node_);
        if (memlet.wcr)
            context_.refuse("L027", "what `" + context_.library().label + "` brings is combined with what stands there",
                            "let it come into an array of its own, and add that");
        loop::Part part{address_of(location), location.element_type(), {}, {}};
        for (const std::size_t dim : location.dimensions(false)) {
            const symbolic::Range& range = location.subset.dims[dim];
            part.extents.push_back(symbolic::num_elements(range));
            part.strides.push_back(location.layout.strides[dim] * range.step);
        }
        if (part.extents.size() > kMostDimensions)
            context_.refuse("L027", "a message has more than " + std::to_string(kMostDimensions) + " dimensions",
                            "send it in parts");
        return part;
    }
    /// All dimensions, those of one element too: blocks have as many as their whole.
    loop::Part block_at(const std::string& connector, bool input) const {
        loop::Part part = at(connector, input);
        const ir::Memlet& memlet = state_.state.edges[input ? context_.input(connector) : context_.output(connector)].memlet;
        const Location location = locate(state_, memlet.data, memlet.subset, node_);
        part.extents.clear(), part.strides.clear();
        for (std::size_t dim = 0; dim < location.subset.dims.size(); ++dim) {
            part.extents.push_back(symbolic::num_elements(location.subset.dims[dim]));
            part.strides.push_back(location.layout.strides[dim] * location.subset.dims[dim].step);
        }
        return part;
    }
    ValuePtr number(const std::string& property) const { return value_of(state_.function, whole(property)); }
    /// The group of ranks that the properties `first`, `count0`, `step0`, `count1`, ... describe.
    loop::Ranks among() const {
        loop::Ranks result;
        for (std::size_t dim = 0; dim < ir::kMostGroupDimensions; ++dim) {
            const std::string number = std::to_string(dim);
            const Expr count = whole("count" + number);
            if (count.is_integer(0)) break;
            result.extents.push_back(count);
            result.strides.push_back(whole("step" + number));
        }
        if (!result.all()) result.first = whole("first");
        return result;
    }
    ValuePtr request() const {
        loop::Part part = at("_request", false);
        expect_requests(part);
        return part.address;
    }
    void expect_requests(const loop::Part& part) const {
        if (!(part.type == DType(code::Scalar::Int64)))
            context_.refuse("B005", "requests are of type int64, not " + code::to_string(part.type), "declare them so");
    }
    code::ReductionType op() const {
        const ir::Property* given = context_.property("op");
        const auto* text = given ? std::get_if<std::string>(given) : nullptr;
        const auto found = std::ranges::find(loop::kReductionWords, text ? std::string_view(*text) : std::string_view());
        const auto type = static_cast<code::ReductionType>(found - loop::kReductionWords.begin());
        const code::Scalar element = at("_in", true).type.scalar;
        if (found == loop::kReductionWords.end() || !loop::combines_ranks(DType(element), type))
            context_.refuse("B005",
                            "ranks do not combine elements of type " + code::to_string(DType(element)) + " by `" +
                                (text ? *text : std::string()) + "`",
                            "choose an operator of the contract that the type has");
        return type;
    }

    /// MPI moves nothing within one memory.
    void expect_apart() const {
        const ir::EdgeId in = context_.input("_in"), out = context_.output("_out");
        const ir::Memlet &read = state_.state.edges[in].memlet, &written = state_.state.edges[out].memlet;
        if (ir::root_name(read.data) != ir::root_name(written.data)) return;
        const Subset from = context_.subset(in), to = context_.subset(out);
        std::set<std::string> symbols = symbolic::free_symbols(from);
        symbols.merge(symbolic::free_symbols(to));
        if (read.data == written.data && from.rank() == to.rank() &&
            symbolic::is_yes(symbolic::disjoint(from, to, state_.function.known(std::move(symbols)))))
            return;
        context_.refuse("L027", "`" + context_.library().label + "` reads elements of `" + read.data + "` that it writes",
                        "send a copy");
    }
    /// What a node updates is one place in memory: an edit of the graph that leads one side elsewhere would lose it.
    void expect_updates() const {
        for (const auto& [id, edge] : state_.state.edges) {
            if (edge.src != node_ || edge.memlet.empty()) continue;
            const ir::EdgeId before = context_.find_input(edge.src_connector);
            if (!before.valid()) continue;
            const ir::Memlet& other = state_.state.edges[before].memlet;
            if (other.data != edge.memlet.data || !(context_.subset(before) == context_.subset(id)))
                context_.refuse("L027",
                                "`" + context_.library().label + "` updates `" + other.data + "` and `" + edge.memlet.data +
                                    "` under one connector",
                                "let both edges of a connector move the same elements");
        }
    }

private:
    Expr whole(const std::string& property) const {
        const ir::Property* given = context_.property(property);
        if (const auto* value = given ? std::get_if<Expr>(given) : nullptr) return *value;
        if (const auto* value = given ? std::get_if<std::int64_t>(given) : nullptr) return Expr(*value);
        if (const auto* value = given ? std::get_if<std::string>(given) : nullptr)
            if (const Result<Expr> parsed = symbolic::parse(*value)) return *parsed;
        context_.refuse("B005", "the property " + property + " of " + context_.library().operation + " is no integer",
                        "give it an integer or an expression over symbols");
    }

    StateContext& state_;
    NodeId node_;
    library::NodeContext context_;
};

}  // namespace

void lower_message(StateContext& state, NodeId node, Body& body) {
    using Kind = loop::Collective::Kind;
    const auto& operation = std::get<ir::LibraryNode>(state.node(node).kind);
    const std::string name = operation.operation.substr(std::string_view(ir::kMessagePrefix).size());
    const Span where = state.node(node).metadata.where;
    const Message message(state, node);
    message.expect_updates();
    if (name == "Send" || name == "Ssend" || name == "Isend" || name == "Recv" || name == "Irecv") {
        const bool sends = name.ends_with("end");
        return emit(body,
                    loop::Message{.sends = sends,
                                  .part = message.at("_buffer", sends),
                                  .peer = message.number("peer"),
                                  .tag = message.number("tag"),
                                  .request = name[0] == 'I' ? message.request() : nullptr,
                                  .synchronous = name == "Ssend",
                                  .among = message.among()},
                    where);
    }
    if (name == "Wait") {
        loop::Part requests = message.at("_request", false);
        message.expect_requests(requests);
        return emit(body, loop::WaitFor{std::move(requests)}, where);
    }
    loop::Collective all;
    static const std::map<std::string, Kind> kKinds{
        {"Barrier", Kind::Barrier},         {"Bcast", Kind::Broadcast},   {"Reduce", Kind::Reduce},
        {"Allreduce", Kind::AllReduce},     {"Scatter", Kind::Scatter},   {"Gather", Kind::Gather},
        {"Allgather", Kind::AllGather},     {"Alltoall", Kind::AllToAll}, {"BlockScatter", Kind::ScatterBlocks},
        {"BlockGather", Kind::GatherBlocks}};
    const auto kind = kKinds.find(name);
    check(kind != kKinds.end(), "a message ", operation.operation, " that lowering does not know");
    all.kind = kind->second;
    const bool blocks = all.kind == Kind::ScatterBlocks || all.kind == Kind::GatherBlocks;
    if (all.kind == Kind::Broadcast) all.part = message.at("_buffer", false);
    if (all.kind != Kind::Broadcast && all.kind != Kind::Barrier) {
        all.part = blocks ? message.block_at("_in", true) : message.at("_in", true);
        all.result = blocks ? message.block_at("_out", false) : message.at("_out", false);
        message.expect_apart();
        if (!(all.part.type == all.result.type))
            refuse(
                {"L027",
                 "`" + operation.label + "` turns " + code::to_string(all.part.type) + " into " + code::to_string(all.result.type),
                 where, state.path_of(node), "let both have one type"});
        if (blocks && all.part.extents.size() != all.result.extents.size())
            refuse({"L027", "`" + operation.label + "` has blocks of another number of dimensions than the whole", where,
                    state.path_of(node), "cut along every dimension, with blocks of one element where nothing else is left"});
    }
    if (all.kind == Kind::Reduce || all.kind == Kind::AllReduce) all.op = message.op();
    const bool rooted =
        all.kind == Kind::Broadcast || all.kind == Kind::Reduce || all.kind == Kind::Scatter || all.kind == Kind::Gather || blocks;
    if (rooted) all.root = message.number("root");
    all.among = message.among();
    emit(body, std::move(all), where);
}

}  // namespace sluice::lower
