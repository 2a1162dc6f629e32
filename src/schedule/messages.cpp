// Messages between ranks: where they run, what they move, and the proof that they bring what is read on other ranks.
// R1 each send meets one receive, of the same points. R2 ranks do not wait for each other in a circle. R3 what is sent is computed
// on its rank before. R4 what is received lies beside what its rank computes, and is there before it is read. R5 every value that a
// rank reads is computed or received there.
#include <fmt/format.h>

#include <algorithm>

#include "ir/builder.h"
#include "ir/messages.h"
#include "poly/convert.h"
#include "poly/schedule.h"
#include "schedule/program.h"
#include "schedule/witness.h"

namespace sluice::schedule {

using poly::Answer;
using poly::UnionMap;
using symbolic::Expr;
using Kind = RankOperation::Kind;

namespace {

/// The container, its extents there, and the tuple of its points.
struct Memory {
    const Definition* computation;  ///< Null: an input.
    const Storage& storage;
};
Memory memory_of(const Program& program, const RankOperation& of) {
    const Definition* computation = program.find(of.of);
    if (!computation) return {nullptr, program.storage.at(of.of)};
    const bool plain = !computation->is_inlined && !computation->computed_at && computation->buffer == computation->name &&
                       computation->layout == own_point(*computation) && !program.storage.at(computation->buffer).allocated;
    if (!plain)
        refuse("M004",
               fmt::format("`{}` moves points of `{}`, which does not lie in memory of its own at its own indices", of.name, of.of),
               "Move another computation, or take commands away.");
    return {computation, program.storage.at(computation->buffer)};
}

/// How many, if `size` is a constant times `unit`.
std::optional<Expr> times_unit(const Expr& size, const Expr& unit) {
    if (unit.is_integer(1)) return size;
    std::map<std::string, std::int64_t> some;
    for (const std::string& symbol : symbolic::free_symbols(unit)) some.emplace(symbol, 7919);
    for (const std::string& symbol : symbolic::free_symbols(size)) some.emplace(symbol, 7919);
    const auto whole = symbolic::evaluate(size, some), one = symbolic::evaluate(unit, some);
    if (!whole.ok() || !one.ok() || *one == 0 || *whole % *one != 0) return std::nullopt;
    const Expr count = *whole / *one;
    return count * unit == size ? std::optional(count) : std::nullopt;
}

/// The contiguous elements as a box: whole rows of all dimensions behind one.
std::vector<symbolic::Range> box_of(const Program& program, const RankOperation& of) {
    const std::vector<Expr>& shape = memory_of(program, of).storage.shape;
    symbolic::Assumptions positive;
    for (std::size_t at = shape.size(); at-- > 0;) {
        Expr unit = 1;
        bool whole = true;
        for (std::size_t inner = at + 1; inner < shape.size(); ++inner) {
            unit = unit * shape[inner];
            whole = whole && of.start[inner].is_integer(0);
        }
        const std::optional<Expr> count = times_unit(of.size, unit);
        if (!whole || !count || !is_yes(symbolic::decide(symbolic::less_equal(*count, shape[at]), positive))) continue;
        std::vector<symbolic::Range> box;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (d < at) box.push_back(symbolic::Range::index(of.start[d]));
            if (d == at) box.push_back({of.start[d], of.start[d] + *count, 1, 1});
            if (d > at) box.push_back(symbolic::Range::extent(shape[d]));
        }
        return box;
    }
    const auto listed = [](const std::vector<Expr>& all) {
        std::string text;
        for (const Expr& one : all) text += (text.empty() ? "" : ", ") + symbolic::to_string(one);
        return text;
    };
    refuse("M004",
           fmt::format("{} elements of `{}` from [{}] on are no rows of its memory, whose extents are [{}]",
                       symbolic::to_string(of.size), of.of, listed(of.start), listed(shape)),
           "Begin at index 0 of all inner dimensions, and move whole rows of them.");
}

/// Instance of a message -> the points that it moves: those of an input at indices of the rank's memory, which begin at `first`.
poly::Map moved(const Program& program, const RankOperation& of, const Expr& first = 0) {
    const std::vector<symbolic::Range> box = box_of(program, of);
    const Memory memory = memory_of(program, of);
    poly::Space to{.tuple = of.of};
    Expr within = symbolic::boolean(true);
    for (std::size_t d = 0; d < box.size(); ++d) {
        to.dims.push_back("e__" + std::to_string(d));
        Expr index = symbolic::symbol(to.dims.back());
        if (d == 0 && memory.storage.part) index = index - first;
        within = symbolic::logical_and(
            within, symbolic::logical_and(symbolic::less_equal(box[d].begin, index), symbolic::less(index, box[d].end)));
    }
    const auto relation = poly::to_relation(within, {.tuple = of.name, .dims = {of.rank}}, to);
    if (!relation.ok()) refuse("M002", fmt::format("what `{}` moves is not affine: {}", of.name, relation.why), "Move whole rows.");
    return relation.value->intersect_domain(of.domain);
}

/// Instance -> that of the other operation on the other rank.
poly::Map partners(const RankOperation& of, const RankOperation& other) {
    const std::string there = "there__";
    const auto relation = poly::to_relation(symbolic::equal(symbolic::symbol(there), of.peer),
                                            {.tuple = of.name, .dims = {of.rank}}, {.tuple = other.name, .dims = {there}});
    if (!relation.ok())
        refuse("M002", fmt::format("the other rank of `{}` is not affine: {}", of.name, relation.why), "Write it affine.");
    return relation.value->intersect_domain(of.domain);
}

}  // namespace

// ---- where they run -------------------------------------------------------------------------------------------------------

namespace {

/// What runs one after the other outside of all loops: groups of definitions, operations, and waits for them.
struct Step {
    enum class Kind : std::uint8_t { Group, Operation, Wait };
    Kind kind;
    std::size_t number;
    bool operator==(const Step&) const = default;
};

class Sequence {
public:
    Sequence(const Program& program, const UnionMap& times) : program_(program) {
        std::set<std::int64_t> groups;
        for (const poly::Map& map : times.maps()) {
            const auto pair = map.sample();
            if (!pair) continue;
            depth_ = pair->to.size();
            group_of_[map.domain_tuple()] = static_cast<std::size_t>(pair->to.front());
            groups.insert(pair->to.front());
        }
        for (const std::int64_t group : groups) steps_.push_back({Step::Kind::Group, static_cast<std::size_t>(group)});
        place_all();
        add_waits();
    }
    const std::vector<Step>& steps() const { return steps_; }
    /// Of the times of definitions.
    std::size_t depth() const { return depth_; }
    std::optional<std::size_t> position(const Step& step) const {
        const auto at = std::ranges::find(steps_, step);
        return at == steps_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - steps_.begin()));
    }
    /// Where an instance of the definition runs; nullopt: it has none.
    std::optional<std::size_t> position(const Definition& of) const {
        const auto group = group_of_.find(of.name);
        return group == group_of_.end() ? std::nullopt : position(Step{Step::Kind::Group, group->second});
    }

private:
    std::optional<std::size_t> position(const RankOperation::Order& order) const {
        if (order.is_operation) return position(Step{Step::Kind::Operation, order.other});
        return position(program_.definitions[order.other]);
    }
    void place_all() {
        for (std::size_t placed = 0; placed < program_.operations.size();) {
            const std::size_t so_far = placed;
            for (std::size_t number = 0; number < program_.operations.size(); ++number)
                if (!position(Step{Step::Kind::Operation, number}) && place(number)) ++placed;
            if (placed == so_far) refuse("M004", "messages run before and after each other in a circle", "Take an order away.");
        }
    }
    bool place(std::size_t number) {
        const RankOperation& of = program_.operations[number];
        std::size_t begin = 0, end = steps_.size();
        if (of.orders.empty())
            refuse("M004", fmt::format("where `{}` runs is not said", of.name),
                   "Order it before or after a computation or a message.");
        bool before = false;
        for (const RankOperation::Order& order : of.orders) {
            const std::optional<std::size_t> at = position(order);
            if (!at && !order.is_operation)
                refuse("M004",
                       fmt::format("`{}` is ordered at `{}`, which never runs", of.name, program_.definitions[order.other].name),
                       "Order it at another computation.");
            if (!at) return false;
            before = before || order.before;
            if (order.before)
                end = std::min(end, *at);
            else
                begin = std::max(begin, *at + 1);
        }
        if (begin > end)
            refuse("M004", fmt::format("`{}` would run after something that runs behind what it is to run before", of.name),
                   "Take an order away.");
        steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(before ? end : begin), Step{Step::Kind::Operation, number});
        return true;
    }
    /// The end of an asynchronous message: of a send behind everything, of a receive before its first reader.
    void add_waits() {
        for (std::size_t number = 0; number < program_.operations.size(); ++number) {
            const RankOperation& of = program_.operations[number];
            if (of.kind == Kind::Barrier || of.how != Delivery::Asynchronous) continue;
            std::size_t at = steps_.size();
            for (const Definition& reader : program_.definitions) {
                if (of.kind == Kind::Send || std::ranges::none_of(reader.reads, [&](const Read& read) { return read.of == of.of; }))
                    continue;
                const auto runs = position(reader);
                if (runs && *runs > *position(Step{Step::Kind::Operation, number})) at = std::min(at, *runs);
            }
            steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(at), Step{Step::Kind::Wait, number});
        }
    }

    const Program& program_;
    std::map<std::string, std::size_t> group_of_;
    std::vector<Step> steps_;
    std::size_t depth_ = 0;
};

std::string wait_of(const RankOperation& of) {
    return of.name + "__wait";
}
std::string request_of(const RankOperation& of) {
    return of.name + "__request";
}

/// What a statement of an operation touches, and by which connectors.
class StatementMaker {
public:
    StatementMaker(const Program& program, const RankOperation& of, bool waits) : program_(program), of_(of) {
        const std::string name = waits ? wait_of(of) : of.name;
        made_ = {.name = name, .label = name, .place = name};
        made_.domain = of.domain.with_tuple(name);
        if (of.kind != Kind::Barrier) {
            made_.iterators = {of.rank};
            made_.values.emplace(of.rank, symbolic::symbol(of.rank));
        }
        node_.operation = operation(waits);
        node_.label = name;
        if (of.kind != Kind::Barrier && !waits)
            node_.properties = {{"peer", of.peer}, {"tag", static_cast<std::int64_t>(of.kind == Kind::Send ? tag(of) : of.sent)}};
        if (of.kind != Kind::Barrier) wires(waits);
        body_.node.kind = node_;
        made_.body = std::move(body_);
    }
    analysis::ScopStatement statement() { return std::move(made_); }

private:
    std::int64_t tag(const RankOperation& of) const { return &of - program_.operations.data(); }
    std::string operation(bool waits) const {
        const bool at_once = of_.how == Delivery::Asynchronous;
        if (waits) return "MPI_Wait";
        if (of_.kind == Kind::Barrier) return "MPI_Barrier";
        if (of_.kind == Kind::Receive) return at_once ? "MPI_Irecv" : "MPI_Recv";
        return at_once ? "MPI_Isend" : of_.how == Delivery::Synchronous ? "MPI_Ssend" : "MPI_Send";
    }
    void wires(bool waits) {
        const bool sends = of_.kind == Kind::Send;
        const std::string connector = waits ? "_held0" : "_buffer";
        symbolic::Subset box;
        box.dims = box_of(program_, of_);
        const std::string& container = memory_of(program_, of_).storage.name;
        const poly::Map elements = moved(program_, of_).with_domain_tuple(made_.name).with_range_tuple(container);
        if (sends || waits) wire(connector, container, false, ir::memlet(container, box), elements);
        if (!sends || waits) wire(connector, container, true, ir::memlet(container, box), elements);
        if (of_.how != Delivery::Asynchronous) return;
        const poly::Map request = poly::Map::product(made_.domain, poly::Set::parse(fmt::format("{{ {}[0] }}", request_of(of_))));
        const ir::Memlet one = ir::memlet(request_of(of_), symbolic::Subset::indices({0}));
        if (waits) wire("_request", request_of(of_), false, one, request);
        wire("_request", request_of(of_), true, one, request);
    }
    void wire(const std::string& connector, const std::string& container, bool output, const ir::Memlet& memlet,
              const poly::Map& elements) {
        using Access = analysis::StatementAccess::Kind;
        made_.accesses.push_back(
            {.container = container, .connector = connector, .kind = output ? Access::Write : Access::Read, .elements = elements});
        body_.wires.push_back({connector, container, output, memlet});
        (output ? body_.node.out : body_.node.in).emplace(connector, code::DType());
    }

    const Program& program_;
    const RankOperation& of_;
    analysis::ScopStatement made_;
    ir::LibraryNode node_;
    analysis::Operation body_;
};

}  // namespace

Operations place_operations(const Program& program, const UnionMap& times) {
    if (program.operations.empty()) return {.times = times};
    const Sequence sequence(program, times);
    Operations placed{.times = UnionMap::empty()};
    const std::size_t depth = std::max<std::size_t>(sequence.depth(), 2);  // Behind its step stands a message's rank.
    std::vector<std::string> rest;
    for (std::size_t d = 1; d < sequence.depth(); ++d) rest.push_back("x" + std::to_string(d));
    for (std::size_t at = 0; at < sequence.steps().size(); ++at) {
        const Step& step = sequence.steps()[at];
        if (step.kind == Step::Kind::Group) {
            std::vector<std::string> from{std::to_string(step.number)}, to{std::to_string(at)};
            from.insert(from.end(), rest.begin(), rest.end());
            to.insert(to.end(), rest.begin(), rest.end());
            to.resize(depth, "0");
            placed.times = placed.times.unite(
                times.then(poly::Map::parse(fmt::format("{{ [{}] -> [{}] }}", fmt::join(from, ", "), fmt::join(to, ", ")))));
            continue;
        }
        const RankOperation& of = program.operations[step.number];
        const bool waits = step.kind == Step::Kind::Wait;
        std::vector<std::string> time{std::to_string(at)};
        if (of.kind != Kind::Barrier) time.emplace_back("r");
        time.resize(depth, "0");
        const poly::Map own = poly::Map::parse(fmt::format("{{ {}[{}] -> [{}] }}", waits ? wait_of(of) : of.name,
                                                           of.kind == Kind::Barrier ? "" : "r", fmt::join(time, ", ")));
        placed.statements.push_back(StatementMaker(program, of, waits).statement());
        placed.times = placed.times.unite(own.intersect_domain(placed.statements.back().domain));
        if (waits) placed.requests.push_back(request_of(of));
    }
    return placed;
}

// ---- what they bring --------------------------------------------------------------------------------------------------------

namespace {

/// Messages of all ranks.
class Meeting {
public:
    explicit Meeting(const Program& program) : program_(program) {}

    void check() const {
        std::vector<bool> received(program_.operations.size(), false);
        for (const RankOperation& of : program_.operations)
            if (of.kind == Kind::Receive) received[of.sent] = true, pair(program_.operations[of.sent], of);
        for (std::size_t at = 0; at < received.size(); ++at)
            if (program_.operations[at].kind == Kind::Send && !received[at])
                refuse("M003", fmt::format("nobody receives what `{}` sends", program_.operations[at].name), "Add a receive.");
    }

private:
    UnionMap limited(const UnionMap& pairs) const { return pairs.intersect_parameters(program_.context()); }

    void pair(const RankOperation& send, const RankOperation& receive) const {
        if (send.of != receive.of)
            refuse("M004",
                   fmt::format("`{}` receives into `{}` what `{}` sends of `{}`", receive.name, receive.of, send.name, send.of),
                   "Name the same computation or input.");
        const poly::Map to = partners(send, receive), from = partners(receive, send);
        if (const auto lost = example_of(limited(UnionMap(to.subtract(from.reverse())))))
            refuse("M003", fmt::format("{} sends what {} does not receive{}", lost->first, lost->second, lost->where),
                   "Let the ranks of both, and whom they name, fit each other.");
        if (const auto lost = example_of(limited(UnionMap(from.subtract(to.reverse())))))
            refuse("M003", fmt::format("{} receives what {} does not send{}", lost->first, lost->second, lost->where),
                   "Let the ranks of both, and whom they name, fit each other.");
        Expr first_sent = 0, first_brought = 0;
        if (const auto& part = memory_of(program_, send).storage.part) {
            const Expr distance = receive.peer - symbolic::symbol(receive.rank);
            first_sent = part->rows * symbolic::symbol(send.rank), first_brought = part->rows * symbolic::symbol(receive.rank);
            // From the receiver's part on: a size that the call decides has no product with a rank.
            if (!part->rows.constant()) first_sent = part->rows * distance, first_brought = 0;
            if (!part->rows.constant() && !distance.constant())
                refuse(
                    "M011",
                    fmt::format("`{}` receives parts of {} elements, a number that is known only when the function is called, from "
                                "ranks at different distances",
                                receive.name, symbolic::to_string(part->rows)),
                    "Receive from the rank and a constant, or give parts a constant size.");
        }
        const poly::Map sent = from.then(moved(program_, send, first_sent)), brought = moved(program_, receive, first_brought);
        if (const auto wrong = example_of(limited(UnionMap(brought.subtract(sent)).unite(UnionMap(sent.subtract(brought))))))
            refuse("M003",
                   fmt::format("{} receives other points than are sent to it: {} is on one side alone{}", wrong->first,
                               wrong->second, wrong->where),
                   "Give both the same points, each in indices of its rank.");
    }

    const Program& program_;
};

/// Messages of one rank.
class Delivered {
public:
    Delivered(const Program& program, const Operations& placed) : program_(program), times_(placed.times) {}

    void check() const {
        for (const RankOperation& of : program_.operations) {
            if (of.kind == Kind::Barrier) continue;
            const Definition* computation = memory_of(program_, of).computation;
            of.kind == Kind::Send ? sent(of, computation) : brought(of);
        }
        for (const Definition& reader : program_.definitions) {
            if (reader.is_inlined) continue;
            for (const Read& read : reader.reads) available(reader, read);
        }
    }

private:
    UnionMap limited(const UnionMap& pairs) const { return pairs.intersect_parameters(program_.context()); }

    /// Points of the operation's computation or input that are here without any message.
    poly::Set own(const std::string& name) const {
        if (const Definition* computation = program_.find(name)) return computation->domain;
        const Storage& storage = program_.storage.at(name);
        poly::Space space{.tuple = name};
        for (std::size_t d = 0; d < storage.shape.size(); ++d) space.dims.push_back("e__" + std::to_string(d));
        if (!storage.part) return poly::Set::universe(space);
        const Expr index = symbolic::symbol(space.dims.front()), first = first_on_rank(storage.part->rows);
        const Expr mine = symbolic::less(index, storage.part->rows);
        const Expr is_last = symbolic::less_equal(storage.part->all - first, storage.part->rows + storage.part->halo);
        const Expr last = symbolic::logical_and(is_last, symbolic::less(index, storage.part->all - first));
        const auto set =
            poly::to_set(symbolic::logical_and(symbolic::less_equal(0, index), symbolic::logical_or(mine, last)), space);
        if (!set.ok()) refuse("M002", fmt::format("the extents of `{}` are not affine: {}", name, set.why), "Give affine extents.");
        return *set.value;
    }
    poly::Set received(const std::string& name) const {
        poly::Set all = own(name).subtract(own(name));
        for (const RankOperation& of : program_.operations)
            if (of.kind == Kind::Receive && of.of == name) all = all.unite(moved(program_, of).range());
        return all;
    }
    std::string ended(const RankOperation& of) const { return of.how == Delivery::Asynchronous ? wait_of(of) : of.name; }

    void sent(const RankOperation& of, const Definition* computation) const {
        const poly::Map points = moved(program_, of);
        if (const auto absent = example_of(limited(UnionMap(points.subtract(poly::Map::product(of.domain, own(of.of)))))))
            refuse("M003", fmt::format("{} sends {}, which is not on its rank{}", absent->first, absent->second, absent->where),
                   "Send what the rank computes or is passed.");
        if (!computation) return;
        for (const Definition& writer : program_.definitions) {
            if (writer.is_inlined || &program_.original(writer) != computation) continue;
            const UnionMap needs = UnionMap(program_.element(writer)).then(UnionMap(points).reverse());
            if (const auto late = example_of(limited(poly::violated(limited(needs), times_))))
                refuse("M005",
                       fmt::format("the schedule does not run {} before {}, which sends its value{}", late->first, late->second,
                                   late->where),
                       "Order the message behind the computation.");
        }
    }

    void brought(const RankOperation& of) const {
        const poly::Map points = moved(program_, of);
        if (const auto twice = example_of(limited(UnionMap(points.intersect_range(own(of.of))))))
            refuse("M006",
                   fmt::format("{} receives {} over the value that its rank has{}", twice->first, twice->second, twice->where),
                   "Receive points that the rank does not compute and is not passed.");
        for (const RankOperation& other : program_.operations)
            if (other.kind == Kind::Receive && other.of == of.of && &other != &of)
                if (const auto twice = example_of(limited(UnionMap(points.intersect_range(moved(program_, other).range())))))
                    refuse("M006",
                           fmt::format("{} receives {}, which another message brings as well{}", twice->first, twice->second,
                                       twice->where),
                           "Receive each point once.");
        for (const Definition& reader : program_.definitions) {
            if (reader.is_inlined) continue;
            for (const Read& read : reader.reads) {
                if (read.of != of.of) continue;
                const UnionMap needs =
                    UnionMap(points.with_domain_tuple(ended(of))).then(UnionMap(program_.points(reader, read)).reverse());
                if (const auto late = example_of(limited(poly::violated(limited(needs), times_))))
                    refuse("M005",
                           fmt::format("the schedule does not run {} before {}, which reads what it brings{}", late->first,
                                       late->second, late->where),
                           "Order the message before its readers.");
            }
        }
    }

    void available(const Definition& reader, const Read& read) const {
        const Definition* producer = program_.find(read.of);
        if (!producer && !program_.storage.at(read.of).part) return;
        const poly::Set here = own(read.of).unite(received(read.of));
        const poly::Map absent = program_.points(reader, read).subtract(poly::Map::product(reader.domain, here));
        if (const auto one = example_of(limited(UnionMap(absent))))
            refuse("M003",
                   fmt::format("{} reads {}, which {}, and no message brings it{}", one->first, one->second,
                               producer ? "another rank computes" : "its rank is not passed", one->where),
                   "Compute it on the same rank (compute_at), or send and receive it.");
    }

    const Program& program_;
    const UnionMap& times_;
};

/// R2. In the order of steps, every rank runs the same. A wait for an earlier step ends when all earlier ones do; one for a later
/// step, which other ranks reach only after this one, ends if ranks name each other in one direction, and nothing else waits
/// between.
class Circles {
public:
    Circles(const Program& program, const Sequence& sequence) : program_(program), sequence_(sequence) {}

    void check() const {
        for (std::size_t number = 0; number < program_.operations.size(); ++number) {
            const RankOperation& of = program_.operations[number];
            if (of.kind != Kind::Receive) continue;
            const RankOperation& send = program_.operations[of.sent];
            const std::size_t begun = *sequence_.position(Step{Step::Kind::Operation, number});
            const std::size_t sent = *sequence_.position(Step{Step::Kind::Operation, of.sent});
            const std::size_t ended =
                of.how == Delivery::Asynchronous ? *sequence_.position(Step{Step::Kind::Wait, number}) : begun;
            if (send.how != Delivery::Asynchronous && sent < begun) expect_order(send, of, sent, begun);
            if (ended < sent) expect_order(send, of, ended, sent);
        }
    }

private:
    bool waits(const Step& step) const {
        if (step.kind != Step::Kind::Operation) return step.kind == Step::Kind::Wait;
        const RankOperation& of = program_.operations[step.number];
        return of.kind == Kind::Barrier || of.how != Delivery::Asynchronous;
    }
    void expect_order(const RankOperation& send, const RankOperation& receive, std::size_t first, std::size_t last) const {
        const auto circle = [&](const std::string& why) {
            refuse("M005", fmt::format("ranks may wait for each other in a circle: {}", why),
                   "Send asynchronously, before what is received.");
        };
        for (std::size_t at = first + 1; at < last; ++at)
            if (waits(sequence_.steps()[at]))
                circle(fmt::format("something else waits between `{}` and `{}`", send.name, receive.name));
        const poly::Map to = partners(send, receive).intersect_parameters(program_.context());
        const Answer up = to.subtract(to.order_less(0, 0)).is_empty(), down = to.subtract(to.order_greater(0, 0)).is_empty();
        if (up == Answer::Yes || down == Answer::Yes) return;
        const auto example = example_of(UnionMap(to));
        circle(example ? fmt::format("{} may wait for {}, and so on", example->first, example->second) : send.name);
    }

    const Program& program_;
    const Sequence& sequence_;
};

}  // namespace

void check_meetings(const Program& program, const UnionMap& times) {
    Meeting(program).check();
    const Sequence sequence(program, times);
    Circles(program, sequence).check();
}

void check_messages(const Program& program, const Operations& placed) {
    Delivered(program, placed).check();
}

void receive_points(Program& program) {
    for (Definition& of : program.definitions)
        for (const RankOperation& operation : program.operations)
            if (operation.kind == Kind::Receive && operation.of == of.name) {
                const poly::Set points = moved(program, operation).range();
                of.received = of.received ? of.received->unite(points) : points;
            }
}

}  // namespace sluice::schedule
