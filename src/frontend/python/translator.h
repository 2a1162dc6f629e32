// The translation of one function (or of the body of one map) into one SDFG. README.md says which part lies in which file.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/array/plan.h"
#include "frontend/python/context.h"
#include "frontend/python/signatures.h"
#include "frontend/python/translation_state.h"
#include "ir/builder.h"

namespace sluice::frontend {

class Translator : public ArrayProgram, private TranslationState {
public:
    Translator(FunctionContext& context, const Translator* parent);
    ir::Sdfg take();
    void tell_exceptions(Returns& returns) const;
    // ---- program.cpp, statements.cpp, control_flow.cpp
    void translate_function(const std::map<std::string, ArgumentType>& argument_types);
    void add_module_arrays();
    Value shared_value(const std::string& name, const ArgumentType& type, const SharedParameter& shared);
    void translate(const code::Body& body);
    void translate(const code::StmtPtr& statement);

private:
    friend class Bounds;
    friend class CarriedArrays;
    friend class Choices;
    friend class Collections;
    friend class Domain;
    friend class FlatBody;
    friend class GraphCalls;
    friend class FunctionValues;
    friend class Inlining;
    friend class Lazy;
    friend class Lists;
    friend class Masks;
    friend class Magnitudes;
    friend class NestedLoops;
    friend class Messages;
    friend class Mutations;
    friend class Numbers;
    friend class Overflow;
    friend class ProcessGrids;
    friend class Results;
    friend class Sizes;
    friend class Texts;
    friend class TypesByPath;
    friend class Unbound;
    using ArrayProgram::integer_of;
    using ArrayProgram::target_of;
    // ---- what arrays ask: references.cpp, translator.cpp
    Value raises(const std::string& exception, const code::ExprPtr& e);
    void note_assigned(const Target& target, const Value& value) override;
    void note_written(const std::string& data) override;
    void forget(const std::string& symbol) override;
    bool shared_with_others(const std::string& data, const std::string& name) const override;
    bool has_meaning(const std::string& name) const override;
    std::optional<std::string> container_of_result(const code::DType& type, const std::vector<Expr>& shape,
                                                   const std::vector<Value>& operands) override;
    void require_value(const Value& value, const std::string& error, const Span& span) override;
    bool surely_reached() const override;
    Ahead ahead_of_changes() const override;
    Span reported_at(const Span& span) const override;
    std::optional<Span> line_of_file(const Span& span) const;
    Value as_array(const Value& value, const Span& span, const std::optional<code::DType>& type = std::nullopt) override;
    // ---- translator.cpp
    void give_first_values();
    ir::Region region_of(const std::function<void()>& fill);
    // ---- expressions.cpp
    Value evaluate(const code::ExprPtr& e);
    Value evaluate_node(const code::ExprPtr& e);
    std::optional<Value> is_same_truth(const code::CompareExpr& n, const Span& span);
    std::vector<Value> evaluate_all(const std::vector<code::ExprPtr>& list);
    Value evaluate_binary(const code::BinaryExpr& n, const Span& span);
    Value evaluate_boolean(const code::ExprPtr& e, const code::BoolExpr& n, bool truth_only);
    Value evaluate_conditional(const code::ExprPtr& e, const code::ConditionalExpr& n);
    Value choose(const Value& condition, const Value& if_true, const Value& if_false, const Span& span);
    Value evaluate_lazily(const code::ExprPtr& e, const std::function<code::Body(const code::ExprPtr& result)>& write);
    Value evaluate_truth(const code::ExprPtr& e, bool of_each = false);
    bool has_truth_of_each(const Value& value) const;
    Value binary(code::BinaryOp op, const Value& left, const Value& right, const Span& span);
    Value evaluate_name(const code::ExprPtr& e, const std::string& id);
    Value evaluate_attribute(const code::ExprPtr& e, const code::AttributeExpr& node);
    Expr integer_of(const code::ExprPtr& e);
    std::string condition_text(const code::ExprPtr& e);
    // ---- indexing.cpp
    Value index(const Value& base, const code::ExprPtr& index, const Span& span);
    Value index_tuple(const Value& base, const code::ExprPtr& index, const Span& span);
    Value number_of_table(const Value& table, const code::ExprPtr& index, const Span& span);
    std::optional<Value> element_of_rows(const code::SubscriptExpr& n, const Span& span);
    Value index_value(const code::ExprPtr& item);
    code::ExprPtr written_out(const code::ExprPtr& index);
    Value gather_items(const Value& base, std::vector<code::ExprPtr> items, const Span& span);
    symbolic::Subset subset_text(const std::vector<Expr>& shape, const code::ExprPtr& index, const Span& span);
    Expr wrap(const Expr& at, const Expr& size, std::size_t axis, const Span& span);
    symbolic::Range slice(const code::SliceExpr& e, const Expr& size, const Span& span);
    Target target_of(const code::ExprPtr& e);
    Value place_of(const code::ExprPtr& e);
    // ---- statements.cpp
    void assign_to(const code::ExprPtr& target, const code::ExprPtr& value);
    void assign_shape(const code::ExprPtr& object, const code::ExprPtr& value, const Span& span);
    Value in_storage(const code::BinaryExpr& n, const Span& span);
    Value laid_out(const code::DType& type, const std::vector<Expr>& shape, const code::ExprPtr& strides);
    Value declared_value(Value value, const ArgumentType& type, const Span& span);
    Value without_dims_beyond(const Value& value, std::size_t rank, const Span& span);
    bool names_fixed_integer(const std::string& name, const Value& value) const;
    void assign_name(const std::string& name, const Value& value, const Span& span);
    bool stays_as_it_is(const std::string& name, const std::string& data, const Span& span) const;
    std::vector<Value> unpacked(const Value& value, const std::vector<code::ExprPtr>& targets, const Span& span);
    void assign_several(const std::vector<code::ExprPtr>& targets, const code::ExprPtr& value, const Span& span);
    void augmented(const code::AugAssignStmt& statement, const Span& span);
    void assign_chain(const std::vector<code::ExprPtr>& targets, const code::ExprPtr& value, const Span& span);
    void assign_in_turn(std::vector<code::ExprPtr> targets, std::vector<Value> values, const Span& span);
    void bind(const std::string& name, Value value);
    bool has_effects(const code::ExprPtr& e) const;
    std::set<std::string> find_integer_locals(const code::Body& body) const;
    bool is_integer_expression(const code::ExprPtr& e, const std::set<std::string>& locals) const;
    void expression_statement(const code::ExprPtr& e);
    void bind_import(const code::ImportStmt& s, const Span& span);
    void forget_names(const code::DeleteStmt& s, const Span& span);
    void translate_with(const code::WithStmt& s, const Span& span);
    // ---- references.cpp, unbound.cpp
    bool refers_to(const Value& value, const std::string& data) const;
    std::string storage_for(const std::string& name, const code::DType& type, const std::vector<Expr>& shape,
                            const std::vector<Value>& operands);
    bool counts_list(const Value& value, const std::string& symbol) const;
    std::set<std::string> symbols_of(const Value& value) const;
    Value keep_symbols(const std::string& name, const Value& value);
    const Value& read_variable(const std::string& name, const Variable& variable);
    Path path_of(const std::function<void()>& fill);
    std::int64_t new_choice(const Span& span, std::size_t present);
    void join(const std::vector<Path*>& paths);
    void join_in_expression(const std::set<std::string>& known, const Span& span);
    void assign_at_end(Path& path, const std::string& label, std::vector<std::pair<std::string, std::string>> assignments);
    std::string chosen_text(const std::set<std::int64_t>& choices) const;
    void translate_from(const code::Body& body, std::size_t first);
    void translate_apart(const code::Body& body, std::size_t first);
    LoopMeaning& meaning_in(LoopFrame& frame, const Variables& variables, bool leaves);
    void note_literals(const code::Stmt& loop, const Variables& entry);
    void forget_scratch(const code::Stmt& loop);
    void leave_iteration(bool again);
    void leave_iteration_apart();
    void note_moved(const code::Stmt& statement, const Variables& entry);
    ir::Region loop_body(LoopFrame& frame, const code::Body& body, const std::function<void()>& before);
    ir::Region join_iterations(LoopFrame& frame, std::vector<std::pair<std::int64_t, ir::Region>> regions);
    bool runs_surely(const symbolic::Range& range, bool up, bool down) const;
    // ---- assertions.cpp
    void require_truth(const code::ExprPtr& condition, const std::string& message, const Span& span,
                       std::vector<code::ExprPtr> values = {});
    // ---- control_flow.cpp
    void translate_if(const code::IfStmt& statement, const Span& span);
    void translate_while(const code::Stmt& shared, const code::WhileStmt& statement);
    void translate_for(const code::StmtPtr& statement);
    void translate_range(const code::Stmt& shared, const code::ForStmt& statement, const code::CallExpr& range);
    void translate_with_else(const code::Stmt& shared, const code::Body& body, const code::Body& else_body);
    void translate_over_generator(const code::Stmt& shared, const code::ForStmt& loop, const code::ComprehensionExpr& generator);
    void translate_over_elements(const code::Stmt& shared, const code::ForStmt& loop);
    bool translate_known_turns(const code::Stmt& shared, const code::ForStmt& loop, const code::CallExpr& range);
    code::ExprPtr left_of(const code::Body& body, const Span& span);
    symbolic::Range range_bounds(const code::ForStmt& statement, const code::CallExpr& range, const Span& span);
    bool counts_apart(const code::ForStmt& statement) const;
    // ---- calls: functions.cpp, prelude.cpp, joining.cpp, creation.cpp, reduction_calls.cpp, operation_calls.cpp,
    // program_calls.cpp
    Value value_of(const Arguments& arguments, const std::string& name);
    Value array_of(const Arguments& arguments, const std::string& name);
    std::optional<std::int64_t> known_integer(const code::ExprPtr& e);
    bool flag(const Arguments& arguments, const std::string& name, bool otherwise) const;
    std::int64_t constant_integer(const Arguments& arguments, const std::string& name, std::int64_t otherwise);
    Value call(const code::ExprPtr& e, const code::CallExpr& node);
    Value call_method(const code::ExprPtr& e, const code::CallExpr& node, const code::AttributeExpr& method);
    std::optional<Value> call_known(const std::string& name, const Arguments& arguments);
    Value call_elementwise(const std::string& name, const code::Function& function, const code::CallExpr& node, const Span& span);
    std::optional<Value> call_builtin(const std::string& name, const Arguments& arguments);
    std::optional<Value> call_creation(const std::string& name, const Arguments& arguments);
    std::optional<Value> call_filled(const std::string& name, const Arguments& arguments);
    std::optional<Value> call_sequence(const std::string& name, const Arguments& arguments);
    Value linspace(const Arguments& arguments);
    Value real_arange(const std::vector<Value>& given, const Arguments& arguments);
    std::optional<Value> call_definition(const std::string& name, const Arguments& arguments);
    code::DType element_type(const code::ExprPtr& e);
    std::optional<Value> limit_of_type(const code::AttributeExpr& node, const Span& span);
    code::DType creation_type(const Arguments& arguments, const code::DType& otherwise);
    std::optional<Value> call_prelude(const std::string& name, const code::CallExpr& node, const Span& span);
    code::ExprPtr constant_argument(const std::string& parameter, const code::ExprPtr& e);
    bool asks_for_types(const code::ExprPtr& e) const;
    std::optional<bool> known_of_types(const code::CallExpr& call);
    std::optional<bool> known_truth(const code::ExprPtr& e);
    std::optional<Value> run_inlined(const code::Body& body);
    std::optional<Value> run_written_out(const code::ForStmt& loop, const code::ExprPtr& count);
    std::optional<Value> run_single_exit(const code::Body& rest);
    std::optional<bool> decided(const code::ExprPtr& e);
    bool is_decided_now(const code::ExprPtr& e);
    void start_again();
    bool mentions_none(const code::ExprPtr& e, bool or_text = false) const;
    void assert_in_prelude(const code::AssertStmt& statement, const Span& span);
    void translate_assert(const code::AssertStmt& statement, const Span& span);
    std::optional<Value> call_ufunc_method(const std::string& name, const code::CallExpr& node, const Span& span);
    std::optional<Value> call_joining(const std::string& name, const Arguments& arguments);
    std::optional<Value> call_axes(const std::string& name, const Arguments& arguments);
    /// F009 where an update in place would need a richer type than the array has.
    static void refuse_richer_update(const Value& result, const code::DType& type, const Span& span);
    /// NumPy's array without dimensions that is left of one; a view of an array that has a name is refused.
    Value without_dimensions(Value value, const Span& span) const;
    Value coordinates(const std::string& maker, const code::ExprPtr& index, const Span& span);
    std::optional<Value> call_shape_function(const std::string& name, const Arguments& arguments);
    std::optional<Value> call_choice(const std::string& name, const Arguments& arguments);
    std::optional<Value> call_reduction(const std::string& name, const Arguments& arguments);
    /// What NumPy asks of an `out`.
    enum class Fit : std::uint8_t { Broadcast, Shape, SafeType, SameType };  // Types: of its shape as well.
    Value into_out(const Arguments& arguments, Value result, Fit fit = Fit::Broadcast,
                   const std::optional<Value>& chosen = std::nullopt);
    std::optional<Value> condition_of(const Arguments& arguments);
    Value of_numpy(const Value& value);
    Value call_function(const std::string& spelled, const std::string& canonical, const std::vector<Value>& operands,
                        const Span& span);
    Value any_of(const std::vector<Value>& values, bool all, const Span& span);
    Value extreme_of(const std::vector<Value>& values, bool largest, const Span& span);
    Value round_to_digits(const Value& value, const code::ExprPtr& digits, const Span& span);
    Value convert(const Value& value, const code::DType& type, bool of_python, const Span& span);
    std::vector<Expr> shape_argument(const code::ExprPtr& e);
    std::vector<Expr> new_shape(const code::ExprPtr& e);
    std::optional<Reduction> reduction_of(const std::string& operation, const Value& value, const Arguments& arguments);
    std::vector<std::int64_t> axes_of(const code::ExprPtr& e, std::size_t rank);
    Value explicit_reduce(const Arguments& arguments);
    Value explicit_elementwise(const Arguments& arguments);
    std::map<char, Expr> sizes_of_letters(const std::vector<std::string>& letters, const std::vector<Value>& operands,
                                          const Span& span);
    std::optional<Value> call_einsum(const std::string& name, const Arguments& arguments);
    Value call_operation(const Arguments& arguments);
    Value call_program(const Program& program, const code::CallExpr& node, const Span& span);
    Value call_nested(const Program& program, const code::CallExpr& node, const Span& span, bool raises_for_none);
    Value default_of(const Program& program, const std::string& parameter, const code::ExprPtr& e);
    std::vector<Actual> program_arguments(const Program& program, const code::CallExpr& node, const Span& span);
    std::optional<std::vector<Expr>> view_strides(const Value& value, const Operand& view, const symbolic::Subset& subset) const;
    bool may_overlap(const Value& a, const Value& b) const;
    Sharing shared_parameters(const std::vector<Actual>& actuals, const Touched& touched, const std::string& program,
                              std::map<std::string, Expr>& mapping, const Span& span);
    void pass_shared(const Program& program, const std::vector<Actual>& actuals, const Sharing& sharing, ProgramCall& call);
    void pass_argument(Actual& actual, ir::Sdfg& inner, ProgramCall& call);
    Value receive_result(const std::string& name, const ir::Container& formal, const Returned& returned, ProgramCall& call,
                         const std::vector<Value>& operands);
    // ---- maps.cpp, dataflow.cpp
    void translate_map(const std::vector<std::string>& params, const code::ExprPtr& iterable, const code::Body& body,
                       const Span& span);
    MapHeader map_header(const std::vector<std::string>& params, const code::ExprPtr& iterable);
    MapHeader map_header(const std::vector<std::string>& params, const std::vector<code::ExprPtr>& ranges, const Span& span);
    PlannedScope plan_map(const MapHeader& header, const code::Body& body, bool one_tasklet, const std::string& label,
                          const Span& span);
    void refuse_outer_assignment(const code::Body& body, const Span& map) const;
    PlannedCode nested_body(const code::Body& body, const std::string& label, const Span& span,
                            const std::optional<BodyElement>& element = std::nullopt);
    /// May two points of the maps around update the element?
    bool points_meet(const Target& target) const;
    bool points_apart(const Target& target) const;
    std::set<std::string> changed_in_points() const;
    std::string conflict_resolution(const Target& target, code::BinaryOp op, Value& value);
    /// `A[k] = A[k] + e` and `A[k] = max(A[k], e)` in a map, where points meet. False: the assignment is none of these.
    bool update_in_map(const code::ExprPtr& target, const code::ExprPtr& value, const Span& span);
    void copy_statement(const code::ExprPtr& source, const code::ExprPtr& destination);
    bool translate_dataflow(const code::StmtPtr& statement);
    std::optional<code::Body> pushing_body(const code::StmtPtr& statement) const;
    std::optional<PlanItem> dataflow_item(const code::StmtPtr& statement);
    PlannedCode explicit_tasklet(const code::Body& body, const std::string& label, const Span& span,
                                 const std::set<std::string>& bound = {});
    /// `begin_with` has the tasklet begin with a name for a value.
    void explicit_memlet(PlannedCode& code, const std::string& connector, const code::ExprPtr& e, bool output,
                         const std::function<void(const std::string& name, const Value& value)>& begin_with);
    PlannedScope consume_scope(const code::FunctionStmt& function, const code::CallExpr& decorator, bool one_tasklet,
                               const Span& span);
    std::string reduction_text(const code::ExprPtr& e) const;

    FunctionContext& context_;
    const Translator* parent_;
    bool updates_several_places_ = false;  ///< The body of the map that is planned (map_updates.h).
};

}  // namespace sluice::frontend
