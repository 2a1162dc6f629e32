// Which entries leave the cache when it is too large.
#include <algorithm>
#include <string>

#include "driver/cache.h"
#include "driver/settings.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

struct Entry {
    fs::path folder;
    fs::file_time_type used;
    std::uintmax_t size = 0;
};

/// The folders of a folder; none where it cannot be read.
std::vector<fs::path> folders_in(const fs::path& parent) {
    std::vector<fs::path> result;
    std::error_code error;
    for (fs::directory_iterator each(parent, error), end; !error && each != end; each.increment(error))
        if (each->is_directory(error)) result.push_back(each->path());
    return result;
}

/// Entries lie two levels down, cache/ab/abcd...; their file `size` carries the time of the last use.
std::vector<Entry> entries_of(const fs::path& cache) {
    std::vector<Entry> result;
    for (const fs::path& group : folders_in(cache)) {
        if (group.filename().string().size() != 2) continue;
        for (const fs::path& folder : folders_in(group)) {
            std::error_code error;
            Entry entry{folder, fs::last_write_time(folder / "size", error), 0};
            if (error) continue;
            for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
                std::error_code gone;
                const std::uintmax_t size = each->file_size(gone);
                if (!gone) entry.size += size;
            }
            result.push_back(std::move(entry));
        }
    }
    return result;
}

/// Moved away whole by one rename, so that nobody sees half an entry; put back if somebody has used it in the meantime.
bool remove(const fs::path& cache, const Entry& entry) {
    const PrivateFolder grave(cache / "unfinished");
    const fs::path moved = grave.path() / "entry";
    std::error_code error;
    fs::rename(entry.folder, moved, error);
    if (error) return false;
    const auto used = fs::last_write_time(moved / "size", error);
    if (error || used == entry.used) return true;
    fs::rename(moved, entry.folder, error);
    return false;
}

}  // namespace

std::uintmax_t cache_limit() {
    const std::string text = setting("cache_size").text;
    const std::size_t unit = std::string_view("KMG").find(text.back());
    const std::uintmax_t number = std::stoull(text);
    return unit == std::string_view::npos ? number : number << (10 * (unit + 1));
}

void trim_cache(const fs::path& cache, std::uintmax_t limit, std::chrono::seconds keep) {
    if (limit == 0) return;
    std::vector<Entry> entries = entries_of(cache);
    std::uintmax_t total = 0;
    for (const Entry& entry : entries) total += entry.size;
    if (total <= limit) return;
    std::ranges::sort(entries, {}, &Entry::used);
    const auto recent = fs::file_time_type::clock::now() - keep;
    for (const Entry& entry : entries) {
        if (total <= limit || entry.used > recent) return;
        if (remove(cache, entry)) total -= entry.size;
    }
}

}  // namespace sluice::driver
