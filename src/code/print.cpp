// The printer. Every node knows how tightly it binds; a child that binds looser than its place demands gets parentheses.
#include "code/print.h"

#include <array>
#include <charconv>
#include <cmath>

#include "code/parser.h"
#include "code/walk.h"

namespace sluice::code {
namespace {

// From loose to tight, in the order of Python's grammar.
enum Binding : int {
    kTuple,
    kTest,
    kOr,
    kAnd,
    kNot,
    kCompare,
    kBitOr,
    kBitXor,
    kBitAnd,
    kShift,
    kSum,
    kProduct,
    kUnary,
    kPower,
    kPostfix
};

struct BinarySpelling {
    std::string_view text;
    Binding binding;
};
constexpr std::array<BinarySpelling, 13> kBinary = {{{"+", kSum},
                                                     {"-", kSum},
                                                     {"*", kProduct},
                                                     {"/", kProduct},
                                                     {"//", kProduct},
                                                     {"%", kProduct},
                                                     {"**", kPower},
                                                     {"@", kProduct},
                                                     {"&", kBitAnd},
                                                     {"|", kBitOr},
                                                     {"^", kBitXor},
                                                     {"<<", kShift},
                                                     {">>", kShift}}};
constexpr std::array<std::string_view, 10> kCompareText = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};

const BinarySpelling& spelling(BinaryOp op) {
    return kBinary[static_cast<std::size_t>(op)];
}

// The shortest digits that read back as the same double, in Python's notation.
std::string float_text(double value) {
    if (std::isnan(value)) return "math.nan";
    if (std::isinf(value)) return value < 0 ? "-1e309" : "1e309";
    std::array<char, 400> buffer{};
    const auto scientific = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    std::string text(buffer.data(), scientific.ptr);
    const int exponent = std::stoi(text.substr(text.find('e') + 1));
    if (exponent < -4 || exponent >= 16) return text;
    const auto fixed = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
    text.assign(buffer.data(), fixed.ptr);
    return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string quoted(const std::string& value) {
    const char quote = value.find('\'') != std::string::npos && value.find('"') == std::string::npos ? '"' : '\'';
    std::string text(1, quote);
    for (const char c : value) {
        if (c == quote || c == '\\') {
            text += '\\';
            text += c;
        } else if (c == '\n') {
            text += "\\n";
        } else if (c == '\t') {
            text += "\\t";
        } else if (c == '\r') {
            text += "\\r";
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            text += "\\x";
            text += kDigits[static_cast<unsigned char>(c) >> 4];
            text += kDigits[static_cast<unsigned char>(c) & 15];
        } else {
            text += c;
        }
    }
    return text + quote;
}

std::string constant_text(const ConstantExpr& e) {
    return std::visit(Overloaded{
                          [](NoneValue) -> std::string { return "None"; },
                          [](EllipsisValue) -> std::string { return "..."; },
                          [](bool value) -> std::string { return value ? "True" : "False"; },
                          [](std::int64_t value) { return std::to_string(value); },
                          [](double value) { return float_text(value); },
                          [](ImaginaryValue value) {
                              std::string text = float_text(value.value);
                              if (text.size() > 2 && text.ends_with(".0")) text.resize(text.size() - 2);
                              return text + "j";
                          },
                          [](const std::string& value) { return quoted(value); },
                      },
                      e.value);
}

Binding binding_of(const Expr& e) {
    return std::visit(Overloaded{
                          [](const TupleExpr&) { return kPostfix; },  // always in parentheses, but for the places of bare()
                          [](const ConstantExpr& n) { return constant_text(n)[0] == '-' ? kUnary : kPostfix; },
                          [](const UnaryExpr& n) { return n.op == UnaryOp::Not ? kNot : kUnary; },
                          [](const BinaryExpr& n) { return spelling(n.op).binding; },
                          [](const BoolExpr& n) { return n.is_and ? kAnd : kOr; },
                          [](const CompareExpr&) { return kCompare; },
                          [](const ConditionalExpr&) { return kTest; },
                          [](const LambdaExpr&) { return kTest; },
                          [](const StarredExpr&) { return kTest; },
                          [](const auto&) { return kPostfix; },
                      },
                      e.node);
}

class ExprPrinter {
public:
    std::string take() { return std::move(text_); }

    void print(const Expr& e, Binding least) {
        const bool parentheses = binding_of(e) < least;
        if (parentheses) text_ += '(';
        std::visit([&](const auto& n) { node(n); }, e.node);
        if (parentheses) text_ += ')';
    }

    /// Where the grammar takes an expression list: a tuple needs no parentheses.
    void bare(const Expr& e) {
        const auto* tuple = std::get_if<TupleExpr>(&e.node);
        if (!tuple || tuple->elements.empty()) return print(e, kTest);
        list(tuple->elements);
        if (tuple->elements.size() == 1) text_ += ',';
    }

private:
    void list(const std::vector<ExprPtr>& elements) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (i > 0) text_ += ", ";
            print(*elements[i], kTest);
        }
    }

    // The object of a call, attribute or subscript. `1.real` would lex as a float.
    void object(const Expr& e) {
        const auto* constant = std::get_if<ConstantExpr>(&e.node);
        const bool number =
            constant && (std::holds_alternative<std::int64_t>(constant->value) || std::holds_alternative<double>(constant->value) ||
                         std::holds_alternative<ImaginaryValue>(constant->value));
        if (!number) return print(e, kPostfix);
        text_ += '(';
        print(e, kTest);
        text_ += ')';
    }

    void node(const NameExpr& n) { text_ += n.id; }
    void node(const ConstantExpr& n) { text_ += constant_text(n); }
    void node(const UnaryExpr& n) {
        constexpr std::array<std::string_view, 4> kText = {"+", "-", "not ", "~"};
        text_ += kText[static_cast<std::size_t>(n.op)];
        print(*n.operand, n.op == UnaryOp::Not ? kNot : kUnary);
    }
    void node(const BinaryExpr& n) {
        const auto& [text, binding] = spelling(n.op);
        const bool power = n.op == BinaryOp::Pow;  // binds tighter than a sign on its left, looser than one on its right
        print(*n.left, power ? kPostfix : binding);
        text_ += power ? "" : " ";
        text_ += text;
        text_ += power ? "" : " ";
        print(*n.right, power ? kUnary : static_cast<Binding>(binding + 1));
    }
    void node(const BoolExpr& n) {
        for (std::size_t i = 0; i < n.operands.size(); ++i) {
            if (i > 0) text_ += n.is_and ? " and " : " or ";
            print(*n.operands[i], n.is_and ? kNot : kAnd);
        }
    }
    void node(const CompareExpr& n) {
        print(*n.operands[0], kBitOr);
        for (std::size_t i = 0; i < n.ops.size(); ++i) {
            text_ += " " + std::string(kCompareText[static_cast<std::size_t>(n.ops[i])]) + " ";
            print(*n.operands[i + 1], kBitOr);
        }
    }
    void node(const ConditionalExpr& n) {
        print(*n.if_true, kOr);
        text_ += " if ";
        print(*n.condition, kOr);
        text_ += " else ";
        print(*n.if_false, kTest);
    }
    /// An f-string, as texts and values behind each other: `'a' f'{(b)}'`.
    void formatted(const CallExpr& n) {
        for (const ExprPtr& part : n.arguments) {
            const auto* call = std::get_if<CallExpr>(&part->node);
            const auto* function = call ? std::get_if<NameExpr>(&call->function->node) : nullptr;
            const auto* format =
                function && function->id == kFormatOf ? std::get_if<ConstantExpr>(&call->arguments[1]->node) : nullptr;
            const auto* inner = format ? std::get_if<CallExpr>(&call->arguments[0]->node) : call;
            const auto* converts = inner ? std::get_if<NameExpr>(&inner->function->node) : nullptr;
            const bool as_repr = converts && converts->id == kRepr;
            const auto* constant = std::get_if<ConstantExpr>(&part->node);
            if (part != n.arguments.front()) text_ += ' ';
            if (constant && std::holds_alternative<std::string>(constant->value)) {
                print(*part, kTest);
                continue;
            }
            text_ += "f'{(";
            print(as_repr ? *inner->arguments[0] : format ? *call->arguments[0] : *part, kTest);
            text_ += as_repr ? ")!r" : ")";
            text_ += (format ? ":" + std::get<std::string>(format->value) : std::string()) + "}'";
        }
    }
    void node(const CallExpr& n) {
        if (const auto* name = std::get_if<NameExpr>(&n.function->node); name && name->id == kFormatted) return formatted(n);
        object(*n.function);
        text_ += '(';
        list(n.arguments);
        for (std::size_t i = 0; i < n.keywords.size(); ++i) {
            if (i > 0 || !n.arguments.empty()) text_ += ", ";
            text_ += n.keywords[i].name.empty() ? "**" : n.keywords[i].name + "=";
            print(*n.keywords[i].value, kTest);
        }
        text_ += ')';
    }
    void node(const AttributeExpr& n) {
        object(*n.object);
        text_ += "." + n.name;
    }
    void node(const SubscriptExpr& n) {
        object(*n.object);
        text_ += '[';
        bare(*n.index);
        text_ += ']';
    }
    void node(const SliceExpr& n) {
        if (n.begin) print(*n.begin, kTest);
        text_ += ':';
        if (n.end) print(*n.end, kTest);
        if (!n.step) return;
        text_ += ':';
        print(*n.step, kTest);
    }
    void node(const TupleExpr& n) {
        text_ += '(';
        list(n.elements);
        text_ += n.elements.size() == 1 ? ",)" : ")";
    }
    void node(const ListExpr& n) {
        text_ += '[';
        list(n.elements);
        text_ += ']';
    }
    void node(const StarredExpr& n) {
        text_ += '*';
        print(*n.value, kPostfix);
    }
    void node(const NamedExpr& n) {
        text_ += '(';
        print(*n.target, kTest);
        text_ += " := ";
        print(*n.value, kTest);
        text_ += ')';
    }
    void node(const DictExpr& n) {
        text_ += '{';
        for (std::size_t i = 0; i < n.keys.size(); ++i) {
            if (i > 0) text_ += ", ";
            print(*n.keys[i], kTest);
            text_ += ": ";
            print(*n.values[i], kTest);
        }
        text_ += '}';
    }
    void node(const ComprehensionExpr& n) {
        text_ += n.is_list ? '[' : '(';
        print(*n.element, kTest);
        for (const ComprehensionClause& clause : n.clauses) {
            text_ += " for ";
            bare(*clause.target);
            text_ += " in ";
            print(*clause.iterable, kOr);
            for (const ExprPtr& condition : clause.conditions) {
                text_ += " if ";
                print(*condition, kOr);
            }
        }
        text_ += n.is_list ? ']' : ')';
    }
    void node(const LambdaExpr& n) {
        text_ += "lambda";
        for (std::size_t i = 0; i < n.parameters.size(); ++i) text_ += (i > 0 ? ", " : " ") + n.parameters[i];
        text_ += ": ";
        print(*n.body, kTest);
    }

    std::string text_;
};

std::string bare(const ExprPtr& e) {
    ExprPrinter printer;
    printer.bare(*e);
    return printer.take();
}

std::string plain(const ExprPtr& e) {
    return to_string(*e);
}

class StmtPrinter {
public:
    explicit StmtPrinter(int level) : level_(level) {}
    std::string take() { return std::move(text_); }

    void body(const Body& statements) {
        for (const StmtPtr& s : statements) std::visit([&](const auto& n) { node(n); }, s->node);
    }

private:
    std::string indentation() const { return std::string(static_cast<std::size_t>(level_) * 4, ' '); }
    void line(const std::string& content) { text_ += indentation() + content + "\n"; }
    void block(const std::string& header, const Body& statements) {
        line(header + ":");
        ++level_;
        if (statements.empty()) line("pass");
        body(statements);
        --level_;
    }
    void otherwise(const Body& statements) {
        if (!statements.empty()) block("else", statements);
    }

    void node(const AssignStmt& n) {
        std::string text;
        for (const ExprPtr& target : n.targets) text += bare(target) + " = ";
        line(text + bare(n.value));
    }
    void node(const AugAssignStmt& n) { line(plain(n.target) + " " + std::string(spelling(n.op).text) + "= " + bare(n.value)); }
    void node(const AnnAssignStmt& n) {
        line(plain(n.target) + ": " + plain(n.annotation) + (n.value ? " = " + bare(n.value) : ""));
    }
    void node(const ExprStmt& n) { line(bare(n.value)); }
    void node(const IfStmt& n) {
        const IfStmt* branch = &n;
        for (std::string keyword = "if ";; keyword = "elif ") {
            block(keyword + plain(branch->condition), branch->then_body);
            const IfStmt* next = branch->else_body.size() == 1 ? std::get_if<IfStmt>(&branch->else_body[0]->node) : nullptr;
            if (!next) break;
            branch = next;
        }
        otherwise(branch->else_body);
    }
    void node(const ForStmt& n) {
        block("for " + bare(n.target) + " in " + bare(n.iterable), n.body);
        otherwise(n.else_body);
    }
    void node(const WhileStmt& n) {
        block("while " + plain(n.condition), n.body);
        otherwise(n.else_body);
    }
    void node(const WithStmt& n) {
        std::string header = "with ";
        for (std::size_t i = 0; i < n.items.size(); ++i)
            header +=
                (i > 0 ? ", " : "") + plain(n.items[i].context) + (n.items[i].target ? " as " + plain(n.items[i].target) : "");
        // a lone tuple in parentheses would read as several items
        if (n.items.size() == 1 && !n.items[0].target && std::holds_alternative<TupleExpr>(n.items[0].context->node))
            header = "with (" + plain(n.items[0].context) + ")";
        block(header, n.body);
    }
    void node(const FunctionStmt& n) {
        for (const ExprPtr& decorator : n.decorators) line("@" + plain(decorator));
        std::string header = "def " + n.name + "(";
        bool only = false;  // Behind a star all parameters are given by keyword.
        for (std::size_t i = 0; i < n.parameters.size(); ++i) {
            const bool variadic = n.parameters[i].kind == Parameter::Kind::Variadic;
            const bool star = n.parameters[i].kind == Parameter::Kind::KeywordOnly && !only;
            const bool of_keywords = variadic && n.parameters[i].default_value;
            header += (i > 0 ? ", " : "") +
                      std::string(of_keywords ? "**"
                                  : star      ? "*, "
                                  : variadic  ? "*"
                                              : "") +
                      parameter(n.parameters[i]);
            only = only || star || variadic;
        }
        block(header + ")" + (n.returns ? " -> " + plain(n.returns) : ""), n.body);
    }
    static std::string parameter(const Parameter& p) {
        if (p.kind == Parameter::Kind::Variadic) return p.name + (p.annotation ? ": " + plain(p.annotation) : "");
        const std::string value = p.default_value ? plain(p.default_value) : "";
        if (p.annotation) return p.name + ": " + plain(p.annotation) + (p.default_value ? " = " + value : "");
        return p.name + (p.default_value ? "=" + value : "");
    }
    void node(const ReturnStmt& n) { line(n.value ? "return " + bare(n.value) : "return"); }
    void node(const DeleteStmt& n) {
        std::string text;
        for (const ExprPtr& target : n.targets) text += (text.empty() ? "" : ", ") + plain(target);
        line("del " + text);
    }
    void node(const AssertStmt& n) {
        if (n.raises) return line(n.message ? "raise " + plain(n.message) : "raise");
        line("assert " + plain(n.condition) + (n.message ? ", " + plain(n.message) : ""));
    }
    void node(const ImportStmt& n) {
        const auto with_alias = [](const std::string& name, const std::string& alias) {
            return alias.empty() || alias == name ? name : name + " as " + alias;
        };
        if (n.names.empty()) return line("import " + with_alias(n.module, n.alias));
        std::string text = "from " + n.module + " import ";
        for (std::size_t i = 0; i < n.names.size(); ++i)
            text += (i > 0 ? ", " : "") + with_alias(n.names[i].first, n.names[i].second);
        line(text);
    }
    void node(const PassStmt&) { line("pass"); }
    void node(const BreakStmt&) { line("break"); }
    void node(const ContinueStmt&) { line("continue"); }
    void node(const UnsupportedStmt& n) { text_ += with_indentation(n.text, indentation()) + "\n"; }

    int level_;
    std::string text_;
};

}  // namespace

std::string to_string(const Expr& e) {
    ExprPrinter printer;
    printer.print(e, kTest);
    return printer.take();
}

std::string to_string(const Body& body, int level) {
    StmtPrinter printer(level);
    printer.body(body);
    return printer.take();
}

}  // namespace sluice::code
