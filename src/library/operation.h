// An operation: a contract, which says what library nodes of its name look like and mean, and an open list of expansions, which say
// how one is carried out. A value of functions, made by a folder of this room, by a user's shared library or by a Python class.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/meaning.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::library {

struct NodeContext;
struct NodeDraft;

// ---- the contract -------------------------------------------------------------------------------------------------------
/// An operand of a form: a size has a name wherever it is the same one; an integer stands for itself.
struct FormOperand {
    std::string connector;
    std::vector<std::string> sizes;
};
/// One way to call an operation: `_a[M, K], _b[K, N] -> _c[M, N]`. A connector on both sides is updated in place.
struct Form {
    std::vector<FormOperand> inputs, outputs;
    /// Values of properties under which it holds; properties that are not named do not matter.
    std::map<std::string, ir::Property> properties = {};
};
/// Error B006: the text does not read as a form.
Result<Form> parse_form(const std::string& text);
/// The same for a form of our own.
Form form(const std::string& text, std::map<std::string, ir::Property> properties = {});
std::string to_string(const Form& form);

struct PropertyRule {
    std::string name;
    ir::Property default_value;
    std::string help;  ///< One sentence.
};

/// What a reference is given: it replaces the outputs' elements in `operands`.
struct ReferenceCall {
    const Form& form;
    const std::map<std::string, ir::Property>& properties;  ///< The node's, and the contract's defaults for those that it lacks.
    ir::Operands& operands;

    const ir::Operand& input(const std::string& connector) const { return operands.at(connector); }
    ir::Operand& output(const std::string& connector) const { return operands.at(connector); }
    ir::Number number(const std::string& property) const;
};

// ---- expansions ---------------------------------------------------------------------------------------------------------
struct Requirement {
    std::string environment;     ///< What must be installed (environment.h); empty: nothing.
    bool one_at_a_time = false;  ///< It has threads of its own: not inside a parallel scope, nor in a program of one thread.
};
/// Carries a node out on a target, by native code, a library or other operations.
struct Expansion {
    std::string name;
    std::string target = "cpu";
    std::string summary = {};  ///< One sentence.
    /// Other names for it in files and in requests.
    std::vector<std::string> aliases = {};
    Requirement requirement = {};
    /// Why it cannot carry out this node; empty where it can. May be null: it carries out whatever fits the contract.
    std::function<std::string(const NodeContext&)> why_not = {};
    /// Why another does it better; it is passed over unless it is asked for by name. May be null.
    std::function<std::string(const NodeContext&)> why_rather_not = {};
    /// It reads and writes operands that are streams; before others they are collected in arrays.
    bool takes_streams = false;
    /// Puts a nested SDFG or another library node in the node's place (node_context.h).
    std::function<void(NodeDraft&)> expand;
};

struct Operation {
    std::string name;       ///< `MatMul`
    std::string classpath;  ///< DaCe's class; empty: none. A node of this name with another class path is another operation.
    std::string summary;    ///< One sentence.
    /// Ways to call it. Where `forms_of` is set they serve as examples for verification only.
    std::vector<Form> forms;
    /// The forms that suit a node, where they depend on its properties or ranks. May be null.
    std::function<std::vector<Form>(const NodeContext&)> forms_of = {};
    std::vector<PropertyRule> properties = {};
    /// Other names of connectors: `_cin` of `_c`.
    std::map<std::string, std::string> connector_aliases = {};
    /// Unless this property is 0, the outputs' old values are read: at an input of the same connector, or where they stand.
    std::string update_factor = {};
    /// Element types that its operands may have; empty: every number.
    std::vector<code::Scalar> types = {};
    std::map<std::string, code::Scalar> operand_types = {};  ///< Of operands that have one type, whatever `types` says of others.
    bool one_type = false;                                   ///< All operands have the same type.
    bool element_wise = false;  ///< An element of the output depends on the same element of inputs of its sizes: in place is safe.
    /// Outputs of which a column or row may as well be multiplied by a number of absolute value 1, as eigenvectors: verification
    /// compares absolute values of elements.
    std::vector<std::string> up_to_phase = {};
    /// Turns random operands into ones that the definition is for: a positive definite matrix. Null: any will do.
    std::function<void(ir::Operands&)> make_valid = {};
    /// Arithmetic operations in terms of a form's sizes: `2*M*N*K`. Null: unknown.
    std::function<std::string(const Form&)> flops = {};
    /// The definition, which the interpreter runs. Null for Reduce, which has a rule of its own.
    std::function<void(ReferenceCall&)> reference = {};
    std::vector<Expansion> expansions = {};  ///< In order of preference.
    bool builtin = false;                    ///< One of this room: verified by its tests.
};

/// The definition of every sum of products: outputs = alpha * sum of the inputs' products + beta * outputs, as the form's sizes
/// say, in the types of NumPy (typed_number.h).
void sum_of_products(ReferenceCall& call);
/// One product and one sum for each combination of sizes: `2*K*M*N`.
std::string multiply_and_add(const Form& form);

}  // namespace sluice::library
