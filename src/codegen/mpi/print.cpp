#include "codegen/mpi/print.h"

#include <fmt/format.h>

#include "codegen/c_like/exported.h"
#include "codegen/cpu/printer.h"

namespace sluice::codegen {

namespace {

using Kind = loop::Collective::Kind;

const char* operator_of_mpi(code::ReductionType op) {
    using enum code::ReductionType;
    switch (op) {
        case Sum:
            return "MPI_SUM";
        case Product:
            return "MPI_PROD";
        case Min:
            return "MPI_MIN";
        case Max:
            return "MPI_MAX";
        case LogicalAnd:
            return "MPI_LAND";
        case LogicalOr:
            return "MPI_LOR";
        case LogicalXor:
            return "MPI_LXOR";
        case BitwiseAnd:
            return "MPI_BAND";
        case BitwiseOr:
            return "MPI_BOR";
        case BitwiseXor:
            return "MPI_BXOR";
        default:
            return "";
    }
}

class MpiPrinter final : public Printer {
public:
    explicit MpiPrinter(const loop::Module& module) : Printer(module) { need("mpi.h"); }
    Artifact print_all() { return Printer::print(); }

private:
    using Printer::print;

    std::string sizes(const std::vector<symbolic::Expr>& of) {
        std::string all;
        for (const symbolic::Expr& one : of) all += (all.empty() ? "" : ", ") + expr(one);
        return "{" + all + "}";
    }
    std::string part(const loop::Part& p) {
        return fmt::format("::sluice::mpi::part({}, {}, {}, {})", value(p.address), p.extents.size(), sizes(p.extents),
                           sizes(p.strides));
    }
    std::string among(const loop::Ranks& of) {
        if (of.all()) return "::sluice::mpi::everybody()";
        return fmt::format("::sluice::mpi::among({}, {}, {}, {})", expr(of.first), of.extents.size(), sizes(of.extents),
                           sizes(of.strides));
    }
    void print(const loop::Message& s) override {
        const std::string layout = own("layout");
        out_.open("{");
        out_.line("static ::sluice::mpi::Layout<" + type(s.part.type) + "> " + layout + ";");
        out_.line(fmt::format("::sluice::mpi::{}({}, {}, {}, {}, {}{});",
                              s.synchronous ? "send_synchronously"
                              : s.sends     ? "send"
                                            : "receive",
                              among(s.among), part(s.part), value(s.peer), value(s.tag), layout,
                              s.request ? ", " + value(s.request) : ""));
        out_.close();
    }
    void print(const loop::WaitFor& s) override { out_.line("::sluice::mpi::wait(" + part(s.requests) + ");"); }
    void print(const loop::Collective& s) override {
        static constexpr const char* kFunctions[] = {"barrier", "broadcast",  "reduce",     "all_reduce",     "scatter",
                                                     "gather",  "all_gather", "all_to_all", "scatter_blocks", "gather_blocks"};
        std::vector<std::string> arguments{among(s.among)};
        if (s.part.address) arguments.push_back(part(s.part));
        if (s.result.address) arguments.push_back(part(s.result));
        if (s.kind == Kind::Reduce || s.kind == Kind::AllReduce) arguments.emplace_back(operator_of_mpi(s.op));
        if (s.kind == Kind::ScatterBlocks || s.kind == Kind::GatherBlocks) {
            arguments.push_back(std::to_string(s.part.extents.size()));
            arguments.push_back(sizes(s.part.extents));
            arguments.push_back(sizes(s.result.extents));
        }
        if (s.root) arguments.push_back(value(s.root));
        std::string all;
        for (const std::string& one : arguments) all += (all.empty() ? "" : ", ") + one;
        out_.line(fmt::format("::sluice::mpi::{}({});", kFunctions[static_cast<std::size_t>(s.kind)], all));
    }

    std::string at_start() const override { return "sluice::mpi::start();"; }
    void further_entry_points(Writer& out) override {
        out.blank();
        out.open("__attribute__((visibility(\"default\"))) int " + exported_name(module_.name, "_world") + "(int64_t* world) {");
        out.open("try {");
        out.line("sluice::mpi::start();");
        out.turn("} catch (...) {");
        out.line("return sluice::caught_status();");
        out.close();
        out.line("world[0] = sluice::mpi::rank(), world[1] = sluice::mpi::ranks();");
        out.line("return sluice::kOk;");
        out.close();
    }
};

}  // namespace

Artifact print_mpi(const loop::Module& module) {
    return MpiPrinter(module).print_all();
}

}  // namespace sluice::codegen
