// The signature of every function that a program may call, and what a call gives to each parameter. Nothing is ignored: what a
// signature does not have is refused where the call is bound, and what the translation does not read is refused behind it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "code/ast.h"
#include "frontend/array/value.h"

namespace sluice::frontend {

struct CallParameter {
    enum class Kind : std::uint8_t { PositionalOnly, Either, KeywordOnly } kind = Kind::Either;
    std::string name;
    std::string otherwise;  ///< The default as text; empty: the argument is required.
};
struct CallSignature {
    std::string name;  ///< `numpy.sum`; `ndarray.sum` for the method.
    std::vector<CallParameter> parameters;
    std::string rest = {};       ///< `shape` of `*shape`: the further positional arguments; empty: there are none.
    std::string code = "F005";   ///< Of the diagnostics.
    bool more_keywords = false;  ///< `**kw`: it takes keywords that are no parameters.
};
/// Null for a function without an entry.
const CallSignature* signature_of(std::string_view name);
/// The signature of an element-wise function of so many operands (at most `most`).
CallSignature elementwise_signature(const std::string& name, int operands, int most);
/// Does a call of a function name the array that takes the result, by keyword or by position?
bool is_given_out(const code::CallExpr& call, const Bindings& bindings);

/// What one call gives, by the names of the parameters.
class Arguments {
public:
    Arguments() = default;
    /// Binds as Python does. F005 for what does not fit the signature.
    Arguments(const CallSignature& signature, const code::CallExpr& call, const Span& span);

    /// Null if the call does not give it. What is asked for counts as understood.
    code::ExprPtr find(const std::string& name) const;
    /// The same, None as it stands.
    code::ExprPtr given(const std::string& name) const;
    /// F005 if it is missing.
    code::ExprPtr at(const std::string& name) const;
    const std::vector<code::ExprPtr>& more() const { return more_; }
    const std::vector<code::Keyword>& more_keywords() const { return more_keywords_; }
    /// F005 for an argument that nobody asked for and that says something else than the default.
    void refuse_unread() const;
    const Span& span() const { return span_; }

    std::optional<Value> self;  ///< Of a method: the array.

private:
    const CallSignature* signature_ = nullptr;
    std::map<std::string, code::ExprPtr> given_;
    std::vector<code::ExprPtr> more_;
    std::vector<code::Keyword> more_keywords_;
    mutable std::set<std::string> read_;
    Span span_;
};

}  // namespace sluice::frontend
