// Winners of the tuner, kept as recipes: one file for a program, a class of sizes and a processor.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "driver/tuning/tuner.h"

namespace sluice::driver {

using Sizes = std::map<std::string, std::int64_t>;

/// Sizes between two powers of two are one class: `M=4 N=1024`. Empty for a program whose sizes are numbers.
std::string size_class(const Sizes& sizes);

/// The folder of the setting `tuned`; nullopt: it is `off`.
std::optional<std::filesystem::path> tuned_folder();

/// Writes the recipe of a winner; the file. Failures: D004 it cannot be written; D031 the setting `tuned` is `off`.
std::filesystem::path keep_tuned(const ir::Sdfg& given, const std::string& size_class, const Tuned& tuned);

/// Is a recipe kept for the program, this class and this processor?
bool is_tuned(const ir::Sdfg& given, const std::string& size_class);
/// Is one kept for any program of this name? Quickly answered where nobody has tuned.
bool may_be_tuned(const std::string& name);

/// Runs the pipeline, of a device where the target has one. At -O3 a recipe that was kept for the program, this class and this
/// processor is replayed instead; where it does not fit any more, as after an update of Sluice, the pipeline runs all the same.
/// True: the recipe was replayed. Errors: as of Session::run.
Result<bool> run_tuned(Session& session, Level level, const std::string& size_class = {}, const std::string& where = "cpu");

}  // namespace sluice::driver
