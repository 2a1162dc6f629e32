// Programs with messages, from Python to loops, on ranks of the interpreter: what lowering makes of parts, requests and
// collectives.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include "driver/compile.h"
#include "driver/print_program.h"
#include "driver/session.h"
#include "interpret/loop/interpret.h"
#include "schedule/schedule.h"

namespace sluice::interpret::loops::test {
namespace {

/// Do the ranks send messages, from data of their own, or share all maps of a program without any, with the same data?
enum class What { Messages, SharedMaps };

loop::Module loops_of(const std::string& body, What mode) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("sluice_messages_" + std::to_string(getpid()) + ".py");
    std::ofstream(file) << "import numpy as np\nimport sluice\nfrom sluice import comm\nN = sluice.symbol('N')\n\n@sluice.program\n"
                           "def talk(x: sluice.float64[N, N], y: sluice.float64[N, N]):\n"
                        << body;
    const auto programs = driver::read_programs(file);
    std::filesystem::remove(file);
    if (!programs) {
        ADD_FAILURE() << render(programs.error());
        return {};
    }
    driver::CompileOptions own;  // What a library computes only its users know.
    own.expansions.missing = {"numpy", "openblas", "mkl"};
    if (mode == What::Messages) return driver::lowered(programs->front(), own);
    driver::Session session(programs->front());
    const std::array<std::string, 1> sharing{"MPITransform"};
    const Result<std::size_t> shared = session.apply_repeated(sharing);
    EXPECT_TRUE(shared) << render(shared.error());
    return driver::lowered(session.program(), {});
}

using Matrix = std::vector<double>;
constexpr std::size_t kSize = 4;

/// y of each rank; x of rank r holds 100 r + its place.
Result<Report> run_talk(const std::string& body, std::size_t ranks, std::vector<Matrix>& y, std::uint64_t seed,
                        What mode = What::Messages) {
    const loop::Module module = loops_of(body, mode);
    std::vector<Matrix> x(ranks, Matrix(kSize * kSize));
    y.assign(ranks, Matrix(kSize * kSize, -1));
    std::vector<std::map<std::string, std::int64_t>> symbols(ranks);
    std::vector<Arguments> all(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t at = 0; at < x[rank].size(); ++at)
            x[rank][at] = static_cast<double>((mode == What::SharedMaps ? 0 : 100 * rank) + at);
        symbols[rank] = {{"N", kSize}, {"comm_place", rank + 1}, {"comm_size", ranks}};
        for (const loop::Parameter& p : module.program.parameters) {
            Matrix& matrix = (p.name == "x" ? x : y)[rank];
            std::int64_t& symbol = symbols[rank][p.name];
            all[rank].parameters.push_back(p.kind == loop::Parameter::Kind::Buffer
                                               ? Region{reinterpret_cast<std::byte*>(matrix.data()), matrix.size() * sizeof(double)}
                                               : Region{reinterpret_cast<std::byte*>(&symbol), sizeof symbol});
        }
    }
    Options options;
    options.seed = seed;
    options.step_limit = 100000;
    return interpret_ranks(module, all, options);
}

void expect_talk(const std::string& body, std::size_t ranks,
                 const std::function<double(std::size_t, std::size_t, std::size_t)>& value, What mode = What::Messages) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        std::vector<Matrix> y;
        const Result<Report> report = run_talk(body, ranks, y, seed, mode);
        ASSERT_TRUE(report) << render(report.error());
        for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
        for (std::size_t rank = 0; rank < ranks; ++rank)
            for (std::size_t at = 0; at < y[rank].size(); ++at)
                EXPECT_EQ(y[rank][at], value(rank, at / kSize, at % kSize)) << "rank " << rank << ", place " << at;
    }
}

TEST(MessagePrograms, AColumnGoesToARow) {
    for (const std::size_t ranks : {1, 2, 4})
        expect_talk(
            "    requests = np.empty(2, dtype=sluice.MPI_Request)\n"
            "    comm.Isend(x[1:, 2], (comm.rank + 1) % comm.size, 5, requests[0])\n"
            "    comm.Irecv(y[3, :-1], (comm.rank + comm.size - 1) % comm.size, 5, requests[1])\n"
            "    comm.Waitall(requests)\n",
            ranks, [&](std::size_t rank, std::size_t i, std::size_t j) {
                const std::size_t from = (rank + ranks - 1) % ranks;
                return i == 3 && j < 3 ? static_cast<double>(100 * from + (j + 1) * kSize + 2) : -1.0;
            });
}

TEST(MessagePrograms, BlocksOfAGridAndASum) {
    expect_talk(
        "    b = np.empty((2, 2))\n    b[:] = comm.BlockScatter(x, root=1)\n    comm.Allreduce(b, y[:2, :2])\n"
        "    b += comm.Get_rank()\n    y[:] = comm.BlockGather(b, root=3)\n",
        4, [](std::size_t rank, std::size_t i, std::size_t j) {
            if (rank == 3) return 100.0 + static_cast<double>(i * kSize + j + i / 2 * 2 + j / 2);
            return i < 2 && j < 2 ? static_cast<double>(4 * 100 + 4 * (i * kSize + j) + 20) : -1.0;
        });
}

/// Groups: rows sum, columns get their first rank's elements, neighbours in a row exchange theirs.
TEST(MessagePrograms, RowsAndColumnsOfAGrid) {
    expect_talk(
        "    grid = comm.Create_cart((2, 2), periods=(False, True))\n    row, column = grid.Sub((False, True)), grid.Sub((True, "
        "False))\n"
        "    row.Allreduce(x[0], y[0])\n    y[1] = x[1]\n    column.Bcast(y[1])\n"
        "    source, dest = grid.Shift(1, 1)\n    requests = np.empty(2, dtype=sluice.MPI_Request)\n"
        "    grid.Isend(x[2], dest, 1, requests[0])\n    grid.Irecv(y[2], source, 1, requests[1])\n    comm.Waitall(requests)\n"
        "    up, down = grid.Shift(0, 1)\n    y[3, 0], y[3, 1] = up, down\n",
        4, [](std::size_t rank, std::size_t i, std::size_t j) {
            const auto x = [&](std::size_t of) { return static_cast<double>(100 * of + i * kSize + j); };
            if (i == 0) return x(rank) + x(rank ^ 1);
            if (i == 1) return x(rank % 2);
            if (i == 2) return x(rank ^ 1);
            const double nobody = -1000;
            if (j == 0) return rank < 2 ? nobody : static_cast<double>(rank - 2);
            return j > 1 ? -1.0 : rank < 2 ? static_cast<double>(rank + 2) : nobody;
        });
}

/// Blocks of matrices on grids of four ranks, in panels of one or two columns.
TEST(MessagePrograms, AProductOnAGrid) {
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{2, 2}, {1, 4}, {4, 1}}) {
        const std::size_t left = 4 / columns, right = 4 / rows;  // Of the dimension that is summed over, in a block.
        const std::string grid = "    grid = comm.Create_cart((" + std::to_string(rows) + ", " + std::to_string(columns) + "))\n";
        expect_talk(grid + "    y[:2, :3] = grid.MatMult(x[:2, :" + std::to_string(left) + "], x[:" + std::to_string(right) +
                        ", :3])\n"
                        "    y[3] = grid.MatMult(x, x[1])\n",
                    4, [&, columns = columns](std::size_t rank, std::size_t i, std::size_t j) {
                        const auto x = [&](std::size_t of, std::size_t row, std::size_t column) {
                            return static_cast<double>(100 * of + row * kSize + column);
                        };
                        const std::size_t row = rank / columns, column = rank % columns;
                        double sum = 0;
                        for (std::size_t k = 0; i < 2 && j < 3 && k < 4; ++k)
                            sum += x(row * columns + k / left, i, k % left) * x(k / right * columns + column, k % right, j);
                        for (std::size_t at = 0; i == 3 && at < columns; ++at)
                            for (std::size_t k = 0; k < kSize; ++k)
                                sum += x(row * columns + at, j, k) * x(row * columns + at, 1, k);
                        return i == 3 || (i < 2 && j < 3) ? sum : -1.0;
                    });
    }
}

/// Ranks that share maps hold the same data and get the same results, whatever their count.
TEST(MessagePrograms, SharedMaps) {
    const std::string body =
        "    for i, j in sluice.map[1:N, 0:N]:\n        y[i, j] = 2 * x[i - 1, j]\n"
        "    for i, j in sluice.map[0:N, 0:N]:\n        with sluice.tasklet:\n            a << x[i, j]\n"
        "            b >> y(1, lambda p, q: p + q)[0, j]\n            b = a\n";
    for (const std::size_t ranks : {1, 2, 3, 4})
        expect_talk(
            body, ranks,
            [&](std::size_t, std::size_t i, std::size_t j) {
                const auto x = [&](std::size_t row) { return static_cast<double>(row * kSize + j); };
                return i > 0 ? 2 * x(i - 1) : x(0) + x(1) + x(2) + x(3) - 1;
            },
            What::SharedMaps);
}

/// Who computes the rows of `bx` that a rank reads and the next one has: `by`'s loop, or bounds that are inferred on each rank.
enum class Redundant { ComputedAt, Inferred };

/// Figure 3(c) of Tiramisu's paper: rows of a blur on ranks, of which each gets two rows of the next.
void expect_figure_3c(Redundant how, schedule::Delivery delivery, bool for_any_ranks = false) {
    constexpr std::int64_t kRows = 3, kColumns = 4;
    const auto at = [](std::int64_t i, std::int64_t j) { return static_cast<double>(i * i + 7 * j); };
    for (const std::int64_t ranks : {1, 2, 4}) {
        const std::string last = for_any_ranks ? "N" : std::to_string(kRows * ranks),
                          rows = for_any_ranks ? "B" : std::to_string(kRows),
                          count = for_any_ranks ? schedule::kRankCount : std::to_string(ranks);
        schedule::Function f("blur");
        for (const char* constant : {"M", "N", "B"}) f.constant(constant);
        f.assume("B >= 2");
        f.input("source", {last + " + 2", "M"});
        const std::vector<schedule::Var> vars{{"i", "0", last}, {"j", "0", "M"}};
        schedule::Computation bx = f.computation("bx", vars, "2.0 * source[i, j]");
        schedule::Computation by = f.computation("by", vars, "bx[i, j] + bx[i + 1, j] + bx[i + 2, j]");
        f.distribute("source", rows, 2);
        by.split("i", rows, "i0", "i1").parallelize("i1");
        if (how == Redundant::ComputedAt)
            bx.compute_at(by, "i0");
        else
            bx.infer_bounds().split("i", rows, "i0", "i1").parallelize("i1").distribute("i0");
        schedule::Operation s = f.send({"is_", "1", count}, "source[0, 0]", "2 * M", "is_ - 1", delivery);
        schedule::Operation r = f.receive({"ir", "0", count + " - 1"}, "source[" + rows + ", 0]", "2 * M", "ir + 1",
                                          schedule::Delivery::Synchronous, s);
        s.before(r).distribute("is_");
        r.before(how == Redundant::Inferred ? bx : by).distribute("ir");
        by.distribute("i0");
        const auto graph = f.build({by});
        ASSERT_TRUE(graph.ok()) << render(graph.error());
        const loop::Module module = driver::lowered(*graph, {});
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const auto all = static_cast<std::size_t>(ranks);
            std::vector<Matrix> source(all, Matrix((kRows + 2) * kColumns, -1000)),
                result(all, Matrix(kRows * ranks * kColumns, -1));
            std::vector<std::map<std::string, std::int64_t>> symbols(all);
            std::vector<Arguments> arguments(all);
            for (std::size_t rank = 0; rank < all; ++rank) {
                const std::int64_t first = kRows * static_cast<std::int64_t>(rank), held = kRows + (rank + 1 == all ? 2 : 0);
                for (std::int64_t k = 0; k < held * kColumns; ++k)
                    source[rank][static_cast<std::size_t>(k)] = at(first + k / kColumns, k % kColumns);
                symbols[rank] = {
                    {"M", kColumns}, {"B", kRows}, {"N", kRows * ranks}, {"comm_place", rank + 1}, {"comm_size", ranks}};
                for (const loop::Parameter& p : module.program.parameters) {
                    Matrix& matrix = (p.name == "source" ? source : result)[rank];
                    std::int64_t& symbol = symbols[rank][p.name];
                    arguments[rank].parameters.push_back(
                        p.kind == loop::Parameter::Kind::Buffer
                            ? Region{reinterpret_cast<std::byte*>(matrix.data()), matrix.size() * sizeof(double)}
                            : Region{reinterpret_cast<std::byte*>(&symbol), sizeof symbol});
                }
            }
            Options options;
            options.seed = seed;
            options.step_limit = 100000;
            const Result<Report> report = interpret_ranks(module, arguments, options);
            ASSERT_TRUE(report) << render(report.error());
            for (const Diagnostic& finding : report->findings) ADD_FAILURE() << render(finding);
            for (std::int64_t i = 0; i < kRows * ranks; ++i)
                for (std::int64_t j = 0; j < kColumns; ++j)
                    EXPECT_EQ(result[static_cast<std::size_t>(i / kRows)][static_cast<std::size_t>(i * kColumns + j)],
                              2 * (at(i, j) + at(i + 1, j) + at(i + 2, j)))
                        << i << ", " << j;
        }
    }
}

TEST(MessagePrograms, ADistributedSchedule) {
    for (const Redundant how : {Redundant::ComputedAt, Redundant::Inferred})
        for (const auto delivery : {schedule::Delivery::Asynchronous, schedule::Delivery::Synchronous})
            expect_figure_3c(how, delivery);
}

TEST(MessagePrograms, ADistributedScheduleForAnyRanks) {
    expect_figure_3c(Redundant::ComputedAt, schedule::Delivery::Asynchronous, true);
    expect_figure_3c(Redundant::Inferred, schedule::Delivery::Asynchronous, true);
}

TEST(MessagePrograms, FacingReceivesAreFound) {
    std::vector<Matrix> y;
    const Result<Report> report = run_talk("    comm.Recv(y, 1 - comm.rank)\n    comm.Send(x, 1 - comm.rank)\n", 2, y, 0);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, "I005");
    EXPECT_NE(render(report.error()).find("ranks wait for each other"), std::string::npos) << render(report.error());
}

}  // namespace
}  // namespace sluice::interpret::loops::test
