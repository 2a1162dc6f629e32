#include "fuzz/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "fuzz/unit.h"

namespace sluice::fuzz {

namespace {

std::size_t rounded(std::size_t size) {
    return (size + 63) / 64 * 64;
}

std::size_t table_size(const Memory& memory) {
    return rounded(8 * (2 + 2 * memory.blocks.size() + 1 + 3 * memory.links.size()));
}

}  // namespace

Arena::Arena(const std::filesystem::path& path, const std::vector<Job>& jobs) {
    size_ = rounded(8 * (2 + jobs.size()));
    for (const Job& job : jobs) {
        size_ += table_size(*job.before);
        for (const Block& block : job.before->blocks) size_ += rounded(block.size());
    }
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    check(file >= 0 && ::ftruncate(file, static_cast<off_t>(size_)) == 0, "cannot make ", path.string());
    void* place = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    check(place != MAP_FAILED, "cannot map ", path.string());
    base_ = static_cast<std::byte*>(place);
    words()[0] = static_cast<std::int64_t>(jobs.size());
    std::size_t at = rounded(8 * (2 + jobs.size()));
    for (std::size_t graph = 0; graph < jobs.size(); ++graph) {
        const std::vector<Block>& blocks = jobs[graph].before->blocks;
        words()[2 + graph] = static_cast<std::int64_t>(at);
        auto* entry = reinterpret_cast<std::int64_t*>(base_ + at);
        at += table_size(*jobs[graph].before);
        *entry++ = static_cast<std::int64_t>(blocks.size());
        *entry++ = 0;
        for (const Block& block : blocks) {
            *entry++ = static_cast<std::int64_t>(at);
            *entry++ = static_cast<std::int64_t>(block.size());
            if (block.size() > 0) std::memcpy(base_ + at, block.data(), block.size());
            at += rounded(block.size());
        }
        *entry++ = static_cast<std::int64_t>(jobs[graph].before->links.size());
        for (const Memory::Link& link : jobs[graph].before->links)
            for (const std::size_t word : {link.from, link.offset, link.to}) *entry++ = static_cast<std::int64_t>(word);
    }
}

Arena::~Arena() {
    ::munmap(base_, size_);
}

int Arena::status(std::size_t graph) const {
    return static_cast<int>(table(graph)[1]);
}

Memory Arena::memory(std::size_t graph, const Memory& before) const {
    Memory result = before;
    for (std::size_t k = 0; k < result.blocks.size(); ++k)
        if (result.blocks[k].size() > 0)
            std::memcpy(result.blocks[k].data(), base_ + table(graph)[2 + 2 * k], result.blocks[k].size());
    return result;
}

}  // namespace sluice::fuzz
