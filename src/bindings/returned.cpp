#include "bindings/returned.h"

namespace sluice::bindings {

nb::object place_view(const driver::python::ReturnedView& view, nb::handle base, const nb::tuple& shape, const nb::object& copy,
                      const std::function<std::int64_t(const symbolic::Expr&)>& value) {
    const std::size_t rank = nb::len(shape);
    nb::list places;
    for (const symbolic::Expr& index : view.index) {
        const auto value_at = [&](std::size_t dim) {
            symbolic::Substitution point;
            for (std::size_t r = 0; r < rank; ++r)
                point.emplace("__r" + std::to_string(rank - 1 - r), symbolic::Expr(r == dim ? 1 : 0));
            return value(symbolic::substitute(index, point));
        };
        const std::int64_t begin = value_at(rank);
        nb::list steps;
        for (std::size_t dim = 0; dim < rank; ++dim) steps.append(value_at(dim) - begin);
        places.append(nb::make_tuple(begin, steps));
    }
    return nb::module_::import_("sluice.views").attr("view_of")(base, view.part.c_str(), places, shape, copy);
}

nb::list lists_of(const nb::object& array) {
    nb::list rows;
    const bool deep = nb::cast<std::size_t>(array.attr("ndim")) > 1;
    for (nb::handle row : array) rows.append(deep ? nb::object(lists_of(nb::borrow(row))) : nb::borrow(row));
    return rows;
}

}  // namespace sluice::bindings
