// Boolean masks as indices: masks.cpp says what they mean.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "frontend/python/translator.h"

namespace sluice::frontend {

/// Elements that an assignment through a mask may write.
struct MaskedPlace {
    code::ExprPtr whole_index;  ///< The index with whole slices instead of the mask.
    std::string index_text;     ///< As it is in the source: what is read by the same index is masked alike.
    Value whole;                ///< The place without the mask.
    Value mask;                 ///< Over the dimensions of the place.
};

class Masks {
public:
    explicit Masks(Translator& translator) : t_(translator) {}
    /// Whether a mask stands in the index of the target.
    bool stand_in(const code::ExprPtr& target);
    /// `a[mask]`; nullopt where no item of the index is a mask.
    std::optional<Value> read(const Value& base, const code::ExprPtr& index, const Span& span);
    /// `a[mask] = value`; false where no item of the index is a mask. `updates`: the value is what `a[mask] += ...` makes of it.
    bool assign(const code::ExprPtr& target, const code::ExprPtr& value, const Span& span, bool updates = false);

private:
    bool has_numbers(const code::ExprPtr& item) const;
    Value places_of(const Value& mask, const Span& span, const std::function<code::ExprPtr(const Value&, const Span&)>& named);
    void require_extent(const Expr& of_mask, const Expr& size, std::size_t axis, const Span& span);
    std::optional<Value> mask_of(const code::ExprPtr& item);
    std::optional<MaskedPlace> place_of(const code::ExprPtr& target);
    std::optional<Value> value_in_place(const code::ExprPtr& e, const MaskedPlace& place);
    bool assign_in_place(const MaskedPlace& place, const code::ExprPtr& e, const Span& span, bool updates);

    Translator& t_;
};

}  // namespace sluice::frontend
