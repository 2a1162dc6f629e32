// Functions as values: lambdas, inner functions, what factories, functools.partial, np.vectorize and np.poly1d make.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "frontend/python/translator.h"

namespace sluice::frontend {

class FunctionValues {
public:
    explicit FunctionValues(Translator& translator) : t_(translator) {}
    /// A lambda is a function of one return.
    static Value of(const code::LambdaExpr& lambda, const Span& span);
    /// `lambda x, k=a: ...`: its defaults are what they are worth now.
    Value lambda_with_defaults(const code::CallExpr& node, const Span& span);
    /// `def` inside of a function: defaults are what they are worth now.
    void define(const code::FunctionStmt& function, const code::StmtPtr& statement);
    /// functools.partial, np.vectorize and np.poly1d; nullopt for other names.
    std::optional<Value> made(const std::string& name, const code::CallExpr& node, const Span& span);
    /// What an expression other than a name or a lambda calls, under a name: `make_filter(a)(x)`, `(f if c else g)(x)`, functions
    /// of NumPy's in lists; null where that is no function.
    code::ExprPtr called_by_name(const code::ExprPtr& e);
    /// Whether some return of the function gives one that is made inside of it.
    static bool returns_one(const code::FunctionStmt& function);
    /// Whether the value of the call is a function.
    bool is_made_by(const code::CallExpr& node) const;
    /// Functions that a comprehension makes see the last values of its variables, which have no meaning behind it.
    void keep_last_values(const std::vector<std::string>& variables, std::vector<Value>& functions, const Span& span);
    /// Functions that a call returns see its names, which begin with `own`: where it is written out again, those are others.
    Value with_own_names(Value result, const std::string& own, const Span& span);

private:
    Value with_defaults(code::FunctionStmt function, const Span& span);
    Value partial(const code::CallExpr& node, const Span& span);
    Value vectorized(const code::CallExpr& node, const Span& span);
    Value polynomial(const code::CallExpr& node, const Span& span);
    void add_parameters(const Value& of, const code::CallExpr& given, const std::string& base, code::FunctionStmt& made,
                        code::CallExpr& call);
    code::ExprPtr function_named(const Value& function, const std::string& base, const Span& span);
    code::ExprPtr as_it_is_now(const code::ExprPtr& e, const std::string& base);
    code::ExprPtr bound_now(Value value, const std::string& base, const Span& span);
    std::string name_of_turn(const std::string& base, const std::function<bool(const std::string&)>& taken, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
