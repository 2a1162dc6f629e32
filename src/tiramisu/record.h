// What a program has said so far.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "schedule/schedule.h"
#include "tiramisu/core.h"

namespace tiramisu {

struct BufferRecord {
    Recording& in;
    std::string name;
    std::vector<expr> sizes;  ///< Empty: as the domain of its computation needs.
    primitive_t type;
    argument_t role;
    std::unique_ptr<buffer> handle = {};  ///< Of memory that a computation got by itself.
    bool on_device = false;
};

struct ComputationRecord {
    Recording& in;
    std::string name;         ///< That of all its definitions.
    std::string unique;       ///< Also the tuple of its instances.
    std::string domain = {};  ///< In isl's notation, with the name `name`; empty: the bounds of the iterators.
    std::vector<var> iterators = {};
    expr value = {}, predicate = {};
    bool is_scheduled = true, is_inlined = false;
    primitive_t type = p_none;
    BufferRecord* memory = nullptr;
    std::string access = {};                        ///< In isl's notation.
    std::optional<std::vector<expr>> indices = {};  ///< In terms of its iterators; neither: its own.
    std::vector<std::pair<LoopLevel, int>> folds = {};
    bool is_place = false;  ///< Of an allocation: it only has a place in the order.
    computation* face = nullptr;
    std::vector<std::unique_ptr<computation>> updates = {};
    ComputationRecord* predecessor = nullptr;
};

struct ConstantRecord {
    std::string name;
    expr value;
    primitive_t type;
    bool function_wide;
    constant* face;
};

class Translation;

class Recording {
public:
    explicit Recording(std::string name) : name(std::move(name)) {}

    std::string name;
    std::deque<ComputationRecord> computations;
    std::deque<BufferRecord> buffers;
    std::vector<ConstantRecord> constants;
    /// Commands in their order; `of` null: of several computations.
    struct Command {
        ComputationRecord* of;
        std::function<void(Translation&)> apply;
    };
    std::vector<Command> commands;
    std::vector<std::string> context;
    std::vector<BufferRecord*> arguments;
    bool infers_bounds = false;
    bool has_kernels = false;  ///< Loops may be mapped to a device.

    const ConstantRecord* find_constant(const std::string& name) const;
    /// By the caller: the arguments, or before they are named all buffers that are no temporaries.
    bool is_passed(const BufferRecord& memory) const;
    const ComputationRecord* find_computation(const std::string& name) const;
    BufferRecord& memory_of(ComputationRecord& of, argument_t role);
};

/// Ends the program with a diagnostic.
[[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& remedy);
/// Runs it; a Failure ends the program with its diagnostic.
void reporting(const std::function<void()>& run);

sluice::code::DType element_type(primitive_t type);
/// `uint8`, as code of tasklets names it.
std::string type_name(primitive_t type);

/// A name as texts spell it: keywords of Python get a stroke behind.
std::string spelled(const std::string& name);

/// Instances and memory of one computation, as texts over its iterators.
struct Points {
    std::vector<std::string> iterators;
    std::string conditions;  ///< In isl's notation.
};

/// A computation that copies all of a buffer to another.
bool is_copy(const ComputationRecord& of);
/// Buffers of a device by those of the caller that copies join them with: before all computations there, behind all of them back.
/// The device's copy of what the caller passes is then the compiler's, and one memory stands for both. Failure M018 where copies
/// are anything else.
std::map<const BufferRecord*, const BufferRecord*> twins_of(const Recording& in);

/// Texts of what was recorded.
class Notation {
public:
    Notation(const Recording& in, const std::set<const ComputationRecord*>* only);

    /// A value as code of a tasklet, with the types of its parts.
    std::string value(const expr& e) const;
    /// An index or extent, in Python or in isl's notation.
    std::string index(const expr& e, bool isl = false) const;
    /// Literal constants have their values; `[N] -> ` names the others.
    std::string with_values(const std::string& isl) const;
    std::string parameters() const;
    Points domain(const ComputationRecord& of) const;
    std::vector<std::string> layout(const ComputationRecord& of) const;
    std::optional<std::int64_t> number(const expr& e) const;
    /// Is it defined in the function, or only memory?
    bool is_defined(const ComputationRecord& of) const;
    /// Failure M018 where it has none.
    const BufferRecord& memory(const ComputationRecord& of) const;
    std::string name(const BufferRecord& memory) const;
    std::vector<std::string> shape(const BufferRecord& memory) const;
    /// That of what is stored in it first.
    primitive_t type(const BufferRecord& memory) const;
    /// Constants that are read when the function is called, and their values.
    const std::map<std::string, expr>& read_constants() const { return read_; }

private:
    std::string access(const expr& e) const;
    const ComputationRecord* stored_in(const BufferRecord& memory) const;
    /// Indices of its memory that are taken modulo a number.
    std::vector<std::pair<std::size_t, int>> folds(const ComputationRecord& of) const;
    /// What the caller finds at entry: the name of a constant with that value, or one of its own.
    std::string read(const expr& value) const;

    const Recording& in_;
    const std::set<const ComputationRecord*>* only_;
    std::map<const BufferRecord*, const BufferRecord*> twins_;
    std::map<std::string, expr> read_;
};

/// A function of the schedule's language that does what was recorded.
class Translation {
public:
    /// `only`: of these computations; the others are memory.
    explicit Translation(const Recording& in, const std::set<const ComputationRecord*>* only = nullptr);

    sluice::schedule::Function& function() { return *function_; }
    /// Failure M018 where it never runs.
    sluice::schedule::Computation& operator[](const ComputationRecord& of);
    const Notation& texts() const { return texts_; }
    /// The name of a level.
    std::string level(const ComputationRecord& of, const LoopLevel& level);
    int number(const ComputationRecord& of, const LoopLevel& level);
    void order(const ComputationRecord& of, const ComputationRecord& other, const LoopLevel& level, bool replaces = false);
    void allocate(const BufferRecord& memory, const ComputationRecord& other, const LoopLevel& level);

private:
    struct Place {
        const ComputationRecord* other;
        int number;
    };
    void assume(const std::string& set);
    void define_memory();
    void define_computations();
    void apply_orders();
    std::optional<Place> predecessor(const ComputationRecord& of) const;

    const Recording& in_;
    Notation texts_;
    std::unique_ptr<sluice::schedule::Function> function_;
    std::map<const ComputationRecord*, sluice::schedule::Computation> made_;
    std::map<const BufferRecord*, sluice::schedule::Buffer> buffers_;
    std::map<const ComputationRecord*, Place> orders_;
};

/// The buffer that it says it is stored in. Failure M018 where it has none.
const BufferRecord& said_memory(const Recording& in, const ComputationRecord& of);
/// The object file of a function.
void write_object(const Recording& of, const std::string& object_file);

}  // namespace tiramisu
