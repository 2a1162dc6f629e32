// Explicit dataflow: tasklets with `<<` and `>>`, map and consume scopes as decorated functions.
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Subset;

namespace {

/// The statements of a tasklet with calls of the lambdas that it names written out: `f = lambda a: a + 1; b = f(c)`.
Body without_lambdas(const Body& body) {
    std::map<std::string, const LambdaExpr*> lambdas;
    Body rest;
    for (const StmtPtr& one : body) {
        const auto* named = std::get_if<AssignStmt>(&one->node);
        const auto* lambda = named && named->targets.size() == 1 ? std::get_if<LambdaExpr>(&named->value->node) : nullptr;
        if (lambda && !name_of(named->targets[0]).empty())
            lambdas[std::string(name_of(named->targets[0]))] = lambda;
        else
            rest.push_back(one);
    }
    if (lambdas.empty()) return body;
    const std::function<ExprPtr(const ExprPtr&)> written_out = [&](const ExprPtr& e) -> ExprPtr {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto known = call ? lambdas.find(std::string(name_of(call->function))) : lambdas.end();
        if (known == lambdas.end()) return nullptr;
        const LambdaExpr& lambda = *known->second;
        if (!call->keywords.empty() || call->arguments.size() != lambda.parameters.size())
            refuse("F012", "the lambda " + known->first + " takes " + std::to_string(lambda.parameters.size()) + " arguments",
                   e->span, "pass one for each parameter");
        std::map<std::string, ExprPtr> arguments;
        for (std::size_t at = 0; at < lambda.parameters.size(); ++at)
            arguments[lambda.parameters[at]] = replace_parts(call->arguments[at], written_out);
        return replace_names(replace_parts(lambda.body, written_out), arguments);
    };
    const auto in_expression = [&](const ExprPtr& e) { return replace_parts(e, written_out); };
    return with_expressions(rest, in_expression);
}

}  // namespace

/// `source >> destination` (or `destination << source`) outside of a tasklet: a copy; a stream is drained or filled.
void Translator::copy_statement(const ExprPtr& source, const ExprPtr& destination) {
    refuse_flat();
    const Value from = evaluate(source), to = evaluate(destination);
    const bool drains = from.kind == Value::Kind::Stream, fills = to.kind == Value::Kind::Stream;
    if (!drains && !fills) return assign(target_of(to, destination->span), from, "copy");
    const auto data_of = [&](const Value& value, const Span& span) {
        const Operand* view = as_view(value);
        if (value.kind == Value::Kind::Stream) return value.stream;
        if (!view) refuse("F012", "this is no container", span, "copy between arrays and streams");
        return view->data;
    };
    const std::string source_data = data_of(from, source->span), destination_data = data_of(to, destination->span);
    const Value& array = drains ? to : from;
    ir::Memlet memlet;
    if (array.kind == Value::Kind::Stream) {
        memlet = subset_memlet(array.stream, Subset::extents(array.shape));
    } else {
        const auto subset = subset_of_view(*as_view(array), array.shape);
        if (!subset) refuse("F012", "this index is computed from data", where_, "copy a regular slice");
        memlet = subset_memlet(as_view(array)->data, *subset);
    }
    memlet.dynamic = drains;
    if (drains) memlet.volume = 0;
    need_container(source_data);
    need_container(destination_data);
    need_symbols(symbolic::free_symbols(*memlet.subset));
    note_written(destination_data);
    ir::StateBuilder state = new_state("copy");
    const ir::NodeId read = state.access(source_data), written = state.access(destination_data);
    state.edge(read, "", written, "", std::move(memlet));
}

bool Translator::translate_dataflow(const StmtPtr& statement) {
    const auto* expression = std::get_if<ExprStmt>(&statement->node);
    const auto* shift = expression ? std::get_if<BinaryExpr>(&expression->value->node) : nullptr;
    if (shift && (shift->op == BinaryOp::ShiftLeft || shift->op == BinaryOp::ShiftRight) && !pushing_body(statement)) {
        const bool forward = shift->op == BinaryOp::ShiftRight;
        copy_statement(forward ? shift->left : shift->right, forward ? shift->right : shift->left);
        return true;
    }
    const auto map_params = map_params_;
    auto item = dataflow_item(statement);
    if (!item) return false;
    map_params_ = map_params;
    where_ = statement->span;
    std::string label = "dataflow";
    if (const auto* function = std::get_if<FunctionStmt>(&statement->node)) label = function->name;
    emit_state(label, {std::move(*item)});
    return true;
}

/// `A[i] >> S(-1)` outside of a tasklet: the body of one that pushes an element.
std::optional<Body> Translator::pushing_body(const StmtPtr& statement) const {
    const auto* expression = std::get_if<ExprStmt>(&statement->node);
    const auto* shift = expression ? std::get_if<BinaryExpr>(&expression->value->node) : nullptr;
    const auto* call = shift && shift->op == BinaryOp::ShiftRight ? std::get_if<CallExpr>(&shift->right->node) : nullptr;
    const auto stream = call ? variables_.find(std::string(name_of(call->function))) : variables_.end();
    if (stream == variables_.end() || stream->second.value.kind != Value::Kind::Stream) return std::nullopt;
    const ExprPtr pushed = make_name("pushed", statement->span), element = make_name("element", statement->span);
    const auto memlet = [&](BinaryOp op, const ExprPtr& connector, const ExprPtr& subset) {
        const ExprPtr both = std::make_shared<const code::Expr>(code::Expr{BinaryExpr{op, connector, subset}, statement->span});
        return std::make_shared<const Stmt>(Stmt{ExprStmt{both}, statement->span});
    };
    return Body{memlet(BinaryOp::ShiftRight, pushed, shift->right), memlet(BinaryOp::ShiftLeft, element, shift->left),
                make_assignment(pushed, element)};
}

std::optional<PlanItem> Translator::dataflow_item(const StmtPtr& statement) {
    const Span& span = statement->span;
    if (const std::optional<Body> pushing = pushing_body(statement)) return explicit_tasklet(*pushing, "push", span);
    if (const auto* with = std::get_if<WithStmt>(&statement->node)) {
        if (with->items.size() != 1) return std::nullopt;
        const ExprPtr& context = with->items[0].context;
        const auto* call = std::get_if<CallExpr>(&context->node);
        if (qualified_name(call ? *call->function : *context, bindings_) != "sluice.tasklet") return std::nullopt;
        return explicit_tasklet(with->body, "tasklet", span);
    }
    const auto* function = std::get_if<FunctionStmt>(&statement->node);
    if (!function || function->decorators.empty()) return std::nullopt;
    const ExprPtr& decorator = function->decorators.back();
    const auto* call = std::get_if<CallExpr>(&decorator->node);
    const std::string name = qualified_name(call ? *call->function : *decorator, bindings_);
    if (name == "sluice.tasklet") return explicit_tasklet(function->body, function->name, span);
    if (name == "sluice.consume" || name == "sluice.consumescope") {
        if (!call) unsupported("a consume scope of this form", decorator->span, "write @" + name + "(stream, processing_elements)");
        return consume_scope(*function, *call, name == "sluice.consume", span);
    }
    if (name != "sluice.map" && name != "sluice.mapscope")
        unsupported("an inner function with this decorator", decorator->span, "known: tasklet, map, mapscope, consume");
    std::vector<std::string> params;
    std::vector<ExprPtr> ranges;
    for (const Parameter& parameter : function->parameters) {
        params.push_back(parameter.name);
        // def f(i: _[0:N])
        const auto* range = parameter.annotation ? std::get_if<SubscriptExpr>(&parameter.annotation->node) : nullptr;
        if (range) ranges.push_back(range->index);
    }
    if (call && !call->arguments.empty()) {
        const auto* range = std::get_if<SubscriptExpr>(&call->arguments[0]->node);
        if (!range) refuse("F012", "a map scope needs its ranges", decorator->span, "write @sluice.map(_[0:N])");
        ranges = elements_of(range->index);
    }
    const auto variables = variables_;
    const auto bindings = bindings_;
    const auto map_params = map_params_;
    const auto assumptions = assumptions_;
    const MapHeader header = map_header(params, ranges, decorator->span);
    PlannedScope scope = plan_map(header, function->body, name == "sluice.map", function->name, span);
    variables_ = variables;
    bindings_ = bindings;
    map_params_ = map_params;
    assumptions_ = assumptions;
    return scope;
}

// ---- memlets ------------------------------------------------------------------------------------------------------------
void Translator::explicit_memlet(PlannedCode& code, const std::string& connector, const ExprPtr& e, bool output,
                                 const std::function<void(const std::string&, const Value&)>& begin_with) {
    const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
    ExprPtr object = subscript ? subscript->object : e;
    std::optional<Expr> volume;
    std::string wcr, identity;
    bool dynamic = false;
    if (const auto* call = std::get_if<CallExpr>(&object->node)) {
        if (!call->arguments.empty()) {
            const auto constant = constant_value(*call->arguments[0], bindings_);
            const auto* count = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
            dynamic = count && *count == -1;
            volume = dynamic ? Expr(0) : integer_of(call->arguments[0]);
        }
        if (call->arguments.size() > 1) wcr = reduction_text(call->arguments[1]);
        if (call->arguments.size() > 2) {
            const auto number = constant_value(*call->arguments[2], bindings_);
            if (!number || !output)
                refuse("F012", "the identity of a memlet is a number that is written", call->arguments[2]->span,
                       "write a >> A(1, lambda x, y: x + y, 0)[i]");
            identity = code::to_string(*literal_of(*number, call->arguments[2]->span));
        }
        if (call->arguments.size() > 1 && wcr.empty())
            refuse("F012", "a conflict resolution must be a lambda", call->arguments[1]->span, "write lambda a, b: a + b");
        object = call->function;
    }
    Value base = evaluate(object);
    PlannedMemlet planned{.connector = connector, .memlet = {}, .identity = std::move(identity)};
    if (base.kind == Value::Kind::Stream) {
        planned.memlet = subset_memlet(
            base.stream, subscript ? subset_text(base.shape, subscript->index, e->span) : Subset::extents(base.shape));
        if (!wcr.empty()) refuse("F012", "pushes into a stream do not conflict", e->span, "remove the lambda");
    } else {
        if (!base.is_elements())
            refuse("F012", "a memlet names an array, a number or a stream", e->span, "read or write a container");
        if (subscript && base.rank() > 0) base = index(base, subscript->index, e->span);
        const Operand* view = as_view(base);
        const auto subset = view ? subset_of_view(*view, base.shape) : std::nullopt;
        if (!subset && (output || !base.is_scalar()))
            refuse("F012", "this index is computed from data", e->span, "move the whole container and index it in the tasklet");
        if (!subset) return begin_with(connector, base);  // x << A[col[j]]
        planned.memlet = subset_memlet(view->data, *subset);
    }
    if (volume) planned.memlet.volume = *volume;
    planned.memlet.dynamic = dynamic;
    if (!wcr.empty()) planned.memlet.wcr = wcr;
    (output ? code.out : code.in).push_back(std::move(planned));
}

PlannedCode Translator::explicit_tasklet(const Body& body, const std::string& label, const Span& span,
                                         const std::set<std::string>& bound) {
    PlannedCode code{{}, {}, {}, span};
    Body prefix, rest;
    std::set<std::string> connectors = bound, names = bound;
    for (const auto& [name, count] : occurrences(body)) names.insert(name);
    const auto begin_with = [&](const std::string& name, const Value& value) {
        Wired wired = wire(value, {}, names);
        for (PlannedMemlet& one : wired.in) {
            names.insert(one.connector);
            code.in.push_back(std::move(one));
        }
        prefix.push_back(make_assignment(make_name(name), wired.code));
    };
    std::optional<std::string> foreign;
    for (const StmtPtr& statement : body) {
        const auto* expression = std::get_if<ExprStmt>(&statement->node);
        const auto* shift = expression ? std::get_if<BinaryExpr>(&expression->value->node) : nullptr;
        const bool in = shift && shift->op == BinaryOp::ShiftLeft, out = shift && shift->op == BinaryOp::ShiftRight;
        if (in || out) {
            const std::string connector(name_of(shift->left));
            if (connector.empty())
                refuse("F012", "a memlet begins with the name of a connector", shift->left->span, "write a << A[i]");
            if (!connectors.insert(connector + (out ? ">" : "<")).second)
                refuse("F012", "the connector " + connector + " has two memlets", statement->span, "rename one of them");
            connectors.insert(connector);
            where_ = statement->span;
            explicit_memlet(code, connector, shift->right, out, begin_with);
            continue;
        }
        const auto* constant = expression ? std::get_if<ConstantExpr>(&expression->value->node) : nullptr;
        if (constant && std::holds_alternative<std::string>(constant->value)) {
            foreign = std::get<std::string>(constant->value);
            continue;
        }
        rest.push_back(statement);
    }
    const auto prints = [](const StmtPtr& one) {
        const auto* expression = std::get_if<ExprStmt>(&one->node);
        const auto* call = expression ? std::get_if<CallExpr>(&expression->value->node) : nullptr;
        return call && name_of(call->function) == "printf";
    };
    if (code.out.empty() && !foreign && std::ranges::none_of(rest, prints))
        refuse("F012", "a tasklet without an output", span, "write a result: b >> B[i]");
    if (foreign && rest.empty()) {
        ir::Tasklet tasklet = python_tasklet(label, *foreign);
        tasklet.code.language = ir::Language::CPP;
        if (code.out.empty()) tasklet.side_effects = true;
        code.node = std::move(tasklet);
        return code;
    }
    const auto types_by_name = [&](const ExprPtr& e) {
        return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
            const auto type = bindings_.find(std::string(name_of(part)));
            const bool is_type = type != bindings_.end() && std::holds_alternative<TypeBinding>(type->second);
            const std::optional<DType> known = is_type ? dtype_of(*part, bindings_) : std::nullopt;
            if (known && known->compound)
                refuse("F036", "a tasklet in Python makes no objects of the type " + known->compound->name, part->span,
                       "write the tasklet in C++, or keep the fields in arrays of their own");
            return known ? make_name(code::to_string(*known), part->span) : nullptr;
        });
    };
    rest = with_expressions(without_lambdas(rest), types_by_name);
    // What the tasklet assigns is its own, whatever the graph has under that name.
    std::map<std::string, ExprPtr> renamed;
    const auto own_name = [&](const std::string& name) {
        std::string own = name;
        for (int suffix = 0; name_taken(own) || (own != name && !names.insert(own).second); ++suffix)
            own = name + "_" + std::to_string(suffix);
        if (own != name) renamed.emplace(name, make_name(own));
        return own;
    };
    // Names of the program around the tasklet: constants and numbers are captured, symbols are visible anyway.
    for (const std::string& name : ir::free_names(rest)) {
        if (connectors.contains(name)) continue;
        const auto variable = variables_.find(name);
        const auto global = bindings_.find(name);
        if (variable != variables_.end()) {
            const Value& value = variable->second.value;
            if (value.is_symbolic() && name_of(value.code) == name) {
                need_symbols({name});
            } else if (value.is_scalar()) {
                begin_with(own_name(name), value);
            } else {
                refuse("F012", "the tasklet reads " + name + " without a memlet", span, "add one: x << " + name + "[...]");
            }
        } else if (global != bindings_.end() && std::holds_alternative<NumberBinding>(global->second)) {
            prefix.push_back(make_assignment(make_name(name), literal_of(std::get<NumberBinding>(global->second), span)));
        } else if (global != bindings_.end() && std::holds_alternative<ExpressionBinding>(global->second)) {
            const Expr& value = std::get<ExpressionBinding>(global->second).value;
            need_symbols(symbolic::free_symbols(value));
            prefix.push_back(make_assignment(make_name(name), ir::to_code(value)));
        } else if (global != bindings_.end() && std::holds_alternative<SymbolBinding>(global->second)) {
            need_symbols({std::get<SymbolBinding>(global->second).name});
        } else if (!(global != bindings_.end() && (std::holds_alternative<ModuleBinding>(global->second) ||
                                                   std::holds_alternative<FunctionBinding>(global->second) ||
                                                   std::holds_alternative<TypeBinding>(global->second)))) {
            refuse("F002", "the name " + name + " is not known in this tasklet", span,
                   "read it through a memlet: " + name + " << ...");
        }
    }
    for (const auto& [name, count] : binding_counts(rest))
        if (!connectors.contains(name) && !renamed.contains(name)) own_name(name);
    rest = with_expressions(rest, [&](const ExprPtr& e) { return replace_names(e, renamed); });
    prefix.insert(prefix.end(), rest.begin(), rest.end());
    std::string text = code::to_string(prefix);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    code.node = python_tasklet(label, text);
    return code;
}

PlannedScope Translator::consume_scope(const FunctionStmt& function, const CallExpr& decorator, bool one_tasklet,
                                       const Span& span) {
    const auto& arguments = decorator.arguments;
    if (arguments.empty() || function.parameters.size() != 2)
        refuse("F012", "a consume scope takes a stream, and its function an element and an index", span,
               "write @sluice.consume(S, P) above def f(s, p)");
    if (arguments.size() > 4 || !decorator.keywords.empty() || (arguments.size() > 3 && integer_of(arguments[3]) != Expr(1)))
        refuse("F012", "a consume scope takes a stream, a number of workers and a condition", span,
               "elements are consumed one by one: write @sluice.consume(S, P, lambda: found[0] > 0)");
    const Value stream = evaluate(arguments[0]);
    if (stream.kind != Value::Kind::Stream)
        refuse("F012", "this is no stream", arguments[0]->span, "make one with sluice.define_stream");
    ir::ConsumeEntry entry;
    entry.label = function.name;
    entry.pe_index = function.parameters[1].name;
    entry.num_pes = arguments.size() > 1 ? integer_of(arguments[1]) : Expr(1);
    if (arguments.size() > 2) {
        const auto* condition = std::get_if<LambdaExpr>(&arguments[2]->node);
        entry.condition = ir::CodeBlock{code::to_string(condition ? *condition->body : *arguments[2]), ir::Language::Python};
    }
    const auto variables = variables_;
    const auto bindings = bindings_;
    bind(entry.pe_index, symbolic_value(symbolic::symbol(entry.pe_index)));
    add_map_parameter(entry.pe_index, {0, entry.num_pes, 1, 1});
    const std::string element = function.parameters[0].name;
    PlannedScope scope{std::move(entry), {}, {}, element, span};
    ir::Memlet popped = subset_memlet(stream.stream, Subset::extents(stream.shape));
    popped.dynamic = true;
    scope.in.push_back({"stream", std::move(popped)});
    const Restored unsure(sure_loops_, {});
    if (one_tasklet)
        scope.body.push_back(explicit_tasklet(function.body, function.name, span, {element}));
    else
        scope.body.push_back(nested_body(function.body, function.name, span, BodyElement{element, container(stream.stream).dtype}));
    variables_ = variables;
    bindings_ = bindings;
    return scope;
}

namespace {

/// Names in a tasklet's expression that stand for values: neither functions that tasklets know nor modules of these.
void add_value_names(const ExprPtr& e, std::set<std::string>& names) {
    if (const std::string name(name_of(e)); !name.empty()) names.insert(name);
    const auto* call = std::get_if<CallExpr>(&e->node);
    for_each_child(*e, [&](const ExprPtr& child) {
        if (!call || child != call->function || !(find_function(dotted_name(*child)) || cast_target(dotted_name(*child))))
            add_value_names(child, names);
    });
}

}  // namespace

/// `sluice.elementwise(lambda x: log(x), A, B)`: the lambda is a tasklet's code, over the elements of A.
Value Translator::explicit_elementwise(const Arguments& arguments) {
    const Span& span = arguments.span();
    const auto* function = std::get_if<LambdaExpr>(&arguments.at("function")->node);
    if (!function || function->parameters.size() != 1)
        refuse("F005", "elementwise takes a lambda of one element, an input and an output", arguments.at("function")->span,
               "write sluice.elementwise(lambda x: log(x), A, B)");
    const std::string& element = function->parameters[0];
    std::set<std::string> others;
    add_value_names(function->body, others);
    others.erase(element);
    std::vector<Value> operands{array_of(arguments, "in_array")};
    for (const std::string& name : others) {
        operands.push_back(evaluate(make_name(name, function->body->span)));
        if (!operands.back().is_scalar())
            refuse("F005", name + " is no number: the lambda of elementwise sees one element", function->body->span,
                   "write the expression of arrays itself: B[:] = np.log(A) * C");
    }
    const Value result = combine(operands, span, [&](const std::vector<ExprPtr>& codes) {
        std::map<std::string, ExprPtr> names{{element, codes[0]}};
        std::size_t at = 1;
        for (const std::string& name : others) names.emplace(name, codes[at++]);
        return replace_names(function->body, names);
    });
    const ExprPtr out = arguments.find("out_array");
    if (!out) return result;
    const Target target = target_of(evaluate(out), out->span);
    assign(target, result, "elementwise");
    return none_value();
}

std::string Translator::reduction_text(const ExprPtr& e) const {
    if (std::holds_alternative<LambdaExpr>(e->node)) return code::to_string(*e);
    if (const auto* binary = std::get_if<BinaryExpr>(&e->node)) {
        const std::map<BinaryOp, std::string> kOperators{{BinaryOp::Add, "+"},    {BinaryOp::Sub, "-"},   {BinaryOp::Mul, "*"},
                                                         {BinaryOp::BitAnd, "&"}, {BinaryOp::BitOr, "|"}, {BinaryOp::BitXor, "^"},
                                                         {BinaryOp::Div, "/"}};
        const auto at = kOperators.find(binary->op);
        return at == kOperators.end() ? std::string() : "lambda a, b: a " + at->second + " b";
    }
    return {};
}

Value Translator::explicit_reduce(const Arguments& arguments) {
    const Span& span = arguments.span();
    const ExprPtr function = arguments.at("op"), in = arguments.at("in_array"), out = arguments.find("out_array");
    if (reduction_text(function).empty())
        refuse("F005", "reduce takes a lambda, an input and an output", span,
               "write sluice.reduce(lambda a, b: a + b, A, B, axis=0, identity=0)");
    const Value value = materialise(evaluate(in), "operand");
    ir::LibraryNode library;
    library.operation = "Reduce";
    library.classpath = "dace.libraries.standard.nodes.reduce.Reduce";
    library.label = "reduce";
    library.properties["wcr"] = reduction_text(function);
    std::vector<bool> reduced(value.rank(), true);
    if (const ExprPtr axis = arguments.find("axis")) {
        const auto axes = axes_of(axis, value.rank());
        reduced.assign(value.rank(), false);
        for (const std::int64_t one : axes) reduced[static_cast<std::size_t>(one)] = true;
        library.properties["axes"] = axes;
    }
    std::vector<Expr> shape;
    for (std::size_t dim = 0; dim < value.rank(); ++dim)
        if (!reduced[dim]) shape.push_back(value.shape[dim]);
    if (const ExprPtr identity = arguments.find("identity")) {
        const auto constant = constant_value(*identity, bindings_);
        if (!constant) refuse("F005", "the identity of a reduction must be a constant", identity->span, "use a number");
        if (const auto* v = std::get_if<std::int64_t>(&constant->value)) library.properties["identity"] = *v;
        if (const auto* v = std::get_if<double>(&constant->value)) library.properties["identity"] = *v;
        if (const auto* v = std::get_if<bool>(&constant->value)) library.properties["identity"] = *v;
    }
    const Value place = out ? evaluate(out) : result_place("reduced", strong(value.type), shape, {value});
    const Target target = target_of(place, span);
    const auto subset = subset_of_view(target.view, target.shape);
    if (!subset) unsupported("a reduction into this target", span, "reduce into an array or a regular slice");
    if (!out && !library.properties.contains("identity")) assign(target, neutral("sum", strong(value.type)), "reduce_start");
    PlannedCode code{library, {}, {}, span};
    code.in.push_back({"", subset_memlet(as_view(value)->data, Subset::extents(value.shape))});
    code.out.push_back({"", subset_memlet(target.view.data, *subset)});
    emit_state("reduce", {std::move(code)});
    return place;
}
}  // namespace sluice::frontend
