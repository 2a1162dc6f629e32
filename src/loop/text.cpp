#include "loop/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loop/names.h"
#include "loop/origins.h"
#include "loop/walk.h"

namespace sluice::loop {

namespace {

template <class Words, class Word> const char* word(const Words& words, Word at) {
    return words[static_cast<std::size_t>(at)];
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else
            result += c;
    }
    return result + "\"";
}

/// An index expression where no value can stand: names and numbers plain, anything else in braces.
std::string bare(const Expr& e) {
    const std::string text = symbolic::to_string(e);
    return e.is_integer() || e.is_symbol() ? text : "{" + text + "}";
}

std::string real_text(double value) {
    std::string text = fmt::format("{}", value);
    if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string complex_text(double real, double imaginary) {
    if (imaginary == 0 && !std::signbit(imaginary)) return real_text(real);
    return "(" + real_text(real) + ", " + real_text(imaginary) + ")";
}

bool is_finite(const FloatLiteral& n) {
    return std::isfinite(n.real) && std::isfinite(n.imaginary);
}

/// Prints values; with the types of names also where a value's type is not the one that its parts give it.
class ValuePrinter {
public:
    explicit ValuePrinter(const NameTypes* names) : names_(names) {}

    std::string operator()(const ValuePtr& value) const { return value ? (*this)(*value) : "null"; }
    std::string operator()(const Value& value) const {
        std::string text = plain(value);
        const auto* literal = std::get_if<FloatLiteral>(&value.node);
        const bool named = (literal && !is_finite(*literal)) || (names_ && !(natural_type(value, *names_) == value.type));
        return named && !std::holds_alternative<Cast>(value.node) ? text + ":" + code::to_string(value.type) : text;
    }
    std::string joined(const std::vector<ValuePtr>& values) const {
        std::string text;
        for (const ValuePtr& value : values) text += (text.empty() ? "" : ", ") + (*this)(value);
        return text;
    }

private:
    std::string plain(const Value& value) const {
        const auto text_of = [this](const ValuePtr& v) { return (*this)(v); };
        return std::visit(Overloaded{
                              [](const IntegerLiteral& n) { return std::to_string(n.value); },
                              [](const FloatLiteral& n) { return complex_text(n.real, n.imaginary); },
                              [](const Variable& n) { return n.name; },
                              [](const Index& n) { return "{" + symbolic::to_string(n.expr) + "}"; },
                              [&](const Load& n) { return n.buffer + "[" + text_of(n.index) + "]"; },
                              [&](const Address& n) { return "&" + n.buffer + "[" + text_of(n.index) + "]"; },
                              [&](const Unary& n) {
                                  static constexpr const char* kWords[] = {"-", "not ", "~"};
                                  return kWords[static_cast<std::size_t>(n.op)] + ("(" + text_of(n.operand)) + ")";
                              },
                              [&](const Binary& n) {
                                  return "(" + text_of(n.left) + " " + word(kBinaryWords, n.op) + " " + text_of(n.right) + ")";
                              },
                              [&](const Select& n) {
                                  return "(" + text_of(n.if_true) + " if " + text_of(n.condition) + " else " + text_of(n.if_false) +
                                         ")";
                              },
                              [&](const Cast& n) { return "(" + text_of(n.operand) + " as " + code::to_string(value.type) + ")"; },
                              [&](const Call& n) { return n.function + "(" + joined(n.arguments) + ")"; },
                              [&](const Member& n) { return "(" + text_of(n.object) + ")." + (n.address ? "&" : "") + n.name; },
                              [&](const StreamSize& n) { return "#" + n.stream + "[" + text_of(n.index) + "]"; },
                          },
                          value.node);
    }

    const NameTypes* names_;
};

class TextPrinter {
public:
    explicit TextPrinter(const Module& module, const Statement* wanted = nullptr) : module_(module), wanted_(wanted) {}

    std::string line_of_wanted() {
        const std::string all = print();
        const std::size_t begin = std::min(all.find_first_not_of(' ', wanted_at_), all.size());
        return all.substr(begin, all.find('\n', begin) - begin);
    }

    std::string print() {
        line("module " + module_.name);
        for (const auto& [name, library] : module_.libraries) {
            std::string parts;
            for (const std::string& header : library.headers) parts += " header " + quoted(header);
            for (const std::string& word : library.link_words) parts += " link " + quoted(word);
            line("library " + name + parts + (library.apart ? " apart" : ""));
        }
        for (const StructType& structure : module_.structs) {
            std::string fields;
            for (const auto& [name, type] : structure.fields)
                fields += (fields.empty() ? "" : ", ") + name + ": " + code::to_string(type);
            line("struct " + structure.name + " (" + fields + ")");
        }
        for (const ConstantTable& table : module_.constants) constant(table);
        for (const Allocate& buffer : module_.persistent) line("persistent " + described(buffer));
        if (!module_.global_code.empty()) line("global_code " + quoted(module_.global_code));
        if (!module_.init_code.empty()) line("init_code " + quoted(module_.init_code));
        if (!module_.exit_code.empty()) line("exit_code " + quoted(module_.exit_code));
        for (const Function& one : module_.functions) function(one.on_device ? "device" : "function", one);
        function("program", module_.program);
        return std::move(text_);
    }

private:
    void line(const std::string& words) {
        text_.append(static_cast<std::size_t>(level_) * 2, ' ').append(words).append(std::exchange(from_, {})).append("\n");
    }
    void block(const std::string& head, const Body& statements) {
        line(head);
        ++level_;
        body(statements);
        --level_;
    }
    void body(const Body& statements) {
        const OriginId around = origin_;
        for (const Statement& s : statements) {
            if (&s == wanted_) wanted_at_ = text_.size();
            if (s.origin != around && !wanted_) from_ = " from " + quoted(path_of_origin(module_, s));
            origin_ = s.origin;
            declared_ = &s;
            std::visit([&](const auto& n) { print(n); }, s.node);
            if (declared_) declare(s, names_);
        }
        origin_ = around;
    }
    /// A statement with a body declares its variables before it, after the values of its head.
    void block_of(const std::string& head, const Body& statements) {
        if (declared_) declare(*std::exchange(declared_, nullptr), names_);
        block(head, statements);
        declared_ = nullptr;
    }
    void function(const char* kind, const Function& f) {
        names_.clear();
        declare(module_, names_);
        declare(f, names_);
        std::string head = std::string(kind) + " " + f.name + "(";
        for (std::size_t i = 0; i < f.parameters.size(); ++i) head += (i ? ", " : "") + described(f.parameters[i]);
        block(head + ")", f.body);
    }
    void constant(const ConstantTable& table) {
        std::string values;
        for (const std::int64_t value : table.integers) values += " " + std::to_string(value);
        for (const auto& [real, imaginary] : table.values) values += " " + complex_text(real, imaginary);
        line("constant " + table.name + ": " + code::to_string(table.type) + (table.scalar ? " scalar" : "") +
             (table.space == Space::Global ? " global" : "") + (table.integers.empty() ? " values" : " integers") + values);
    }

    std::string value(const ValuePtr& v) const { return ValuePrinter(&names_)(v); }
    std::string value_of(const ValuePtr& v, const std::string& word_before) const { return v ? word_before + value(v) : ""; }
    static std::string type(const DType& t) { return ": " + code::to_string(t); }
    std::string queue(const std::string& stream, const ValuePtr& index) const { return stream + "[" + value(index) + "]"; }

    void print(const Declare& n) { line((n.constant ? "const " : "var ") + n.name + type(n.type) + value_of(n.value, " = ")); }
    void print(const Assign& n) { line("set " + n.name + " = " + value(n.value)); }
    void print(const Store& n) { line("store " + n.buffer + "[" + value(n.index) + "] = " + value(n.value)); }
    void print(const Update& n) {
        const std::string target = n.index ? n.buffer + "[" + value(n.index) + "]" : n.buffer;
        std::string combine;
        if (n.combine) {
            NameTypes inside = names_;
            if (n.value) inside[n.old_name] = inside[n.new_name] = n.value->type;
            combine = " by (" + n.old_name + ", " + n.new_name + ") -> " + ValuePrinter(&inside)(n.combine);
        }
        line(std::string("update ") + word(kConflictWords, n.conflict) + " " + word(kReductionWords, n.op) + " " + target +
             " with " + value(n.value) + (n.before.empty() ? "" : " into " + n.before) + combine);
    }
    void print(const Allocate& n) { line("allocate " + described(n)); }
    void print(const Grow& n) { line("grow " + n.buffer + " size " + bare(n.size)); }
    void print(const AllocateStream& n) {
        line("stream " + n.name + type(n.type) + " count " + bare(n.count) + " capacity " + bare(n.capacity));
    }
    void print(const Alias& n) {
        line("alias " + n.name + type(n.type) + value_of(n.address, " = ") + (n.restricted ? " restricted" : ""));
    }
    void print(const Rebind& n) { line("rebind " + n.name + " = " + value(n.address)); }
    void print(const CopyContiguous& n) {
        line("copy " + bare(n.count) + " " + code::to_string(n.type) + " " + value(n.source) + " -> " + value(n.destination) +
             described(n.queued));
    }
    void print(const Event& n) { line("event " + n.name); }
    void print(const Await& n) { line("await " + n.event); }
    void print(const Prefetch& n) { line("prefetch " + value(n.address)); }
    void print(const ZeroFill& n) { line("zero " + bare(n.count) + " " + code::to_string(n.type) + " " + value(n.destination)); }
    void print(const For& n) { block_of(described(n), n.body); }
    void print(const While& n) { block_of((n.test_at_end ? "repeat " : "while ") + value(n.condition), n.body); }
    void print(const If& n) {
        block_of("if " + value(n.condition), n.then_body);
        if (!n.else_body.empty()) block("else", n.else_body);
        declared_ = nullptr;
    }
    void print(const ParallelSections& n) {
        line("sections");
        ++level_;
        for (std::size_t at = 0; at < n.sections.size(); ++at)
            block(n.names.empty() ? "section" : "section " + n.names[at], n.sections[at]);
        --level_;
        declared_ = nullptr;
    }
    void print(const ParallelRegion& n) {
        block_of("region" + (n.thread_variable.empty() ? "" : " thread " + n.thread_variable) +
                     (n.count_variable.empty() ? "" : " of " + n.count_variable) +
                     (n.num_threads ? " threads " + std::to_string(n.num_threads) : ""),
                 n.body);
    }
    void print(const Barrier&) { line("barrier"); }
    void print(const Launch& n) {
        const auto extents = [](const std::array<Expr, 3>& of) { return bare(of[0]) + ", " + bare(of[1]) + ", " + bare(of[2]); };
        if (n.dataflow) return block_of("dataflow " + n.kernel, n.body);
        block_of("launch " + n.kernel + " grid " + extents(n.grid) + " block " + extents(n.block) + described(n.queued), n.body);
    }
    void print(const Block& n) { block_of("block" + (n.comment.empty() ? "" : " " + quoted(n.comment)), n.body); }
    void print(const Push& n) { line("push " + queue(n.stream, n.index) + " " + value(n.value)); }
    void print(const Pop& n) { line("pop " + queue(n.stream, n.index) + " " + n.variable); }
    void print(const Drain& n) {
        line("drain " + queue(n.stream, n.index) + " " + value(n.destination) + value_of(n.limit, " most "));
    }
    void print(const Consume& n) {
        const std::string workers =
            std::string(n.parallel ? " parallel" : "") + " pes " + bare(n.pes) + " chunk " + std::to_string(n.chunk);
        std::string until;
        if (n.stop) {
            NameTypes inside = names_;
            declare(*declared_, inside);
            until = " until " + ValuePrinter(&inside)(n.stop);
        }
        block_of("consume " + queue(n.stream, n.index) + workers + (n.pe_variable.empty() ? "" : " by " + n.pe_variable) +
                     " element " + n.element_variable + type(n.element_type) + until,
                 n.body);
    }
    void print(const Invoke& n) { line("invoke " + n.function + "(" + ValuePrinter(&names_).joined(n.arguments) + ")"); }
    void print(const Fail& n) {
        const std::string arguments = n.arguments.empty() ? "" : "(" + ValuePrinter(&names_).joined(n.arguments) + ")";
        line("fail " + (n.error.empty() ? "" : n.error + " ") + quoted(n.message) + arguments);
    }
    void print(const Extern& n) {
        std::string read;
        for (const std::size_t at : n.read) read += (read.empty() ? " reads " : ", ") + std::to_string(at);
        line("extern " + n.library + " " + quoted(n.function) + "(" + ValuePrinter(&names_).joined(n.arguments) + ")" + read);
    }
    std::string part(const Part& p) const {
        std::string text = code::to_string(p.type) + " " + value(p.address);
        for (std::size_t dim = 0; dim < p.extents.size(); ++dim)
            text += (dim == 0 ? " over " : ", ") + bare(p.extents[dim]) + ":" + bare(p.strides[dim]);
        return text;
    }
    static std::string among(const Ranks& ranks) {
        std::string text = ranks.all() ? "" : " among " + bare(ranks.first);
        for (std::size_t dim = 0; dim < ranks.extents.size(); ++dim)
            text += (dim == 0 ? " over " : ", ") + bare(ranks.extents[dim]) + ":" + bare(ranks.strides[dim]);
        return text;
    }
    void print(const Message& n) {
        line((n.sends ? "send " : "receive ") + part(n.part) + (n.sends ? " to " : " from ") + value(n.peer) + " tag " +
             value(n.tag) + value_of(n.request, " request ") + (n.synchronous ? " synchronous" : "") + among(n.among));
    }
    void print(const WaitFor& n) { line("wait " + part(n.requests)); }
    void print(const Collective& n) {
        const bool combines = n.kind == Collective::Kind::Reduce || n.kind == Collective::Kind::AllReduce;
        line(std::string("collective ") + word(kCollectiveWords, n.kind) +
             (combines ? std::string(" ") + word(kReductionWords, n.op) : "") + (n.part.address ? " " + part(n.part) : "") +
             (n.result.address ? " -> " + part(n.result) : "") + value_of(n.root, " root ") + among(n.among));
    }
    void print(const Verbatim& n) { line("verbatim " + quoted(n.text)); }
    void print(const Timed& n) { block_of((n.counts ? "counted " : "timed ") + quoted(n.name), n.body); }
    void print(const Break&) { line("break"); }
    void print(const Continue&) { line("continue"); }
    void print(const Return&) { line("return"); }
    void print(const Label& n) { line("label " + n.name); }
    void print(const Goto& n) { line("goto " + n.label); }

    static std::string described(const Queued& n) {
        return n ? " queue " + std::to_string(n.queue) + " event " + n.event : std::string();
    }
    static std::string bank(const std::string& name) { return name.empty() ? std::string() : " bank " + quoted(name); }
    static std::string described(const Allocate& n) {
        return n.name + type(n.type) + " size " + bare(n.size) + " " + word(kPlaceWords, n.place) +
               (n.file.empty() ? "" : " " + quoted(n.file)) + (n.alignment ? " align " + std::to_string(n.alignment) : "") +
               (n.zero ? " zero" : "") + in(n.space) + bank(n.bank);
    }
    static std::string in(Space space) { return space == Space::Own ? std::string() : std::string(" ") + word(kSpaceWords, space); }
    static std::string described(const Parameter& p) {
        switch (p.kind) {
            case Parameter::Kind::Value:
                return p.name + ": value " + code::to_string(p.type);
            case Parameter::Kind::Stream:
                return p.name + ": stream " + code::to_string(p.type);
            case Parameter::Kind::Buffer:
                break;
        }
        return p.name + ": buffer " + code::to_string(p.type) + (p.written ? "" : " read") + (p.restricted ? "" : " aliased") +
               in(p.space);
    }
    std::string described(const For& n) const {
        std::string mode = word(kModeWords, n.mode);
        if (n.mode == LoopMode::Axis) mode += std::string(" ") + word(kLevelWords, n.level) + " " + word(kAxisWords, n.axis);
        std::string head = mode + (" " + n.variable) + " in " + bare(n.begin) + ":" + bare(n.end);
        if (!n.step.is_integer(1)) head += ":" + bare(n.step);
        if (n.collapse > 1) head += " collapse " + std::to_string(n.collapse);
        if (n.schedule != OmpSchedule::Default) head += std::string(" schedule ") + word(kScheduleWords, n.schedule);
        if (n.chunk) head += " chunk " + std::to_string(n.chunk);
        if (n.num_threads) head += " threads " + std::to_string(n.num_threads);
        if (n.simd) head += " lanes";
        if (n.nowait) head += " nowait";
        if (n.covered) head += " covered";
        if (n.interval) head += " interval " + std::to_string(n.interval);
        if (n.unroll_factor) head += " factor " + std::to_string(n.unroll_factor);
        for (const Reduction& r : n.reductions)
            head += std::string(" reduce ") + word(kReductionWords, r.op) + " " + r.name +
                    (r.elements.is_integer(0) ? "" : " elements " + bare(r.elements));
        return head;
    }

    const Module& module_;
    const Statement* wanted_;
    std::size_t wanted_at_ = std::string::npos;
    std::string text_;
    int level_ = 0;
    NameTypes names_;
    OriginId origin_ = 0;                  ///< Of the statement around.
    std::string from_;                     ///< Behind the next line.
    const Statement* declared_ = nullptr;  ///< The statement being printed, until what it declares is in scope.
};

}  // namespace

std::string to_text(const Value& value) {
    return ValuePrinter(nullptr)(value);
}

std::string to_text(const Module& module, const Statement& statement) {
    return TextPrinter(module, &statement).line_of_wanted();
}

std::string to_text(const Module& module) {
    return TextPrinter(module).print();
}

}  // namespace sluice::loop
