// V4xx: memlets.
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

/// Scalars and structures have one element; it may be written [0] as well as without index.
bool ranks_agree(const Container& container, const Subset& subset) {
    if (subset.rank() == container.shape.size()) return true;
    return container.shape.empty() && subset == Subset::indices({0});
}

bool is_code(const Node& node) {
    return std::holds_alternative<Tasklet>(node.kind) || std::holds_alternative<NestedSdfg>(node.kind);
}

class MemletCheck {
public:
    MemletCheck(Report& report, Names& names, const Dataflow& flow, EdgeId id)
        : report_(report),
          names_(names),
          flow_(flow),
          edge_(flow.state.edges[id]),
          memlet_(edge_.memlet),
          source_(data_at(flow.source[id.value])),
          sink_(data_at(flow.sink[id.value])) {}

    void run() {
        const Node &src = flow_.state.nodes[edge_.src], &dst = flow_.state.nodes[edge_.dst];
        if (memlet_.empty()) {
            const bool connected = !edge_.src_connector.empty() || !edge_.dst_connector.empty();
            if (connected && !carries_value(src, dst)) add("V402", "the edge has connectors but no memlet");
            return;
        }
        if ((is_code(src) && edge_.src_connector.empty()) || (is_code(dst) && edge_.dst_connector.empty()))
            add("V402", "the memlet of " + memlet_.data + " reaches a code node at no connector");
        const Container* container = names_.container(memlet_.data);
        if (!container) return add("V401", "no container is named " + memlet_.data);
        check_path();
        if (carries_value(src, dst)) return check_carried(*container);
        if (memlet_.subset) check_subset(*container, memlet_.data, *memlet_.subset);
        check_other_side(*container);
        check_prefetch(*container, dst);
        if (memlet_.wcr) check_wcr(*container);
        if (const auto volume = memlet_.volume.constant(); volume && *volume < 0)
            add("V410", "the volume is " + std::to_string(*volume));
        if (memlet_.dynamic) return;  // an estimate, which may name what only the scope knows
        check_symbols(report_, names_, &flow_, flow_.scope_of_edge(edge_), memlet_.volume, where(), "the volume",
                      edge_place(edge_));
    }

private:
    /// A result that goes straight to other code needs no container, hence no memlet.
    bool carries_value(const Node& src, const Node& dst) const {
        return std::holds_alternative<Tasklet>(src.kind) && !edge_.src_connector.empty() && !edge_.dst_connector.empty() &&
               (std::holds_alternative<Tasklet>(dst.kind) || std::holds_alternative<NestedSdfg>(dst.kind));
    }
    /// It moves nothing: what its subset would be does not matter, but for the names in it.
    void check_carried(const Container& container) {
        if (memlet_.wcr) check_wcr(container);
        if (memlet_.prefetch) add("V411", "the memlet of " + memlet_.data + " prefetches, and no array is read");
        if (memlet_.subset)
            check_symbols(report_, names_, &flow_, flow_.scope_of_edge(edge_), *memlet_.subset, where(),
                          "the subset of " + memlet_.data, edge_place(edge_));
    }
    const Span& where() const { return span_of(flow_.state, edge_); }
    void add(std::string_view code, const std::string& message) { report_.add(code, message, where(), edge_place(edge_)); }

    const std::string* data_at(NodeId id) const {
        const auto* access = id.valid() ? std::get_if<Access>(&flow_.state.nodes[id].kind) : nullptr;
        return access ? &access->data : nullptr;
    }
    /// Is the container at this end the memlet's, or the structure that holds it?
    bool names(const std::string* end) const {
        return end && (*end == memlet_.data ||
                       (memlet_.data.size() > end->size() && memlet_.data.starts_with(*end) && memlet_.data[end->size()] == '.'));
    }

    void check_path() {
        if ((source_ || sink_) && !names(source_) && !names(sink_))
            add("V403", "the memlet names " + memlet_.data + ", but its path joins " + (source_ ? *source_ : "code") + " and " +
                            (sink_ ? *sink_ : "code"));
    }

    void check_subset(const Container& container, const std::string& data, const Subset& subset) {
        check_symbols(report_, names_, &flow_, flow_.scope_of_edge(edge_), subset, where(), "the subset of " + data,
                      edge_place(edge_));
        for (const Range& range : subset.dims)
            if (range.step.is_integer(0) || range.tile.is_integer(0)) add("V523", "the step of a range of " + data + " is zero");
        if (!ranks_agree(container, subset))
            return add("V404", data + " has " + std::to_string(container.shape.size()) + " dimensions, its subset [" +
                                   symbolic::to_string(subset) + "] has " + std::to_string(subset.rank()));
        if (memlet_.allow_oob || memlet_.dynamic || container.shape.empty()) return;
        for (std::size_t at = 0; at < subset.rank(); ++at) check_bounds(container, data, subset.dims[at], at);
    }

    /// Decides only differences that are constant: what depends on a symbol is checked where its value is known.
    void check_bounds(const Container& container, const std::string& data, const Range& range, std::size_t dim) {
        const auto* array = std::get_if<Array>(&container.kind);
        const Expr shift = array && dim < array->offset.size() ? array->offset[dim] : Expr(0);
        const Expr extent = container.shape[dim];
        const auto step = range.step.constant();
        const auto tile = range.tile.constant();
        if (!step || *step == 0 || !tile) return;
        if (const auto length = (range.end - range.begin).constant(); length && (*step > 0 ? *length <= 0 : *length >= 0)) return;
        const Expr lowest = *step > 0 ? range.begin : symbolic::min_index(range);
        const Expr highest = symbolic::max_index(range);
        const auto below = (lowest + shift).constant();
        const auto above = (highest + shift - extent).constant();
        if ((below && *below < 0) || (above && *above >= 0))
            add("V405", "the range " + symbolic::to_string(range) + " of dimension " + std::to_string(dim) + " leaves " + data +
                            ", whose extent is " + symbolic::to_string(extent));
    }

    /// Copies between two containers: the other end has its own subset.
    void check_other_side(const Container& container) {
        if (!memlet_.other_subset) return;
        const std::string* other = names(source_) && !(sink_ && source_ && *sink_ == *source_) ? sink_ : source_;
        if (source_ && sink_ && *source_ == *sink_) other = sink_;
        if (names(source_) && names(sink_)) other = source_;
        check_symbols(report_, names_, &flow_, flow_.scope_of_edge(edge_), *memlet_.other_subset, where(), "the other subset",
                      edge_place(edge_));
        const Container* other_container = other ? names_.container(*other) : nullptr;
        if (!other_container) return;
        check_subset(*other_container, *other, *memlet_.other_subset);
        if (!memlet_.subset || memlet_.dynamic || std::holds_alternative<Stream>(container.kind) ||
            std::holds_alternative<Stream>(other_container->kind))
            return;
        const auto difference =
            (symbolic::num_elements(*memlet_.subset) - symbolic::num_elements(*memlet_.other_subset)).constant();
        if (difference && *difference != 0)
            add("V409", "[" + symbolic::to_string(*memlet_.subset) + "] and [" + symbolic::to_string(*memlet_.other_subset) +
                            "] differ in size");
    }

    void check_prefetch(const Container& container, const Node& dst) {
        if (!memlet_.prefetch) return;
        if (!std::holds_alternative<Tasklet>(dst.kind) || !std::holds_alternative<Array>(container.kind))
            return add("V411", "[" + symbolic::to_string(*memlet_.prefetch) + "] of " + memlet_.data +
                                   " is to be prefetched, and the memlet is no read of an array by a tasklet");
        check_symbols(report_, names_, &flow_, flow_.scope_of_edge(edge_), *memlet_.prefetch, where(),
                      "the prefetch of " + memlet_.data, edge_place(edge_));
        if (!memlet_.prefetch->is_index() || !ranks_agree(container, *memlet_.prefetch))
            add("V411",
                "[" + symbolic::to_string(*memlet_.prefetch) + "] is to be prefetched, and is no element of " + memlet_.data);
    }

    void check_wcr(const Container& container) {
        const Result<code::ExprPtr> tree = parsed_expr(memlet_.wcr->text());
        const auto* lambda = tree.ok() ? std::get_if<code::LambdaExpr>(&(*tree)->node) : nullptr;
        if (!lambda || lambda->parameters.size() != 2)
            add("V406",
                "`" + memlet_.wcr->text() + "` is not a lambda of two parameters" + (tree.ok() ? "" : ": " + tree.error().message));
        if (!sink_) add("V407", "the path ends in code, which resolves no conflicts");
        if (std::holds_alternative<Stream>(container.kind)) add("V408", "the memlet pushes to the stream " + memlet_.data);
    }

    Report& report_;
    Names& names_;
    const Dataflow& flow_;
    const Edge& edge_;
    const Memlet& memlet_;
    const std::string *source_, *sink_;
};

}  // namespace

void check_memlet(Report& report, Names& names, const Dataflow& flow, EdgeId id) {
    MemletCheck(report, names, flow, id).run();
}

}  // namespace sluice::ir::verification
