#include "lower/copies.h"

#include <algorithm>

#include "loop/walk.h"
#include "lower/launches.h"
#include "lower/streams.h"
#include "lower/writes.h"

namespace sluice::lower {

namespace {

// One dimension of a copy: how many elements, and how far apart they lie on both sides.
struct Dimension {
    Expr count, source, destination;
};

struct Side {
    std::vector<Expr> counts, strides;
};

Side side_of(const FunctionContext& function, const Location& location) {
    Side side;
    for (std::size_t d = 0; d < location.subset.rank(); ++d) {
        const symbolic::Range& range = location.subset.dims[d];
        const Expr count = count_of(function, range);
        if (!count.is_integer(1)) {
            side.counts.push_back(count);
            side.strides.push_back(location.layout.strides[d] * range.step);
        }
        if (!range.tile.is_integer(1)) {
            side.counts.push_back(range.tile);
            side.strides.push_back(location.layout.strides[d]);
        }
    }
    return side;
}

// Joins neighbours that are one run on both sides.
void merge_runs(std::vector<Dimension>& dimensions) {
    for (std::size_t d = dimensions.size(); d-- > 1;) {
        const Dimension inner = dimensions[d];
        Dimension& outer = dimensions[d - 1];
        if (!(outer.source == inner.count * inner.source) || !(outer.destination == inner.count * inner.destination)) continue;
        outer = {outer.count * inner.count, inner.source, inner.destination};
        dimensions.erase(dimensions.begin() + static_cast<std::ptrdiff_t>(d));
    }
}

bool is_run(const Side& side) {
    Expr run = 1;
    for (std::size_t d = side.counts.size(); d-- > 0;) {
        if (!(side.strides[d] == run)) return false;
        run = run * side.counts[d];
    }
    return true;
}

Expr product(const std::vector<Expr>& factors) {
    Expr result = 1;
    for (const Expr& factor : factors) result = result * factor;
    return result;
}

bool differ(const FunctionContext& function, const Expr& a, const Expr& b) {
    const Expr same = symbolic::equal(a, b);
    return symbolic::is_no(symbolic::decide(same, function.known(symbolic::free_symbols(same))));
}

// Pairs the dimensions of both sides; nullopt if their shapes differ (a reshaping copy).
std::optional<std::vector<Dimension>> pair_dimensions(const FunctionContext& function, const Side& source,
                                                      const Side& destination) {
    if (source.counts.size() != destination.counts.size()) {
        if (!(product(source.counts) == product(destination.counts)) || !is_run(source) || !is_run(destination))
            return std::nullopt;
        return std::vector<Dimension>{{product(source.counts), 1, 1}};
    }
    std::vector<Dimension> dimensions;
    for (std::size_t d = 0; d < source.counts.size(); ++d) {
        if (differ(function, source.counts[d], destination.counts[d])) {
            if (!is_run(source) || !is_run(destination) || !(product(source.counts) == product(destination.counts)))
                return std::nullopt;
            return std::vector<Dimension>{{product(source.counts), 1, 1}};
        }
        dimensions.push_back({source.counts[d], source.strides[d], destination.strides[d]});
    }
    return dimensions;
}

// A value that counts elements of one side in row-major order, as a flat index of that side.
ValuePtr delinearised(const FunctionContext& function, const Location& location, const Expr& position) {
    const Side side = side_of(function, location);
    Expr flat = location.first(), rest = position;
    for (std::size_t d = side.counts.size(); d-- > 0;) {
        const Expr digit = d == 0 ? rest : symbolic::modulo(rest, side.counts[d]);
        flat = flat + digit * side.strides[d];
        rest = symbolic::floor_divide(rest, side.counts[d]);
    }
    return loop::index_value(flat);
}

bool is_array(const Location& location) {
    return location.slot->kind == Slot::Kind::Buffer;
}

struct CopyPlan {
    const Location& source;
    const Location& destination;
    const ir::Memlet& memlet;
    NodeId at;
};

void copy_element(StateContext& state, const CopyPlan& plan, const ValuePtr& from, const ValuePtr& to, Body& body) {
    write(state, plan.destination, plan.memlet, is_array(plan.destination) ? to : nullptr, read_at(plan.source, from), plan.at,
          body);
}

bool on_device(const Location& location) {
    return loop::lies_on_device(location.slot->space);
}

/// Both sides are on the device, and the host asks for the copy.
bool is_launch(const StateContext& state, const CopyPlan& plan) {
    return !state.function.on_device && on_device(plan.source) && on_device(plan.destination);
}

/// The loops of a copy, outer first, around what is done for an element.
void close_loops(StateContext& state, const CopyPlan& plan, std::vector<loop::For> loops, Body inner, Body& body, Span where = {}) {
    if (is_launch(state, plan)) return launch_loops(state, std::move(loops), std::move(inner), "copy", plan.at, body);
    if (block_shares(state.function)) return share_in_block(std::move(loops), std::move(inner), state.function, body);
    for (; !loops.empty(); loops.pop_back()) {
        loops.back().body = std::move(inner);
        inner = {};
        emit(inner, std::move(loops.back()), where);
    }
    for (loop::Statement& statement : inner) body.push_back(std::move(statement));
}

/// Elements that lie next to each other on both sides. A variable of the host, which has no address, is one of them.
void copy_run(StateContext& state, const CopyPlan& plan, const Expr& from, const Expr& to, const Expr& length, Body& body) {
    const DType type = plan.source.element_type();
    const auto address_at = [&](const Location& location, const Expr& index, bool filled) {
        if (is_array(location)) return loop::address(location.slot->name, loop::index_value(index), type);
        const std::string place = state.function.names.fresh(location.slot->name + "_place");
        emit(body, loop::Allocate{place, type, 1, loop::Place::Stack});
        if (filled) emit(body, loop::Store{place, loop::index_value(0), loop::variable(location.slot->name, type)});
        return loop::address(place, loop::index_value(0), type);
    };
    const ValuePtr source = address_at(plan.source, from, true), destination = address_at(plan.destination, to, false);
    emit(body, loop::CopyContiguous{destination, source, length, type});
    if (!is_array(plan.destination))
        emit(body, loop::Assign{plan.destination.slot->name,
                                loop::load(std::get<loop::Address>(destination->node).buffer, loop::index_value(0), type)});
}

/// Elements cross between host and device as they are.
void require_plain(const StateContext& state, const CopyPlan& plan) {
    if (state.function.on_device || on_device(plan.source) == on_device(plan.destination)) return;
    if (!plan.memlet.wcr && plan.source.element_type() == plan.destination.element_type()) return;
    refuse({"L025",
            "a copy between `" + plan.source.slot->name + "` and `" + plan.destination.slot->name +
                "`, one of them on the device, converts elements or resolves conflicts",
            plan.memlet.metadata.where, state.path_of(plan.at), "copy to an array of equal type on the other side first"});
}

void reshaping_copy(StateContext& state, const CopyPlan& plan, Body& body) {
    ScopedBindings scope(state.function);
    loop::For loop;
    loop.variable = state.function.names.fresh("element");
    loop.begin = 0;
    loop.end = product(side_of(state.function, plan.source).counts);
    const Expr at = symbolic::symbol(loop.variable);
    const ValuePtr from = delinearised(state.function, plan.source, at), to = delinearised(state.function, plan.destination, at);
    Body inner;
    if (!state.function.on_device && on_device(plan.source) != on_device(plan.destination))
        copy_run(state, plan, *as_index(*from), *as_index(*to), 1, inner);
    else
        copy_element(state, plan, from, to, inner);
    close_loops(state, plan, {std::move(loop)}, std::move(inner), body, state.node(plan.at).metadata.where);
}

// The threads of a team share the outermost loop if `shared`.
void nest_loops(StateContext& state, const CopyPlan& plan, std::vector<Dimension> dimensions, bool shared, Body& body) {
    FunctionContext& function = state.function;
    ScopedBindings scope(function);
    const bool crosses = !function.on_device && on_device(plan.source) != on_device(plan.destination);
    const bool elementwise = plan.memlet.wcr || plan.source.element_type() != plan.destination.element_type() ||
                             plan.source.slot == plan.destination.slot || block_shares(function) ||
                             (is_launch(state, plan) && dimensions.size() > 1);
    const bool run = !elementwise && !dimensions.empty() && dimensions.back().source.is_integer(1) &&
                     dimensions.back().destination.is_integer(1) && !(shared && dimensions.size() == 1);
    Expr run_length = 1;
    if (run) {
        run_length = dimensions.back().count;
        dimensions.pop_back();
    }
    Expr from = plan.source.first(), to = plan.destination.first();
    std::vector<loop::For> loops;
    for (const Dimension& dimension : dimensions) {
        loop::For loop;
        loop.variable = function.names.fresh("c" + std::to_string(loops.size()));
        loop.begin = 0;
        loop.end = dimension.count;
        from = from + symbolic::symbol(loop.variable) * dimension.source;
        to = to + symbolic::symbol(loop.variable) * dimension.destination;
        loops.push_back(std::move(loop));
    }
    Body inner;
    if (run || crosses)
        copy_run(state, plan, from, to, run_length, inner);
    else
        copy_element(state, plan, loop::index_value(from), loop::index_value(to), inner);
    if (shared && !loops.empty()) loops.front().mode = loop::LoopMode::Parallel;
    if (run && is_launch(state, plan)) {
        for (loop::Statement& statement : inner) body.push_back(std::move(statement));
        return;
    }
    close_loops(state, plan, std::move(loops), std::move(inner), body);
}

/// Do the threads of a team share the copy, where it is large enough?
bool has_team(const StateContext& state, const CopyPlan& plan) {
    return plan.memlet.schedule == ir::Schedule::CPU_Multicore && state.function.may_share() && !plan.memlet.wcr &&
           plan.source.slot != plan.destination.slot && !on_device(plan.source) && !on_device(plan.destination);
}

void copy_by_size(StateContext& state, const CopyPlan& plan, const std::vector<Dimension>& dimensions, Body& body) {
    Expr total = 1;
    for (const Dimension& dimension : dimensions) total = total * dimension.count;
    const bool team = has_team(state, plan);
    const Expr least = plan.memlet.omp_min_elements;
    const Expr large = symbolic::less_equal(least, total);
    if (!team || least.is_integer(0) || large.kind() == symbolic::Kind::Boolean)
        return nest_loops(state, plan, dimensions, team && large != symbolic::boolean(false), body);
    loop::If choice{loop::binary(loop::BinaryOp::GreaterEqual, loop::index_value(total), loop::index_value(least)), {}, {}};
    nest_loops(state, plan, dimensions, true, choice.then_body);
    nest_loops(state, plan, dimensions, false, choice.else_body);
    emit(body, std::move(choice), state.node(plan.at).metadata.where);
}

// The subset of the end that the memlet says nothing about: the whole if it holds as many elements, else as large a part from
// its origin, dimensions matched from the last.
std::optional<Subset> implied_subset(const FunctionContext& function, const Subset& given, const ir::Container& container) {
    const Layout layout = layout_of(container);
    const std::size_t rank = layout.shape.size();
    std::vector<Expr> counts;
    for (const symbolic::Range& range : given.dims) counts.push_back(count_of(function, range));
    if (counts.size() != rank) {
        std::erase_if(counts, [](const Expr& count) { return count.is_integer(1); });
        std::size_t wide = 0;
        for (const Expr& extent : layout.shape) wide += !extent.is_integer(1);
        if (counts.size() == wide && counts.size() < rank) {
            std::vector<Expr> spread;
            for (std::size_t d = 0, next = 0; d < rank; ++d)
                spread.push_back(layout.shape[d].is_integer(1) ? Expr(1) : counts[next++]);
            counts = spread;
        }
        if (counts.size() > rank) return std::nullopt;
        counts.insert(counts.begin(), rank - counts.size(), Expr(1));
    }
    Subset result;
    for (std::size_t d = 0; d < rank; ++d) result.dims.push_back({-layout.offset[d], counts[d] - layout.offset[d], 1, 1});
    return result;
}

struct Ends {
    Location source, destination;
};

Ends ends_of(StateContext& state, ir::EdgeId id) {
    const ir::Edge& edge = state.state.edges[id];
    const ir::Memlet& memlet = edge.memlet;
    const PathEnd from = path_source(state, id), to = path_target(state, id);
    const auto& source = std::get<ir::Access>(state.node(from.node).kind);
    const auto& destination = std::get<ir::Access>(state.node(to.node).kind);
    const std::string left = data_at(source, memlet), right = data_at(destination, memlet);
    const bool names_source = left == right ? memlet.is_data_src.value_or(true) : memlet.data == left || memlet.data != right;
    const std::string& data = names_source ? left : right;
    const std::string& other = names_source ? right : left;
    const Location given = locate(state, data, memlet.subset, edge.dst);
    std::optional<Subset> far = memlet.other_subset;
    const Location whole = locate(state, other, std::nullopt, edge.dst);
    Location implied = whole;
    if (far)
        implied = locate(state, other, far, edge.dst);
    else if (given.slot->kind != Slot::Kind::Stream && whole.slot->kind != Slot::Kind::Stream)
        if (const auto subset = implied_subset(state.function, given.subset, *whole.slot->container))
            implied.subset = resolve(state.function, *subset);
    return names_source ? Ends{given, implied} : Ends{implied, given};
}

}  // namespace

ElementLoops::ElementLoops(StateContext& state, const Location& location) : function_(state.function) {
    function_.names.open();
    const Side side = side_of(function_, location);
    Expr flat = location.first();
    for (std::size_t d = 0; d < side.counts.size(); ++d) {
        loop::For loop;
        loop.variable = function_.names.fresh("c" + std::to_string(d));
        loop.begin = 0;
        loop.end = side.counts[d];
        flat = flat + symbolic::symbol(loop.variable) * side.strides[d];
        loops_.push_back(std::move(loop));
    }
    index = loop::index_value(flat);
}

void ElementLoops::close(Body& body) {
    for (; !loops_.empty(); loops_.pop_back()) {
        loops_.back().body = std::move(inner_);
        inner_ = {};
        emit(inner_, std::move(loops_.back()));
    }
    for (loop::Statement& statement : inner_) body.push_back(std::move(statement));
    function_.names.close();
}

void lower_copy(StateContext& state, ir::EdgeId id, Body& body) {
    const ir::Edge& edge = state.state.edges[id];
    if (edge.memlet.empty()) return;
    const Ends ends = ends_of(state, id);
    if (ends.source.slot->kind == Slot::Kind::Stream || ends.destination.slot->kind == Slot::Kind::Stream)
        return copy_stream(state, ends.source, ends.destination, edge.memlet, edge.dst, body);
    const CopyPlan plan{ends.source, ends.destination, edge.memlet, edge.dst};
    const Side source = side_of(state.function, ends.source), destination = side_of(state.function, ends.destination);
    auto dimensions = pair_dimensions(state.function, source, destination);
    if (!dimensions) {
        const Expr moved = product(source.counts), place = product(destination.counts);
        if (differ(state.function, moved, place))
            refuse({"L008",
                    "a copy of " + symbolic::to_string(moved) + " elements of `" + ends.source.slot->name + "` does not fit the " +
                        symbolic::to_string(place) + " elements of `" + ends.destination.slot->name + "`",
                    edge.memlet.metadata.where, state.path_of(edge.dst), "give the memlet subsets of equal size on both sides"});
        require_plain(state, plan);
        return reshaping_copy(state, plan, body);
    }
    merge_runs(*dimensions);
    require_plain(state, plan);
    copy_by_size(state, plan, *dimensions, body);
}

}  // namespace sluice::lower
