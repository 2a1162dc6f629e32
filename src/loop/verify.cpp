#include "loop/verify.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "loop/identifier.h"
#include "loop/origins.h"
#include "loop/text.h"
#include "loop/verify_launches.h"
#include "loop/verify_messages.h"
#include "loop/walk.h"

namespace sluice::loop {

namespace {

enum class NameKind : std::uint8_t { Variable, Buffer, Stream, Event };

const char* noun(NameKind kind) {
    switch (kind) {
        case NameKind::Variable:
            return "variable";
        case NameKind::Buffer:
            return "buffer";
        case NameKind::Stream:
            return "stream";
        case NameKind::Event:
            return "event";
    }
    return "";
}

struct Name {
    NameKind kind = NameKind::Variable;
    DType type;
    bool writable = true;
};

// Where control may go from here.
struct Flow {
    bool may_break = false, may_continue = false, may_return = true, in_team = false;
};

bool is_vector_of(const DType& vector, const DType& element) {
    return vector.lanes > 1 && element.lanes == 1 && !element.compound && vector.scalar == element.scalar;
}

// `cblas_dgemm`, `sluice::blas::multiply`.
bool is_qualified_name(std::string_view name) {
    bool begins = true;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const auto letter = static_cast<unsigned char>(name[at]);
        if (letter == ':' && !begins && name.substr(at, 2) == "::") {
            begins = true;
            ++at;
            continue;
        }
        if (std::isalnum(letter) == 0 && letter != '_') return false;
        if (begins && std::isdigit(letter) != 0) return false;
        begins = false;
    }
    return !begins;
}

class Verifier {
public:
    explicit Verifier(const Module& module) : module_(module) {
        for (const ConstantTable& table : module.constants) {
            require(!globals_.contains(table.name), "constant " + table.name + " is defined twice");
            globals_[table.name] = {table.scalar ? NameKind::Variable : NameKind::Buffer, table.type, false};
            const std::size_t count = table.values.size() + table.integers.size();
            if (table.scalar && count != 1)
                report("constant " + table.name + " is a scalar with " + std::to_string(count) + " values");
        }
    }

    std::vector<std::string> run() {
        for (const Function& f : module_.functions) {
            function(f);
            if (!callable_.emplace(f.name, &f).second) report("the function is defined twice");
        }
        function(module_.program);
        const std::vector<std::string> launches = verify_launches(module_);
        violations_.insert(violations_.end(), launches.begin(), launches.end());
        const std::vector<std::string> messages = verify_messages(module_);
        violations_.insert(violations_.end(), messages.begin(), messages.end());
        return std::move(violations_);
    }

private:
    void report(const std::string& sentence) {
        violations_.push_back((function_.empty() ? "" : function_ + ": ") + sentence + from_where(module_, at_));
    }
    void require(bool holds, const std::string& sentence) {
        if (!holds) report(sentence);
    }

    void function(const Function& f) {
        function_ = f.name;
        require(is_identifier(f.name), "`" + f.name + "` is no name that C and C++ leave free");
        names_ = globals_;
        defined_.clear();
        labels_.clear();
        const bool is_program = &f == &module_.program;
        if (is_program)
            for (const Allocate& buffer : module_.persistent) persistent(buffer, f);
        for (const Parameter& p : f.parameters) {
            if (is_program && p.kind == Parameter::Kind::Stream)
                report("stream " + p.name + " is a parameter of the program, which C cannot call");
            const NameKind kind = p.kind == Parameter::Kind::Buffer   ? NameKind::Buffer
                                  : p.kind == Parameter::Kind::Stream ? NameKind::Stream
                                                                      : NameKind::Variable;
            define(p.name, {kind, p.type, p.written || p.kind != Parameter::Kind::Buffer});
        }
        for_each_statement(f.body, [&](const Statement& s) {
            if (const auto* label = std::get_if<Label>(&s.node))
                require(labels_.insert(label->name).second, "label " + label->name + " is set twice");
        });
        body(f.body, {});
        function_.clear();
    }

    void persistent(const Allocate& buffer, const Function& program) {
        require(buffer.place == Place::Persistent, "buffer " + buffer.name + " of the handle is not persistent");
        for (const std::string& symbol : symbolic::free_symbols(buffer.size)) {
            bool found = false;
            for (const Parameter& p : program.parameters)
                found = found || (p.name == symbol && p.kind == Parameter::Kind::Value && p.type == DType(code::Scalar::Int64));
            require(found, "the size of persistent buffer " + buffer.name + " uses " + symbol + ", which init does not know");
        }
        define(buffer.name, {NameKind::Buffer, buffer.type});
    }

    // ---- names ----------------------------------------------------------------------------------------------------------
    void define(const std::string& name, Name meaning) {
        require(is_identifier(name), "`" + name + "` is no name that C and C++ leave free");
        // What a function names itself may hide a constant: one that it uses has its name reserved there.
        const auto hidden = names_.find(name);
        const bool hides_constant = hidden != names_.end() && globals_.contains(name) && !is_defined(name);
        require(hidden == names_.end() || hides_constant,
                std::string(noun(meaning.kind)) + " " + name + " is defined while another " + name + " is visible");
        names_.insert_or_assign(name, std::move(meaning));
        defined_.push_back(name);
    }
    const Name* find(const std::string& name, NameKind kind) {
        const auto found = names_.find(name);
        if (found == names_.end()) {
            report(std::string(noun(kind)) + " " + name + " is used but not defined here");
            return nullptr;
        }
        if (found->second.kind != kind) {
            report(name + " is used as a " + noun(kind) + " but is a " + noun(found->second.kind));
            return nullptr;
        }
        return &found->second;
    }
    bool is_defined(const std::string& name) const { return std::find(defined_.begin(), defined_.end(), name) != defined_.end(); }
    void forget(std::size_t before) {
        for (; defined_.size() > before; defined_.pop_back()) {
            names_.erase(defined_.back());
            if (const auto constant = globals_.find(defined_.back()); constant != globals_.end()) names_.insert(*constant);
        }
    }
    void body(const Body& statements, Flow flow) {
        const std::size_t before = defined_.size();
        const Statement* const around = at_;
        for (const Statement& s : statements) {
            at_ = &s;
            std::visit([&](const auto& n) { statement(n, flow); }, s.node);
        }
        at_ = around;
        forget(before);
    }
    template <class Define> void scoped(const Body& statements, Flow flow, Define&& define_names) {
        const std::size_t before = defined_.size();
        define_names();
        body(statements, flow);
        forget(before);
    }

    // ---- values ---------------------------------------------------------------------------------------------------------
    void expr(const Expr& e) {
        std::set<std::string> buffers;
        subscripts(e, buffers);
        for (const std::string& symbol : symbolic::free_symbols(e))
            if (!buffers.contains(symbol)) find(symbol, NameKind::Variable);
    }
    void subscripts(const Expr& e, std::set<std::string>& buffers) {
        if (e.kind() == symbolic::Kind::Call && e.name() == "Subscript") {
            require(e.operands().size() == 2, "the subscript " + symbolic::to_string(e) + " is not flat");
            if (!e.operands().empty() && e.operands()[0].is_symbol() && find(e.operands()[0].name(), NameKind::Buffer))
                buffers.insert(e.operands()[0].name());
        }
        for (const Expr& operand : e.operands()) subscripts(operand, buffers);
    }
    void same_type(const DType& a, const DType& b, const std::string& what) {
        if (!(a == b)) report(what + " has type " + code::to_string(a) + " where " + code::to_string(b) + " is needed");
    }
    /// Of a value that is printed only where it is wrong: values nest, and each would be printed with all that it holds.
    void same_type(const DType& a, const DType& b, const char* part, const Value& of) {
        if (!(a == b)) same_type(a, b, part + to_text(of));
    }
    void value(const ValuePtr& v) {
        if (!v) return report("a value is missing");
        for_each_operand(*v, [&](const ValuePtr& operand) { value(operand); });
        std::visit(Overloaded{
                       [&](const Variable& n) {
                           if (const Name* name = find(n.name, NameKind::Variable)) same_type(v->type, name->type, n.name);
                       },
                       [&](const Index& n) { expr(n.expr); },
                       [&](const Load& n) { element(n.buffer, v->type, false); },
                       [&](const Address& n) { find(n.buffer, NameKind::Buffer); },
                       [&](const Binary& n) {
                           if (n.left && n.right) same_type(n.right->type, n.left->type, "the right operand of ", *v);
                       },
                       [&](const Select& n) {
                           if (!n.if_true || !n.if_false || !n.condition) return;
                           same_type(n.if_false->type, n.if_true->type, "the else-value of ", *v);
                           if (n.condition->type.scalar != code::Scalar::Bool)
                               report("the condition of " + to_text(*v) + " is not a bool");
                       },
                       [&](const StreamSize& n) { find(n.stream, NameKind::Stream); },
                       [](const auto&) {},
                   },
                   v->node);
    }
    void element(const std::string& buffer, const DType& type, bool write) {
        const Name* name = find(buffer, NameKind::Buffer);
        if (!name) return;
        if (!is_vector_of(type, name->type)) same_type(type, name->type, "an element of " + buffer);
        if (write) require(name->writable, buffer + " is written but only read by its declaration");
    }
    void condition(const ValuePtr& v) {
        value(v);
        if (v) require(v->type == DType(code::Scalar::Bool), "the condition " + to_text(*v) + " is not a bool");
    }
    void write_variable(const std::string& variable, const DType& type) {
        const Name* name = find(variable, NameKind::Variable);
        if (!name) return;
        same_type(type, name->type, "the new value of " + variable);
        require(name->writable, variable + " is assigned but constant");
    }

    // ---- statements -----------------------------------------------------------------------------------------------------
    void statement(const Declare& n, Flow) {
        if (n.value) value(n.value), same_type(n.value->type, n.type, "the first value of " + n.name);
        define(n.name, {NameKind::Variable, n.type, !n.constant});
    }
    void statement(const Assign& n, Flow) {
        value(n.value);
        if (n.value) write_variable(n.name, n.value->type);
    }
    void statement(const Store& n, Flow) {
        value(n.index), value(n.value);
        if (n.value) element(n.buffer, n.value->type, true);
    }
    void statement(const Update& n, Flow) {
        value(n.value);
        if (!n.value) return;
        if (n.index) {
            value(n.index);
            element(n.buffer, n.value->type, true);
        } else {
            write_variable(n.buffer, n.value->type);
        }
        if (!n.before.empty()) write_variable(n.before, n.value->type);
        if (n.op != ReductionType::Custom) return;
        scoped({}, {}, [&] {
            define(n.old_name, {NameKind::Variable, n.value->type, false});
            define(n.new_name, {NameKind::Variable, n.value->type, false});
            value(n.combine);
            if (n.combine) same_type(n.combine->type, n.value->type, "the combination for " + n.buffer);
        });
    }
    void statement(const Allocate& n, Flow) {
        expr(n.size);
        require((n.place == Place::Mapped) == !n.file.empty(), "the file of " + n.name + " is missing, or nothing maps it");
        require(n.place != Place::Persistent, "persistent buffer " + n.name + " is allocated inside a function");
        require((n.place != Place::Stack && n.place != Place::Registers) || n.size.constant().has_value(),
                "the stack buffer " + n.name + " has no constant size");
        define(n.name, {NameKind::Buffer, n.type});
    }
    void statement(const Grow& n, Flow) { find(n.buffer, NameKind::Buffer), expr(n.size); }
    void statement(const AllocateStream& n, Flow) {
        expr(n.count), expr(n.capacity);
        define(n.name, {NameKind::Stream, n.type});
    }
    void statement(const Alias& n, Flow) {
        if (n.address) value(n.address);
        define(n.name, {NameKind::Buffer, n.type});
    }
    void statement(const Rebind& n, Flow) { find(n.name, NameKind::Buffer), value(n.address); }
    void statement(const CopyContiguous& n, Flow) {
        value(n.destination), value(n.source), expr(n.count);
        if (n.queued) find(n.queued.event, NameKind::Event);
    }
    void statement(const Event& n, Flow) { define(n.name, {NameKind::Event, {}, false}); }
    void statement(const Await& n, Flow) { find(n.event, NameKind::Event); }
    void statement(const ZeroFill& n, Flow) { value(n.destination), expr(n.count); }
    void statement(const Prefetch& n, Flow) {
        value(n.address);
        require(n.address && std::holds_alternative<Address>(n.address->node), "what is prefetched is no element of a buffer");
    }

    void statement(const For& n, Flow flow) {
        expr(n.begin), expr(n.end), expr(n.step);
        require(!n.step.is_integer(0), "loop " + n.variable + " has step 0");
        const bool parallel = n.mode == LoopMode::Parallel;
        if (parallel && n.collapse > 1) perfect_nest(n);
        require(!n.simd || (parallel && n.collapse <= 1), "loop " + n.variable + " has lanes but is not parallel by itself");
        require(parallel || n.collapse <= 1, "loop " + n.variable + " is collapsed but not parallel");
        require(!n.nowait || (parallel && flow.in_team), "loop " + n.variable + " does not wait but no team runs it");
        require(parallel || n.mode == LoopMode::Simd || n.reductions.empty(),
                "loop " + n.variable + " reduces but is not parallel");
        for (const Reduction& r : n.reductions) {
            expr(r.elements);
            find(r.name, r.elements.is_integer(0) ? NameKind::Variable : NameKind::Buffer);
        }
        Flow inner = flow;
        const bool axis = n.mode == LoopMode::Axis;
        inner.may_break = !parallel && !axis && n.mode != LoopMode::Simd;
        inner.may_continue = !axis;
        if (parallel) inner.may_return = inner.in_team = false;
        if (n.mode == LoopMode::Simd) inner.may_return = false;
        scoped(n.body, inner, [&] { define(n.variable, {NameKind::Variable, code::Scalar::Int64, false}); });
    }
    void perfect_nest(const For& outer) {
        const For* loop = &outer;
        std::set<std::string> variables;
        for (std::int64_t depth = 1; depth < outer.collapse; ++depth) {
            variables.insert(loop->variable);
            const For* inner = loop->body.size() == 1 ? std::get_if<For>(&loop->body[0].node) : nullptr;
            if (!inner)
                return report("the nest of loop " + outer.variable + " is not perfect to depth " + std::to_string(outer.collapse));
            for (const Expr* bound : {&inner->begin, &inner->end, &inner->step})
                for (const std::string& symbol : symbolic::free_symbols(*bound))
                    require(!variables.contains(symbol), "collapsed loop " + inner->variable + " depends on loop " + symbol);
            loop = inner;
        }
    }
    void statement(const While& n, Flow flow) {
        condition(n.condition);
        flow.may_break = flow.may_continue = true;
        body(n.body, flow);
    }
    void statement(const If& n, Flow flow) {
        condition(n.condition);
        body(n.then_body, flow);
        body(n.else_body, flow);
    }
    static Flow concurrent() {
        Flow flow;
        flow.may_return = false;
        return flow;
    }
    void statement(const ParallelSections& n, Flow) {
        require(n.names.empty() || n.names.size() == n.sections.size(), "some sections have a name and others have none");
        for (const std::string& name : n.names)
            require(is_identifier(name), "the processing element `" + name + "` has a name that C and C++ do not leave free");
        for (const Body& section : n.sections) body(section, concurrent());
    }
    void statement(const ParallelRegion& n, Flow) {
        Flow flow = concurrent();
        flow.in_team = true;
        scoped(n.body, flow, [&] {
            if (!n.thread_variable.empty()) define(n.thread_variable, {NameKind::Variable, code::Scalar::Int64, false});
            if (!n.count_variable.empty()) define(n.count_variable, {NameKind::Variable, code::Scalar::Int64, false});
        });
    }
    void statement(const Barrier&, Flow flow) {
        require(flow.in_team, "a barrier stands outside a parallel region or inside a shared loop");
    }
    void statement(const Launch& n, Flow) {
        require(is_identifier(n.kernel), "the kernel `" + n.kernel + "` has a name that C and C++ do not leave free");
        for (const auto* of : {&n.grid, &n.block})
            for (const Expr& e : *of) expr(e);
        if (n.queued) find(n.queued.event, NameKind::Event);
        Flow flow = concurrent();
        flow.in_team = true;
        body(n.body, flow);
    }
    void statement(const Block& n, Flow flow) { body(n.body, flow); }
    void queue(const std::string& stream, const ValuePtr& index) {
        find(stream, NameKind::Stream);
        if (index) value(index);
    }
    void statement(const Push& n, Flow) {
        queue(n.stream, n.index), value(n.value);
        if (const Name* stream = find(n.stream, NameKind::Stream); stream && n.value)
            same_type(n.value->type, stream->type, "what " + n.stream + " is pushed");
    }
    void statement(const Pop& n, Flow) {
        queue(n.stream, n.index);
        if (const Name* stream = find(n.stream, NameKind::Stream)) write_variable(n.variable, stream->type);
    }
    void statement(const Drain& n, Flow) {
        queue(n.stream, n.index), value(n.destination);
        if (n.limit) value(n.limit);
    }
    void statement(const Consume& n, Flow) {
        queue(n.stream, n.index), expr(n.pes);
        if (n.stop) condition(n.stop);
        scoped(n.body, concurrent(), [&] {
            if (!n.pe_variable.empty()) define(n.pe_variable, {NameKind::Variable, code::Scalar::Int64, false});
            define(n.element_variable, {NameKind::Variable, n.element_type, false});
        });
    }
    void statement(const Invoke& n, Flow) {
        for (const ValuePtr& argument : n.arguments)
            if (!argument || !names_a_stream(*argument)) value(argument);
        const auto callee = callable_.find(n.function);
        if (callee == callable_.end()) return report("function " + n.function + " is called before it is defined");
        require(callee->second->parameters.size() == n.arguments.size(),
                "function " + n.function + " is called with " + std::to_string(n.arguments.size()) + " arguments instead of " +
                    std::to_string(callee->second->parameters.size()));
    }
    void statement(const Extern& n, Flow) {
        for (const ValuePtr& argument : n.arguments) value(argument);
        require(module_.libraries.contains(n.library),
                "a function of the library " + n.library + " is called, which is not among the module's");
        require(is_qualified_name(n.function), "a library's function is called `" + n.function + "`, which is no name");
    }
    void part(const Part& p) {
        if (p.address) value(p.address);
        for (const auto* of : {&p.extents, &p.strides})
            for (const Expr& e : *of) expr(e);
    }
    void ranks(const Ranks& n) {
        if (n.all()) return;
        expr(n.first);
        for (const auto* of : {&n.extents, &n.strides})
            for (const Expr& e : *of) expr(e);
    }
    void statement(const Message& n, Flow) {
        part(n.part), value(n.peer), value(n.tag), ranks(n.among);
        if (n.request) value(n.request);
    }
    void statement(const WaitFor& n, Flow) { part(n.requests); }
    void statement(const Collective& n, Flow) {
        part(n.part), part(n.result), ranks(n.among);
        if (n.root) value(n.root);
    }
    // A stream is passed under its name.
    bool names_a_stream(const Value& v) const {
        const auto* n = std::get_if<Variable>(&v.node);
        const auto found = n ? names_.find(n->name) : names_.end();
        return found != names_.end() && found->second.kind == NameKind::Stream;
    }
    void statement(const Verbatim&, Flow) {}
    void statement(const Fail& n, Flow) {
        for (const ValuePtr& argument : n.arguments) value(argument);
        require(n.arguments.size() <= kFailArguments, "a failure carries too many values");
    }
    void statement(const Timed& n, Flow flow) { body(n.body, flow); }
    void statement(const Break&, Flow flow) { require(flow.may_break, "a break stands outside a sequential loop"); }
    void statement(const Continue&, Flow flow) { require(flow.may_continue, "a continue stands outside a loop"); }
    void statement(const Return&, Flow flow) { require(flow.may_return, "a return leaves a parallel body"); }
    void statement(const Label&, Flow) {}
    void statement(const Goto& n, Flow) { require(labels_.contains(n.label), "goto " + n.label + " has no label"); }

    const Module& module_;
    const Statement* at_ = nullptr;  ///< What a sentence is about.
    std::vector<std::string> violations_;
    std::string function_;
    std::map<std::string, Name> globals_, names_;
    std::vector<std::string> defined_;
    std::set<std::string> labels_;
    std::map<std::string, const Function*> callable_;
};

}  // namespace

std::vector<std::string> verify(const Module& module) {
    return Verifier(module).run();
}

}  // namespace sluice::loop
