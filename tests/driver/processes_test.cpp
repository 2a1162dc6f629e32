// Compiled programs in processes that fork and in libraries that are closed: C programs that a user might write.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <future>
#include <thread>

#include "c_compiler.h"
#include "driver/cache.h"
#include "driver/compile.h"
#include "driver/process.h"
#include "driver/unfinished.h"
#include "ir/builder.h"

namespace sluice::driver {
namespace {

namespace fs = std::filesystem;

/// x[i] += 1 by a team of threads.
ir::Sdfg increment() {
    ir::Sdfg graph;
    graph.name = "increment";
    graph.arg_names = {"x"};
    ir::add_symbol(graph, "N");
    ir::add_array(graph, "x", code::Scalar::Float64, {symbolic::symbol("N")});
    ir::add_state(graph, "main").mapped_tasklet("plus", {{"i", "0:N"}}, {{"u", "x[i]"}}, "w = u + 1", {{"w", "x[i]"}});
    return graph;
}

class Processes : public ::testing::Test {
protected:
    /// Exit status of a C program on three threads; 142 (SIGALRM) where it hangs.
    int run(const std::string& source, bool linked) {
        const fs::path out = folder_.path() / "out";
        const auto emitted = emit(increment(), out, {.cache = folder_.path() / "cache", .extra_flags = {}});
        if (!emitted) return ADD_FAILURE() << render(emitted.error()), -1;
        std::ofstream(folder_.path() / "user.c")
            << "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
               "#include <sys/wait.h>\n#include <unistd.h>\n#include \"increment.h\"\n"
               "enum { kSize = 1 << 20 };\nstatic double x[kSize];\n"
            << source;
        const std::string exe = (folder_.path() / "user").string();
        std::vector<std::string> command = test::c_compiler(
            {"-std=c99", "-Wall", "-Wextra", (folder_.path() / "user.c").string(), "-I" + out.string(), "-o", exe});
        if (linked) command.insert(command.end(), {"-L" + out.string(), "-lincrement", "-Wl,-rpath," + out.string()});
        const ProcessResult built = run_process(command);
        EXPECT_EQ(built.status, 0) << built.output;
        return run_process({"env", "OMP_NUM_THREADS=3", exe, (out / "libincrement.so").string()}).status;
    }

    PrivateFolder folder_{fs::temp_directory_path() / "sluice-test"};
};

// libgomp keeps the team's threads for the next region; the child has none of them.
TEST_F(Processes, AChildOfForkCallsWhatItsParentHasCalled) {
    EXPECT_EQ(run(R"(
static int generation(int depth) {
    alarm(60);
    if (increment(x, kSize) != 0) return 1;
    if (depth > 0) {
        int status;
        const pid_t child = fork();
        if (child == 0) _exit(generation(depth - 1));
        if (waitpid(child, &status, 0) != child || status != 0) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : 2;
    }
    return increment(x, kSize) == 0 && x[0] == x[kSize - 1] ? 0 : 3;
}
int main(void) { return generation(3); }
)",
                  true),
              0);
}

// A thread other than the first has a team of its own.
TEST_F(Processes, AThreadForks) {
    EXPECT_EQ(run(R"(
static void* fork_and_call(void* result) {
    int status;
    increment(x, kSize);
    const pid_t child = fork();
    if (child == 0) _exit((alarm(60), increment(x, kSize)));
    waitpid(child, &status, 0);
    *(int*)result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return 0;
}
int main(void) {
    pthread_t thread;
    int status = -1;
    increment(x, kSize);
    pthread_create(&thread, 0, fork_and_call, &status);
    pthread_join(thread, 0);
    return status;
}
)",
                  true),
              0);
}

// Threads that wait for the next region stand in libgomp's code.
TEST_F(Processes, ALibraryIsClosedAndOpenedAgain) {
    EXPECT_EQ(run(R"(
int main(int count, char** arguments) {
    for (int round = 0; round < 20 && count == 2; ++round) {
        void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (!library) return 1;
        int (*call)(double*, int64_t) = (int (*)(double*, int64_t))dlsym(library, "increment");
        if (call(x, kSize) != 0 || dlclose(library) != 0) return 2;
        usleep(5000);
    }
    return x[0] == 20 && x[kSize - 1] == 20 ? 0 : 3;
}
)",
                  false),
              0);
}

// A signal that comes while a compiler starts must find it: here the leader is told only once the end has been asked for.
TEST(Unfinished, WhatIsStartingIsEndedAsWell) {
    const pid_t worker = fork();
    if (worker == 0) {
        alarm(60);
        std::promise<void> running;
        std::thread starts([&] {
            const UnfinishedProcess process([&] {
                const pid_t leader = fork();
                if (leader == 0) {
                    setpgid(0, 0);
                    pause();
                }
                setpgid(leader, leader);
                running.set_value();
                usleep(200'000);
                return leader;
            });
            int status = 0;
            waitpid(process.leader(), &status, 0);
            _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 1);
        });
        running.get_future().wait();
        end_unfinished();
        starts.join();
    }
    int status = 0;
    ASSERT_EQ(waitpid(worker, &status, 0), worker);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace sluice::driver
