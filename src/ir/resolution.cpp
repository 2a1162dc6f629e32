#include "ir/resolution.h"

#include "ir/code_block.h"

namespace sluice::ir {

Resolution::Resolution(std::string text) : text_(std::move(text)) {
    if (const Result<code::ExprPtr> lambda = parsed_expr(text_); lambda.ok()) type_ = code::reduction_type(**lambda);
}

}  // namespace sluice::ir
