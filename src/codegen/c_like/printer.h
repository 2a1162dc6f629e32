// What printers of C-like languages share: values, plain statements, sequential loops. A target derives from it and says what its
// language spells otherwise.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/artifact.h"
#include "codegen/c_like/writer.h"
#include "loop/ir.h"
#include "loop/walk.h"
#include "symbolic/assumptions.h"

namespace sluice::codegen {

/// Binding strength, loosest first.
enum class Level : int { Select, Or, And, BitOr, BitXor, BitAnd, Equal, Compare, Shift, Sum, Product, Unary, Atom };

struct Text {
    std::string text;
    Level level = Level::Atom;
};

class CLikePrinter {
protected:
    explicit CLikePrinter(const loop::Module& module);
    ~CLikePrinter() = default;

    // ---- what a language spells in its own way ----
    virtual std::string type(const loop::DType& type) = 0;
    virtual std::string integer(std::int64_t value, const loop::DType& type) = 0;
    virtual std::string real(double real, double imaginary, const loop::DType& type) = 0;
    /// A pointer to elements that lie in a space.
    virtual std::string pointer_type(const loop::DType& element, bool constant, loop::Space space);
    /// A value of another scalar type as one of this type, or an intermediate result cut back to it.
    virtual std::string converted(const std::string& type, const std::string& value) = 0;
    /// A pointer as one of type `target`; `constant`: it is one to const.
    virtual std::string pointer_cast(const std::string& target, const std::string& pointer, bool constant) = 0;
    virtual Text print_cast(const loop::Value& v, const loop::Cast& n) = 0;
    virtual Text print_call(const loop::Value& v, const loop::Call& n) = 0;
    virtual Text print_stream_size(const loop::StreamSize& n);
    virtual Text print_lanes_choice(const loop::Value& v, const loop::Select& n);
    /// The lanes of a vector from an element of a buffer on.
    virtual std::string lanes(const std::string& element, const loop::DType& type);
    /// `before op incoming` by a function of the runtime: `minimum`, `logical_and`.
    virtual std::string combined_by_function(const char* name, const loop::DType& type, const std::string& before,
                                             const std::string& incoming) = 0;
    /// An index expression calls functions of the runtime.
    virtual void need_index_functions() {}
    virtual std::string callee(const std::string& function) const = 0;
    /// What a function's call has in front of its own arguments.
    virtual std::string first_argument() const { return {}; }
    virtual const char* restricted() const = 0;
    virtual const char* null_pointer() const = 0;
    /// In front of `memcpy`.
    virtual std::string builtin() const { return {}; }

    // ---- values.cpp ----
    std::string value(const loop::Value& v, Level least = Level::Select);
    std::string value(const loop::ValuePtr& v, Level least = Level::Select);
    Text print_value(const loop::Value& v);
    virtual Text print_unary(const loop::Value& v, const loop::Unary& n);
    virtual Text print_binary(const loop::Value& v, const loop::Binary& n);
    virtual Text print_address(const loop::Address& n);
    /// The index without the suffix that pins its type: for subscripts.
    std::string subscript(const loop::ValuePtr& index);
    std::string expr(const symbolic::Expr& e);
    /// The number of elements with each symbol replaced by `before` + its name + `after`; as it is where the checked arithmetic of
    /// a runtime does not have what it computes with.
    std::string extent(const symbolic::Expr& size, const std::string& before, const std::string& after);
    /// What the open loops say about the symbols of `e`.
    symbolic::Assumptions assumptions_for(const symbolic::Expr& e) const;
    /// `A[i]`, or the lanes from there on when `type` is a vector of A's elements.
    std::string element(const std::string& buffer, const loop::ValuePtr& index, const loop::DType& type);

    // ---- statements.cpp: of these a language overrides what it spells otherwise, or has and others have not ----
    virtual void body(const loop::Body& statements);
    void statement(const loop::Statement& s);
    void print(const loop::Declare& s);
    void print(const loop::Assign& s);
    void print(const loop::Store& s);
    virtual void print(const loop::Alias& s);
    void print(const loop::Rebind& s);
    virtual void print(const loop::While& s);
    void print(const loop::If& s);
    void print(const loop::Block& s);
    void print(const loop::Invoke& s);
    void print(const loop::Label& s);
    void print(const loop::Goto& s);
    virtual void print(const loop::CopyContiguous& s);
    virtual void print(const loop::ZeroFill& s);
    void print(const loop::Prefetch& s);
    virtual void print(const loop::Event& s);
    virtual void print(const loop::Await& s);
    virtual void print(const loop::Grow& s);
    virtual void print(const loop::Break& s);
    virtual void print(const loop::Continue& s);
    virtual void print(const loop::Return& s);
    virtual void print(const loop::For& s);
    virtual void print(const loop::Update& s);
    virtual void print(const loop::Allocate& s) = 0;
    virtual void print(const loop::Fail& s) = 0;
    virtual void print(const loop::AllocateStream& s);
    virtual void print(const loop::Barrier& s);
    virtual void print(const loop::Push& s);
    virtual void print(const loop::Pop& s);
    virtual void print(const loop::Drain& s);
    virtual void print(const loop::Extern& s);
    virtual void print(const loop::Message& s);
    virtual void print(const loop::WaitFor& s);
    virtual void print(const loop::Collective& s);
    virtual void print(const loop::Verbatim& s);
    virtual void print(const loop::Timed& s);
    virtual void print(const loop::ParallelSections& s);
    virtual void print(const loop::ParallelRegion& s);
    virtual void print(const loop::Consume& s);
    virtual void print(const loop::Launch& s);
    /// Throws Failure L023: the target has no word for it.
    [[noreturn]] void refuse(const std::string& what) const;

    /// A canonical loop evaluates its bound once by itself (OpenMP's do); a plain one would evaluate it every time, so a bound that
    /// reads memory or changing variables goes into a variable.
    void loop_header(const loop::For& s, bool canonical);
    /// The body of a loop whose header was printed, and its end.
    void loop_body(const loop::For& s);
    /// The body of a sequential loop.
    virtual void round(const loop::Body& statements) { body(statements); }

    // ---- updates.cpp ----
    void plain_update(const loop::Update& s, const std::string& target);
    /// `before op incoming` as an expression of the element type.
    virtual std::string combined(const loop::Update& s, const std::string& before, const std::string& incoming);

    /// A name for a variable of our own that hides none of the module's.
    std::string own(const std::string& name) const;
    /// A literal for printf of a check's sentence, with `%lld` for each `{}`.
    static std::string sentence_format(const std::string& message);
    void enter_function(const loop::Function& f);
    void enter(const std::vector<loop::Parameter>& parameters);

    struct Entry {
        loop::DType type;       ///< Element type of a buffer or a stream.
        bool constant = false;  ///< A buffer that must not be written.
        loop::Space space = loop::Space::Own;
    };
    struct OpenLoop {
        std::string variable;
        symbolic::Expr begin, end, step;
    };

    const loop::Module& module_;
    Writer out_;
    std::set<std::string> identifiers_;
    std::map<std::string, Entry> scope_, globals_;
    std::vector<OpenLoop> open_loops_;
    std::set<std::string> sizes_;  ///< Parameters that are positive: the program's, in its own body.
    std::vector<Check> checks_;
    Span where_;  ///< Of the statement that is being printed.
};

/// `+=` and its kin; null where there is no such assignment with our meaning.
const char* compound_assignment(code::ReductionType op);
bool is_plain_number(const code::DType& type);
/// The C header of the exported functions.
/// `looks`: loops of the program look whether they are asked to end.
std::string print_header(const loop::Module& module, bool looks = false);
/// The trailing 64-bit values of the program: what init takes.
std::vector<std::size_t> size_parameters(const loop::Module& module);

}  // namespace sluice::codegen
