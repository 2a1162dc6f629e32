// Statements of a Python tasklet: assignments to connectors and locals, branches and loops.
#pragma once

#include <map>
#include <string>

#include "lower/connectors.h"

namespace sluice::lower {

class PythonTasklet {
public:
    /// The table's inputs are read already; outputs with a variable are declared here where they are first assigned.
    PythonTasklet(StateContext& state, NodeId node, ConnectorTable& connectors, const code::Body& code);
    void lower(Body& body);

private:
    struct Local {
        std::string name;
        code::Type type;
        bool declared = false;
    };
    void statements(const code::Body& code, Body& body);
    void statement(const code::Stmt& s, Body& body);
    void assign(const code::Expr& target, const Typed& value, Body& body);
    void assign_name(const code::NameExpr& target, const code::Expr& at, const Typed& value, Body& body);
    void assign_element(const code::SubscriptExpr& target, const code::Expr& at, const Typed& value, Body& body);
    void assign_tuple(const std::vector<code::ExprPtr>& targets, const code::Expr& value, Body& body);
    bool print_formatted(const code::Expr& e, const Span& where, Body& body);
    loop::Fail failure(const code::ExprPtr& message);
    void count(const code::ForStmt& loop, const code::Stmt& s, Body& body);
    void declare_assigned_in(const code::Stmt& s, Body& body);
    void declare(Local& local, ValuePtr value, Body& body);
    std::optional<Typed> name_value(const std::string& name);
    std::optional<Typed> element_value(const std::string& name, const std::vector<ValuePtr>& indices);
    [[noreturn]] void refuse_here(const Span& where, const std::string& what);

    StateContext& state_;
    NodeId node_;
    ConnectorTable& connectors_;
    const code::Body& code_;
    Meaning meaning_;
    std::map<std::string, Local> locals_;
};

}  // namespace sluice::lower
