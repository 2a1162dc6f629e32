#include "bindings/structures.h"

namespace sluice::bindings {

namespace {

nb::object rows(const nb::handle& form, const std::vector<nb::object>& results) {
    if (nb::isinstance<nb::int_>(form)) return results[nb::cast<std::size_t>(form)];
    nb::list columns;
    for (const nb::handle one : form) columns.append(rows(one, results));
    return nb::list(nb::module_::import_("builtins").attr("zip")(*columns));
}

}  // namespace

nb::object structured(const nb::handle& part, const std::vector<nb::object>& results) {
    if (part.is_none() || nb::isinstance<nb::str>(part)) return nb::borrow(part);
    if (nb::isinstance<nb::int_>(part)) return results[nb::cast<std::size_t>(part)];
    if (nb::isinstance<nb::dict>(part)) {
        const auto dictionary = nb::cast<nb::dict>(part);
        if (dictionary.contains(nb::none())) return rows(dictionary[nb::none()], results);
        if (const nb::object pairs = nb::ellipsis(); dictionary.contains(pairs)) {
            const nb::object both = structured(dictionary[pairs], results), builtins = nb::module_::import_("builtins");
            if (nb::len(both) == 1) return builtins.attr("set")(both[0]);
            return builtins.attr("dict")(builtins.attr("zip")(both[0], both[1]));
        }
        nb::dict whole;
        for (const auto [key, value] : dictionary) whole[key] = structured(value, results);
        return whole;
    }
    nb::list whole;
    for (const nb::handle one : part) whole.append(structured(one, results));
    return nb::isinstance<nb::list>(part) ? nb::object(whole) : nb::object(nb::tuple(whole));
}

}  // namespace sluice::bindings
