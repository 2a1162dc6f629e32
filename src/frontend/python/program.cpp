// A whole function: arguments become containers, the body becomes the SDFG's body, return values become `__return...`.
#include <algorithm>
#include <functional>

#include "analysis/propagate.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/budget.h"
#include "frontend/python/heap.h"
#include "frontend/python/heap_code.h"
#include "frontend/python/heap_types.h"
#include "frontend/python/legacy_random.h"
#include "frontend/python/program_build.h"
#include "frontend/python/queues.h"
#include "frontend/python/recursion.h"
#include "frontend/python/results.h"
#include "frontend/python/rows.h"
#include "frontend/python/tables.h"
#include "frontend/python/tail_calls.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"
#include "ir/verify.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// Locals that may live in the return container from the start: the function ends with its only return, of plain names.
std::map<std::string, std::string> return_variables(const FunctionStmt& function) {
    int returns = 0;
    walk_statements(function.body, [&](const Stmt& statement) {
        returns += std::holds_alternative<ReturnStmt>(statement.node);
        return !std::holds_alternative<FunctionStmt>(statement.node);
    });
    const auto* last = function.body.empty() ? nullptr : std::get_if<ReturnStmt>(&function.body.back()->node);
    if (returns != 1 || !last || !last->value) return {};
    const auto values = elements_of(last->value);
    const bool single =
        !std::holds_alternative<TupleExpr>(last->value->node) && !std::holds_alternative<ListExpr>(last->value->node);
    std::map<std::string, std::string> result;
    for (std::size_t at = 0; at < values.size(); ++at)
        if (const auto name = name_of(values[at]); !name.empty())
            result.emplace(std::string(name), single ? "__return" : "__return_" + std::to_string(at));
    for (const Parameter& parameter : function.parameters) result.erase(parameter.name);
    return result;
}

void refuse_letters_beyond_ascii(const std::string& name, const Span& span) {
    const bool ascii = std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!ascii)
        unsupported("the name " + name, span,
                    "name programs, parameters, variables and symbols with ASCII letters, digits and underscores");
}

/// NumPy's array without dimensions is neither a number, which is passed by value, nor a container with elements.
void refuse_no_dimensions(const std::string& name, const ArgumentType& type, const Span& span) {
    if (type.shape->empty())
        refuse("F003", name + " is an array without dimensions", span,
               "pass a number, " + name + ".item(), or an array of shape (1,)");
}

/// Of a program that is written over one memory: so many settle in practice, and each takes as long as all of its calls written
/// out.
constexpr int kMostAttempts = 60;

/// Names that the function gives become names of the graph, and of C.
void check_names(const Program& program) {
    const auto& function = std::get<FunctionStmt>(program.function->node);
    refuse_letters_beyond_ascii(function.name, program.function->span);
    for (const Parameter& parameter : function.parameters) refuse_letters_beyond_ascii(parameter.name, parameter.span);
    const auto bound = binding_counts(function.body);
    const std::function<void(const ExprPtr&)> check_expression = [&](const ExprPtr& e) {
        if (const auto* name = std::get_if<NameExpr>(&e->node)) {
            const auto global = program.globals.find(name->id);
            const auto* symbol = global == program.globals.end() ? nullptr : std::get_if<SymbolBinding>(&global->second);
            if (bound.contains(name->id)) refuse_letters_beyond_ascii(name->id, e->span);
            if (symbol) refuse_letters_beyond_ascii(symbol->name, e->span);
        }
        for_each_child(*e, check_expression);
    };
    walk_statements(function.body, [&](const Stmt& statement) {
        if (const auto* inner = std::get_if<FunctionStmt>(&statement.node)) {
            refuse_letters_beyond_ascii(inner->name, statement.span);
            for (const Parameter& parameter : inner->parameters) refuse_letters_beyond_ascii(parameter.name, parameter.span);
        }
        for_each_expr(statement, check_expression);
        return true;
    });
}

FunctionContext context_of(const Program& program) {
    FunctionContext context;
    context.program = &program;
    context.function = &std::get<FunctionStmt>(program.function->node);
    context.bindings = binding_counts(context.function->body);
    context.array_bindings = binding_counts(context.function->body, {.augmented = false});
    context.occurrences = occurrences(context.function->body);
    context.return_variable = return_variables(*context.function);
    for (const auto& [name, count] : context.occurrences) context.taken.insert(name);
    for (const auto& [name, binding] : program.globals)
        if (const auto* symbol = std::get_if<SymbolBinding>(&binding)) {
            context.symbol_types.emplace(symbol->name, symbol->dtype);
            context.taken.insert(symbol->name);
        }
    for (const Parameter& parameter : context.function->parameters) context.taken.insert(parameter.name);
    return context;
}

}  // namespace

ir::Sdfg translate_program(const Program& program, const std::map<std::string, ArgumentType>& argument_types,
                           const std::set<const Stmt*>& callers, const Sharing& sharing, BuildOptions options, Returns* returns,
                           bool tells_places, bool raises_for_none) {
    if (program.refused) fail(*program.refused);
    check_names(program);
    FunctionContext context = context_of(program);
    context.sharing = sharing;
    context.check_indices = options.check_indices;
    context.as_dace = options.as_dace;
    context.strict = options.strict;
    context.tells_places = tells_places;
    context.raises_for_none = raises_for_none;
    context.callers = callers;
    context.callers.insert(program.function.get());
    std::optional<Failure> written_out;  ///< Why calls of functions that call themselves could not be.
    const int most_attempts = program.lines.empty() ? 1000 : kMostAttempts;
    for (int attempt = 0; attempt < most_attempts; ++attempt) {
        context.returns = {};
        context.result_numbers.clear();
        context.grown.clear();
        context.grown_objects.clear();
        context.reads_unknown_list = context.starts_again = false;
        for (auto& [name, facts] : context.lists)
            for (ListColumn& column : facts.columns) column.noted = false;
        try {
            Translator translator(context, nullptr);
            translator.translate_function(argument_types);
            if (context.starts_again) continue;
            if (context
                    .reads_unknown_list) {  // Nothing is appended to it, or what follows from its elements: the least that can be.
                for (auto& [name, facts] : context.lists)
                    if (!facts.form)
                        facts.guessed = true, facts.form = Value{},
                        facts.columns = {{.type = {Scalar::Int64, true}, .of_python = true}};
                continue;
            }
            if (returns) *returns = context.returns, translator.tell_exceptions(*returns);
            return translator.take();
        } catch (const Failure& failure) {  // Lists that the run knows are refused elsewhere.
            if (context.starts_again) continue;
            const std::size_t before = context.grown_by_the_run.size();
            context.grown_by_the_run.insert(context.grown.begin(), context.grown.end());
            if (before != context.grown_by_the_run.size()) continue;
            const std::size_t loops = context.loops.size();
            context.loops.insert(context.recursive.begin(), context.recursive.end());
            if (loops != context.loops.size()) {  // What was written out so far were calls of the recursion.
                written_out = failure;
                context.calls_apart.clear();
                context.call_numbers.clear();
                continue;
            }
            if (context.walks_texts && !context.writes_out_texts) {
                context.writes_out_texts = true;
                continue;
            }
            const bool typed =
                std::ranges::any_of(context.function->parameters, [](const Parameter& one) { return one.annotation != nullptr; });
            StmtPtr written = typed ? nullptr : as_loop(program.function);
            if (!written && !typed) written = with_call_stack(program.function);
            const Bindings around = with_imports(program.globals, context.function->body);
            if (!written) written = with_queues(program.function, around);
            if (!written) written = with_tables(program.function, around);
            if (!written) written = with_rows_in_lists(program.function, around);
            if (!written && written_out) throw *written_out;
            if (!written || !RewritingBudget::may_rewrite()) throw;
            Program other = program;
            other.function = written;
            return translate_program(other, argument_types, callers, sharing, options, returns, tells_places, raises_for_none);
        } catch (const KeepReturnApart&) {
            context.return_variable.clear();
        } catch (const StartAgain&) {
        }
    }
    unsupported("a program whose types and sizes do not settle", program.function->span,
                "convert where values of several types meet");
    return {};
}

namespace {

/// A program that calls itself, as one around it: `def f(x): ...f(y)`  ->  `def f(x): def f(x): ...f(y)`, `return f(x)`.
Program with_function_around(const Program& program) {
    const auto& function = std::get<FunctionStmt>(program.function->node);
    if (!occurrences(function.body).contains(function.name)) return program;
    FunctionStmt inner = function, outer = function;
    inner.decorators.clear();
    std::vector<ExprPtr> given;
    for (Parameter& parameter : inner.parameters) {
        parameter.annotation = nullptr;
        given.push_back(make_name(parameter.name, parameter.span));
    }
    const Span& span = program.function->span;
    outer.body = {make_statement(std::move(inner), span), make_statement(ReturnStmt{make_call(function.name, given, span)}, span)};
    Program result = program;
    result.function = make_statement(std::move(outer), span);
    return result;
}

/// Whether what heap.h wrote has objects in a memory of its own, and not only numbers.
bool keeps_objects(const Program& written) {
    const auto names = occurrences(std::get<FunctionStmt>(written.function->node).body);
    static const std::set<std::string> kAlways{"__h_kept_begin", "__h_kept_size", "__h_kept_room"};
    return std::ranges::any_of(names,
                               [](const auto& one) { return one.first.starts_with("__h_kept") && !kAlways.contains(one.first); });
}

}  // namespace

Result<ir::Sdfg> build_of_objects(const Program& given_program, const std::string& given, bool with_arrays, ReturnedForms& forms) {
    return capture([&] {
        Program program = given_program;
        const auto written = [&] { return with_heap(with_function_around(program), {}, given, with_arrays); };
        try {
            ir::Sdfg sdfg;
            try {
                sdfg = HeapCode(written(), {}, true).graph(forms);
            } catch (const NotOfHeap&) {
                if (!program.over_objects || program.refused) throw;
                program.function = program.over_objects;
                forms = {};
                sdfg = HeapCode(written(), {}, true).graph(forms);
            }
            const std::vector<Diagnostic> violations = ir::verify(sdfg);
            check(violations.empty(), "the program ", sdfg.name, " became an invalid graph: ",
                  violations.empty() ? "" : violations[0].code + " " + violations[0].message + " at " + violations[0].path);
            return sdfg;
        } catch (const NotOfHeap& refused) {
            if (program.refused) {
                Diagnostic first = *program.refused;
                first.notes.push_back(
                    {"among objects of which the run decides how many there are, it has " + refused.what, refused.where});
                fail(std::move(first));
            }
            unsupported("a program over objects: " + refused.what, refused.where.known() ? refused.where : program.function->span,
                        with_arrays ? "write it for single elements, or without lists, texts and dictionaries"
                                    : "use arrays and numbers there");
        }
        return ir::Sdfg{};
    });
}

namespace {

/// What the caller learns of a returned value.
ReturnedForm form_of(const Returned& returned) {
    ReturnedForm form{returned.number, returned.list, returned.shape, {}, returned.choice, returned.unnamed};
    if (returned.number) return form;
    for (const ReturnedPlace& place : returned.places) {
        form.views.emplace_back();
        if (place.view) form.views.back() = {place.view->data, place.view->index, place.part};
    }
    return form;
}

}  // namespace

Result<ir::Sdfg> build(const Program& program, const std::map<std::string, ArgumentType>& argument_types, const Sharing& sharing,
                       bool check_indices, ReturnedForms* forms) {
    return capture([&] {
        Returns returns;
        const auto translate = [&](bool as_dace) {
            returns = {};
            const RewritingBudget budget;
            return translate_program(program, argument_types, {}, sharing, {check_indices, as_dace, program.definition.strict},
                                     &returns, forms != nullptr);
        };
        const auto as_dace_may = [&] {
            try {
                return translate(false);
            } catch (const Failure& failure) {
                if (!program.definition.of_dace || failure.diagnostic.code != "F004") throw;
                try {
                    return translate(true);
                } catch (const Failure&) {
                }
                throw;
            }
        };
        const auto with_heap_may = [&] {
            try {
                return as_dace_may();
            } catch (const Failure& failure) {
                const std::string& code = failure.diagnostic.code;
                // Arguments that Python would not take, either, and declared types.
                const bool as_written = code == "F011" || code == "F025";
                if (!forms || !program.definition.strict || as_written) throw;
                Diagnostic refused = failure.diagnostic;
                try {
                    const Program written = with_heap(with_function_around(program), argument_types);
                    returns = {};
                    forms->one_memory = true;
                    try {
                        if (keeps_objects(written)) return HeapCode(written, argument_types).graph(*forms);
                    } catch (const NotOfHeap&) {  // It goes on as a program of arrays, which knows more of numbers.
                        forms->results.clear(), forms->structures.clear();
                    }
                    const RewritingBudget budget;
                    return translate_program(written, argument_types, {}, sharing, {check_indices, false, true}, &returns, true);
                } catch (const NotOfHeap& of_objects) {
                    refused.notes.push_back(
                        {"as a program over lists, dictionaries and texts it has " + of_objects.what, of_objects.where});
                } catch (const Failure&) {  // What the program's own text is refused for says more.
                }
                fail(std::move(refused));
            }
        };
        ir::Sdfg sdfg = with_heap_may();
        if (forms) {
            for (const auto& [name, returned] : returns) forms->results.emplace(name, form_of(returned));
            for (const ReturnedStructure& structure : returns.structures) forms->structures.push_back(structure.text);
        }
        analysis::propagate_memlets(sdfg);
        std::vector<Diagnostic> violations = ir::verify(sdfg);
        // The bounds of a map are the user's word, so only propagation sees where they leave an array; all else is our doing.
        if (!violations.empty() && violations[0].code == "V405") {
            if (!violations[0].where.known()) violations[0].where = sdfg.metadata.where;
            fail(std::move(violations[0]));
        }
        check(violations.empty(), "the program ", sdfg.name, " became an invalid graph: ",
              violations.empty() ? "" : violations[0].code + " " + violations[0].message + " at " + violations[0].path);
        return sdfg;
    });
}

// ---- the function -------------------------------------------------------------------------------------------------------
void Translator::translate_function(const std::map<std::string, ArgumentType>& argument_types) {
    const FunctionStmt& function = *context_.function;
    sdfg_.name = function.name;
    sdfg_.metadata.where = context_.program->function->span;
    std::vector<ProgramParameter> list = parameters(*context_.program).or_fail();
    std::set<std::string> sizes;  // Of arguments: not negative.
    for (const ProgramParameter& parameter : list)
        if (parameter.type && parameter.type->shape)
            for (const Expr& extent : *parameter.type->shape) sizes.merge(symbolic::free_symbols(extent));
    for (std::size_t at = 0; at < list.size(); ++at) {
        const auto given = argument_types.find(list[at].name);
        const Span& span = function.parameters[at].span;
        const bool holds = list[at].type && !list[at].type->of_python;  // A number type of Python's is a hint to a call.
        if (!holds && given != argument_types.end()) list[at].type = given->second;
        if (!list[at].type)
            refuse("F003", "the parameter " + list[at].name + " has no type", span,
                   "annotate it, for example " + list[at].name +
                       ": sluice.float64[N]; calls in Python, and to_sdfg() of such arguments, need no types");
        const ArgumentType& type = *list[at].type;
        const std::string& name = list[at].name;
        if (const auto shared = context_.sharing.find(name); shared != context_.sharing.end()) {
            bindings_.erase(name);
            bind(name, shared_value(name, type, shared->second));
            continue;
        }
        sdfg_.arg_names.push_back(name);
        bindings_.erase(name);
        if (!type.shape && context_.symbol_types.contains(name) && code::is_integer(type.dtype.scalar)) {
            sdfg_.symbols.emplace(name, type.dtype);
            if (context_.bindings.contains(name)) defined_symbols_.insert(name);
            if (!sizes.contains(name)) assumptions_.assume_any(name);
            Value value = symbolic_value(symbolic::symbol(name));
            if (context_.number_symbols.contains(name)) value.type = {type.dtype, type.of_python};
            bind(name, std::move(value));
            continue;
        }
        if (type.shape) {
            std::set<std::string> symbols;
            for (const Expr& extent : *type.shape) symbols.merge(symbolic::free_symbols(extent));
            for (const std::string& symbol : symbols) refuse_letters_beyond_ascii(symbol, span);
            need_symbols(symbols);
            refuse_no_dimensions(name, type, span);
            ir::add_array(sdfg_, name, type.dtype, *type.shape).metadata.where = span;
        } else {
            ir::add_scalar(sdfg_, name, type.dtype).metadata.where = span;
        }
        Value value = read_container(name);
        value.type.weak = type.of_python;
        bind(name, std::move(value));
    }
    add_module_arrays();
    integer_locals_ = find_integer_locals(function.body);
    // A scalar parameter that the body assigns to is a local variable with an initial value: the caller's stays.
    for (const ProgramParameter& parameter : list) {
        if (parameter.type->shape || !context_.bindings.contains(parameter.name)) continue;
        Value local = read_container(storage_for(parameter.name, parameter.type->dtype, {}, {}));
        assign(target_of(local, where_), variables_.at(parameter.name).value, "copy_" + parameter.name);
        local.type.weak = parameter.type->of_python;
        bind(parameter.name, local);
    }
    Texts(*this).fill_arrays();
    translate(function.body);
    if (reachable_ && !function.body.empty()) Results(*this).translate(nullptr, function.body.back()->span);
}

namespace {

/// The arrays of modules that a program and those that it calls use, by the name of the argument that each becomes.
void collect_module_arrays(const Program& program, std::set<const Program*>& seen, std::map<std::string, ArrayBinding>& found) {
    if (!seen.insert(&program).second) return;
    const auto& function = std::get<FunctionStmt>(program.function->node);
    const auto used = occurrences(function.body);
    const auto bound = binding_counts(function.body);
    for (const auto& [name, binding] : program.globals) {
        const bool parameter = std::ranges::any_of(function.parameters, [&](const Parameter& p) { return p.name == name; });
        if (parameter || bound.contains(name) || !used.contains(name)) continue;
        if (const auto* called = std::get_if<ProgramBinding>(&binding)) collect_module_arrays(*called->program, seen, found);
        const auto* array = std::get_if<ArrayBinding>(&binding);
        if (!array) continue;
        const auto [at, added] = found.emplace("__g_" + name, *array);
        if (!added && at->second.identity != array->identity)
            refuse("F011", "two arrays of modules have the name " + name, program.function->span,
                   "rename one of them, or pass it as an argument");
    }
}

}  // namespace

/// A parameter that is a view of a container.
Value Translator::shared_value(const std::string& name, const ArgumentType& type, const SharedParameter& shared) {
    check(type.shape && type.dtype == shared.dtype, "the shared parameter ", name, " has another type than its container");
    Operand operand{shared.container, shared.index, false, type.dtype};
    std::vector<Expr> container_shape = shared.container_shape;
    std::set<std::string> symbols;
    if (shared.transposed) {
        container_shape.assign(type.shape->rbegin(), type.shape->rend());
        for (std::size_t r = 0; r < type.shape->size(); ++r) operand.index.push_back(iteration(r));
    } else if (operand.index.empty()) {
        Expr place = shared.begin, stride = 1;
        for (std::size_t r = 0; r < type.shape->size(); ++r) {
            const std::size_t dim = type.shape->size() - 1 - r;
            place = place + iteration(r) * (shared.strides.empty() ? stride : shared.strides[dim]);
            stride = stride * (*type.shape)[dim];
        }
        operand.index = {place};
    }
    for (const std::vector<Expr>& list : {*type.shape, container_shape, operand.index})
        for (const Expr& e : list) symbols.merge(symbolic::free_symbols(e));
    need_symbols(symbols);
    for (const Expr& index : operand.index)
        for (const std::string& symbol : symbolic::free_symbols(index))
            if (symbol.starts_with("begin_")) assumptions_.assume_any(symbol);
    if (!sdfg_.containers.contains(shared.container))
        ir::add_array(sdfg_, shared.container, shared.dtype, container_shape).metadata.where = sdfg_.metadata.where;
    Value value;
    value.type = {type.dtype, false};
    value.shape = *type.shape;
    value.code = make_name(operand.id());
    value.operands.emplace(operand.id(), operand);
    return value;
}

/// Arrays of the module are arguments that no parameter names.
void Translator::add_module_arrays() {
    std::set<const Program*> seen;
    std::map<std::string, ArrayBinding> arrays;
    collect_module_arrays(*context_.program, seen, arrays);
    for (const auto& [container, array] : arrays) {
        refuse_no_dimensions(container.substr(4), array.type, sdfg_.metadata.where);
        ir::add_array(sdfg_, container, array.type.dtype, *array.type.shape).metadata.where = sdfg_.metadata.where;
        const std::string name = container.substr(4);
        const auto own = bindings_.find(name);
        if (own != bindings_.end() && std::holds_alternative<ArrayBinding>(own->second) && !context_.bindings.contains(name))
            bind(name, meaning_of_module_array(read_container(container)));
    }
}

}  // namespace sluice::frontend
