#include "lower/statements.h"

#include "code/walk.h"
#include "lower/writes.h"

namespace sluice::lower {

using code::Scalar;

PythonTasklet::PythonTasklet(StateContext& state, NodeId node, ConnectorTable& connectors, const code::Body& code)
    : state_(state), node_(node), connectors_(connectors), code_(code), meaning_(meaning_of(state.function, state.path_of(node))) {
    meaning_.name = [this, outer = meaning_.name](const std::string& name) {
        const auto own = name_value(name);
        return own ? own : outer(name);
    };
    meaning_.element = [this, outer = meaning_.element](const std::string& name, const std::vector<ValuePtr>& indices) {
        const auto own = element_value(name, indices);
        return own ? own : outer(name, indices);
    };
    meaning_.length = [this, outer = meaning_.length](const std::string& name) {
        const auto in = connectors_.in.find(name);
        const bool stream =
            in != connectors_.in.end() && in->second.location && in->second.location->slot->kind == Slot::Kind::Stream;
        if (!stream) return outer(name);
        return std::optional(Typed{
            std::make_shared<const loop::Value>(loop::Value{
                Scalar::Int64, loop::StreamSize{in->second.location->slot->name, loop::index_value(in->second.location->first())}}),
            true});
    };
}

void PythonTasklet::refuse_here(const Span& where, const std::string& what) {
    refuse({"L010", what, where.known() ? where : state_.node(node_).metadata.where, state_.path_of(node_),
            "write it with assignments, `if`, `while` and `for ... in range(...)`, or as a C++ tasklet"});
}

std::optional<Typed> PythonTasklet::name_value(const std::string& name) {
    if (const auto local = locals_.find(name); local != locals_.end() && local->second.declared)
        return Typed{loop::variable(local->second.name, local->second.type.dtype), local->second.type.weak};
    if (const auto in = connectors_.in.find(name); in != connectors_.in.end()) {
        if (in->second.value) return Typed{in->second.value, false};
        if (in->second.location && in->second.location->slot->kind != Slot::Kind::Stream)
            return Typed{convert(read(*in->second.location), in->second.type), false};
        return std::nullopt;
    }
    const auto out = connectors_.out.find(name);
    if (out == connectors_.out.end()) return std::nullopt;
    if (!out->second.variable.empty()) return Typed{loop::variable(out->second.variable, out->second.type), false};
    if (out->second.location && out->second.location->slot->kind != Slot::Kind::Stream)
        return Typed{read(*out->second.location), false};
    return std::nullopt;
}

std::optional<Typed> PythonTasklet::element_value(const std::string& name, const std::vector<ValuePtr>& indices) {
    const std::optional<Location>* location = nullptr;
    const DType* type = nullptr;
    if (const auto in = connectors_.in.find(name); in != connectors_.in.end())
        location = &in->second.location, type = &in->second.type;
    if (const auto out = connectors_.out.find(name); !location && out != connectors_.out.end())
        location = &out->second.location, type = &out->second.type;
    if (!location || !*location || (*location)->slot->kind == Slot::Kind::Stream) return std::nullopt;
    const ValuePtr index =
        (*location)->slot->kind == Slot::Kind::Variable ? nullptr : element_index(**location, indices, state_.path_of(node_));
    return Typed{convert(read_at(**location, index), *type), false};
}

void PythonTasklet::lower(Body& body) {
    const auto types = code::infer_locals(code_, [&](const std::string& name) -> std::optional<code::Type> {
        if (const auto in = connectors_.in.find(name); in != connectors_.in.end()) return code::Type{in->second.type, false};
        if (const auto out = connectors_.out.find(name); out != connectors_.out.end())
            return out->second.type.is_void() ? std::nullopt : std::optional(code::Type{out->second.type, false});
        const auto outer = meaning_.name(name);
        if (outer) return outer->type();
        const auto array = state_.function.slots.find(name);
        if (array == state_.function.slots.end()) return std::nullopt;
        return code::Type{array->second.container->dtype, false};
    });
    if (!types) {
        Diagnostic diagnostic = types.error();
        if (diagnostic.path.empty()) diagnostic.path = state_.path_of(node_);
        fail(std::move(diagnostic));
    }
    for (const auto& [name, type] : *types) {
        if (const auto out = connectors_.out.find(name); out != connectors_.out.end())
            out->second.type = type.dtype;
        else
            locals_.emplace(name, Local{{}, type, false});
    }
    statements(code_, body);
}

void PythonTasklet::declare(Local& local, ValuePtr value, Body& body) {
    emit(body, loop::Declare{local.name, local.type.dtype, std::move(value), false});
    local.declared = true;
}

// Names first assigned below a branch or loop live as long as the tasklet: they are declared before it.
void PythonTasklet::declare_assigned_in(const code::Stmt& s, Body& body) {
    const auto declare_target = [&](const code::Expr& target, const auto& self) -> void {
        if (const auto* tuple = std::get_if<code::TupleExpr>(&target.node))
            for (const code::ExprPtr& element : tuple->elements) self(*element, self);
        const auto* name = std::get_if<code::NameExpr>(&target.node);
        if (!name) return;
        if (const auto out = connectors_.out.find(name->id); out != connectors_.out.end()) {
            if (out->second.variable.empty() || out->second.declared) return;
            emit(body, loop::Declare{out->second.variable, out->second.type, nullptr, false});
            out->second.declared = true;
        } else if (const auto local = locals_.find(name->id); local != locals_.end() && !local->second.declared) {
            local->second.name = state_.function.names.fresh(name->id);
            declare(local->second, nullptr, body);
        }
    };
    const auto walk = [&](const code::Body& inner, const auto& self) -> void {
        for (const code::StmtPtr& statement : inner) {
            if (const auto* assign = std::get_if<code::AssignStmt>(&statement->node))
                for (const code::ExprPtr& target : assign->targets) declare_target(*target, declare_target);
            if (const auto* assign = std::get_if<code::AnnAssignStmt>(&statement->node))
                declare_target(*assign->target, declare_target);
            code::for_each_body(*statement, [&](const code::Body& next) { self(next, self); });
        }
    };
    code::for_each_body(s, [&](const code::Body& inner) { walk(inner, walk); });
}

void PythonTasklet::statements(const code::Body& code, Body& body) {
    for (const code::StmtPtr& s : code) statement(*s, body);
}

void PythonTasklet::statement(const code::Stmt& s, Body& body) {
    std::visit(code::Overloaded{
                   [&](const code::AssignStmt& n) {
                       const auto* tuple = std::get_if<code::TupleExpr>(&n.targets[0]->node);
                       if (tuple && n.targets.size() == 1) return assign_tuple(tuple->elements, *n.value, body);
                       const Typed value = lower_expression(*n.value, meaning_);
                       for (const code::ExprPtr& target : n.targets) assign(*target, value, body);
                   },
                   [&](const code::AugAssignStmt& n) {
                       const Typed present = lower_expression(*n.target, meaning_);
                       assign(*n.target, lower_binary(n.op, present, lower_expression(*n.value, meaning_), meaning_.path), body);
                   },
                   [&](const code::AnnAssignStmt& n) {
                       if (n.value) assign(*n.target, lower_expression(*n.value, meaning_), body);
                   },
                   [&](const code::ExprStmt& n) {
                       if (std::holds_alternative<code::ConstantExpr>(n.value->node)) return;
                       if (!print_formatted(*n.value, s.span, body)) lower_expression(*n.value, meaning_);
                   },
                   [&](const code::IfStmt& n) {
                       declare_assigned_in(s, body);
                       loop::If branch{lower_condition(*n.condition, meaning_), {}, {}};
                       statements(n.then_body, branch.then_body);
                       statements(n.else_body, branch.else_body);
                       emit(body, std::move(branch), s.span);
                   },
                   [&](const code::WhileStmt& n) {
                       if (!n.else_body.empty()) refuse_here(s.span, "`while ... else` has no form here");
                       declare_assigned_in(s, body);
                       loop::While loop{lower_condition(*n.condition, meaning_), false, {}};
                       statements(n.body, loop.body);
                       emit(body, std::move(loop), s.span);
                   },
                   [&](const code::ForStmt& n) { count(n, s, body); },
                   [](const code::PassStmt&) {},
                   [&](const code::BreakStmt&) { emit(body, loop::Break{}, s.span); },
                   [&](const code::ContinueStmt&) { emit(body, loop::Continue{}, s.span); },
                   [&](const code::AssertStmt& n) {
                       loop::If fails{lower_condition(*n.condition, meaning_), {}, {}};
                       emit(fails.else_body, failure(n.message), s.span);
                       emit(body, std::move(fails), s.span);
                   },
                   [](const code::ImportStmt&) {},
                   [&](const code::DeleteStmt&) { refuse_here(s.span, "`del` has no meaning in a tasklet"); },
                   [&](const code::WithStmt&) { refuse_here(s.span, "`with` has no meaning in a tasklet"); },
                   [&](const code::FunctionStmt&) { refuse_here(s.span, "a tasklet cannot define functions"); },
                   [&](const code::ReturnStmt&) { refuse_here(s.span, "a tasklet cannot return"); },
                   [&](const code::UnsupportedStmt& n) { refuse_here(s.span, "`" + n.keyword + "` has no meaning in a tasklet"); },
               },
               s.node);
}

// `printf("...", a, b)`, as C knows it: numbers only, and each as wide as its conversion says. `printf(f"{i}\n")` prints
// integers.
bool PythonTasklet::print_formatted(const code::Expr& e, const Span& where, Body& body) {
    const auto* call = std::get_if<code::CallExpr>(&e.node);
    if (!call || code::dotted_name(*call->function) != "printf" || call->arguments.empty()) return false;
    const auto text_of = [](const code::ExprPtr& part) {
        const auto* constant = std::get_if<code::ConstantExpr>(&part->node);
        return constant ? std::get_if<std::string>(&constant->value) : nullptr;
    };
    const auto* filled = std::get_if<code::CallExpr>(&call->arguments[0]->node);
    if (filled && code::dotted_name(*filled->function) != code::kFormatted) filled = nullptr;
    const std::string* written = text_of(call->arguments[0]);
    if (!written && !filled) refuse_here(where, "printf takes a text that is written");
    std::vector<code::ExprPtr> arguments(call->arguments.begin() + 1, call->arguments.end());
    std::string pattern = written ? *written : "";
    for (const code::ExprPtr& part : filled ? filled->arguments : std::vector<code::ExprPtr>{}) {
        const std::string* plain = text_of(part);
        pattern += plain ? *plain : "%d";
        if (!plain) arguments.push_back(part);
    }
    const std::string* const format = &pattern;
    std::string text, values;
    std::size_t argument = 0;
    for (std::size_t at = 0; at < format->size(); ++at) {
        const char c = (*format)[at];
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 32 || c == '"' || c == '\\' || byte > 126) {
            text += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                     static_cast<char>('0' + byte % 8)};
            continue;
        }
        text += c;
        if (c != '%') continue;
        const std::size_t end = format->find_first_not_of("0123456789+-# .hlzjt", at + 1);
        const char conversion = end == std::string::npos ? '\0' : (*format)[end];
        const bool integer = std::string_view("diuoxXc").find(conversion) != std::string_view::npos;
        if (conversion != '%' && !integer && std::string_view("aAeEfFgG").find(conversion) == std::string_view::npos)
            refuse_here(where, "printf prints numbers: this conversion is none of d, i, u, x, c, f, e and g");
        for (++at; at < end; ++at)
            if (std::string_view("hlzjt").find((*format)[at]) == std::string_view::npos) text += (*format)[at];
        text += std::string(integer && conversion != 'c' ? "ll" : "") + conversion;
        if (conversion == '%') continue;
        if (argument == arguments.size()) refuse_here(where, "printf has more conversions than values");
        const ValuePtr given = lower_expression(*arguments[argument++], meaning_).value;
        if (filled && !code::is_integer(given->type.scalar))
            refuse_here(where, "printf of an f-string prints integers: name the conversion of another number, printf(\"%g\", x)");
        const ValuePtr value = convert(given, integer ? Scalar::Int64 : Scalar::Float64);
        const std::string name = state_.function.names.fresh("printed");
        emit(body, loop::Declare{name, value->type, value, true});
        values += std::string(", ") + (conversion == 'c' ? "(int)" : integer ? "(long long)" : "") + name;
    }
    if (argument != arguments.size()) refuse_here(where, "printf has more values than conversions");
    emit(body, loop::Verbatim{"printf(\"" + text + "\"" + values + ");"}, where);
    return true;
}

// What an assertion says: a text, or an exception of a text with `{}` for the integers behind it.
loop::Fail PythonTasklet::failure(const code::ExprPtr& message) {
    loop::Fail fail{"an assertion does not hold", {}, {}};
    const auto set_text = [&](const code::ExprPtr& e) {
        const auto* constant = std::get_if<code::ConstantExpr>(&e->node);
        if (const auto* text = constant ? std::get_if<std::string>(&constant->value) : nullptr) fail.message = *text;
    };
    if (!message) return fail;
    const auto* exception = std::get_if<code::CallExpr>(&message->node);
    if (!exception || exception->arguments.empty()) {
        set_text(message);
        return fail;
    }
    fail.error = code::dotted_name(*exception->function);
    set_text(exception->arguments[0]);
    for (std::size_t at = 1; at < exception->arguments.size() && at <= loop::kFailArguments; ++at)
        fail.arguments.push_back(convert(lower_expression(*exception->arguments[at], meaning_).value, Scalar::Int64));
    return fail;
}

// `for i in range(...)`: a counted loop where the bounds are index arithmetic or can be read once before it.
void PythonTasklet::count(const code::ForStmt& loop, const code::Stmt& s, Body& body) {
    const auto* call = std::get_if<code::CallExpr>(&loop.iterable->node);
    const auto* name = std::get_if<code::NameExpr>(&loop.target->node);
    if (!call || !name || code::dotted_name(*call->function) != "range" || call->arguments.empty() || call->arguments.size() > 3 ||
        !loop.else_body.empty())
        refuse_here(s.span, "only `for name in range(...)` can be lowered");
    declare_assigned_in(s, body);
    const auto bound = [&](std::size_t at, const std::string& hint) {
        const ValuePtr value = convert(lower_expression(*call->arguments[at], meaning_).value, Scalar::Int64);
        if (const auto index = as_index(*value)) return *index;
        const std::string variable = state_.function.names.fresh(hint);
        emit(body, loop::Declare{variable, Scalar::Int64, value, true});
        return symbolic::symbol(variable);
    };
    ::sluice::loop::For counted;
    const bool from = call->arguments.size() > 1;
    counted.begin = from ? bound(0, name->id + "_begin") : Expr(0);
    counted.end = bound(from ? 1 : 0, name->id + "_end");
    if (call->arguments.size() == 3) counted.step = bound(2, name->id + "_step");
    state_.function.names.open();
    counted.variable = state_.function.names.fresh(name->id);
    Local& local = locals_[name->id];
    const Local outer = local;
    local = {counted.variable, {Scalar::Int64, true}, true};
    statements(loop.body, counted.body);
    local = outer;
    if (outer.declared)
        counted.body.insert(counted.body.begin(),
                            {::sluice::loop::Assign{
                                 outer.name, convert(::sluice::loop::variable(counted.variable, Scalar::Int64), outer.type.dtype)},
                             s.span});
    state_.function.names.close();
    emit(body, std::move(counted), s.span);
}

void PythonTasklet::assign_tuple(const std::vector<code::ExprPtr>& targets, const code::Expr& value, Body& body) {
    const auto* values = std::get_if<code::TupleExpr>(&value.node);
    if (!values || values->elements.size() != targets.size())
        refuse_here(value.span, "a tuple of as many values as targets is needed");
    std::vector<Typed> results;
    for (const code::ExprPtr& element : values->elements) {
        const Typed result = lower_expression(*element, meaning_);
        const std::string name = state_.function.names.fresh("value");
        emit(body, loop::Declare{name, result.value->type, result.value, true});
        results.push_back({loop::variable(name, result.value->type), result.weak});
    }
    for (std::size_t at = 0; at < targets.size(); ++at) assign(*targets[at], results[at], body);
}

void PythonTasklet::assign(const code::Expr& target, const Typed& value, Body& body) {
    if (const auto* name = std::get_if<code::NameExpr>(&target.node)) return assign_name(*name, target, value, body);
    if (const auto* element = std::get_if<code::SubscriptExpr>(&target.node)) return assign_element(*element, target, value, body);
    refuse_here(target.span, "only names and elements of connectors can be assigned");
}

void PythonTasklet::assign_name(const code::NameExpr& target, const code::Expr& at, const Typed& value, Body& body) {
    if (const auto out = connectors_.out.find(target.id); out != connectors_.out.end()) {
        OutputConnector& connector = out->second;
        const ValuePtr result = convert(value.value, connector.type);
        if (!connector.variable.empty()) {
            if (connector.declared)
                emit(body, loop::Assign{connector.variable, result}, at.span);
            else
                emit(body, loop::Declare{connector.variable, connector.type, result, false}, at.span);
            connector.declared = true;
            return;
        }
        for (const ir::EdgeId edge : connector.edges) write_edge(state_, edge, nullptr, result, body);
        return;
    }
    const auto local = locals_.find(target.id);
    if (local == locals_.end()) refuse_here(at.span, "`" + target.id + "` cannot be assigned in this tasklet");
    const ValuePtr result = convert(value.value, local->second.type.dtype);
    if (local->second.declared) return emit(body, loop::Assign{local->second.name, result}, at.span);
    local->second.name = state_.function.names.fresh(target.id);
    declare(local->second, result, body);
}

void PythonTasklet::assign_element(const code::SubscriptExpr& target, const code::Expr& at, const Typed& value, Body& body) {
    const std::string name = code::dotted_name(*target.object);
    const auto out = connectors_.out.find(name);
    if (out == connectors_.out.end()) refuse_here(at.span, "`" + name + "` is not an output connector");
    std::vector<ValuePtr> indices;
    const auto* tuple = std::get_if<code::TupleExpr>(&target.index->node);
    if (tuple)
        for (const code::ExprPtr& index : tuple->elements) indices.push_back(lower_expression(*index, meaning_).value);
    else
        indices.push_back(lower_expression(*target.index, meaning_).value);
    const ValuePtr result = convert(value.value, out->second.type);
    for (const ir::EdgeId edge : out->second.edges) {
        const ir::Memlet& memlet = state_.state.edges[edge].memlet;
        const Location location = locate(state_, memlet.data, memlet.subset, node_);
        const bool indexed = location.slot->kind == Slot::Kind::Buffer;
        write_edge(state_, edge, indexed ? element_index(location, indices, state_.path_of(node_)) : nullptr, result, body);
    }
}

}  // namespace sluice::lower
