// The global intern table: sharded by hash, one mutex each, nodes never freed. Also the accessors and the leaves.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_set>

#include "support/check.h"
#include "symbolic/expr_node.h"

namespace sluice::symbolic {

namespace {

std::size_t mix(std::size_t seed, std::uint64_t value) {
    seed ^= value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);
    seed *= 0xff51afd7ed558ccdull;
    return seed ^ (seed >> 32);
}

std::size_t hash_of(const NodeKey& key) {
    std::size_t hash = mix(static_cast<std::size_t>(key.kind) * 2 + key.opaque, static_cast<std::uint64_t>(key.integer));
    if (key.denominator != 1) hash = mix(hash, static_cast<std::uint64_t>(key.denominator));
    if (key.name) hash = mix(hash, reinterpret_cast<std::uintptr_t>(key.name));
    for (const Expr& operand : key.operands) hash = mix(hash, operand.node()->hash);
    return hash;
}

bool matches(const Node& node, const NodeKey& key) {
    if (node.kind != key.kind || node.opaque != key.opaque || node.integer != key.integer || node.denominator != key.denominator ||
        node.name != key.name || node.operand_count != key.operands.size())
        return false;
    for (std::size_t i = 0; i < key.operands.size(); ++i)
        if (node.operands[i] != key.operands[i]) return false;
    return true;
}

bool integral_call(const std::string& name) {
    return name == "bitwise_and" || name == "bitwise_or" || name == "bitwise_xor" || name == "bitwise_invert" ||
           name == "left_shift" || name == "right_shift" || name == "abs";
}

bool all_integral(std::span<const Expr> operands) {
    for (const Expr& operand : operands)
        if (!operand.node()->integral) return false;
    return true;
}

// What a symbol or an operation yields for integer symbols. A call of an unknown function or an element read may be real.
bool integral_of(const NodeKey& key) {
    switch (key.kind) {
        case Kind::Rational:
        case Kind::Real:
            return false;
        case Kind::Call:
            return integral_call(*key.name) && all_integral(key.operands);
        case Kind::Power:
            return key.operands[0].node()->integral && key.operands[1].is_integer() && key.operands[1].integer() >= 0;
        case Kind::Select:
            return key.operands[1].node()->integral && key.operands[2].node()->integral;
        case Kind::Add:
        case Kind::Multiply:
        case Kind::Modulo:
        case Kind::Minimum:
        case Kind::Maximum:
            return all_integral(key.operands);
        default:
            return true;
    }
}

class Arena {
public:
    void* allocate(std::size_t size) {
        size = (size + 15) & ~std::size_t{15};
        if (size > left_) {
            left_ = size > kBlock ? size : kBlock;
            blocks_.push_back(std::make_unique<std::byte[]>(left_));
            at_ = blocks_.back().get();
        }
        void* result = at_;
        at_ += size;
        left_ -= size;
        return result;
    }

private:
    static constexpr std::size_t kBlock = 1 << 15;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::byte* at_ = nullptr;
    std::size_t left_ = 0;
};

class Shard {
public:
    const Node* find_or_add(const NodeKey& key, std::size_t hash) {
        const std::lock_guard lock(mutex_);
        if ((used_ + 1) * 2 > slots_.size()) grow();
        std::size_t at = hash & (slots_.size() - 1);
        while (const Node* node = slots_[at]) {
            if (node->hash == hash && matches(*node, key)) return node;
            at = (at + 1) & (slots_.size() - 1);
        }
        ++used_;
        return slots_[at] = make(key, hash);
    }

private:
    const Node* make(const NodeKey& key, std::size_t hash) {
        Expr* operands = nullptr;
        std::uint64_t mask = key.kind == Kind::Symbol ? symbol_bit(*key.name) : 0;
        if (!key.operands.empty()) {
            operands = static_cast<Expr*>(arena_.allocate(key.operands.size() * sizeof(Expr)));
            for (std::size_t i = 0; i < key.operands.size(); ++i) {
                new (operands + i) Expr(key.operands[i]);
                mask |= key.operands[i].node()->symbol_mask;
            }
        }
        return new (arena_.allocate(sizeof(Node))) Node{.kind = key.kind,
                                                        .opaque = key.opaque,
                                                        .integral = integral_of(key),
                                                        .operand_count = static_cast<std::uint32_t>(key.operands.size()),
                                                        .hash = hash,
                                                        .integer = key.integer,
                                                        .denominator = key.denominator,
                                                        .name = key.name,
                                                        .operands = operands,
                                                        .symbol_mask = mask,
                                                        .monomial = key.monomial};
    }
    void grow() {
        std::vector<const Node*> old(slots_.empty() ? 64 : slots_.size() * 2);
        old.swap(slots_);
        for (const Node* node : old) {
            if (!node) continue;
            std::size_t at = node->hash & (slots_.size() - 1);
            while (slots_[at]) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = node;
        }
    }

    std::mutex mutex_;
    std::vector<const Node*> slots_;
    std::size_t used_ = 0;
    Arena arena_;
};

constexpr std::size_t kShards = 64;
constexpr std::int64_t kSmallest = -64, kLargest = 1024;

Shard* shards() {
    static Shard* const all = new Shard[kShards];  // never destroyed: expressions outlive every static object
    return all;
}

Expr intern_integer(std::int64_t value) {
    return intern(NodeKey{.kind = Kind::Integer, .integer = value});
}

}  // namespace

Expr intern(const NodeKey& key) {
    const std::size_t hash = hash_of(key);
    return Expr(shards()[hash >> 58].find_or_add(key, hash));
}

const std::string* intern_name(std::string_view name) {
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    using Names = std::unordered_set<std::string, TextHash, std::equal_to<>>;
    static std::mutex mutex;
    static Names* const names = new Names;
    const std::lock_guard lock(mutex);
    const auto at = names->find(name);
    return at != names->end() ? &*at : &*names->emplace(name).first;
}

std::uint64_t symbol_bit(std::string_view name) {
    return std::uint64_t{1} << (std::hash<std::string_view>{}(name)&63);
}

Expr::Expr() : Expr(integer_constant(0)) {}
Expr::Expr(std::int64_t value) : Expr(integer_constant(value)) {}

Expr Expr::integer_constant(std::int64_t value) {
    static const std::vector<Expr>* const small = [] {
        auto* values = new std::vector<Expr>;
        for (std::int64_t each = kSmallest; each <= kLargest; ++each) values->push_back(intern_integer(each));
        return values;
    }();
    if (value >= kSmallest && value <= kLargest) return (*small)[static_cast<std::size_t>(value - kSmallest)];
    return intern_integer(value);
}

Kind Expr::kind() const {
    return node_->kind;
}
std::span<const Expr> Expr::operands() const {
    return {node_->operands, node_->operand_count};
}
std::int64_t Expr::integer() const {
    check(kind() == Kind::Integer || kind() == Kind::Rational || kind() == Kind::Boolean,
          "integer() of an expression that is no exact constant");
    return node_->integer;
}
std::int64_t Expr::denominator() const {
    return node_->denominator;
}
double Expr::real() const {
    check(kind() == Kind::Real, "real() of an expression that is no real constant");
    return std::bit_cast<double>(node_->integer);
}
const std::string& Expr::name() const {
    check(node_->name != nullptr, "name() of an expression that is neither symbol nor call");
    return *node_->name;
}
bool Expr::is_symbol(std::string_view name) const {
    return is_symbol() && *node_->name == name;
}
std::optional<std::int64_t> Expr::constant() const {
    if (!is_integer()) return std::nullopt;
    return node_->integer;
}

Expr integer(std::int64_t value) {
    return Expr(value);
}
Expr rational(std::int64_t numerator, std::int64_t denominator) {
    return true_divide(numerator, denominator);
}
Expr real(double value) {
    return constant(Number::real(value));
}
Expr boolean(bool value) {
    return intern(NodeKey{.kind = Kind::Boolean, .integer = value});
}
Expr symbol(std::string_view name) {
    check(!name.empty(), "a symbol needs a name");
    return intern(NodeKey{.kind = Kind::Symbol, .name = intern_name(name)});
}

bool is_number(const Expr& e) {
    return e.kind() <= Kind::Boolean;
}
Number number_of(const Expr& e) {
    if (e.kind() == Kind::Real) return Number::real(e.real());
    return e.kind() == Kind::Rational ? Number::ratio(e.integer(), e.denominator()) : Number(e.integer());
}
Expr constant(const Number& value) {
    if (value.is_real()) return intern(NodeKey{.kind = Kind::Real, .integer = std::bit_cast<std::int64_t>(value.as_double())});
    if (value.denominator() == 1) return Expr(value.numerator());
    return intern(NodeKey{.kind = Kind::Rational, .integer = value.numerator(), .denominator = value.denominator()});
}
bool is_truth_valued(const Expr& e) {
    switch (e.kind()) {
        case Kind::Boolean:
        case Kind::Equal:
        case Kind::Less:
        case Kind::LessEqual:
        case Kind::And:
        case Kind::Or:
        case Kind::Not:
            return true;
        case Kind::Select:
            return is_truth_valued(e.operands()[1]) && is_truth_valued(e.operands()[2]);
        default:
            return false;
    }
}

}  // namespace sluice::symbolic
