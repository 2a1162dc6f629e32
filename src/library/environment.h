// What generated code needs from outside: a library's headers, how it is linked and started. Expansions ask for one, tasklets of
// files name some; one that nobody has registered is refused, never dropped.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::library {

struct Environment {
    std::string name;                       ///< `openblas`
    std::vector<std::string> aliases = {};  ///< Other names: DaCe's class paths.
    std::vector<std::string> headers = {};  ///< What generated code includes: `sluice/blas.h`, `<fftw3.h>`.
    /// Files, any one of which the linker must find: `libmkl_rt.so`, `libmkl_rt.so.3`. None: there is nothing to link.
    std::vector<std::string> library_files = {};
    std::vector<std::string> compiler_flags = {};  ///< Further words for the compiler's command.
    std::string init_code = {}, exit_code = {};    ///< C++, run when a program is initialised and finalised.
    std::string remedy = {};                       ///< How one gets it: "install Debian's libopenblas-dev".
    /// Its functions are large templates without results, called with pointers and numbers of the types that they name: they may be
    /// compiled once for all programs.
    bool apart = false;
    std::string part_of = {};  ///< `numpy`: who does without that environment does without this one.
};

/// Registers an environment; one of the same name is replaced.
void add_environment(Environment environment);
/// By name or alias; null if there is none. What is found stays valid until the process ends.
const Environment* find_environment(const std::string& name);
std::vector<std::string> environment_names();
/// Where to look for libraries before the system's folders: a Python environment's `lib`.
void add_library_folder(const std::string& folder);
/// Words for the linker; none if one of its libraries is not installed. Looked for in $LIBRARY_PATH, the added folders,
/// $MKLROOT/lib, $VIRTUAL_ENV/lib and the system's folders.
std::optional<std::vector<std::string>> link_words(const Environment& environment);

}  // namespace sluice::library
