#include "bindings/structures.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "bindings/objects.h"

namespace sluice::bindings {

namespace {

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

nb::object rows(const nb::handle& form, const std::vector<nb::object>& results) {
    if (nb::isinstance<nb::int_>(form)) return results[nb::cast<std::size_t>(form)];
    const auto result = [&](std::size_t at) { return results[nb::cast<std::size_t>(nb::object(form[at]))]; };
    if (nb::isinstance<nb::list>(form)) return typed(result(0), result(1), false);
    nb::list columns;
    for (const nb::handle one : form) columns.append(rows(one, results));
    return nb::list(nb::module_::import_("builtins").attr("zip")(*columns));
}

/// Objects of the memory that a program of lists, texts and dictionaries has (frontend/python/heap.h), each made once. The first
/// parts are where rows begin, and how long they are.
class Objects {
public:
    Objects(std::string form, const nb::object& parts) : form_(std::move(form)), parts_(parts) {}
    nb::object made() {
        std::size_t at = 0;
        if (form_[at] == 'g') {
            for (const nb::handle one : nb::object(parts_[3])) given_.insert(integer(one));
            ++at;
        }
        return made(nb::object(parts_[0]), at);
    }

private:
    std::size_t number(std::size_t& at) const {
        std::size_t value = 0;
        while (form_[at] != ':') value = 10 * value + static_cast<std::size_t>(form_[at++] - '0');
        ++at;
        return value + 1;
    }
    static std::int64_t integer(const nb::handle& value) { return nb::cast<std::int64_t>(nb::int_(nb::borrow(value))); }
    /// Goes behind the form of one value.
    std::size_t behind(std::size_t at) const {
        const char kind = form_[at++];
        if (kind == '(') {
            while (form_[at] != ')') at = behind(at);
            return at + 1;
        }
        const int numbers = kind == 't' || kind == 'l' || kind == 'r' ? 1 : kind == 's' || kind == 'z' ? 2 : kind == 'd' ? 3 : 0;
        for (int k = 0; k < numbers; ++k) number(at);
        const int forms = kind == 'd' ? 2 : kind == 'n' || kind == 't' ? 0 : 1;
        for (int k = 0; k < forms; ++k) at = behind(at);
        return at;
    }
    /// `within`: a list of the caller's, which gets its own rows back.
    nb::object made(const nb::object& value, std::size_t& at, bool within = false) {
        const std::size_t end = behind(at);
        const char kind = form_[at++];
        nb::object result = value;
        if (kind == '(') {
            nb::list all;
            for (std::size_t k = 0; form_[at] != ')'; ++k) all.append(made(nb::object(value[k]), at));
            result = nb::tuple(all);
        } else if (kind != 'n') {
            if (kind == 'l' && !within && given_.contains(integer(value)))
                fail({.code = "F008",
                      .message = "a list that the caller has as well is returned in a list",
                      .where = {},
                      .path = {},
                      .remedy = "return copies: list(row)",
                      .notes = {}});
            result = object(kind, value, at);
        }
        at = end;
        return result;
    }
    nb::object object(char kind, const nb::object& value, std::size_t at) {
        const std::int64_t row = integer(value);
        const auto known = all_.find({row, kind});
        if (known != all_.end()) return known->second;
        if (kind == 't') return text(row, nb::object(parts_[number(at)]));
        const std::int64_t begin = integer(parts_[1][row]), size = integer(parts_[2][row]);
        const nb::object elements = parts_[number(at)];
        if (kind == 'l' || kind == 'r') {
            nb::list all;
            if (kind == 'l') all_.emplace(std::pair(row, kind), all);
            const bool handed_back = kind == 'l' && given_.contains(-1 - row);
            for (std::int64_t k = 0; k < size; ++k) {
                std::size_t form = at;
                all.append(made(nb::object(elements[begin + k]), form, handed_back));
            }
            return kind == 'l' ? nb::object(all) : nb::object(nb::tuple(all));
        }
        const nb::object keys = parts_[number(at)];
        if (kind == 's' || kind == 'z') {
            nb::list all;
            for (std::int64_t k = 0; k < size; ++k) {
                std::size_t form = at;
                all.append(made(nb::object(keys[elements[begin + k]]), form));
            }
            const nb::object set = nb::module_::import_("builtins").attr(kind == 's' ? "set" : "frozenset")(all);
            all_.emplace(std::pair(row, kind), set);
            return set;
        }
        const nb::object values = parts_[number(at)];
        nb::dict whole;
        all_.emplace(std::pair(row, kind), whole);
        for (std::int64_t k = 0; k < size; ++k) {
            std::size_t form = at;
            const nb::object place = elements[begin + k], key = made(nb::object(keys[place]), form);
            whole[key] = made(nb::object(values[place]), form);
        }
        return whole;
    }
    nb::object text(std::int64_t row, const nb::object& points) {
        const nb::object builtins = nb::module_::import_("builtins");
        const nb::object chr = builtins.attr("chr");
        if (row < 0) return chr(-1 - row);
        const std::int64_t begin = integer(parts_[1][row]), size = integer(parts_[2][row]);
        nb::list all;
        for (std::int64_t k = 0; k < size; ++k) all.append(chr(points[begin + k]));
        return nb::str("").attr("join")(all);
    }

    std::string form_;
    nb::object parts_;
    std::set<std::int64_t> given_;
    std::map<std::pair<std::int64_t, char>, nb::object> all_;
};

}  // namespace

nb::object structured(const nb::handle& part, const std::vector<nb::object>& results) {
    if (part.is_none() || nb::isinstance<nb::str>(part)) return nb::borrow(part);
    if (nb::isinstance<nb::int_>(part)) return results[nb::cast<std::size_t>(part)];
    if (nb::isinstance<nb::dict>(part)) {
        const auto dictionary = nb::cast<nb::dict>(part);
        if (const nb::object object = nb::tuple(); dictionary.contains(object)) {
            const nb::object parts = dictionary[object];
            return nb::module_::import_("sluice.returned")
                .attr("object_of")(nb::object(parts[0]), structured(nb::object(parts[1]), results));
        }
        if (dictionary.contains(nb::none())) return rows(dictionary[nb::none()], results);
        if (const nb::object pairs = nb::ellipsis(); dictionary.contains(pairs)) {
            const nb::object both = structured(dictionary[pairs], results), builtins = nb::module_::import_("builtins");
            if (nb::isinstance<nb::dict>(both))
                for (const auto [form, parts] : nb::cast<nb::dict>(both)) {
                    const auto text = nb::cast<std::string>(form);
                    if (text.starts_with("=")) return objects_of(text.substr(1), nb::object(parts[0]), nb::object(parts[1]));
                    return Objects(text, nb::borrow(parts)).made();
                }
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
