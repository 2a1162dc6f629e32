#include "frontend/python/copies.h"

#include <algorithm>
#include <functional>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using namespace code;

Copies::Copies(const Body& body) {
    const std::function<void(const ExprPtr&)> visit = [&](const ExprPtr& e) {
        last_ = std::max(last_, e->span.column / Span::kColumns);
        for_each_child(*e, visit);
    };
    walk_statements(body, [&](const Stmt& one) {
        last_ = std::max(last_, one.span.column / Span::kColumns);
        return for_each_expr(one, visit), true;
    });
}

Span Copies::placed(Span span, Fresh& fresh) {
    if (!span.known()) return span;
    std::uint32_t& copy = fresh[span.column / Span::kColumns];
    if (copy == 0) copy = ++last_;
    if (copy >= Span::kColumns)
        unsupported("calls that would be written out more than 65536 times", span, "call less, or return values");
    span.column = span.column_in_line() + copy * Span::kColumns;
    return span;
}

ExprPtr Copies::placed(const ExprPtr& e, Fresh& fresh) {
    const ExprPtr parts = replace_parts(e, [&](const ExprPtr& part) { return part == e ? nullptr : placed(part, fresh); });
    return std::make_shared<const code::Expr>(code::Expr{parts->node, placed(e->span, fresh)});
}

Body Copies::placed(const Body& body, Fresh& fresh) {
    Body result;
    for (const StmtPtr& one : body) {
        Stmt copy = *with_parts(
            one, [&](const ExprPtr& e) { return placed(e, fresh); }, [&](const Body& inside) { return placed(inside, fresh); });
        copy.span = placed(one->span, fresh);
        result.push_back(std::make_shared<const Stmt>(std::move(copy)));
    }
    return result;
}

Body Copies::of(const Body& body) {
    Fresh fresh;
    return placed(body, fresh);
}

ExprPtr Copies::of(const ExprPtr& e) {
    Fresh fresh;
    return placed(e, fresh);
}

}  // namespace sluice::frontend
