// Messages between the ranks of a program: `sluice.comm`, in mpi4py's names and DaCe's.
#pragma once

#include <optional>
#include <string>

#include "frontend/python/translator.h"

namespace sluice::frontend {

/// `sluice.comm.Send` for what names a function of messages, of COMM_WORLD too; empty for anything else.
std::string message_function(const code::Expr& function, const Bindings& bindings);

class Messages {
public:
    explicit Messages(Translator& translator) : t_(translator) {}
    /// Is it a function of `sluice.comm`?
    static bool is_one(const std::string& name) { return name.starts_with("sluice.comm."); }
    /// `comm.Send(buf, 1, tag)` and the others; nothing for a name that is none of them.
    std::optional<Value> call(const std::string& name, const Arguments& arguments);
    /// `comm.PROC_NULL`, `comm.rank`, `comm.size`.
    std::optional<Value> attribute(const std::string& name, const Span& span);
    /// `lA[1:-1, 1:-1] = comm.BlockScatter(A)`, `A[:] = comm.BlockGather(lA)`: the target says how large a block, or the whole, is.
    /// False for anything else.
    bool assign(const code::ExprPtr& target, const code::ExprPtr& value);

private:
    Value sent(const code::ExprPtr& e);
    Value received(const code::ExprPtr& e, const char* what);
    Value request(const code::ExprPtr& e);
    Value rank(const Span& span);
    void point_to_point(const std::string& what, const Arguments& arguments);
    void wait(const Arguments& arguments, const std::string& parameter);
    void collective(const std::string& what, const Arguments& arguments);
    void blocks(const std::string& what, Value part, const Value& result, const code::ExprPtr& root, const Span& span);
    void start(const Value& request, const Value& buffer, const Span& span);

    Translator& t_;
};

}  // namespace sluice::frontend
