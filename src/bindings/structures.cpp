#include "bindings/structures.h"

namespace sluice::bindings {

namespace {

nb::object rows(const nb::handle& form, const std::vector<nb::object>& results) {
    if (nb::isinstance<nb::int_>(form)) return results[nb::cast<std::size_t>(form)];
    nb::list columns;
    for (const nb::handle one : form) columns.append(rows(one, results));
    return nb::list(nb::module_::import_("builtins").attr("zip")(*columns));
}

/// Numbers, each of the type of its code (0 int, 1 float, 2 and 3 NumPy's, with 4 added for truths): a list of them, or one.
nb::object typed(const nb::object& numbers, const nb::object& codes, bool one) {
    const nb::object builtins = nb::module_::import_("builtins"), numpy = nb::module_::import_("numpy");
    const nb::object types[] = {builtins.attr("int"),  builtins.attr("float"), numpy.attr("int64"), numpy.attr("float64"),
                                builtins.attr("bool"), builtins.attr("bool"),  numpy.attr("bool_"), numpy.attr("bool_")};
    if (one) return types[nb::cast<std::size_t>(codes)](numbers);
    nb::list whole;
    std::size_t at = 0;
    const nb::object all = codes.attr("tolist")();
    for (const nb::handle code : all) whole.append(types[nb::cast<std::size_t>(code)](numbers[at++]));
    return whole;
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
            if (nb::isinstance<nb::list>(both)) return typed(both[0], both[1], nb::len(both) > 2);
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
