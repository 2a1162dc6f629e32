#include "frontend/python/raised_texts.h"

#include <map>
#include <string>

#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// An f-string, a template with its values, or a text beside what is written behind it.
bool makes_text(const ExprPtr& e) {
    if (formatted_parts(e)) return true;
    const auto* both = std::get_if<BinaryExpr>(&e->node);
    if (both && both->op == BinaryOp::Mod) return text_of(both->left);
    if (both && both->op == BinaryOp::Add)
        return text_of(both->left) || text_of(both->right) || makes_text(both->left) || makes_text(both->right);
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    return method && method->name == "format" && text_of(method->object);
}

/// The name that the first statement gives a formatted text and the second raises; empty for other statements.
std::string raised_name(const Stmt& first, const Stmt& second) {
    const auto* made = std::get_if<AssignStmt>(&first.node);
    const auto* raised = std::get_if<AssertStmt>(&second.node);
    if (!made || made->targets.size() != 1 || !makes_text(made->value)) return {};
    if (!raised || !raised->raises || !raised->message) return {};
    const auto* exception = std::get_if<CallExpr>(&raised->message->node);
    const bool alone = exception && exception->arguments.size() == 1 && exception->keywords.empty();
    const std::string name(name_of(made->targets[0]));
    return alone && name_of(exception->arguments[0]) == name ? name : std::string();
}

class RaisedTexts {
public:
    explicit RaisedTexts(const Body& body) : left_(occurrences(body)) { count(body); }

    Body of(const Body& body) const {
        Body out;
        for (std::size_t at = 0; at < body.size(); ++at) {
            const std::string name = at + 1 < body.size() ? raised_name(*body[at], *body[at + 1]) : std::string();
            if (!name.empty() && (left_.at(name) == 0 || !left_.contains(kTry))) {  // Nothing is behind what leaves the function.
                const ExprPtr text = std::get<AssignStmt>(body[at]->node).value;
                out.push_back(with_parts(
                    body[++at],
                    [&](const ExprPtr& e) {
                        return replace_names(e, {{name, text}});
                    },
                    [](const Body& inside) { return inside; }));
                continue;
            }
            const bool function = std::holds_alternative<FunctionStmt>(body[at]->node);
            out.push_back(function
                              ? with_raised_texts(body[at])
                              : with_parts(
                                    body[at], [](const ExprPtr& e) { return e; }, [&](const Body& inside) { return of(inside); }));
        }
        return out;
    }

private:
    void count(const Body& body) {
        for (std::size_t at = 0; at < body.size(); ++at) {
            if (std::holds_alternative<FunctionStmt>(body[at]->node)) continue;
            if (at + 1 < body.size())
                if (const std::string name = raised_name(*body[at], *body[at + 1]); !name.empty()) left_.at(name) -= 2;
            for_each_body(*body[at], [&](const Body& inside) { count(inside); });
        }
    }

    std::map<std::string, int> left_;  ///< How often a name occurs beside such pairs.
};

}  // namespace

StmtPtr with_raised_texts(const StmtPtr& function) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const Body before = definition.body;
    definition.body = RaisedTexts(before).of(before);
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
