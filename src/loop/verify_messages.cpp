// M1 messages and collectives are one thread's of a rank: they stand in no parallel loop, lanes, team, section, consume scope or
// launch, nor does a call of a function that has them. M2 a part has a stride for each extent, its elements are numbers, and its
// address is one of such elements. M3 what is received or a collective's result is written. M4 ranks and tags are int64, requests
// the address of one. M5 a collective has the part, the result and the root that its kind asks for, of one type, and an operator
// that this type has on every rank. M6 a group of ranks has a stride for each extent.
#include "loop/verify_messages.h"

#include <algorithm>
#include <set>

#include "loop/origins.h"
#include "loop/walk.h"

namespace sluice::loop {

namespace {

using Kind = Collective::Kind;
using code::Scalar;

bool is_message(const Statement& s) {
    return std::holds_alternative<Message>(s.node) || std::holds_alternative<WaitFor>(s.node) ||
           std::holds_alternative<Collective>(s.node);
}

bool has_messages(const Body& body, const std::set<std::string>& functions) {
    bool found = false;
    for_each_statement(body, [&](const Statement& s) {
        const auto* call = std::get_if<Invoke>(&s.node);
        found = found || is_message(s) || (call && functions.contains(call->function));
    });
    return found;
}

class MessageVerifier {
public:
    explicit MessageVerifier(const Module& module) : module_(module) {
        for (const ConstantTable& table : module.constants) read_only_.insert(table.name);
        for (const Function& f : module.functions) {
            function(f);
            if (has_messages(f.body, speaking_)) speaking_.insert(f.name);
        }
        function(module.program);
    }
    std::vector<std::string> violations;

private:
    void report(const char* rule, const std::string& sentence) {
        violations.push_back(function_ + ": " + sentence + " (" + rule + ")" + from_where(module_, at_));
    }
    void function(const Function& f) {
        function_ = f.name;
        const std::set<std::string> constants = read_only_;
        for (const Parameter& p : f.parameters)
            if (p.kind == Parameter::Kind::Buffer && !p.written) read_only_.insert(p.name);
        body(f.body, f.on_device);
        read_only_ = constants;
    }
    void body(const Body& statements, bool many) {
        const Statement* const outer = at_;
        for (const Statement& s : statements) {
            at_ = &s;
            const auto* call = std::get_if<Invoke>(&s.node);
            if (many && (is_message(s) || (call && speaking_.contains(call->function))))
                report("M1", "several threads come to a message between ranks");
            std::visit([&](const auto& n) { statement(n); }, s.node);
            const auto* loop = std::get_if<For>(&s.node);
            const auto* consume = std::get_if<Consume>(&s.node);
            const bool forks =
                (loop && (loop->mode == LoopMode::Parallel || loop->mode == LoopMode::Simd || loop->mode == LoopMode::Axis)) ||
                (consume && consume->parallel) || std::holds_alternative<ParallelSections>(s.node) ||
                std::holds_alternative<ParallelRegion>(s.node) || std::holds_alternative<Launch>(s.node);
            for_each_body(s, [&](const Body& inner) { body(inner, many || forks); });
        }
        at_ = outer;
    }

    void part(const Part& p, const std::string& what, bool written) {
        if (!p.address) return;
        if (p.extents.size() != p.strides.size())
            report("M2", what + " has " + std::to_string(p.extents.size()) + " extents and " + std::to_string(p.strides.size()) +
                             " strides");
        const bool number = !p.type.compound && p.type.lanes == 1 && p.type.scalar != Scalar::Float16 &&
                            (p.type.scalar == Scalar::Bool || code::is_integer(p.type.scalar) || code::is_floating(p.type.scalar) ||
                             code::is_complex(p.type.scalar));
        if (!number) report("M2", what + " has elements of type " + code::to_string(p.type) + ", which no message carries");
        if (!(p.address->type == DType::pointer(p.type)))
            report("M2", what + " has an address of type " + code::to_string(p.address->type) + " for elements of type " +
                             code::to_string(p.type));
        const auto* address = std::get_if<Address>(&p.address->node);
        if (written && address && read_only_.contains(address->buffer))
            report("M3", what + " is written to " + address->buffer + ", which is only read");
    }
    void whole(const ValuePtr& v, const std::string& what) {
        if (v && !(v->type == DType(Scalar::Int64)))
            report("M4", what + " has type " + code::to_string(v->type) + " instead of int64");
    }
    void ranks(const Ranks& n) {
        if (n.extents.size() != n.strides.size())
            report("M6", "a group of ranks has " + std::to_string(n.extents.size()) + " extents and " +
                             std::to_string(n.strides.size()) + " strides");
    }
    void statement(const Message& n) {
        ranks(n.among);
        const std::string what = n.sends ? "what is sent" : "what is received";
        if (!n.part.address) report("M2", what + " is missing");
        part(n.part, what, !n.sends);
        whole(n.peer, "the other rank of a message"), whole(n.tag, "the tag of a message");
        if (n.request && !(n.request->type == DType::pointer(Scalar::Int64)))
            report("M4", "a request has type " + code::to_string(n.request->type) + " instead of the address of an int64");
    }
    void statement(const WaitFor& n) {
        if (!n.requests.address) report("M2", "the requests of a wait are missing");
        part(n.requests, "the requests of a wait", true);
        if (!(n.requests.type == DType(Scalar::Int64))) report("M4", "the requests of a wait are no int64");
    }
    void statement(const Collective& n) {
        ranks(n.among);
        const std::string name = kCollectiveNames[static_cast<std::size_t>(n.kind)];
        const bool to_all = n.kind == Kind::AllReduce || n.kind == Kind::AllGather || n.kind == Kind::AllToAll;
        const bool part_wanted = n.kind != Kind::Barrier, result_wanted = part_wanted && n.kind != Kind::Broadcast;
        if (part_wanted != (n.part.address != nullptr) || result_wanted != (n.result.address != nullptr))
            report("M5", "a " + name + " has a part or a result too many or too few");
        if ((n.kind == Kind::Barrier || to_all) != (n.root == nullptr))
            report("M5", "a " + name + (n.root ? " has a root" : " has no root"));
        part(n.part, "the part of a " + name, n.kind == Kind::Broadcast);
        part(n.result, "the result of a " + name, true);
        whole(n.root, "the root of a " + name);
        if (n.part.address && n.result.address && !(n.part.type == n.result.type))
            report("M5", "a " + name + " turns " + code::to_string(n.part.type) + " into " + code::to_string(n.result.type));
        const bool combines = n.kind == Kind::Reduce || n.kind == Kind::AllReduce;
        if (combines && !combines_ranks(n.part.type, n.op))
            report("M5",
                   "a " + name + " combines elements of type " + code::to_string(n.part.type) + " by an operator without meaning");
        const bool blocks = n.kind == Kind::ScatterBlocks || n.kind == Kind::GatherBlocks;
        if (blocks && n.part.extents.size() != n.result.extents.size())
            report("M5", "a " + name + " has blocks of another number of dimensions than the whole");
    }
    template <class Other> void statement(const Other&) {}

    static constexpr const char* kCollectiveNames[] = {"barrier",           "broadcast",       "reduce",        "reduce to all",
                                                       "scatter",           "gather",          "gather to all", "exchange of all",
                                                       "scatter of blocks", "gather of blocks"};
    const Module& module_;
    std::string function_;
    const Statement* at_ = nullptr;  ///< What a sentence is about.
    std::set<std::string> read_only_, speaking_;
};

}  // namespace

bool combines_ranks(const DType& type, ReductionType op) {
    const bool integer = code::is_integer(type.scalar), boolean = type.scalar == Scalar::Bool;
    switch (op) {
        case ReductionType::Sum:
        case ReductionType::Product:
            return !boolean;
        case ReductionType::Min:
        case ReductionType::Max:
            return !boolean && !code::is_complex(type.scalar);
        case ReductionType::LogicalAnd:
        case ReductionType::LogicalOr:
        case ReductionType::LogicalXor:
            return integer || boolean;
        case ReductionType::BitwiseAnd:
        case ReductionType::BitwiseOr:
        case ReductionType::BitwiseXor:
            return integer;
        default:
            return false;
    }
}

std::vector<std::string> verify_messages(const Module& module) {
    return MessageVerifier(module).violations;
}

bool uses_messages(const Module& module) {
    return has_messages(module.program.body, {}) ||
           std::ranges::any_of(module.functions, [](const Function& f) { return has_messages(f.body, {}); });
}

}  // namespace sluice::loop
