// From names and subsets to relations between instances and elements.
#include <algorithm>

#include "analysis/dependences/builder.h"
#include "code/walk.h"
#include "ir/query.h"
#include "ir/strides.h"
#include "ir/walk.h"

namespace sluice::analysis {

using poly::Map;
using poly::Set;
using poly::Space;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

namespace {

constexpr const char* kUnknown = "unknown";
constexpr const char* kOrder = "$order";
constexpr const char* kAliased = "$aliased";

/// The symbol inside of an unknown value, if there is one.
const Expr* find_unknown(const Expr& e) {
    if (e.kind() == symbolic::Kind::Call && e.name() == kUnknown) return &e.operands()[0];
    for (const Expr& part : e.operands())
        if (const Expr* found = find_unknown(part)) return found;
    return nullptr;
}

bool has_elements(const ir::Container& container) {
    return std::holds_alternative<ir::Array>(container.kind) || std::holds_alternative<ir::Stream>(container.kind);
}

}  // namespace

bool is_known(const Expr& e) {
    return find_unknown(e) == nullptr;
}

Expr ModelBuilder::unknown_value(const std::string& symbol) {
    return symbolic::call(kUnknown, {symbolic::symbol(symbol), Expr(++unknown_values_)});
}

symbolic::Assumptions ModelBuilder::known_at(const Frame& frame) const {
    symbolic::Assumptions known = known_;
    for (const std::size_t at : frame.iterators) known.assume_any(model_.iterators[at].name);
    return known;
}

Expr ModelBuilder::known_value(const Frame& frame, const Expr& e) const {
    return frame.values.empty() ? e : symbolic::substitute(e, frame.values);
}
Subset ModelBuilder::known_subset(const Frame& frame, const Subset& subset) const {
    return frame.values.empty() ? subset : symbolic::substitute(subset, frame.values);
}

std::string ModelBuilder::reason(const Frame&, const Expr& e, const std::string& why) const {
    const Expr* symbol = find_unknown(e);
    if (!symbol) return why;
    const auto at = unknown_.find(symbol->name());
    return at == unknown_.end() ? "the value of `" + symbol->name() + "` is not known" : at->second;
}

Space ModelBuilder::space_of(const Frame& frame, const std::string& tuple) const {
    Space space{.tuple = tuple, .dims = {}};
    for (const std::size_t at : frame.iterators) space.dims.push_back(model_.iterators[at].name);
    return space;
}

Statement& ModelBuilder::add_statement(const Frame& frame, const std::string& label, const ir::State* state, ir::NodeId node,
                                       const Span& where) {
    Statement statement{.tuple = "S" + std::to_string(model_.statements.size()),
                        .label = label,
                        .place = frame.place,
                        .state = state,
                        .node = node,
                        .top = frame.top,
                        .where = where,
                        .iterators = frame.iterators,
                        .domain = {},
                        .guards = frame.guards,
                        .accesses = {},
                        .order = frame.order,
                        .values = frame.values};
    statement.domain = frame.domain.with_tuple(statement.tuple);
    return model_.statements.emplace_back(std::move(statement));
}

Map ModelBuilder::relation(const Frame& frame, const Space& space, const Subset& subset, const ir::Container& container,
                           const std::string& tuple, Certainty& certainty, std::string& why) {
    Subset known = has_elements(container) ? known_subset(frame, subset) : Subset{};
    const auto approximate = [&](const std::string& reason) {
        if (certainty != Certainty::Approximate) why = reason;
        certainty = Certainty::Approximate;
    };
    if (has_elements(container) && known.rank() != container.shape.size()) {
        approximate("a subset of " + tuple + " has another number of dimensions");
        known = known_subset(frame, whole(container));
    }
    poly::Converted<Map> exact = poly::to_elements(known, space, tuple);
    if (exact.ok()) return std::move(*exact.value);
    for (std::size_t d = 0; d < known.rank(); ++d) {
        const poly::Converted<Map> alone = poly::to_elements(Subset{{known.dims[d]}}, space, tuple);
        if (alone.ok()) continue;
        approximate(reason(frame, known.dims[d].begin + known.dims[d].end, alone.why));
        known.dims[d] = symbolic::substitute(whole_dimension(container, d), frame.values);
    }
    exact = poly::to_elements(known, space, tuple);
    if (exact.ok()) return std::move(*exact.value);
    Space all{.tuple = tuple, .dims = {}};
    for (std::size_t d = 0; d < known.rank(); ++d) all.dims.push_back("$" + std::to_string(d));
    return Map::universe(space, all);
}

const Window* ModelBuilder::window_of(const Frame& frame, const std::string& name, bool writing) const {
    if (writing)
        if (const auto at = frame.windows->find(name + ">"); at != frame.windows->end()) return &at->second;
    const auto at = frame.windows->find(name);
    return at == frame.windows->end() ? nullptr : &at->second;
}

std::string ModelBuilder::name_in_model(const Frame& frame, const std::string& name) const {
    return frame.prefix + name;
}

namespace {

/// From what stands at the window's inner side to the model's elements.
Map through(const Map& inner, const Window& window) {
    const auto depth = static_cast<unsigned>(window.depth);
    if (window.fresh) return inner.prefix_range(depth).with_range_tuple(window.container);
    return inner.prefix_range(depth).with_range_tuple("").then(window.elements);
}

}  // namespace

void ModelBuilder::apply_guards(StatementAccess& access, const Frame& frame) const {
    if (access.certainty != Certainty::Must || frame.guards.empty()) return;
    access.certainty = Certainty::Guarded;
    access.why = model_.guards[frame.guards.back()].text;
}

void ModelBuilder::touch(Statement& statement, const Frame& frame, Touch touch) {
    const std::string name(ir::root_name(touch.data));
    const ir::Container* container = ir::find_container(*frame.sdfg, name);
    if (!container) return;  // A constant of the SDFG: nobody writes it.
    if (container->binding == ir::Binding::Reference) {
        model_.obstacles.push_back("the reference `" + name + "` may point anywhere");
        return;
    }
    StatementAccess access{.container = name_in_model(frame, name),
                           .kind = touch.kind,
                           .reduction = touch.reduction,
                           .elements = {},
                           .certainty = touch.certainty,
                           .why = std::move(touch.why),
                           .connector = std::move(touch.connector)};
    if (touch.kind == StatementAccess::Kind::Read && std::holds_alternative<ir::Stream>(container->kind))
        access.kind = StatementAccess::Kind::Write;  // What is popped is gone.
    const bool exact = touch.certainty != Certainty::Approximate;
    access.elements =
        relation(frame, space_of(frame, statement.tuple), touch.subset, *container, access.container, access.certainty, access.why);
    if (const Subset known = known_subset(frame, touch.subset);
        exact && access.certainty == Certainty::Approximate && has_elements(*container) && container->shape.size() == 1 &&
        known.rank() == 1 && known.is_index() && is_known(known.dims[0].begin))
        access.index = known.dims[0].begin;
    if (!has_elements(*container) && !std::holds_alternative<ir::Scalar>(container->kind)) {
        access.certainty = Certainty::Approximate;
        access.why = "members of the structure `" + name + "` are not distinguished";
    }
    if (const Window* window = window_of(frame, name, access.writes())) {
        access.elements = through(access.elements, *window);
        access.container = window->container;
        access.index.reset();
        if (window->certainty > access.certainty) {
            access.certainty = window->certainty;
            access.why = window->why;
        }
    }
    access.elements = access.elements.intersect_domain(statement.domain);
    access.unconditional = access.certainty == Certainty::Must;
    apply_guards(access, frame);
    const auto* array = std::get_if<ir::Array>(&container->kind);
    if (array && array->may_alias && !container->transient)
        statement.accesses.push_back(
            {.container = kAliased,
             .kind = access.kind,
             .reduction = access.reduction,
             .elements =
                 Map::universe(space_of(frame, statement.tuple), Space{.tuple = kAliased}).intersect_domain(statement.domain),
             .certainty = Certainty::Approximate,
             .why = "`" + name + "` may share memory with another argument"});
    statement.accesses.push_back(std::move(access));
}

void ModelBuilder::touch_symbol(Statement& statement, const Frame& frame, const std::string& name, bool writes) {
    StatementAccess access{.container = name_in_model(frame, name),
                           .kind = writes ? StatementAccess::Kind::Write : StatementAccess::Kind::Read,
                           .unconditional = true};
    access.elements = Map::universe(space_of(frame, statement.tuple), Space{.tuple = access.container});
    if (const Window* window = window_of(frame, name, writes)) {
        access.elements = through(access.elements, *window);
        access.container = window->container;
    }
    access.elements = access.elements.intersect_domain(statement.domain);
    apply_guards(access, frame);
    statement.accesses.push_back(std::move(access));
}

void ModelBuilder::touch_order(Statement& statement, const Frame& frame) {
    StatementAccess access{.container = kOrder, .kind = StatementAccess::Kind::Write, .unconditional = true};
    access.elements = Map::universe(space_of(frame, statement.tuple), Space{.tuple = kOrder}).intersect_domain(statement.domain);
    apply_guards(access, frame);
    statement.accesses.push_back(std::move(access));
}

bool ModelBuilder::is_assigned(const Frame& frame, const std::string& symbol) {
    const auto [at, added] = assigned_.try_emplace(frame.sdfg);
    if (added) at->second = ir::assigned_symbols(frame.sdfg->body);
    return at->second.contains(symbol);
}

void ModelBuilder::use_symbols(Statement& statement, const Frame& frame, const std::set<std::string>& names) {
    for (const std::string& name : names)
        if (!frame.bound.contains(name) && is_assigned(frame, name)) touch_symbol(statement, frame, name, false);
}

void ModelBuilder::read_code(Statement& statement, const Frame& frame, const code::Expr& e) {
    const auto read = [&](const std::string& name, Subset subset, Certainty certainty, const std::string& why) {
        touch(statement, frame, {.data = name, .subset = std::move(subset), .certainty = certainty, .why = why});
    };
    if (const auto* subscript = std::get_if<code::SubscriptExpr>(&e.node)) {
        const std::string name = code::dotted_name(*subscript->object);
        if (const ir::Container* container = name.empty() ? nullptr : ir::find_container(*frame.sdfg, name)) {
            std::vector<code::ExprPtr> indices{subscript->index};
            if (const auto* tuple = std::get_if<code::TupleExpr>(&subscript->index->node)) indices = tuple->elements;
            Subset subset;
            for (const code::ExprPtr& index : indices) {
                const Result<Expr> at = ir::to_symbolic(*index);
                if (at.ok()) subset.dims.push_back(Range::index(*at));
                read_code(statement, frame, *index);
            }
            const bool exact = subset.rank() == indices.size() && subset.rank() == container->shape.size();
            read(name, exact ? subset : whole(*container), exact ? Certainty::Must : Certainty::Approximate,
                 exact ? "" : "an index of `" + name + "` is not a symbolic expression");
            return;
        }
    }
    if (const std::string name = code::dotted_name(e); !name.empty()) {
        if (const ir::Container* container = ir::find_container(*frame.sdfg, name))
            read(name, whole(*container), container->shape.empty() ? Certainty::Must : Certainty::Guarded, "");
        else
            use_symbols(statement, frame, {name});
        return;
    }
    if (const auto* call = std::get_if<code::CallExpr>(&e.node)) {
        for (const code::ExprPtr& argument : call->arguments) read_code(statement, frame, *argument);
        return;
    }
    code::for_each_child(e, [&](const code::ExprPtr& child) { read_code(statement, frame, *child); });
}

// ---- windows ------------------------------------------------------------------------------------------------------------

namespace {

std::vector<Expr> offsets_of(const ir::Container& container) {
    const auto* array = std::get_if<ir::Array>(&container.kind);
    std::vector<Expr> offsets = array ? array->offset : std::vector<Expr>{};
    offsets.resize(container.shape.size(), Expr(0));
    return offsets;
}

/// Does a row of so many elements end within the dimension of the outer container? Beyond the outermost one there is nothing.
bool stays_in_row(const Subset& subset, std::size_t dimension, const Expr& elements, const std::vector<Range>& outer_extents,
                  const symbolic::Assumptions& known) {
    const Range &range = subset.dims[dimension], &extent = outer_extents[dimension];
    const auto holds = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, known)); };
    return dimension == 0 || holds(symbolic::less_equal(elements, symbolic::count(range, known))) ||
           holds(symbolic::less_equal(range.begin + elements * range.step, extent.end));
}

/// The dimension of `outer` along which each dimension of `inner` runs, by equal strides in memory; nullopt: none does.
std::optional<std::vector<std::size_t>> aligned(const Subset& subset, const std::vector<Expr>& outer_strides,
                                                const std::vector<Range>& outer_extents, const std::vector<Expr>& inner_strides,
                                                const std::vector<Expr>& inner_shape, const symbolic::Assumptions& known) {
    std::vector<std::size_t> along;
    for (std::size_t k = 0; k < inner_strides.size(); ++k) {
        std::optional<std::size_t> found;
        for (std::size_t d = along.empty() || along.back() == subset.rank() ? 0 : along.back() + 1; d < subset.rank() && !found;
             ++d)
            if (inner_strides[k] == outer_strides[d] * subset.dims[d].step &&
                (!subset.dims[d].is_index() || inner_shape[k].is_integer(1)) &&
                stays_in_row(subset, d, inner_shape[k], outer_extents, known))
                found = d;
        if (!found && inner_shape[k].is_integer(1)) found = subset.rank();  // Only index 0: no dimension is needed.
        if (!found) return std::nullopt;
        along.push_back(*found);
    }
    return along;
}

bool all_constant(const std::vector<Expr>& values) {
    return std::ranges::all_of(values, [](const Expr& e) { return e.constant().has_value(); });
}

}  // namespace

Window ModelBuilder::window(const Frame& frame, const std::string& outer, bool writing, const Subset& subset,
                            const ir::Container& inner, const symbolic::Substitution& inner_symbols) {
    const std::string name(ir::root_name(outer));
    const ir::Container& container = *ir::find_container(*frame.sdfg, name);
    Window result{.container = name_in_model(frame, name), .depth = frame.iterators.size(), .elements = {}, .why = {}};
    Space space = space_of(frame, "");
    std::vector<Expr> indices, inner_shape = inner.shape, inner_strides = ir::strides_of(inner),
                               outer_strides = ir::strides_of(container);
    const std::vector<Expr> inner_offsets = offsets_of(inner);
    const auto inside = [&](const Expr& e) { return symbolic::substitute(e, inner_symbols); };
    for (std::size_t k = 0; k < inner.shape.size(); ++k) {
        space.dims.push_back("$v" + std::to_string(k));
        indices.push_back(symbolic::symbol(space.dims.back()) + inside(inner_offsets[k]));
        inner_shape[k] = inside(inner_shape[k]);
        inner_strides[k] = inside(inner_strides[k]);
    }
    const Subset placed = has_elements(container) ? known_subset(frame, subset) : Subset{};
    for (Expr& stride : outer_strides) stride = known_value(frame, stride);
    const bool same_shape = name == outer && placed.rank() == container.shape.size() && outer_strides.size() == placed.rank();
    std::vector<Range> outer_extents;
    for (std::size_t d = 0; d < container.shape.size(); ++d)
        outer_extents.push_back(symbolic::substitute(whole_dimension(container, d), frame.values));
    const auto along =
        same_shape ? aligned(placed, outer_strides, outer_extents, inner_strides, inner_shape, known_at(frame)) : std::nullopt;
    if (along) {
        Subset elements;
        for (const Range& range : placed.dims) elements.dims.push_back(Range::index(range.begin));
        for (std::size_t k = 0; k < along->size(); ++k)
            if ((*along)[k] < placed.rank()) {
                const std::size_t d = (*along)[k];
                elements.dims[d] = Range::index(placed.dims[d].begin + indices[k] * placed.dims[d].step);
            }
        Frame plain = frame;
        plain.values.clear();
        result.elements = relation(plain, space, elements, container, result.container, result.certainty, result.why);
    } else if (same_shape && all_constant(outer_strides) && all_constant(inner_strides)) {
        // The same address: begin of the subset plus the inner offset, and indices of both within their shapes.
        Space to{.tuple = result.container, .dims = {}};
        Expr condition = symbolic::boolean(true), inner_at = 0, outer_at = 0;
        for (std::size_t k = 0; k < indices.size(); ++k) inner_at = inner_at + indices[k] * inner_strides[k];
        for (std::size_t d = 0; d < placed.rank(); ++d) {
            to.dims.push_back("$e" + std::to_string(d));
            const Expr index = symbolic::symbol(to.dims.back());
            const Range extent = symbolic::substitute(whole_dimension(container, d), frame.values);
            outer_at = outer_at + (index - placed.dims[d].begin) * outer_strides[d];
            condition = symbolic::logical_and(
                condition, symbolic::logical_and(symbolic::less_equal(extent.begin, index), symbolic::less(index, extent.end)));
        }
        const poly::Converted<Map> map =
            poly::to_relation(symbolic::logical_and(condition, symbolic::equal(inner_at, outer_at)), space, to);
        if (map.ok()) result.elements = *map.value;
    }
    if (!result.elements.known()) {
        result.elements = relation(frame, space, whole(container), container, result.container, result.certainty, result.why);
        result.certainty = Certainty::Approximate;
        result.why = "memory of `" + name + "` is seen in another shape";
    }
    if (const Window* further = window_of(frame, name, writing)) {
        result.elements = through(result.elements, *further);
        result.container = further->container;
        if (further->certainty > result.certainty) {
            result.certainty = further->certainty;
            result.why = further->why;
        }
    }
    return result;
}

}  // namespace sluice::analysis
