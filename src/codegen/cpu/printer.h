// The printer of one module: what its files share. Private to the room.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/cpu/print.h"
#include "codegen/cpu/writer.h"
#include "loop/ir.h"
#include "loop/passes/effects.h"
#include "symbolic/assumptions.h"

namespace sluice::codegen {

/// C++ binding strength, loosest first.
enum class Level : int { Select, Or, And, BitOr, BitXor, BitAnd, Equal, Compare, Shift, Sum, Product, Unary, Atom };

struct Text {
    std::string text;
    Level level = Level::Atom;
};

class Printer {
public:
    explicit Printer(const loop::Module& module);
    Artifact print();

private:
    // values.cpp
    std::string value(const loop::Value& v, Level least = Level::Select);
    std::string value(const loop::ValuePtr& v, Level least = Level::Select);
    Text print_value(const loop::Value& v);
    Text print_binary(const loop::Value& v, const loop::Binary& n);
    Text print_cast(const loop::Value& v, const loop::Cast& n);
    Text print_call(const loop::Value& v, const loop::Call& n);
    /// The index without the suffix that pins its type: for subscripts.
    std::string subscript(const loop::ValuePtr& index);
    std::string expr(const symbolic::Expr& e);
    /// What memory is for, and how many elements it has: in checked arithmetic, of the type named so.
    static std::string claim(const std::string& container, const symbolic::Expr& size);
    std::string extent(const symbolic::Expr& size, const std::string& type);
    /// What the open loops say about the symbols of `e`.
    symbolic::Assumptions assumptions_for(const symbolic::Expr& e) const;
    /// `A[i]`, or the lanes from there on when `type` is a vector of A's elements.
    std::string element(const std::string& buffer, const loop::ValuePtr& index, const loop::DType& type);

    // statements.cpp
    void body(const loop::Body& statements);
    void statement(const loop::Statement& s);
    void print(const loop::Declare& s);
    void print(const loop::Assign& s);
    void print(const loop::Store& s);
    void print(const loop::Allocate& s);
    void print(const loop::AllocateStream& s);
    void print(const loop::Alias& s);
    void print(const loop::Rebind& s);
    void print(const loop::CopyContiguous& s);
    void print(const loop::ZeroFill& s);
    void print(const loop::While& s);
    void print(const loop::If& s);
    void print(const loop::Barrier& s);
    void print(const loop::Block& s);
    void print(const loop::Push& s);
    void print(const loop::Pop& s);
    void print(const loop::Drain& s);
    void print(const loop::Invoke& s);
    void print(const loop::Extern& s);
    void print(const loop::Verbatim& s);
    void print(const loop::Fail& s);
    void print(const loop::Timed& s);
    void print(const loop::Break& s);
    void print(const loop::Continue& s);
    void print(const loop::Return& s);
    void print(const loop::Label& s);
    void print(const loop::Goto& s);

    // loops.cpp
    void print(const loop::For& s);
    void parallel_for(const loop::For& s);
    void loop_header(const loop::For& s, bool canonical);
    std::string worksharing_clauses(const loop::For& s);
    std::string reduction_clauses(const loop::For& s);

    // concurrency.cpp
    void print(const loop::ParallelSections& s);
    void print(const loop::ParallelRegion& s);
    void print(const loop::Consume& s);
    /// The body inside `try`, its failure kept in the outcome of the parallel region.
    void guarded_body(const loop::Body& statements);
    /// The same for what a team runs together: a thread that failed still meets the others at every barrier.
    void guarded_team_body(const loop::Body& statements);
    void open_region(bool waits);
    void close_region();

    // updates.cpp
    void print(const loop::Update& s);
    void plain_update(const loop::Update& s, const std::string& target);
    void atomic_update(const loop::Update& s, const std::string& target);
    void exchange_update(const loop::Update& s, const std::string& target);
    /// `before op incoming` as an expression of the element type.
    std::string combined(const loop::Update& s, const std::string& before, const std::string& incoming);
    /// The reduction-identifier of an OpenMP clause; declares one where OpenMP has none.
    std::string reduction_identifier(code::ReductionType op, const loop::DType& type);

    // unit.cpp
    void function(const loop::Function& f, bool is_program);
    void enter_function(const loop::Function& f);
    std::string parameter(const loop::Parameter& p);
    void constants(Writer& out);
    void structs(Writer& out);
    void handle_struct(Writer& out);
    void entry_points(Writer& out);
    void user_blocks(Writer& out);

    /// A name of the runtime, qualified if the module has an identifier that hides it.
    std::string runtime(const std::string& name) const;
    /// A function of the module, qualified if a variable in scope has its name.
    std::string callee(const std::string& function) const;
    /// A name for a variable of our own that hides none of the module's.
    std::string own(const std::string& name) const;
    std::string type(const loop::DType& type);
    void need(const std::string& header) { headers_.insert(header); }

    struct Entry {
        loop::DType type;       ///< Element type of a buffer or a stream.
        bool constant = false;  ///< A buffer that must not be written.
    };

    const loop::Module& module_;
    const loop::Effects effects_;
    Writer out_;
    std::set<std::string> headers_;
    std::set<std::string> identifiers_;
    std::map<std::string, Entry> scope_, globals_;
    struct OpenLoop {
        std::string variable;
        symbolic::Expr begin, end, step;
    };
    std::vector<OpenLoop> open_loops_;
    std::set<std::string> sizes_;                             ///< Parameters that are positive: the program's, in its own body.
    std::map<std::string, std::string> declared_reductions_;  ///< identifier -> its pragma
    std::vector<std::string> timers_;
    std::vector<Check> checks_;
    Span where_;          ///< Of the statement that is being printed.
    int team_depth_ = 0;  ///< Open ParallelRegions: parallel loops share their iterations in the team.
    std::vector<std::string> outcomes_;
    std::map<std::string, std::string> collectors_;  ///< Stream -> where pushes into it go here.
};

/// The C header of the exported functions.
std::string print_header(const loop::Module& module);
/// The trailing 64-bit values of the program: what init takes.
std::vector<std::size_t> size_parameters(const loop::Module& module);

}  // namespace sluice::codegen
