// V2xx: containers one by one.
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

class ContainerCheck {
public:
    ContainerCheck(Report& report, Names& names, std::string name, const Container& container)
        : report_(report), names_(names), name_(std::move(name)), container_(container) {}

    void run(bool member) {
        check_shape();
        if (!member) check_lifetime();
        if (container_.dtype.is_void() && !std::holds_alternative<ForeignContainer>(container_.kind))
            add("V204", "has no element type");
        std::visit(*this, container_.kind);
    }
    void operator()(const Array& array) {
        symbols(array.strides, "the strides");
        symbols(array.offset, "the offset");
        symbols(array.total_size, "the total size");
        symbols(array.start_offset, "the start offset");
        check_length("strides", array.strides.size());
        check_length("offsets", array.offset.size());
        if (array.alignment < 0 || (array.alignment & (array.alignment - 1)) != 0)
            add("V208", "is aligned to " + std::to_string(array.alignment) + " bytes");
        check_total_size(array);
    }
    void operator()(const Scalar&) {}
    void operator()(const Stream& stream) {
        symbols(stream.buffer_size, "the capacity");
        check_length("offsets", stream.offset.size());
        if (const auto capacity = stream.buffer_size.constant(); capacity && *capacity < 0)
            add("V209", "has room for " + std::to_string(*capacity) + " elements");
    }
    void operator()(const Structure& structure) {
        for (const auto& [member, container] : structure.members) {
            if (!is_identifier(member))
                report_.add("V102", "the name `" + member + "` of a member of " + name_ + " is not an identifier", where());
            nested(name_ + "." + member, *container);
        }
    }
    void operator()(const ContainerArray& array) {
        (*this)(array.layout);
        if (!array.element)
            add("V210", "has no element container");
        else
            nested(name_ + "[]", **array.element);
    }
    void operator()(const ForeignContainer&) {}  // well formed, if not compilable: lowering refuses it

private:
    const Span& where() const { return container_.metadata.where; }
    void add(std::string_view code, const std::string& message) {
        report_.add(code, "the container " + name_ + " " + message, where());
    }
    template <class Symbolic> void symbols(const Symbolic& expression, const std::string& what) {
        check_symbols(report_, names_, nullptr, NodeId(), expression, where(), what + " of " + name_, "");
    }
    void nested(const std::string& name, const Container& container) {
        if (++report_.levels > kMostLevels)
            add("V546", "is nested too deeply");
        else
            ContainerCheck(report_, names_, name, container).run(true);
        --report_.levels;
    }

    void check_shape() {
        const bool element = std::holds_alternative<Scalar>(container_.kind) || std::holds_alternative<Structure>(container_.kind);
        const bool foreign = std::holds_alternative<ForeignContainer>(container_.kind);
        if (!foreign && element != container_.shape.empty())
            add("V201", element ? "holds one element but has a shape" : "has no dimensions");
        for (const Expr& extent : container_.shape)
            if (const auto value = extent.constant(); value && *value < 0) add("V202", "has the extent " + std::to_string(*value));
        symbols(container_.shape, "the shape");
    }
    void check_length(const std::string& what, std::size_t count) {
        if (count != 0 && count != container_.shape.size())
            add("V203", "has " + std::to_string(container_.shape.size()) + " dimensions and " + std::to_string(count) + " " + what);
    }
    void check_lifetime() {
        const bool bound = container_.binding != Binding::Own;
        if (bound && (!container_.transient || container_.lifetime != Lifetime::Scope))
            add("V205", std::string("is a ") + (container_.binding == Binding::View ? "view" : "reference") +
                            (container_.transient ? " with a lifetime of its own" : " and an argument"));
        else if (!container_.transient && container_.lifetime != Lifetime::Scope)
            add("V206", "is an argument with lifetime " + std::string(to_string(container_.lifetime)));
        if (!container_.transient && container_.storage == Storage::Register && !std::holds_alternative<Scalar>(container_.kind))
            add("V212", "is an argument in registers");
        const bool early = container_.lifetime == Lifetime::Persistent || container_.lifetime == Lifetime::External ||
                           container_.lifetime == Lifetime::Global;
        if (!early) return;
        for (const std::string& symbol : symbols_of(container_.shape))
            if (names_.assigned().contains(symbol))
                add("V207", "lives longer than the symbol " + symbol + " of its shape, which the graph assigns");
    }
    /// Only where everything is constant and no stride is negative.
    void check_total_size(const Array& array) {
        const auto total = array.total_size.constant(), start = array.start_offset.constant();
        if (!total || !start || *total == 0) return;
        __int128 last = *start, dense = 1;
        for (std::size_t at = container_.shape.size(); at-- > 0;) {
            const auto extent = container_.shape[at].constant();
            // -1: not known here.
            const std::int64_t stride = array.strides.empty() ? (dense > INT32_MAX ? -1 : static_cast<std::int64_t>(dense))
                                        : array.strides.size() == container_.shape.size()
                                            ? array.strides[at].constant().value_or(-1)
                                            : -1;
            if (!extent || *extent <= 0 || *extent > INT32_MAX || stride < 0 || stride > INT64_MAX / 2) return;
            last += static_cast<__int128>(*extent - 1) * stride;
            dense *= *extent;
        }
        if (last >= *total) add("V211", "has room for " + std::to_string(*total) + " elements, its last one lies beyond");
    }

    Report& report_;
    Names& names_;
    std::string name_;
    const Container& container_;
};

}  // namespace

void check_containers(Report& report, Names& names) {
    for (const auto& [name, container] : names.sdfg.containers) ContainerCheck(report, names, name, container).run(false);
}

}  // namespace sluice::ir::verification
