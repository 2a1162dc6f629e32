// A compiled program with what a call of it needs to know, worked out once.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bindings/convert.h"
#include "bindings/returned.h"
#include "driver/compile.h"

namespace sluice::bindings {

using driver::Argument;

/// How many forks lie between the process that loaded the module and this one.
inline unsigned forks_seen = 0;

/// What a call needs to know of each argument, worked out once.
class Callable {
public:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    Callable(driver::CompiledProgram compiled_program, const driver::python::ReturnedForms& forms, const driver::LeftOut& left_out)
        : program(std::move(compiled_program)), arguments(program.signature().arguments), computed(arguments.size()) {
        for (const Argument& result : left_out.results) arguments.push_back(result);
        for (std::size_t at = 0; at < arguments.size(); ++at) {
            names.push_back(nb::steal(PyUnicode_InternFromString(arguments[at].name.c_str())));
            if (arguments[at].is_return) returns.push_back(at);
            if (arguments[at].kind == Argument::Kind::Symbol) symbols.push_back(at);
            const std::string of_numpy = arguments[at].kind == Argument::Kind::Array ? numpy_name(arguments[at].dtype) : "";
            const bool known = !of_numpy.empty() || (arguments[at].kind == Argument::Kind::Array && arguments[at].is_return);
            dtypes.push_back(known ? nb::object(nb::module_::import_("numpy").attr("dtype")(of_numpy)) : nb::none());
        }
        if (!left_out.results.empty())
            std::ranges::sort(returns, {}, [&](std::size_t at) {
                return std::ranges::find(left_out.order, arguments[at].name) - left_out.order.begin();
            });
        positional = program.signature().positional;
        for (const std::size_t at : returns) {
            const auto found = forms.results.find(arguments[at].name);
            const auto form = found == forms.results.end() ? driver::python::ReturnedForm{} : found->second;
            numbers.push_back(form.number);
            lists.push_back(form.list);
            shapes.push_back(place_of(form.shape));
            choices.push_back(place_of(form.choice));
            views.push_back(form.views);
            bool known = true;
            for (auto& view : views.back()) {
                known = known && (!view || knows(*view));
                if (view && !knows(*view)) view.reset();
            }
            shared.push_back(!known || form.shared);
            whole.push_back(at >= computed &&
                            is_whole(*views.back().at(0),
                                     *std::ranges::find(arguments, views.back().at(0)->container, &Argument::name), arguments[at]));
            if (arguments[at].kind == Argument::Kind::Array) empty = nb::module_::import_("numpy").attr("empty");
            extents.emplace_back();
            for (const symbolic::Expr& extent : arguments[at].shape) extents.back().push_back(extent_of(extent));
        }
        const nb::object literal = nb::module_::import_("ast").attr("literal_eval");
        for (const std::string& structure : forms.structures) structures.push_back(literal(structure));
        structure = place_of("__return_structure");
    }
    driver::CompiledProgram program;
    std::vector<Argument> arguments;
    std::size_t computed;  ///< So many are the program's; behind them are the results that only say where arguments have them.
    std::vector<nb::object> names;
    std::vector<std::size_t> positional, returns, symbols;  ///< Places among the arguments.
    nb::object empty;                                       ///< numpy.empty, if the program returns arrays.
    std::vector<nb::object> dtypes;  ///< NumPy's, of all arguments; None for numbers and for elements that it does not know.
    /// An extent of a result: a constant or the value of a symbol; nullopt where it has to be worked out.
    struct Extent {
        std::int64_t constant = 0;
        std::size_t symbol = kNone;  ///< Place among `symbols`.
    };
    std::vector<std::vector<std::optional<Extent>>> extents;         ///< Of the returned arrays.
    std::vector<std::optional<driver::python::NumberKind>> numbers;  ///< Which of the returned arrays are numbers to the caller.
    std::vector<std::optional<driver::python::NumberKind>> lists;    ///< Which of them are lists.
    /// Of returned arrays whose sizes only the run knows: which of the returned arrays holds the shape; kNone for others.
    std::vector<std::size_t> shapes;
    std::vector<nb::object> structures;  ///< Of the results, with the number of a result for each; none: a graph's.
    std::size_t structure = kNone;       ///< Which of the returned arrays holds the number of the structure, if there are several.
    /// Which of the returned arrays holds the number of the place of another one; kNone for those that have one place.
    std::vector<std::size_t> choices;
    /// Which of the returned arrays are views, by the number of the place; nullopt: they are not.
    std::vector<std::vector<std::optional<driver::python::ReturnedView>>> views;
    std::vector<bool> whole;   ///< Which of them are an argument as it is, and not computed.
    std::vector<bool> shared;  ///< Which of them share memory in Python in a way that only the run knows: copies here.

    /// Whether it says something about another one, which the caller is not given.
    bool is_about_another(std::size_t of_returns) const {
        return of_returns == structure || std::ranges::find(shapes, of_returns) != shapes.end() ||
               std::ranges::find(choices, of_returns) != choices.end();
    }

    /// What compiled code does not do turned up where nothing of the caller's can have been changed: Python would go on.
    bool may_begin_again(const Diagnostic& error) const {
        const auto says = [&](const char* text) { return error.message.find(text) != std::string::npos; };
        if (error.code != "A014" || !(says("NotImplementedError: ") || (says("OverflowError: ") && says("64 bits")))) return false;
        return std::ranges::none_of(arguments, [](const Argument& one) { return one.written && !one.is_return; });
    }

    /// A loaded program is not safe for two threads at a time. In a child of fork the thread that runs it is gone: a lock of its
    /// own.
    std::mutex& running() {
        if (forks_ != forks_seen) {
            static_cast<void>(running_.release());
            running_ = std::make_unique<std::mutex>();
            forks_ = forks_seen;
        }
        return *running_;
    }

private:
    /// Whether the arguments of a call say where the view lies.
    bool knows(const driver::python::ReturnedView& view) const {
        const auto is_argument = [&](const std::string& name) {
            return std::ranges::any_of(arguments, [&](const Argument& one) { return one.name == name; });
        };
        const auto is_known = [&](const std::string& name) { return name.starts_with("__r") || is_symbol(name); };
        return is_argument(view.container) && std::ranges::all_of(view.index, [&](const symbolic::Expr& index) {
                   return std::ranges::all_of(symbolic::free_symbols(index), is_known);
               });
    }
    bool is_symbol(const std::string& name) const {
        return std::ranges::any_of(symbols, [&](std::size_t at) { return arguments[at].name == name; });
    }
    std::optional<Extent> extent_of(const symbolic::Expr& extent) const {
        if (const auto constant = extent.constant()) return Extent{*constant, kNone};
        for (std::size_t k = 0; extent.is_symbol() && k < symbols.size(); ++k)
            if (arguments[symbols[k]].name == symbolic::to_string(extent)) return Extent{0, k};
        return std::nullopt;
    }
    /// The return value of this name.
    std::size_t place_of(const std::string& name) const {
        for (std::size_t k = 0; k < returns.size(); ++k)
            if (arguments[returns[k]].name == name) return k;
        return kNone;
    }
    std::unique_ptr<std::mutex> running_ = std::make_unique<std::mutex>();
    unsigned forks_ = forks_seen;
};

}  // namespace sluice::bindings
