// Assignments, and what a name means after them.
#include <algorithm>

#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/reshape.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/carried_arrays.h"
#include "frontend/python/choices.h"
#include "frontend/python/domain.h"
#include "frontend/python/function_values.h"
#include "frontend/python/in_place.h"
#include "frontend/python/inlining.h"
#include "frontend/python/lists.h"
#include "frontend/python/magnitudes.h"
#include "frontend/python/masks.h"
#include "frontend/python/messages.h"
#include "frontend/python/mutations.h"
#include "frontend/python/nested_loops.h"
#include "frontend/python/numbers.h"
#include "frontend/python/overflow.h"
#include "frontend/python/results.h"
#include "frontend/python/sizes.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"
#include "support/activity.h"

namespace sluice::frontend {

using namespace code;

void Translator::translate(const Body& body) {
    translate_from(body, 0);
}

void Translator::translate_from(const Body& body, std::size_t first) {
    for (std::size_t at = first; at < body.size(); ++at) {
        translate(body[at]);
        if (!reachable_) return;  // What follows is never reached.
        if (endings_.size() < 2) continue;
        if (at + 1 < body.size()) translate_apart(body, at + 1);
        return;
    }
}

namespace {

/// `x.shape`
bool is_shape(const ExprPtr& e) {
    const auto* attribute = std::get_if<AttributeExpr>(&e->node);
    return attribute && attribute->name == "shape" && !name_of(attribute->object).empty();
}

}  // namespace

void Translator::translate(const StmtPtr& statement) {
    where_ = statement->span;
    tick();
    const Restored counts(counts_, false);
    next_hint_.reset();
    hint_.reset();
    next_name_.clear();
    name_.clear();
    // Its temporaries are free behind it, unless the expression around it may still hold what they are.
    std::optional<Restored<std::set<std::string>>> freed;
    if (!inside_expression_) {
        held_.clear();
        freed.emplace(handed_out_, handed_out_);
    }
    if (translate_dataflow(statement)) return;
    const Restored current(statement_, statement.get());
    const auto leave = [this, region = region_, last = last_, frame = frame_, loop = enclosing_loop_, depth = depth_,
                        loops = trips_.size()] {
        region_ = region, last_ = last, frame_ = frame, enclosing_loop_ = loop, depth_ = depth;
        trips_.resize(loops);
    };
    if (Choices(*this).translate(statement) || Inlining(*this).translate_apart(statement)) return;
    try {
        std::visit(
            Overloaded{
                [&](const AssignStmt& s) {
                    if (s.targets.size() == 1 && update_in_map(s.targets[0], s.value, statement->span)) return;
                    if (s.targets.size() == 1 || (std::ranges::all_of(s.targets, is_shape) && !has_effects(s.value))) {
                        for (const ExprPtr& target : s.targets) assign_to(target, s.value);
                        return;
                    }
                    assign_chain(s.targets, s.value, statement->span);
                },
                [&](const AugAssignStmt& s) { augmented(s, statement->span); },
                [&](const AnnAssignStmt& s) {
                    if (const auto* place = std::get_if<BinaryExpr>(&s.annotation->node);
                        place && names_storage(*place, bindings_)) {
                        const Span& span = statement->span;  // `b: T @ storage = v` is `b: T = v @ storage`
                        const ExprPtr value = s.value ? make_binary(BinaryOp::MatMul, s.value, place->right, span) : nullptr;
                        Body& same = context_.rewritten[statement.get()];  // The same statement each time.
                        if (same.empty())
                            same.push_back(std::make_shared<const Stmt>(Stmt{AnnAssignStmt{s.target, place->left, value}, span}));
                        return translate(same[0]);
                    }
                    const auto type = type_of_annotation(s.annotation, bindings_);
                    const std::string name(name_of(s.target));
                    const bool declared = type && !name.empty() && declares_type(*s.annotation, bindings_);
                    if (declared && !type->shape) context_.types.try_emplace(name, type->dtype);
                    if (!s.value) return;
                    if (!declared || Lists(*this).create(name, s.value)) return assign_to(s.target, s.value);
                    next_name_ = name;
                    Value value = declared_value(evaluate(s.value), *type, s.value->span);
                    assign_name(name, value, s.target->span);
                },
                [&](const ExprStmt& s) { expression_statement(s.value); },
                [&](const IfStmt& s) { translate_if(s, statement->span); },
                [&](const ForStmt&) { translate_for(statement); },
                [&](const WhileStmt& s) { translate_while(*statement, s); },
                [&](const FunctionStmt& s) { FunctionValues(*this).define(s, statement); },
                [&](const ReturnStmt& s) {
                    if (!inline_prefix_.empty())
                        unsupported("a return in the else clause of a loop", statement->span, "use a flag");
                    Results(*this).translate(s.value, statement->span);
                    Domain(*this).raise_noted();
                    may_have_returned_ = true;
                    if (depth_ > 0) append_block({.label = fresh_label("return"), .kind = ir::ReturnBlock{}, .metadata = {}});
                    reachable_ = false;
                },
                [&](const BreakStmt&) {
                    if (!frame_)
                        unsupported("break out of a map", statement->span, "use a loop over range(...): a map has no order");
                    leave_iteration(false);
                    append_block({.label = fresh_label("break"), .kind = ir::BreakBlock{}, .metadata = {}});
                    reachable_ = false;
                },
                [&](const ContinueStmt&) {
                    if (!frame_)
                        unsupported("continue of a map", statement->span,
                                    "write if around what follows, or use a loop over range(...)");
                    leave_iteration(true);
                    append_block({.label = fresh_label("continue"), .kind = ir::ContinueBlock{}, .metadata = {}});
                    reachable_ = false;
                },
                [](const PassStmt&) {},
                [&](const AssertStmt& s) {
                    if (prelude_prefix_.empty())
                        translate_assert(s, statement->span);
                    else
                        assert_in_prelude(s, statement->span);
                },
                [&](const DeleteStmt& s) { forget_names(s, statement->span); },
                [&](const WithStmt& s) { translate_with(s, statement->span); },
                [&](const ImportStmt& s) { bind_import(s, statement->span); },
                [&](const UnsupportedStmt& s) {
                    unsupported(s.keyword, statement->span,
                                "move it out of the program: docs/python-subset.md lists what a program may hold");
                },
            },
            statement->node);
        if (std::holds_alternative<ForStmt>(statement->node) && reachable_ && Domain(*this).place() == Domain::Place::AtOnce)
            Domain(*this).raise_noted();
    } catch (const PathEnds&) {
        reachable_ = false;
    } catch (const Failure&) {
        if (!context_.reads_unknown_list) throw;
        leave();  // Another statement appends to the list, one inside perhaps.
        for_each_body(*statement, [&](const Body& body) { translate(body); });
    }
}

/// `del x`: the name has no value.
void Translator::forget_names(const DeleteStmt& s, const Span& span) {
    for (const ExprPtr& target : s.targets) {
        const std::string name(name_of(target));
        if (name.empty()) unsupported("del of an element", span, "delete names");
        evaluate(target);
        variables_.erase(name);
    }
}

/// `with np.errstate(...)`, which only speaks of warnings, and `with sluice.named(...)`, which only speaks to people.
void Translator::translate_with(const WithStmt& s, const Span& span) {
    for (const WithItem& item : s.items) {
        const auto* call = std::get_if<CallExpr>(&item.context->node);
        const std::string name = qualified_name(call ? *call->function : *item.context, bindings_);
        if (name == "sluice.named" && !item.target) continue;
        const bool known = call && name == "numpy.errstate" && !item.target;
        if (!known)
            unsupported(
                "with", span,
                "only `with sluice.tasklet:`, `with sluice.named(...)` and `with np.errstate(...)` are known inside a program");
        for (const Keyword& keyword : call->keywords) {
            const std::string* text = text_of(keyword.value);
            if (!text || (*text != "ignore" && *text != "warn"))
                unsupported("this setting of np.errstate", keyword.value->span, "use 'ignore'");
        }
    }
    translate_from(s.body, 0);
}

void Translator::expression_statement(const ExprPtr& e) {
    if (std::holds_alternative<ConstantExpr>(e->node)) return;  // A docstring.
    if (!std::holds_alternative<CallExpr>(e->node))
        unsupported("an expression without effect", e->span, "assign its value or remove it");
    evaluate(e);
}

/// DaCe's programs may assign a column to a vector: dimensions of size 1 that the target lacks are dropped, the last ones first.
/// What a name that is annotated with the type is bound to. A number counts as an array of one element.
Value Translator::declared_value(Value value, const ArgumentType& type, const Span& span) {
    if (!value.is_elements() || !value.list.empty()) {
        if (type.shape) value = as_array(value, span, type.dtype);
        return value;
    }
    const std::size_t rank = type.shape ? type.shape->size() : 0;
    const auto is_one = [](const Expr& extent) { return extent.is_integer(1); };
    if (rank == 0 && value.rank() > 0 && std::ranges::all_of(value.shape, is_one)) {
        symbolic::Substitution first;
        for (std::size_t dim = 0; dim < value.rank(); ++dim) first[iteration_of(dim, value.rank()).name()] = 0;
        value = substitute(value, first), value.shape.clear();
    }
    if (value.rank() == 0 && rank > 0 && std::ranges::all_of(*type.shape, is_one))
        value = reshape(as_array(value, span), *type.shape, span);
    if (value.rank() != rank)
        refuse("F025",
               "the annotation declares " + std::to_string(rank) + " dimensions, and the value has " + std::to_string(value.rank()),
               span, "annotate with the type of the value, or leave the annotation out");
    for (std::size_t dim = 0; dim < rank; ++dim)
        require_equal(value.shape[dim], (*type.shape)[dim], "dimension " + std::to_string(dim) + " and its annotation", span);
    return rank > 0 && !(strong(value.type) == type.dtype) ? cast(value, type.dtype, span) : value;
}

Value Translator::without_dims_beyond(const Value& value, std::size_t rank, const Span& span) {
    std::vector<std::int64_t> axes;
    for (std::size_t at = value.rank(); at-- > 0 && value.rank() > rank + axes.size();)
        if (value.shape[at].is_integer(1)) axes.push_back(static_cast<std::int64_t>(at));
    return axes.empty() ? value : squeeze(value, axes, span);
}

// ---- targets ------------------------------------------------------------------------------------------------------------
void Translator::assign_to(const ExprPtr& target, const ExprPtr& value) {
    if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node))
        return assign_several(elements_of(target), value, target->span);
    if (const auto name = name_of(target); !name.empty()) {
        if (Lists(*this).create(std::string(name), value)) return;
        next_name_ = std::string(name);
        const Value result = evaluate(value);
        return assign_name(std::string(name), result, target->span);
    }
    if (is_shape(target)) return assign_shape(std::get<AttributeExpr>(target->node).object, value, target->span);
    if (!std::holds_alternative<SubscriptExpr>(target->node))
        unsupported("an assignment to this kind of target", target->span, "assign to a name, an element or a slice");
    if (Messages(*this).assign(target, value)) return;
    if (Mutations(*this).assign(target, [&] { return evaluate(value); })) return;
    if (Lists(*this).assign(target, [&] { return evaluate(value); })) return;
    if (Masks(*this).assign(target, value, target->span)) return;
    if (const auto* elements = std::get_if<ComprehensionExpr>(&value->node); elements && elements->is_list) {
        bindings_.emplace("__numpy", ModuleBinding{"numpy"});
        const ExprPtr array = make_attribute(make_name("__numpy", value->span), "array", value->span);
        return assign_to(target, make_expression(CallExpr{array, {value}, {}}, value->span));
    }
    if (has_effects(value) || has_effects(target)) {  // The value comes before the place.
        const Value result = settled(evaluate(value));
        return Overflow(*this).assign(target_of(target), result, "assign");
    }
    const Target place = target_of(target);
    if (!place.scatter) next_hint_ = place;
    Value result = evaluate(value);
    if (context_.as_dace) result = without_dims_beyond(result, place.shape.size(), value->span);
    const bool list = result.kind == Value::Kind::Tuple && !result.of_keys;
    Overflow(*this).assign(place, list ? as_array(result, value->span) : result, "assign");
}

/// `x.shape = value`: the name means the same memory in another shape. Nobody else may see the object.
void Translator::assign_shape(const ExprPtr& object, const ExprPtr& value, const Span& span) {
    const std::string name(name_of(object));
    const Value array = evaluate(object);
    const Operand* view = as_view(array);
    const bool given = view && !container(view->data).transient && is_identity(*view, array.rank());
    const bool other_name =
        view && std::ranges::any_of(variables_, [&](const auto& entry) {
            const Operand* other = as_view(entry.second.value);
            return entry.first != name && other && other->id() == view->id() && entry.second.value.shape == array.shape;
        });
    if (!view || given || other_name || array.read_only)
        unsupported("an assignment of the shape of an array that has other names, or is the caller's", span,
                    "write " + name + " = " + name + ".reshape(...)");
    const Value result = reshape(array, shape_argument(value), span);
    if (result.copied || result.sees_through)
        refuse("F004", "Incompatible shape for in-place modification: the array is not in C order", span, "copy it before");
    bind(name, result);
}

/// `a = b = value`: the value is computed once.
void Translator::assign_chain(const std::vector<ExprPtr>& targets, const ExprPtr& value, const Span& span) {
    Value one = evaluate(value);
    if (one.is_elements() && !one.is_symbolic()) one = settled(one);
    if (one.is_elements() && one.rank() > 0 && !as_view(one)) one = materialise(one, "value");
    const Restored held(held_, held_);
    held_.push_back(one);
    for (const ExprPtr& target : targets) {
        if (const auto name = name_of(target); !name.empty())
            assign_name(std::string(name), one, span);
        else if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node))
            unsupported("a tuple among several targets", target->span, "assign the tuple in a statement of its own");
        else
            Overflow(*this).assign(target_of(target), one, "assign");
    }
}

/// The elements or rows of an array, one for each target; a starred target takes what is left where the size is known.
std::vector<Value> Translator::unpacked(const Value& value, const std::vector<ExprPtr>& targets, const Span& span) {
    if (!value.is_elements() || value.rank() == 0)
        unsupported("unpacking of a value that is no tuple and no array", span, "index its elements one by one");
    if (!value.shape[0].is_integer()) Lists::refuse_as_array(value, span);
    const bool starred =
        std::ranges::any_of(targets, [](const ExprPtr& e) { return std::holds_alternative<StarredExpr>(e->node); });
    if (starred && !value.shape[0].is_integer())
        unsupported("unpacking of an array of which only the run knows the size into a starred target", span, "write slices");
    auto count = static_cast<std::int64_t>(targets.size());
    if (value.shape[0].is_integer())
        count = value.shape[0].integer();
    else
        require_equal(value.shape[0], count, "an array and the targets that it is unpacked into", span);
    constexpr std::int64_t kMost = 64;
    if (count > kMost) unsupported("unpacking of an array into so many targets", span, "index it");
    const Value whole = settled(value);
    std::vector<Value> values;
    for (std::int64_t at = 0; at < count; ++at) values.push_back(index(whole, make_integer(at), span));
    return values;
}

namespace {

bool is_empty_list(const ExprPtr& e) {
    const auto* list = std::get_if<ListExpr>(&e->node);
    return list && list->elements.empty();
}

}  // namespace

void Translator::assign_several(const std::vector<ExprPtr>& targets, const ExprPtr& value, const Span& span) {
    std::vector<Value> values;
    const auto* tuple_value = std::get_if<TupleExpr>(&value->node);
    if (tuple_value && targets.size() == tuple_value->elements.size() &&
        std::ranges::all_of(tuple_value->elements, is_empty_list)) {
        for (std::size_t at = 0; at < targets.size(); ++at) assign_to(targets[at], tuple_value->elements[at]);
        return;
    }
    if (tuple_value) {
        values = evaluate_all(tuple_value->elements);
    } else {
        const Value one = evaluate(value);
        values = one.kind == Value::Kind::Tuple ? one.elements : unpacked(one, targets, value->span);
    }
    if (targets.size() > 1) {
        const bool exchange = tuple_value && Lists::exchanges(targets, tuple_value->elements);
        for (Value& one : values) one = exchange ? Lists(*this).exchanged(one) : settled(one);
    }
    assign_in_turn(targets, std::move(values), span);
}

/// Everything on the right is evaluated; the targets follow from left to right. A starred one takes what the others leave.
void Translator::assign_in_turn(std::vector<ExprPtr> targets, std::vector<Value> values, const Span& span) {
    const auto star = std::ranges::find_if(targets, [](const ExprPtr& e) { return std::holds_alternative<StarredExpr>(e->node); });
    if (star != targets.end() && values.size() + 1 >= targets.size()) {
        const auto first = values.begin() + (star - targets.begin());
        const auto last = first + static_cast<std::ptrdiff_t>(values.size() + 1 - targets.size());
        Value rest = tuple(std::vector<Value>(first, last));
        rest.of_list = true;
        rest.objects = {context_.new_object()};
        values.insert(values.erase(first, last), std::move(rest));
        *star = std::get<StarredExpr>((*star)->node).value;
    }
    if (values.size() != targets.size())
        refuse("F004",
               "cannot unpack " + std::to_string(values.size()) + " values into " + std::to_string(targets.size()) + " targets",
               span, "give as many targets as values");
    const auto is_symbol = [&](std::size_t at) {
        const std::string name(name_of(targets[at]));
        return integer_locals_.contains(name) && !names_fixed_integer(name, values[at]);
    };
    std::size_t symbols = 0;
    for (std::size_t at = 0; at < targets.size(); ++at) symbols += is_symbol(at);
    std::vector<std::pair<std::string, std::string>> together;
    if (symbols > 0 && symbols < targets.size()) {
        for (Value& one : values)  // A symbol that is assigned must not change what comes after it.
            if (one.is_symbolic() && one.is_scalar() && !ir::free_names(*one.code).empty() && as_integer(one)) {
                const std::string kept = fresh_symbol("value");
                assumptions_.assume_any(kept);
                Magnitudes(*this).note(kept, kept, one);
                assign_symbols({{kept, code::to_string(*one.code)}});
                one = symbolic_value(symbolic::symbol(kept));
            } else if (one.is_symbolic() && !one.is_scalar()) {
                one = materialise(one, "value");
            }
    }
    const std::size_t first = held_.size();  // Of these, behind those of a tuple around.
    held_.insert(held_.end(), values.begin(), values.end());
    for (std::size_t at = 0; at < targets.size(); ++at) {
        const std::string name(name_of(targets[at]));
        held_[first + at] = none_value();
        if (is_symbol(at) && symbols == targets.size()) {
            Magnitudes(*this).note(name, name, values[at]);
            std::erase_if(together, [&](const auto& one) { return one.first == name; });  // The last one counts.
            together.emplace_back(name, code::to_string(*values[at].code));
        } else if (!name.empty())
            assign_name(name, values[at], span);
        else if (std::holds_alternative<TupleExpr>(targets[at]->node) || std::holds_alternative<ListExpr>(targets[at]->node))
            assign_in_turn(elements_of(targets[at]), values[at].elements, span);
        else if (const auto given = [&] { return values[at]; };
                 !Mutations(*this).assign(targets[at], given) && !Lists(*this).assign(targets[at], given))
            Overflow(*this).assign(target_of(targets[at]), values[at], "assign");
    }
    held_.resize(first);
    if (together.empty()) return;
    for (const auto& [name, text] : together) {
        define_symbol(name);
        bind(name, symbolic_value(symbolic::symbol(name)));
        assumptions_.assume_any(name);
    }
    assign_symbols(together);
}

void Translator::bind(const std::string& name, Value value) {
    bindings_.erase(name);
    variables_[name] = {std::move(value), false};
}

/// Is the name bound once, to an integer that is the same wherever the program reads it? It needs no variable then, and sizes made
/// of it are those that the caller knows.
bool Translator::names_fixed_integer(const std::string& name, const Value& value) const {
    if (!context_.bound_once(name) || context_.types.contains(name)) return false;
    const std::optional<Expr> known = as_integer(value);
    return known && std::ranges::none_of(symbolic::free_symbols(*known),
                                         [&](const std::string& symbol) { return defined_symbols_.contains(symbol); });
}

/// Whether nothing changes the array that the name is bound to here, or what it would be a view of: a view and a copy are the same
/// then.
bool Translator::stays_as_it_is(const std::string& name, const std::string& data, const Span& span) const {
    const Body* body = inline_prefix_.empty() ? &context_.function->body : inlined_body_;
    if (data.empty() || parent_ || !prelude_prefix_.empty() || !body || !context_.sharing.empty() || data.starts_with("__g_"))
        return false;
    const auto used = occurrences(*body);
    if (!used.contains(name)) return false;
    std::set<std::string> names{name};
    for (const auto& [other, variable] : variables_) {
        const bool of_function = variable.value.kind == Value::Kind::Function && used.contains(other);
        if (of_function && !inline_prefix_.empty()) return false;  // It may change what it sees around it.
        if (!refers_to(variable.value, data)) continue;
        if (inline_prefix_.empty() && !used.contains(other)) return false;
        names.insert(other);
    }
    return !may_change_behind(*body, span.line, names, bindings_) &&
           (inline_prefix_.empty() || !may_be_returned(*body, {name}, bindings_));
}

void Translator::assign_name(const std::string& name, const Value& given, const Span& span) {
    refuse_flat();
    if (given.of_rank_0 && given.sees_through)
        unsupported("a name for a view without dimensions", span, "read the number: x.item()");
    if (names_fixed_integer(name, given)) return bind(name, given);
    if (integer_locals_.contains(name)) {
        const std::string text = code::to_string(*given.code);
        Magnitudes(*this).note(name, name, given);
        define_symbol(name);
        bind(name, symbolic_value(symbolic::symbol(name)));
        variables_.at(name).literal = literal_value(given);
        assumptions_.assume_any(name);
        if (const auto known = as_integer(given); known && context_.bound_once(name)) Sizes(*this).note(name, *known);
        return assign_symbols({{name, text}});
    }
    const bool literal = given.is_symbolic() && given.is_scalar() && constant_value(*given.code, {}).has_value();
    if (context_.bound_once(name) && literal && !context_.types.contains(name) && !context_.return_variable.contains(name))
        return bind(name, given);
    Value value = context_.kept.contains(name) ? keep_symbols(name, given) : given;
    if (value.sees_through && stays_as_it_is(name, value.sees_through->base, span)) value.sees_through.reset();
    Reshape(*this).settle(value, span);
    value.copied = false;  // From here on it is an array of its own.
    if (value.kind == Value::Kind::Character)
        unsupported("a name for a character that only the run knows", span, "keep its place, or ord of it");
    if (!value.is_elements()) return bind(name, settled(value));
    if (value.rank() == 0) return Numbers(*this).assign(name, value);
    if (CarriedArrays(*this).assign(name, value, span)) return;
    if (as_view(value) || as_part(value)) return bind(name, value);
    const std::string data = storage_for(name, strong(value.type), value.shape, {});
    const Value fresh = read_container(data);
    assign(target_of(fresh, span), value, "assign_" + name);
    bind(name, fresh);
}

void Translator::refuse_richer_update(const Value& result, const DType& type, const Span& span) {
    if (!can_cast({strong(result.type), false}, type))
        refuse(
            "F009",
            "an update in place cannot turn " + code::to_string(strong(result.type)) + " into the array's " + code::to_string(type),
            span, "convert the value, or write x = x + ... for a new array");
}

void Translator::augmented(const AugAssignStmt& s, const Span& span) {
    const std::string name(name_of(s.target));
    if (name.empty() && (Mutations(*this).update(s, span) || Lists(*this).update(s, span))) return;
    if (name.empty() && Masks(*this).assign(s.target, make_binary(s.op, s.target, s.value, span), span, true)) return;
    Value before = name.empty() ? place_of(s.target) : evaluate(s.target);
    const bool number = before.is_scalar() && !before.is_symbolic();
    if (!before.list.empty() && s.op == BinaryOp::Add) return Lists(*this).extend(before, s.value, span);
    if (before.of_list && s.op == BinaryOp::Add) return Mutations(*this).extend(before, s.value, span);
    Lists::refuse_as_array(before, span);
    if (!before.is_elements()) unsupported("an update of this value", span, "update numbers and arrays");
    const bool outer = !name.empty() && number && parent_ && as_view(before) && !sdfg_.containers.contains(as_view(before)->data);
    const Value present = has_effects(s.value) ? settled(before) : before;
    Value added = evaluate(s.value);
    if (((name.empty() || before.rank() > 0) && !map_params_.empty()) || outer) {
        const Target place = target_of(before, span);
        Value resolved = added;
        if (const std::string wcr = conflict_resolution(place, s.op, resolved); !wcr.empty())
            return assign(place, resolved, "update", wcr);
    }
    Overflow(*this).check(BinaryExpr{s.op, s.target, s.value}, present, added, span);
    Value result = binary(s.op, present, added, span);
    result.of_rank_0 = before.of_rank_0;
    // In place on an array, whoever else sees it; a new value for a number.
    if (!name.empty() && before.rank() == 0) return assign_name(name, result, span);
    if (before.rank() > 0) refuse_richer_update(result, strong(before.type), span);
    const Target place = target_of(before, span);
    if (before.rank() == 0) Overflow(*this).require_stored(result, place.view.dtype, span, Overflow::Floats::All);
    assign(place, result, name.empty() ? "update" : "update_" + name);
}

}  // namespace sluice::frontend
