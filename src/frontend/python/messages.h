// Messages between the ranks of a program: `sluice.comm`, in mpi4py's names and DaCe's.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "frontend/python/translator.h"
#include "ir/dataflow.h"

namespace sluice::frontend {

/// `sluice.comm.Send` for what names a function of messages, of COMM_WORLD too; empty for anything else.
std::string message_function(const code::Expr& function, const Bindings& bindings);

/// The rank of nobody, `comm.PROC_NULL`.
inline constexpr std::int64_t kNoRank = -1000;  // loop::kNoRank

class Messages {
public:
    /// Among all ranks, or among those of a grid.
    explicit Messages(Translator& translator, const ProcessGrid* grid = nullptr) : t_(translator), grid_(grid) {}
    /// Is it a function of `sluice.comm`, or `sluice.distr.MatMult`?
    static bool is_one(const std::string& name) { return name.starts_with("sluice.comm.") || name == "sluice.distr.MatMult"; }
    /// `comm.Send(buf, 1, tag)` and the others; nothing for a name that is none of them.
    std::optional<Value> call(const std::string& name, const Arguments& arguments);
    /// `comm.PROC_NULL`, `comm.rank`, `comm.size`.
    std::optional<Value> attribute(const std::string& name, const Span& span);
    /// `lA[1:-1, 1:-1] = comm.BlockScatter(A)`, `A[:] = comm.BlockGather(lA)`: the target says how large a block, or the whole, is.
    /// False for anything else.
    bool assign(const code::ExprPtr& target, const code::ExprPtr& value);
    /// The elements where they stand, or a copy of what an expression computes.
    Value in_memory(const code::ExprPtr& e);

private:
    bool assign_blocks(const std::string& name, const code::ExprPtr& target, const code::ExprPtr& value);
    Value received(const code::ExprPtr& e, const char* what);
    Value request(const code::ExprPtr& e);
    Value rank(const Span& span);
    void point_to_point(const std::string& what, const Arguments& arguments);
    void wait(const Arguments& arguments, const std::string& parameter);
    void collective(const std::string& what, const Arguments& arguments);
    void blocks(const std::string& what, Value part, const Value& result, const code::ExprPtr& root, const Span& span);
    void start(const Value& request, const Value& buffer, const Span& span);

    using Properties = std::map<std::string, ir::Property>;
    void send(const std::string& operation, const NamedValues& in, const NamedValues& out, const Span& span,
              Properties properties = {});

    Translator& t_;
    const ProcessGrid* grid_;
};

}  // namespace sluice::frontend
