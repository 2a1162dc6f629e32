// The canonical order: constants by value, then symbols by name, then by kind and operands. It looks at nothing that differs
// between runs.
#include "symbolic/expr_node.h"

namespace sluice::symbolic {

namespace {

int three_way(auto a, auto b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

int compare_numbers(const Expr& a, const Expr& b) {
    if ((a.kind() == Kind::Boolean) != (b.kind() == Kind::Boolean)) return a.kind() == Kind::Boolean ? 1 : -1;
    if (const int by_value = number_of(a).compare(number_of(b))) return by_value;
    if (const int by_kind = three_way(a.kind(), b.kind())) return by_kind;
    return three_way(a.node()->integer, b.node()->integer);
}

}  // namespace

int canonical_compare(const Expr& a, const Expr& b) {
    if (a == b) return 0;
    if (is_number(a) || is_number(b)) {
        if (is_number(a) && is_number(b)) return compare_numbers(a, b);
        return is_number(a) ? -1 : 1;
    }
    if (const int by_kind = three_way(a.kind(), b.kind())) return by_kind;
    if (a.node()->name != b.node()->name)
        if (const int by_name = a.name().compare(b.name())) return by_name;
    if (const int by_count = three_way(a.operands().size(), b.operands().size())) return by_count;
    for (std::size_t i = 0; i < a.operands().size(); ++i)
        if (const int by_operand = canonical_compare(a.operands()[i], b.operands()[i])) return by_operand;
    return three_way(is_opaque(a), is_opaque(b));
}

bool canonical_less(const Expr& a, const Expr& b) {
    return canonical_compare(a, b) < 0;
}

}  // namespace sluice::symbolic
