#include "interchange/emitter.h"

#include <algorithm>

namespace sluice::interchange {

namespace {

// Only read to give `attributes` and `branches`; never written as they stand.
bool is_structure(std::string_view key) {
    return key == "attributes" || key == "edge" || key == "branches" || key.starts_with("_meta");
}

}  // namespace

std::string Emitter::symbol(const std::string& name) const {
    const std::string plain = "$" + name;
    if (scopes_.empty()) return plain;
    const Scope& scope = scopes_.back();
    const auto declared = scope.sdfg->symbols.find(name);
    const auto assumed = scope.assumptions.find(name);
    const bool typed = declared != scope.sdfg->symbols.end() && declared->second.is_scalar();
    if (assumed == scope.assumptions.end() && (!typed || declared->second == DType(code::Scalar::Int32))) return plain;
    std::string text = "symbol(" + plain;
    if (typed) text += ", dtype=dace." + std::string(code::scalar_name(declared->second.scalar));
    if (assumed != scope.assumptions.end()) text += ", " + assumed->second;
    return text + ")";
}

const std::string& Emitter::expression(const Expr& e) {
    check(!scopes_.empty(), "an expression outside of any SDFG");
    const auto [at, fresh] = scopes_.back().texts.try_emplace(e.node());
    if (fresh) {
        const ExpressionStyle style{dollar, [this](const std::string& name) { return symbol(name); }};
        at->second = print_expression(e, style);
    }
    return at->second;
}

void Emitter::enter(const Sdfg& sdfg, std::map<std::string, std::string> assumptions) {
    scopes_.push_back({&sdfg, std::move(assumptions), {}});
}

std::size_t Emitter::source_file(const std::string* name) {
    const auto at = std::find(source_files_.begin(), source_files_.end(), name);
    if (at != source_files_.end()) return static_cast<std::size_t>(at - source_files_.begin());
    source_files_.push_back(name);
    return source_files_.size() - 1;
}

Element::Element(Emitter& emitter, std::string_view type, Value extra) : emitter(emitter), extra_(std::move(extra)) {
    emitter.out.begin_object();
    key("type").string(type);
}

TextWriter& Element::key(std::string_view name) {
    (in_attributes_ ? written_attributes_ : written_keys_).push_back(name);
    emitter.out.key(name);
    return emitter.out;
}

const Value* Element::extra_attribute(std::string_view name) const {
    const Value* attributes = extra_.find("attributes");
    return attributes ? attributes->find(name) : nullptr;
}

bool Element::has_extra_attribute(std::string_view name) const {
    return extra_attribute(name) != nullptr;
}

void Element::begin_attributes() {
    key("attributes").begin_object();
    in_attributes_ = true;
}

void Element::write_rest(const Value* rest) {
    if (!rest || !rest->is_object()) return;
    const auto& written = in_attributes_ ? written_attributes_ : written_keys_;
    for (const Member& member : *rest->object()) {
        if (std::find(written.begin(), written.end(), member.key) != written.end()) continue;
        if (!in_attributes_ && is_structure(member.key)) continue;
        emitter.out.key(member.key);
        emitter.out.value(member.value);
    }
}

void Element::end_attributes() {
    write_rest(extra_.find("attributes"));
    in_attributes_ = false;
    emitter.out.end_object();
}

void Element::end() {
    write_rest(&extra_);
    emitter.out.end_object();
}

}  // namespace sluice::interchange
