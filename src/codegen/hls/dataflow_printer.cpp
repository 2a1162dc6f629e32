#include "codegen/hls/dataflow_printer.h"

#include <fmt/format.h>

#include "loop/passes/pipelines.h"

namespace sluice::codegen {

using loop::Space;

std::optional<std::int64_t> DataflowPrinter::place_of(const loop::ValuePtr& index) {
    if (!index) return 0;
    if (const auto* n = std::get_if<loop::IntegerLiteral>(&index->node)) return n->value;
    const auto* n = std::get_if<loop::Index>(&index->node);
    return n ? n->expr.constant() : std::nullopt;
}

std::optional<std::set<std::int64_t>> DataflowPrinter::places_of(const std::string& stream, const loop::Body& body) {
    std::set<std::int64_t> places;
    bool known = true;
    loop::for_each_statement(body, [&](const loop::Statement& s) {
        const auto* push = std::get_if<loop::Push>(&s.node);
        const auto* pop = std::get_if<loop::Pop>(&s.node);
        if (!(push && push->stream == stream) && !(pop && pop->stream == stream)) return;
        const auto place = place_of(push ? push->index : pop->index);
        known = known && place;
        if (place) places.insert(*place);
    });
    return known ? std::optional(places) : std::nullopt;
}

void DataflowPrinter::begin(const loop::Element& element) {
    scope_ = globals_;
    open_loops_.clear();
    enter(element.parameters);
}

std::string DataflowPrinter::parameter(const loop::Parameter& p, bool) {
    if (p.kind == loop::Parameter::Kind::Buffer) return pointer_type(p.type, !p.written, p.space) + " " + p.name;
    return "const " + type(stored(p.type)) + " " + p.name;
}

std::string DataflowPrinter::pointer_type(const code::DType& element, bool constant, Space space) {
    if (space != Space::Global) return KernelPrinter::pointer_type(element, constant, space);
    return off_chip(type(stored(element)), constant);
}

Text DataflowPrinter::print_address(const loop::Address& n) {
    const auto found = scope_.find(n.buffer);
    if (found == scope_.end() || found->second.space != Space::Global) return KernelPrinter::print_address(n);
    const std::string index = subscript(n.index);
    return index == "0" ? Text{n.buffer} : Text{n.buffer + " + (" + index + ")", Level::Sum};
}

void DataflowPrinter::print(const loop::For& s) {
    pragmas(s, true);
    loop_header(s, false);
    pragmas(s, false);
    loop_body(s);
}

void DataflowPrinter::print(const loop::CopyContiguous& s) {
    copy(s.count, value(s.destination), value(s.source));
}

void DataflowPrinter::print(const loop::ZeroFill& s) {
    copy(s.count, value(s.destination), "");
}

void DataflowPrinter::copy(const symbolic::Expr& count, const std::string& destination, const std::string& source) {
    const std::string at = own("at");
    pragmas_of_copy(true);
    out_.open(fmt::format("for (int64_t {0} = 0; {0} < {1}; ++{0}) {{", at, operand(count)));
    pragmas_of_copy(false);
    out_.line(fmt::format("({})[{}] = {};", destination, at, source.empty() ? "0" : fmt::format("({})[{}]", source, at)));
    out_.close();
}

std::vector<std::string> DataflowPrinter::independent(const loop::For& s) const {
    std::vector<std::string> buffers;
    if (s.mode != loop::LoopMode::Pipeline || s.interval != 1) return buffers;
    for (const std::string& buffer : loop::reread(s))
        if (const auto found = scope_.find(buffer); found != scope_.end() && found->second.space == Space::Own)
            buffers.push_back(buffer);
    return buffers;
}

void DataflowPrinter::kernel(const loop::Kernel& kernel) {
    streams_.clear();
    if (!kernel.launch->dataflow) refuse("a launch of threads");
    for (const loop::Statement& s : kernel.launch->body)
        if (const auto* stream = std::get_if<loop::AllocateStream>(&s.node)) {
            const auto count = stream->count.constant();
            if (!count) refuse("as many streams `" + stream->name + "` as only the run knows");
            streams_[stream->name] = {stream->type, *count, stream->capacity.constant().value()};
        }
    dataflow(kernel, loop::elements(module_, kernel));
}

}  // namespace sluice::codegen
