// Calls whose body is translated where the call stands: inlining.cpp says which.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "frontend/python/translator.h"

namespace sluice::frontend {

/// A function whose body is translated where it is called. `program`: whose names it sees; null: those of the function around.
struct Callee {
    code::StmtPtr function;
    std::shared_ptr<const Program> program;
};

class Inlining {
public:
    explicit Inlining(Translator& translator) : t_(translator) {}
    /// What the call calls, if its body is to stand here.
    std::optional<Callee> callee(const code::CallExpr& node, const Span& span);
    /// Starred arguments are the elements of their tuples.
    code::CallExpr without_stars(const code::CallExpr& node);
    /// The same of `zip(*arrays)`; anything else is what it is.
    code::ExprPtr without_stars(const code::ExprPtr& iterable);
    Value call(const Callee& callee, const code::CallExpr& node, const Span& span);
    /// The statement with its calls in front of it, for what a result means may depend on the path; false if it needs none there.
    bool translate_apart(const code::StmtPtr& statement);
    /// The result of a call that stands inside of a statement means several things: the calls go in front of it.
    [[noreturn]] void put_in_front(const Span& span);

private:
    bool goes_on(const Callee& callee, const code::CallExpr& node);
    void note_recursion(const Callee& callee);
    Callee written(const Callee& callee) const;
    [[noreturn]] void refuse_depth(const Callee& callee, const std::string& what, const Span& span);
    bool must_inline(const Program& program, const code::CallExpr& node, const Span& span);
    void bind_globals(const std::shared_ptr<const Program>& itself, const std::string& own,
                      std::map<std::string, code::ExprPtr>& names);
    /// Symbols of annotations, by the sizes of the arguments.
    using Sizes = std::map<std::string, symbolic::Expr>;
    void expect_annotated(const Callee& callee, const code::Parameter& parameter, const ArgumentType& annotated, const Value& value,
                          Sizes& sizes, const Span& span) const;
    void bind_sizes(const Callee& callee, const Sizes& sizes, const std::string& own, std::map<std::string, code::ExprPtr>& names);
    code::Body body_of(const Callee& callee, const code::CallExpr& given, const std::string& own, const Span& span);
    std::string prefix(const Callee& callee, const Span& span);
    bool expand(const code::ExprPtr& target, const code::ExprPtr& value, const Span& span);
    code::ExprPtr calls_in_front(const code::ExprPtr& e, code::Body& front);

    Translator& t_;
};

}  // namespace sluice::frontend
