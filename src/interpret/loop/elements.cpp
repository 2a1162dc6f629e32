// Processing elements that wait for each other, as a cycle of waits.
#include <algorithm>
#include <map>

#include "interpret/loop/machine.h"
#include "loop/text.h"
#include "loop/walk.h"

namespace sluice::interpret::loops {

namespace {

/// An end of a queue: `s`, or `s[2]` of an array.
struct End {
    std::string stream;
    bool fills = false;
    auto operator<=>(const End&) const = default;
};

std::optional<End> end_at(const loop::Statement& statement) {
    const auto named = [](const std::string& stream, const loop::ValuePtr& index, bool fills) {
        const std::string place = index ? loop::to_text(*index) : "0";
        return End{place == "0" ? stream : stream + "[" + place + "]", fills};
    };
    if (const auto* n = std::get_if<loop::Push>(&statement.node)) return named(n->stream, n->index, true);
    if (const auto* n = std::get_if<loop::Pop>(&statement.node)) return named(n->stream, n->index, false);
    return std::nullopt;
}

/// Who has the other end. The verifier has seen to it that nobody shares one.
std::map<End, std::string> owners_of(const loop::Module& module) {
    std::map<End, std::string> owners;
    const auto look = [&](const loop::Function& f) {
        loop::for_each_statement(f.body, [&](const loop::Statement& s) {
            const auto* all = std::get_if<loop::ParallelSections>(&s.node);
            for (std::size_t at = 0; all && at < all->names.size(); ++at)
                loop::for_each_statement(all->sections[at], [&](const loop::Statement& inner) {
                    if (const auto end = end_at(inner)) owners.emplace(*end, all->names[at]);
                });
        });
    };
    for (const loop::Function& f : module.functions) look(f);
    look(module.program);
    return owners;
}

}  // namespace

Diagnostic Machine::deadlock_of_elements() const {
    const std::map<End, std::string> owners = owners_of(module_);
    std::map<std::string, const Wait*> waiting;
    for (const Wait& wait : waits_)
        if (wait.element) waiting[*wait.element] = &wait;
    std::vector<std::string> met, sentences;
    std::string cycle;
    for (std::string who = waiting.begin()->first; cycle.empty();) {
        const auto again = std::ranges::find(met, who);
        if (again != met.end()) {
            for (auto at = static_cast<std::size_t>(again - met.begin()); at < sentences.size(); ++at)
                cycle += (cycle.empty() ? "" : "; ") + sentences[at];
            cycle = "processing elements wait for each other: " + cycle;
            break;
        }
        const auto wait = waiting.find(who);
        if (wait == waiting.end()) {
            cycle = "a processing element waits for one that has ended: " + sentences.back();
            break;
        }
        met.push_back(who);
        const auto end = end_at(*places_[wait->second->at].statement);
        const auto other = end ? owners.find({end->stream, !end->fills}) : owners.end();
        const std::string what = end ? (end->fills ? "room in `" : "an element of `") + end->stream + "`" : "others";
        if (other == owners.end()) {
            cycle = "`" + who + "` waits for " + what + ", whose other end nobody has";
            break;
        }
        sentences.push_back("`" + who + "` waits for " + what + ", which `" + other->second + "` " +
                            (end->fills ? "empties" : "fills"));
        who = other->second;
    }
    Diagnostic found =
        diagnostic(waits_.front().at, "I005", {}, "give a stream room for what is pushed before it is popped (buffer_size)");
    found.message = cycle;
    for (const auto& [who, wait] : waiting) {
        const Diagnostic other = diagnostic(wait->at, "I005", {}, {});
        found.notes.push_back({"`" + who + "` waits in " + other.path + ": " + text_of(wait->at), other.where});
    }
    return found;
}

}  // namespace sluice::interpret::loops
