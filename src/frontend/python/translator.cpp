// A translation begins and ends, and the parts of it that are regions of their own.
#include <algorithm>

#include "analysis/symbols.h"
#include "frontend/python/domain.h"
#include "frontend/python/heap.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

Translator::Translator(FunctionContext& context, const Translator* parent)
    : ArrayProgram(context, parent), context_(context), parent_(parent) {
    if (!parent) {
        bindings_ = context.program->globals;
        return;
    }
    bindings_ = parent->bindings_;
    variables_ = parent->variables_;
    inline_prefix_ = parent->inline_prefix_;
    inline_depth_ = parent->inline_depth_;
}

ir::Sdfg Translator::take() {
    flush_symbols();
    if (!region_->start.valid()) new_state("empty");
    give_first_values();
    Domain(*this).forget_notes();
    return take_graph();
}

void Translator::tell_exceptions(Returns& returns) const {
    returns.raises = raises_ || !entry_checks_.empty();
    returns.program_raises = program_raises_;
}

/// A symbol that some path leaves without a value begins as 0, or it would be an argument: of a variable (where it is read, a check
/// says that it has none), those that say whether a name is bound, and those that such a name's value counts by.
void Translator::give_first_values() {
    std::vector<std::pair<std::string, std::string>> values;
    for (const std::string& name : analysis::free_symbols(sdfg_)) {
        const bool given =
            std::ranges::find(sdfg_.arg_names, name) != sdfg_.arg_names.end() || (parent_ && parent_->variables_.contains(name));
        const auto watched = std::ranges::find_if(context_.watched, [&](const auto& one) { return one.second == name; });
        const bool tells = watched != context_.watched.end() && !(parent_ && parent_->variables_.contains(watched->first));
        const bool variable = integer_locals_.contains(name) || keeper_of_.contains(name) || behind_checks_.contains(name) ||
                              of_numbers_.contains(name);
        if (tells || (variable && defined_symbols_.contains(name) && !given)) values.emplace_back(name, "0");
    }
    if (values.empty()) return;
    const ir::BlockId before = sdfg_.body.start;
    const ir::BlockId first =
        ir::add_block(sdfg_.body, ir::Block{.label = fresh_label("begin"), .kind = Cow<ir::State>(), .metadata = {}});
    ir::add_transition(sdfg_.body, first, before, {}, std::move(values));
    sdfg_.body.start = first;
}

ir::Region Translator::region_of(const std::function<void()>& fill) {
    refuse_flat();
    flush_symbols();
    ir::Region region;
    ir::Region* const outer = std::exchange(region_, &region);
    const ir::BlockId last = std::exchange(last_, ir::BlockId());
    ++depth_;
    const Restored region_number(context_.region, ++context_.regions);
    selections_.clear();
    fill();
    selections_.clear();
    flush_symbols();
    if (!region.start.valid()) new_state("empty");
    --depth_;
    region_ = outer;
    last_ = last;
    return region;
}
// ---- what arrays ask -----------------------------------------------------------------------------------------------------
bool Translator::has_meaning(const std::string& name) const {
    return bindings_.contains(name);
}

void Translator::require_value(const Value& value, const std::string& error, const Span& span) {
    Domain(*this).require_value(value, error, span);
}

bool Translator::surely_reached() const {
    return !parent_ && depth_ == 0 && !may_have_returned_;
}

/// Python makes the call again; other callers cannot, and nobody can repeat a part of a call.
ArrayProgram::Ahead Translator::ahead_of_changes() const {
    if (context_.check_indices || context_.callers.size() > 1) return Ahead::Never;
    return context_.tells_places ? Ahead::Repeats : Ahead::Ends;
}

/// What goes wrong in a function of the prelude is wrong with its call.
Span Translator::reported_at(const Span& span) const {
    const Span& blamed = prelude_call_.known() ? prelude_call_ : span;
    return blamed.line < kWrittenLines ? blamed : line_of_file(blamed).value_or(written_call_);
}

/// Of a function that is written anew: the line that a line of its text stands for.
std::optional<Span> Translator::line_of_file(const Span& span) const {
    const auto& lines = context_.program->lines;
    const std::size_t at = span.line - kWrittenLines;
    if (span.line < kWrittenLines || at >= lines.size() || lines[at] == 0) return std::nullopt;
    Span line = span;
    line.line = lines[at], line.column = 1;
    return line;
}

std::optional<std::string> Translator::container_of_result(const code::DType& type, const std::vector<Expr>& shape,
                                                           const std::vector<Value>& operands) {
    // Whether the container of a number can take the value where it is computed.
    const auto number_fits = [&] {
        const auto forced = context_.types.find(name_);
        if (forced != context_.types.end() && !(forced->second == type)) return false;
        return std::ranges::all_of(storage_[name_], [&](const std::string& data) {
            const ir::Container& present = sdfg_.containers.at(data);
            const bool read = std::ranges::any_of(operands, [&](const Value& value) { return refers_to(value, data); });
            return !present.shape.empty() || !(present.dtype == type) || !read;
        });
    };
    if (name_.empty() || integer_locals_.contains(name_) || (shape.empty() && !number_fits())) return std::nullopt;
    return storage_for(name_, type, shape, operands);
}

}  // namespace sluice::frontend
