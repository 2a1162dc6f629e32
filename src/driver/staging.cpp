// Moves a set of files into place such that a failure at any of them restores what was there.
#include "driver/staging.h"

#include "support/result.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void unwritable(const fs::path& path, const std::error_code& error) {
    fail({"D004", "cannot write `" + path.string() + "`: " + error.message(), {}, {}, "choose a folder that can be written", {}});
}

// Keeps what stands at `from`: a hard link where the file system has them, so that `from` is never without a file, else a copy.
void keep(const fs::path& from, const fs::path& to, std::error_code& error) {
    fs::create_directories(to.parent_path(), error);
    if (error) return;
    fs::create_hard_link(from, to, error);
    if (error) fs::copy_file(from, to, error);
}

struct Moved {
    fs::path target, before;  // `before` is empty where nothing stood
};

// Puts things back in reverse; it has no one to tell if that fails as well, and goes on with the rest.
void restore(const std::vector<Moved>& moved, const std::vector<fs::path>& made) {
    std::error_code ignored;
    for (auto each = moved.rbegin(); each != moved.rend(); ++each) {
        if (each->before.empty())
            fs::remove(each->target, ignored);
        else
            fs::rename(each->before, each->target, ignored);
    }
    for (auto each = made.rbegin(); each != made.rend(); ++each) fs::remove(*each, ignored);
}

// Makes the folders on the way to `folder`, and `folder`; what is new is added to `made`, outermost first.
void make_folders(const fs::path& folder, std::vector<fs::path>& made, std::error_code& error) {
    std::vector<fs::path> missing;
    for (fs::path at = folder; !at.empty() && !fs::exists(at, error) && !error; at = at.parent_path()) missing.push_back(at);
    for (; !missing.empty() && !error; missing.pop_back())
        if (fs::create_directory(missing.back(), error)) made.push_back(missing.back());
    if (!error && !fs::is_directory(folder)) error = std::make_error_code(std::errc::not_a_directory);
}

}  // namespace

Staging::Staging(fs::path folder) : folder_(fs::absolute(folder).lexically_normal()) {
    if (!folder_.has_filename()) folder_ = folder_.parent_path();
    std::error_code error;
    exists_ = fs::is_directory(folder_, error);
    // A folder that exists may be a mount point or stand in one that is read-only, so its files are prepared within it.
    const fs::path within = exists_ ? folder_ : folder_.parent_path();
    try {
        if (!exists_ && fs::exists(folder_, error)) unwritable(folder_, std::make_error_code(std::errc::not_a_directory));
        make_folders(within, made_, error);
        if (error) unwritable(folder_, error);
        try {
            work_.emplace(within);
        } catch (Failure& failure) {
            failure.diagnostic.code = "D004";
            failure.diagnostic.remedy = "choose a folder that can be written";
            throw;
        }
        // A folder of its own below the private one: it has the permissions that the user's umask gives.
        path_ = work_->path() / "new";
        fs::create_directory(path_, error);
        if (error) unwritable(folder_, error);
    } catch (...) {
        work_.reset();
        restore({}, made_);
        throw;
    }
}

Staging::~Staging() {
    work_.reset();
    restore({}, made_);
}

void Staging::publish() {
    if (exists_) return replace_files();
    std::error_code error;
    fs::rename(path_, folder_, error);
    if (!error) {
        made_.clear();
    } else if (fs::is_directory(folder_)) {
        replace_files();  // somebody made it since
        made_.clear();
    } else {
        unwritable(folder_, error);
    }
}

void Staging::replace_files() {
    std::vector<Moved> moved;
    std::vector<fs::path> made;
    std::error_code error;
    const auto give_up = [&](const fs::path& at) {
        const std::error_code reason = error;
        restore(moved, made);
        unwritable(at, reason);
    };
    std::vector<fs::path> names;
    for (const auto& each : fs::recursive_directory_iterator(path_))
        if (each.is_regular_file()) names.push_back(fs::relative(each.path(), path_));
    for (const fs::path& name : names) {
        const fs::path target = folder_ / name;
        make_folders(target.parent_path(), made, error);
        if (error) give_up(target.parent_path());
        const fs::file_status status = fs::symlink_status(target, error);
        if (fs::is_directory(status))
            error = std::make_error_code(std::errc::is_a_directory);
        else if (!fs::exists(status))
            error.clear();
        if (error) give_up(target);
        fs::path before;
        if (fs::exists(status)) {
            before = work_->path() / "before" / name;
            keep(target, before, error);
            if (error) give_up(target);
        }
        fs::rename(path_ / name, target, error);
        if (error) give_up(target);
        moved.push_back({target, before});
    }
}

}  // namespace sluice::driver
