// An SDFG under construction, and NumPy's algebra of arrays over it: what front ends of any language have in common. A front end
// brings syntax and names; it derives from ArrayProgram, which asks it what only names can tell (the virtual functions). README.md
// says which part lies in which file.
//
// Operations take values (value.h) and give values: nothing is computed until a value is assigned or materialised, and shapes and
// types are NumPy's. What is known to be wrong is refused, what only the run can tell is checked there.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/array/plan.h"
#include "frontend/array/value.h"
#include "ir/builder.h"
#include "ir/sdfg.h"
#include "symbolic/assumptions.h"

namespace sluice::frontend {

using symbolic::Expr;

/// Thrown when the body of a map turns out to need states of its own; nothing has been changed by then.
struct NotFlat {};

/// Where a value goes: a view of a container.
struct Target {
    Operand view;
    std::vector<Expr> shape;
    code::ExprPtr scatter;  ///< Set where the index is computed from data: the subscripted container, as code.
    std::map<std::string, Operand> scatter_operands;
};

/// What a reduction (`sum`, `prod`, `max`, `min`, `any`, `all`) is asked for.
struct Reduction {
    std::vector<std::int64_t> axes;
    bool keepdims = false;
    std::optional<Value> initial, where;
    std::optional<code::DType> dtype;  ///< To compute in and to return.
};

/// Names that the parts of one program have in common.
struct ProgramNames {
    std::map<std::string, code::DType> symbol_types;
    std::set<std::string> taken;   ///< Names that generated symbols and parameters avoid.
    bool drops_unit_dims = false;  ///< Assignments drop dimensions of size 1 anywhere, as DaCe's do, and not in front only.
};

/// Sets a value to `during` and back at the end of the scope, however it is left.
template <class T> class Restored {
public:
    Restored(T& place, T during) : place_(place), before_(std::exchange(place, std::move(during))) {}
    ~Restored() { place_ = std::move(before_); }
    Restored(const Restored&) = delete;

private:
    T& place_;
    T before_;
};
template <class T, class During> Restored(T&, During) -> Restored<T>;

class ArrayProgram {
public:
    /// `around`: the program whose states this one is nested in; null for the outermost one.
    ArrayProgram(ProgramNames& names, const ArrayProgram* around);
    virtual ~ArrayProgram() = default;
    ArrayProgram(const ArrayProgram&) = delete;

    // ---- array_program.cpp: states, symbols, containers
    ir::StateBuilder new_state(const std::string& label);
    ir::BlockId append_block(ir::Block block);
    void assign_symbols(std::vector<std::pair<std::string, std::string>> assignments);
    void flush_symbols();
    void emit_state(const std::string& label, Plan plan);
    std::string fresh_label(const std::string& base);
    std::string fresh_symbol(const std::string& base);
    std::string fresh_container(const std::string& base) const;
    std::string fresh_param(std::set<std::string>& used) const;
    bool name_taken(const std::string& name) const;
    void need_symbols(const std::set<std::string>& names);
    void define_symbol(const std::string& name, const code::DType& type = code::Scalar::Int64);
    void need_container(const std::string& name);
    const ir::Container& container(const std::string& name) const;
    /// The container that a chain of views ends in.
    std::string root_of(const std::string& data) const;
    std::string add_temporary(const std::string& base, const code::DType& type, const std::vector<Expr>& shape);
    Value read_container(const std::string& name) const;
    /// The value in a container of its own; one that is all of a container stays where it is.
    Value materialise(const Value& value, const std::string& base);
    /// The value as it is now, where what it reads may change before it is used. A view stays a view.
    Value settled(const Value& value);
    /// Where a result is computed: the place that it is wished for, the container of its name, or a temporary. `operands` stay
    /// readable.
    Value result_place(const std::string& base, const code::DType& type, const std::vector<Expr>& shape,
                       const std::vector<Value>& operands);
    void refuse_flat() const;

    // ---- combining.cpp: element-wise values and their types
    Value combine(const std::vector<Value>& operands, const Span& span,
                  const std::function<code::ExprPtr(const std::vector<code::ExprPtr>&)>& build);
    Value call_ufunc(const std::string& canonical, const std::vector<Value>& operands, const Span& span);
    Value shifted(code::BinaryOp op, const Value& left, const Value& right, const Span& span);
    Value cast(const Value& value, const code::DType& type, const Span& span);
    /// The operands in the type that a ufunc computes in.
    std::vector<Value> in_type(const std::vector<Value>& operands, const code::DType& type, const std::string& name,
                               const Span& span);
    Value rounded(const Value& value, std::int64_t decimals, const Span& span);
    std::vector<Expr> broadcast(const std::vector<std::vector<Expr>>& shapes, const Span& span);
    Value broadcast_to(const Value& value, const std::vector<Expr>& shape, const Span& span) const;
    bool same_size(const Expr& a, const Expr& b) const;
    std::optional<Expr> as_integer(const Value& value) const;
    /// The number as an expression of symbols: a new one where only the run knows it.
    Expr integer_of(const Value& value, const Span& span, const std::string& base = "s");
    Value seen_through(const Value& value);
    bool has_other_elements(const std::string& data) const;

    // ---- elementwise.cpp: assignments
    Target target_of(const Value& view, const Span& span) const;
    void assign(const Target& target, const Value& value, const std::string& label, const std::string& wcr = {});
    Plan elementwise_plan(const Target& target, const Value& value, const std::string& label, const std::string& wcr = {});

    // ---- axes.cpp, reshape.h, gathering.cpp: dimensions and places
    Value transpose(const Value& value, std::vector<std::int64_t> axes, const Span& span);
    Value move_axes(const Value& value, const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to,
                    const Span& span);
    Value diagonal(const Value& value, const Expr& offset, std::size_t first, std::size_t second, const Span& span);
    /// Without the dimensions of size 1 that `axes` names, or all that there are.
    Value squeeze(const Value& value, const std::optional<std::vector<std::int64_t>>& axes, const Span& span);
    Value reshape(const Value& value, std::vector<Expr> shape, const Span& span);
    Value gather(const Value& base, const std::map<std::size_t, Value>& indices, std::size_t place, const Span& span);
    Value joined(const std::vector<Value>& values, std::size_t axis, const Span& span);

    // ---- reductions.cpp, products.cpp
    static bool is_reduction(const std::string& operation);
    /// What a reduction of no elements is, in the type that it computes in.
    static Value neutral(const std::string& operation, const code::DType& type);
    Value reduce(const Value& value, const std::string& operation, const Reduction& how, const Span& span);
    Value statistic(const Value& value, const std::string& operation, const Reduction& how, const Value& lost, const Span& span);
    Value arg_reduce(const Value& value, bool maximum, std::optional<std::int64_t> axis, bool keepdims, const Span& span);
    Value product(const Value& left, const Value& right, const Span& span);
    Value matrix_operand(const Value& value, const std::string& base);
    void run_operation(const std::string& operation, const std::string& classpath, const NamedValues& operands,
                       const NamedValues& results, const Span& span, const std::map<std::string, ir::Property>& properties = {});

    // ---- checks.cpp: what only the run can tell
    /// An exception other than ValueError, with values for the `{}` of its message.
    struct Exception {
        std::string name;
        std::vector<code::ExprPtr> values;
    };
    void require(const code::ExprPtr& condition, const std::string& message, const Span& span, const Exception& exception = {});
    void require_equal(const Expr& a, const Expr& b, const std::string& what, const Span& span);
    void require_inside(const Expr& at, const Expr& size, std::size_t axis, const Span& span);
    void require_inside(const Value& indices, const Expr& size, std::size_t axis, const Span& span);
    void require_positive(const Expr& size, const std::string& what, const Span& span);
    void require_not_negative(const Expr& size, const std::string& what, const Span& span);
    void require_elements(const Value& value, const std::vector<std::int64_t>& axes, const std::string& what, const Span& span);

    /// A list of numbers, of arrays of one shape, or of such lists as an array; any other value as it is.
    virtual Value as_array(const Value& value, const Span& span, const std::optional<code::DType>& type = std::nullopt);

    /// The finished graph.
    ir::Sdfg take_graph();

protected:
    friend class Reshape;
    // ---- what a front end knows of names
    /// The value is about to be assigned.
    virtual void note_assigned(const Target& target, const Value& value) { static_cast<void>(target), static_cast<void>(value); }
    /// What the container holds has changed.
    virtual void note_written(const std::string& data) { static_cast<void>(data); }
    /// The symbol gets another value.
    virtual void forget(const std::string& symbol) { static_cast<void>(symbol); }
    /// Whether a name other than `name` means a part of the container.
    virtual bool shared_with_others(const std::string& data, const std::string& name) const;
    /// Whether the language gives the name a meaning that no container may hide.
    virtual bool has_meaning(const std::string& name) const;
    /// The container of the name that a result will be bound to.
    virtual std::optional<std::string> container_of_result(const code::DType& type, const std::vector<Expr>& shape,
                                                           const std::vector<Value>& operands);
    /// In front of a use of the value: `error` where it is none.
    virtual void require_value(const Value& value, const std::string& error, const Span& span);
    /// Whether each run of the program comes to this place.
    virtual bool surely_reached() const { return true; }
    /// Who calls the program: what happens where a check fails that stands in front of changes which come before it.
    enum class Ahead : std::uint8_t {
        Ends,     ///< The call ends there.
        Repeats,  ///< Nothing has been changed yet: the caller begins again, with each check in its place.
        Never,    ///< No check stands there: this is such a repetition, or a part of a program that may have changed something.
    };
    virtual Ahead ahead_of_changes() const { return Ahead::Ends; }
    /// The place of the program that is blamed for what the run finds wrong at this one.
    virtual Span reported_at(const Span& span) const { return span; }

    void emit_entry_checks();

    /// Connector names, none of them taken, and memlets for the operands of a value, and its code over them.
    struct Wired {
        std::vector<PlannedMemlet> in;
        code::ExprPtr code;
    };
    Wired wire(const Value& value, const symbolic::Substitution& iteration, const std::set<std::string>& taken = {});

    ProgramNames& names_;
    const ArrayProgram* around_;
    ir::Sdfg sdfg_;
    ir::Region* region_ = nullptr;
    ir::BlockId last_;
    std::vector<std::pair<std::string, std::string>> pending_;
    std::map<std::string, std::vector<std::string>> temporaries_;  ///< By the name that was wished for.
    std::set<std::string> sizing_;                                 ///< Symbols in the shapes of these containers.
    std::set<std::string> handed_out_;                             ///< Temporaries of the statements under translation.
    bool translating_again_ = false;  ///< The statement has been translated before, in another meaning.
    /// Conditions that a check in front of this place found to hold, with their symbols; sizes that one found equal.
    std::vector<std::pair<std::string, std::set<std::string>>> checks_made_;
    std::vector<std::pair<Expr, Expr>> checked_;
    std::vector<PlannedCode> entry_checks_;  ///< Of what the arguments decide: made before anything else.
    bool raises_ = false;                    ///< An exception may have been raised here, or the caller's arrays have changed.
    bool program_raises_ = false;            ///< An exception of the program's own may have been raised here.
    bool loop_raises_ = false;               ///< Checks in front of a loop: its iterations do any of this.
    std::set<std::string> of_numbers_;       ///< Symbols that hold a number which only the run knows.
    std::map<std::string, Value> integers_;  ///< Of such symbols: the number.
    std::set<std::string> defined_symbols_;  ///< Given a value inside this SDFG.
    /// Parameters of the scopes around this SDFG, and of the scope being planned, with their ranges. One that another of its name
    /// hides is here by a name that nobody can write.
    std::map<std::string, symbolic::Range> map_params_;
    void add_map_parameter(const std::string& name, const symbolic::Range& range);
    std::set<std::string> map_parameters() const;
    std::map<std::string, std::string> view_of_;
    std::map<std::string, int> labels_;  ///< Each with the number of the next one that begins with it.
    symbolic::Assumptions assumptions_;
    std::optional<Target> hint_;            ///< Where the value of the expression that is being evaluated will be assigned.
    std::string name_;                      ///< The name that it will be bound to.
    std::set<std::string> tasklet_locals_;  ///< Variables of the tasklet being planned: no symbols, though nothing is read.
    bool flat_ = false;                     ///< Planning a map body: no states, no containers.
    Span where_;

private:
    bool holds_throughout(const code::ExprPtr& condition) const;
    bool stands_in_front(const code::ExprPtr& condition, const Exception& exception) const;
    std::vector<std::string> overwritten_operands(const Target& target, const Value& value) const;
    Value accumulate(const Value& value, const std::string& operation, const Reduction& how, const code::DType& type,
                     const Span& span);
    Plan reduction_plan(const Target& target, const Value& value, const std::vector<bool>& reduced, const std::string& wcr,
                        const std::string& label);
};

}  // namespace sluice::frontend
