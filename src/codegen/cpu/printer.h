// The printer of one module: what its files share. Private to the room.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/c_like/printer.h"
#include "codegen/cpu/print.h"
#include "loop/ir.h"
#include "loop/passes/effects.h"

namespace sluice::codegen {

class Printer : protected CLikePrinter {
public:
    explicit Printer(const loop::Module& module);
    Artifact print();

protected:
    ~Printer() = default;

    // ---- what the host of a device adds ----
    virtual void declarations(Writer&) {}
    virtual void declarations_outside(Writer&) {}
    /// Statements of init and after a run.
    virtual std::string at_start() const { return {}; }
    virtual std::string at_end() const { return {}; }
    /// What makes memory of the device of an address that the caller gives.
    virtual std::string given_memory() const { return {}; }
    virtual void further_entry_points(Writer&) {}

    using CLikePrinter::print;
    // spelling.cpp
    std::string type(const loop::DType& type) override;
    std::string integer(std::int64_t value, const loop::DType& type) override;
    std::string real(double real, double imaginary, const loop::DType& type) override;
    std::string converted(const std::string& type, const std::string& value) override;
    std::string pointer_cast(const std::string& target, const std::string& pointer, bool constant) override;
    Text print_cast(const loop::Value& v, const loop::Cast& n) override;
    Text print_call(const loop::Value& v, const loop::Call& n) override;
    Text print_stream_size(const loop::StreamSize& n) override;
    Text print_lanes_choice(const loop::Value& v, const loop::Select& n) override;
    std::string lanes(const std::string& element, const loop::DType& type) override;
    std::string combined_by_function(const char* name, const loop::DType& type, const std::string& before,
                                     const std::string& incoming) override;
    void need_index_functions() override { need("math.h"); }
    /// A function of the module, qualified if a variable in scope has its name.
    std::string callee(const std::string& function) const override;
    const char* restricted() const override { return "__restrict__"; }
    const char* null_pointer() const override { return "nullptr"; }
    std::string builtin() const override { return "__builtin_"; }
    /// A name of the runtime, qualified if the module has an identifier that hides it.
    std::string runtime(const std::string& name) const;
    /// What memory is for, and how many elements it has: in checked arithmetic, of the type named so.
    std::string claim(const std::string& container, const symbolic::Expr& size) const;
    std::string checked_extent(const symbolic::Expr& size, const std::string& type) { return extent(size, type + "(", ")"); }

    // statements.cpp
    void print(const loop::Allocate& s) override;
    void print(const loop::AllocateStream& s) override;
    void print(const loop::Barrier& s) override;
    void print(const loop::Push& s) override;
    void print(const loop::Pop& s) override;
    void print(const loop::Drain& s) override;
    void print(const loop::Extern& s) override;
    void print(const loop::Verbatim& s) override;
    void print(const loop::Fail& s) override;
    void print(const loop::Timed& s) override;
    void print(const loop::CopyContiguous& s) override;

    // loops.cpp
    void print(const loop::For& s) override;
    void print(const loop::While& s) override;
    /// Of the program, with no loop or team around.
    bool is_outermost() const;
    bool has_many_short_rounds(const loop::For& s) const;
    void in_parts(const loop::For& s);
    template <class Print> void looking_in_each_round(const Print& print);
    void parallel_for(const loop::For& s);
    /// Each thread runs `at_each`, if any, at the beginning of each of its iterations.
    void share_rounds(const loop::For& s, const std::string& at_each);
    void round(const loop::Body& statements) override;
    void team_rounds(const loop::For& s);
    std::string worksharing_clauses(const loop::For& s);
    std::string reduction_clauses(const loop::For& s);

    // concurrency.cpp
    void print(const loop::ParallelSections& s) override;
    void print(const loop::ParallelRegion& s) override;
    void print(const loop::Consume& s) override;
    /// The body inside `try`, its failure kept in the outcome of the parallel region.
    void guarded_body(const loop::Body& statements);
    /// The same for what a team runs together: a thread that failed still meets the others at every barrier.
    void guarded_team_body(const loop::Body& statements);
    void open_region(bool waits);
    void close_region();
    /// A team of threads that goes alone where it is late (runtime/punctuality.h); `meets`: they wait for each other inside.
    void open_team(const std::string& threads, bool meets);
    void close_team();

    // updates.cpp
    void print(const loop::Update& s) override;
    bool sum_of_products(const loop::Update& s, const std::string& target);
    void atomic_update(const loop::Update& s, const std::string& target);
    void exchange_update(const loop::Update& s, const std::string& target);
    /// The reduction-identifier of an OpenMP clause; declares one where OpenMP has none.
    std::string reduction_identifier(code::ReductionType op, const loop::DType& type);

    // unit.cpp
    void function(const loop::Function& f, bool is_program);
    virtual std::string parameter(const loop::Parameter& p);
    void constants(Writer& out);
    void structs(Writer& out);
    void handle_struct(Writer& out);
    void entry_points(Writer& out);
    void user_blocks(Writer& out);

    void need(const std::string& header) { headers_.insert(header); }
    /// Does a loop of the program look whether it is asked to end?
    bool looks() const { return headers_.contains("interruption.h"); }

    const loop::Effects effects_;
    std::set<std::string> headers_;
    std::set<Apart> apart_;                                   ///< Functions that need not be compiled with the unit.
    std::set<std::string> foreign_headers_;                   ///< Of libraries, and what C++ of the user may call.
    std::set<code::Scalar> precisions_;                       ///< Types that the unit has spelled.
    std::map<std::string, std::string> declared_reductions_;  ///< identifier -> its pragma
    std::vector<std::string> timers_;
    bool counts_ = false;  ///< One of them counts.
    int team_depth_ = 0;   ///< Open ParallelRegions: parallel loops share their iterations in the team.
    /// Sequential loops, lanes and threads around: the program's loops that have none look whether they are asked to end.
    int rounds_ = 0;
    bool in_program_ = false;
    std::string asked_in_rounds_;             ///< What the loop that is printed next looks at in each of its rounds.
    const loop::For* team_rounds_ = nullptr;  ///< The loop of an open ParallelRegion that looks for its team.
    std::vector<std::string> outcomes_;
    std::map<std::string, std::string> collectors_;  ///< Stream -> where pushes into it go here.
};

}  // namespace sluice::codegen
