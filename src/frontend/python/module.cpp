// Module level: which functions are programs and what their free names mean.
#include <algorithm>
#include <set>
#include <string>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/bound_methods.h"
#include "frontend/python/caught.h"
#include "frontend/python/constants.h"
#include "frontend/python/declared_results.h"
#include "frontend/python/legacy_random.h"
#include "frontend/python/objects.h"
#include "frontend/python/raised_texts.h"
#include "frontend/python/ranges.h"
#include "frontend/python/rotations.h"
#include "frontend/python/slices.h"
#include "frontend/python/slots.h"
#include "frontend/python/translator.h"
#include "frontend/python/written_out.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool known_module(const std::string& name) {
    static const std::set<std::string> kModules{"numpy",       "sluice",    "dace",  "math",   "cmath",      "itertools",
                                                "collections", "functools", "heapq", "bisect", "statistics", "mpi4py"};
    return kModules.contains(name.substr(0, name.find('.')));
}

/// `@sluice.program`, `@dace.program(auto_optimize=True)`, `@dace`, `@program`.
bool marks_program(const ExprPtr& decorator, const Bindings& bindings) {
    if (const auto* call = std::get_if<CallExpr>(&decorator->node)) return marks_program(call->function, bindings);
    const std::string name = qualified_name(*decorator, bindings);
    return name == "sluice.program" || name == "sluice.function" || name == "sluice";
}

}  // namespace

Bindings imported(const ImportStmt& import) {
    Bindings bindings;
    if (!known_module(import.module)) return bindings;
    if (import.names.empty()) {
        const std::string root = import.module.substr(0, import.module.find('.'));
        const bool named = !import.alias.empty();
        bindings[named ? import.alias : root] = ModuleBinding{named ? import.module : root};
    }
    for (const auto& [name, alias] : import.names) {
        const std::string& local = alias.empty() ? name : alias;
        const std::string qualified = import.module + "." + name;
        bindings[local] = FunctionBinding{qualified};
        const Bindings alone{{local, FunctionBinding{qualified}}};
        if (const auto dtype = dtype_of(*make_name(local), alone))
            bindings[local] = TypeBinding{{*dtype, std::nullopt}, !qualified.starts_with("numpy.")};
        if (const auto number = constant_value(*make_name(local), alone)) bindings[local] = *number;
    }
    return bindings;
}

Bindings with_imports(Bindings around, const Body& body) {
    for (const StmtPtr& statement : body) {
        if (const auto* import = std::get_if<ImportStmt>(&statement->node))
            for (auto& [name, binding] : imported(*import)) around.insert_or_assign(name, std::move(binding));
        for_each_body(*statement, [&](const Body& inside) { around = with_imports(std::move(around), inside); });
    }
    return around;
}

namespace {

class Module {
public:
    std::vector<Program> programs;
    Bindings bindings;

    void run(const Body& body) {
        for (const StmtPtr& statement : body) {
            if (const auto* import = std::get_if<ImportStmt>(&statement->node))
                for (auto& [name, binding] : imported(*import)) bindings.insert_or_assign(name, std::move(binding));
            if (const auto* assign = std::get_if<AssignStmt>(&statement->node))
                for (const ExprPtr& target : assign->targets) bind_targets(target, assign->value);
            if (const auto* assign = std::get_if<AnnAssignStmt>(&statement->node); assign && assign->value)
                bind_targets(assign->target, assign->value);
            if (std::holds_alternative<FunctionStmt>(statement->node)) bind_function(statement);
        }
    }

private:
    static constexpr std::string_view kBlanks = " \t\n\r\f\v";

    void bind_targets(const ExprPtr& target, const ExprPtr& value) {
        if (const auto* generator = std::get_if<ComprehensionExpr>(&value->node)) return bind_generator(target, *generator);
        if (const CallExpr* call = call_of(*value, "sluice.symbols")) return bind_symbols(target, *call);
        const auto targets = elements_of(target), values = elements_of(value);
        if (targets.size() == values.size() && targets.size() > 1) {
            for (std::size_t at = 0; at < targets.size(); ++at) bind_targets(targets[at], values[at]);
        } else if (const auto name = name_of(target); !name.empty()) {
            if (auto binding = binding_of(*value))
                bindings[std::string(name)] = std::move(*binding);
            else
                bindings.erase(std::string(name));
        }
    }
    /// The call, with arguments, of a function of that name.
    const CallExpr* call_of(const code::Expr& value, std::string_view function) const {
        const auto* call = std::get_if<CallExpr>(&value.node);
        return call && !call->arguments.empty() && qualified_name(*call->function, bindings) == function ? call : nullptr;
    }
    /// With the element type that the call gives it.
    SymbolBinding symbol_named(const std::string& name, const CallExpr& call) const {
        SymbolBinding symbol{name, Scalar::Int64};
        if (call.arguments.size() > 1)
            if (const auto dtype = dtype_of(*call.arguments[1], bindings)) symbol.dtype = *dtype;
        for (const Keyword& keyword : call.keywords)
            if (keyword.name == "dtype")
                if (const auto dtype = dtype_of(*keyword.value, bindings)) symbol.dtype = *dtype;
        return symbol;
    }
    /// `N, M = sluice.symbols('N M')`.
    void bind_symbols(const ExprPtr& target, const CallExpr& call) {
        const std::string* text = text_of(call.arguments[0]);
        if (!text) return;
        const auto names = elements_of(target), words = words_of(*text, std::string(kBlanks) + ",", target->span);
        for (std::size_t at = 0; names.size() == words.size() && at < names.size(); ++at)
            if (const auto name = name_of(names[at]); !name.empty())
                bindings[std::string(name)] = symbol_named(*text_of(words[at]), call);
    }
    std::optional<Binding> binding_of(const code::Expr& value) {
        if (const CallExpr* call = call_of(value, "sluice.symbol")) {
            const std::string* name = text_of(call->arguments[0]);
            return name ? std::optional<Binding>(symbol_named(*name, *call)) : std::nullopt;
        }
        if (const auto number = constant_value(value, bindings)) return *number;
        const auto shared = std::make_shared<const code::Expr>(value);
        const Result<std::optional<ArgumentType>> type = capture([&] { return type_of_annotation(shared, bindings); });
        if (type.ok() && *type) return TypeBinding{**type, declares_type(*shared, bindings)};
        if (const std::string name = qualified_name(value, bindings); !name.empty()) return FunctionBinding{name};
        if (const auto* name = std::get_if<NameExpr>(&value.node))
            if (const auto at = bindings.find(name->id); at != bindings.end()) return at->second;
        if (is_integer_expression(value)) {
            const Result<symbolic::Expr> size = capture([&] { return size_of(shared, bindings); });
            if (size.ok()) return ExpressionBinding{*size};
        }
        return std::nullopt;
    }
    /// `N + 1`, `2 * K // 3` over symbols, integers and expressions of them.
    bool is_integer_expression(const code::Expr& e) const {
        if (const auto* constant = std::get_if<ConstantExpr>(&e.node)) return std::holds_alternative<std::int64_t>(constant->value);
        if (const auto* name = std::get_if<NameExpr>(&e.node)) {
            const auto at = bindings.find(name->id);
            if (at == bindings.end()) return false;
            const auto* number = std::get_if<NumberBinding>(&at->second);
            return std::holds_alternative<SymbolBinding>(at->second) || std::holds_alternative<ExpressionBinding>(at->second) ||
                   (number && std::holds_alternative<std::int64_t>(number->value));
        }
        if (const auto* unary = std::get_if<UnaryExpr>(&e.node))
            return unary->op == UnaryOp::Minus && is_integer_expression(*unary->operand);
        const auto* binary = std::get_if<BinaryExpr>(&e.node);
        const bool closed = binary && (binary->op == BinaryOp::Add || binary->op == BinaryOp::Sub || binary->op == BinaryOp::Mul ||
                                       binary->op == BinaryOp::FloorDiv || binary->op == BinaryOp::Mod);
        return closed && is_integer_expression(*binary->left) && is_integer_expression(*binary->right);
    }
    static const std::string* text_of(const ExprPtr& e) {
        const auto* constant = std::get_if<ConstantExpr>(&e->node);
        return constant ? std::get_if<std::string>(&constant->value) : nullptr;
    }
    static std::vector<ExprPtr> words_of(std::string_view text, std::string_view between, const Span& where) {
        std::vector<ExprPtr> words;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t begin = std::min(text.find_first_not_of(between, at), text.size());
            at = std::min(text.find_first_of(between, begin), text.size());
            if (begin < at) words.push_back(make_text(std::string(text.substr(begin, at - begin)), where));
        }
        return words;
    }
    /// What a loop over `('N', 'M')`, `'NM'` or `'N M'.split()` comes to.
    static std::vector<ExprPtr> iterated(const ExprPtr& iterable) {
        if (const std::string* letters = text_of(iterable)) {
            std::vector<ExprPtr> items;
            for (const char letter : *letters) items.push_back(make_text(std::string(1, letter), iterable->span));
            return items;
        }
        const auto* call = std::get_if<CallExpr>(&iterable->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        const std::string* text = method && method->name == "split" ? text_of(method->object) : nullptr;
        if (text && call->arguments.empty() && call->keywords.empty()) return words_of(*text, kBlanks, iterable->span);
        return elements_of(iterable);
    }
    /// `N, M = (sluice.symbol(s) for s in ('N', 'M'))` and its kin with an element type or with brackets.
    void bind_generator(const ExprPtr& target, const ComprehensionExpr& generator) {
        if (generator.clauses.size() != 1 || !generator.clauses[0].conditions.empty()) return;
        const std::string variable(name_of(generator.clauses[0].target));
        const auto names = elements_of(target), items = iterated(generator.clauses[0].iterable);
        if (variable.empty() || names.size() != items.size()) return;
        for (std::size_t at = 0; at < names.size(); ++at)
            bind_targets(names[at], replace_names(generator.element, {{variable, items[at]}}));
    }
    void bind_function(const StmtPtr& statement) {
        const auto& function = std::get<FunctionStmt>(statement->node);
        const bool marked = std::ranges::any_of(function.decorators, [&](const ExprPtr& d) { return marks_program(d, bindings); });
        if (!marked) return;
        Bindings seen = bindings;
        const StmtPtr declared = with_declared_results(statement, seen, std::nullopt);
        const StmtPtr definition = with_shared_generator(with_slots(with_rotations(with_calls_written_out(with_choices_for_handlers(
                                                             with_raised_texts(with_bound_methods(declared, seen)))))),
                                                         seen);
        programs.push_back({definition, std::move(seen)});
        bindings[function.name] = ProgramBinding{std::make_shared<const Program>(programs.back())};
    }
};

}  // namespace

Result<std::vector<Program>> find_programs(std::string_view source, const std::string& file) {
    return capture([&] {
        Module module;
        module.run(parse_body(source, {.file = file, .first_line = 1, .tolerate_unsupported = true}).or_fail());
        return std::move(module.programs);
    });
}

namespace {

/// The text with the first line's indentation removed from every line; columns shift by it.
std::string dedent(std::string_view source) {
    std::size_t begin = 0;
    while (begin < source.size() && (source[begin] == '\n' || source[begin] == '\r')) ++begin;
    std::size_t depth = begin;
    while (depth < source.size() && (source[depth] == ' ' || source[depth] == '\t')) ++depth;
    depth -= begin;
    if (depth == 0) return std::string(source);
    std::string result;
    for (std::size_t line = 0; line < source.size();) {
        const std::size_t end = std::min(source.find('\n', line), source.size());
        std::size_t at = line;
        while (at < end && at - line < depth && (source[at] == ' ' || source[at] == '\t')) ++at;
        result.append(source.substr(at, end - at));
        if (end < source.size()) result.push_back('\n');
        line = end + 1;
    }
    return result;
}

}  // namespace

Result<Program> parse_program(std::string_view source, const std::string& file, std::uint32_t first_line, Bindings globals,
                              Definition definition) {
    return capture([&]() -> Program {
        const Body body =
            parse_body(dedent(source), {.file = file, .first_line = first_line, .fields = definition.fields}).or_fail();
        for (const StmtPtr& written : body) {
            if (!std::holds_alternative<FunctionStmt>(written->node)) continue;
            const auto evaluated = definition.annotations.find("return");
            const StmtPtr declared = with_declared_results(
                written, globals, evaluated == definition.annotations.end() ? std::nullopt : std::optional(evaluated->second));
            const StmtPtr plain = with_ranges(with_slices(with_constants(declared, definition, globals), globals), globals);
            StmtPtr statement = plain;
            std::optional<Diagnostic> refused;
            try {
                statement = with_fields_as_variables(plain, definition);
            } catch (const Failure& failure) {  // In a memory of the program's own, they may be objects.
                if (!definition.strict) throw;
                refused = failure.diagnostic;
            }
            const bool as_given = !definition.bound && definition.removed.empty() && definition.untyped.empty();
            const bool over_objects = refused || (statement != plain && as_given);
            const auto program = [&](const StmtPtr& function) {
                const auto raising = [&](const StmtPtr& one) { return with_raised_texts(with_bound_methods(one, globals)); };
                const auto rewritten = [&](const StmtPtr& one) {
                    return with_shared_generator(
                        with_slots(with_rotations(with_calls_written_out(with_choices_for_handlers(raising(one))))), globals);
                };
                const StmtPtr main = refused ? raising(function) : rewritten(function);
                const StmtPtr objects = over_objects ? raising(refused ? function : plain) : nullptr;
                return Program{main, std::move(globals), std::move(definition), {}, objects, refused};
            };
            if (as_given) return program(statement);
            code::Stmt method = *statement;
            std::vector<Parameter>& parameters = std::get<FunctionStmt>(method.node).parameters;
            if (definition.bound && parameters.empty())
                refuse("F013", "a method needs a parameter for its object", method.span, "write self first");
            if (definition.bound) parameters.erase(parameters.begin());
            std::erase_if(parameters, [&](const Parameter& one) { return definition.removed.contains(one.name); });
            for (Parameter& one : parameters)
                if (definition.untyped.contains(one.name)) one.annotation = nullptr;
            return program(std::make_shared<const code::Stmt>(std::move(method)));
        }
        refuse("F013", "the text holds no function", body.empty() ? Span{} : body[0]->span, "pass the source of one function");
    });
}

Result<std::vector<ProgramParameter>> parameters(const Program& program) {
    return capture([&] {
        const auto& function = std::get<FunctionStmt>(program.function->node);
        std::vector<ProgramParameter> result;
        for (const Parameter& parameter : function.parameters) {
            ProgramParameter one{parameter.name, std::nullopt, parameter.default_value != nullptr};
            const auto evaluated = program.definition.annotations.find(parameter.name);
            if (!parameter.annotation && evaluated != program.definition.annotations.end()) one.type = evaluated->second;
            if (parameter.annotation) {
                const auto type = capture([&] { return type_of_annotation(parameter.annotation, program.globals); });
                if (type.ok() && *type)
                    one.type = **type;
                else if (evaluated != program.definition.annotations.end())
                    one.type = evaluated->second;
                else if (!type.ok())
                    fail(type.error());
                // Else it is a hint for people (`np.ndarray`): the argument decides, as in Python.
            }
            result.push_back(std::move(one));
        }
        return result;
    });
}

/// The names of a known module; others are refused where they are used.
void Translator::bind_import(const ImportStmt& s, const Span& span) {
    if (s.names.size() == 1 && s.names[0].first == "*") unsupported("import of all names", span, "name what you import");
    for (auto& [name, binding] : imported(s)) {
        variables_.erase(name);
        bindings_.insert_or_assign(name, std::move(binding));
    }
}

}  // namespace sluice::frontend
