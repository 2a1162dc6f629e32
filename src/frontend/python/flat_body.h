// The body of a map without control flow: assignments of single elements become one tasklet, inner maps nested scopes.
// Anything else throws NotFlat, and the body becomes a nested SDFG.
#pragma once

#include "frontend/python/translator.h"

namespace sluice::frontend {

class FlatBody {
public:
    explicit FlatBody(Translator& translator) : t_(translator) {}
    Plan plan(const code::Body& body, const std::string& label);

private:
    struct Write {
        Target target;
        code::ExprPtr value;
        std::string wcr;
    };
    void add(const code::StmtPtr& statement);
    void assign(const code::ExprPtr& target, const code::ExprPtr& value);
    void augmented(const code::AugAssignStmt& statement, const Span& span);
    void write(const Target& target, const Value& value, const std::string& wcr);
    void set_local(const std::string& name, const Value& value, const Span& span);
    void read(const Value& value);
    void inner_map(const code::ForStmt& loop, const Span& span);
    void finish_tasklet();

    Translator& t_;
    Plan plan_;
    std::string label_;
    std::map<std::string, Operand> operands_;
    std::vector<std::pair<std::string, code::ExprPtr>> locals_;  ///< In order of assignment.
    std::vector<Write> writes_;
    std::set<std::string> written_;
};

}  // namespace sluice::frontend
