#include "driver/profile/recorder.h"

#include <algorithm>

namespace sluice::driver {

namespace {

using ReadProfile = int (*)(std::int64_t, const char**, std::int64_t*, std::int64_t*);
using ReadCounts = int (*)(std::int64_t, std::int64_t*);
using CountWith = int (*)(std::int64_t, void (*)(void*, int, std::int64_t*), void*);

void read_source(void* source, int alone, std::int64_t* values) {
    const auto& counters = *static_cast<const CounterSource*>(source);
    counters.read(alone != 0, {values, counters.names.size()});
}

std::vector<std::string> entry_names(ReadProfile profile) {
    std::vector<std::string> names;
    const char* name = nullptr;
    std::int64_t nanoseconds = 0, executions = 0;
    while (profile(std::ssize(names), &name, &nanoseconds, &executions) == 0) names.emplace_back(name);
    return names;
}

/// Adds what so many executions amount to; what is not known once stays unknown.
void add(std::optional<double>& sum, const std::optional<symbolic::Expr>& each, std::int64_t executions,
         const std::map<std::string, std::int64_t>& symbols) {
    if (executions == 0) return;
    const auto value = each ? symbolic::evaluate(*each, symbols) : Result<std::int64_t>(Diagnostic{});
    if (!sum || !value.ok())
        sum.reset();
    else
        *sum += static_cast<double>(*value) * static_cast<double>(executions);
}

}  // namespace

Recorder::Recorder(std::vector<Prediction> predictions, bool counts, Library library) : library_(library) {
    for (const std::string& name : entry_names(reinterpret_cast<ReadProfile>(library.profile))) {
        const auto known = std::ranges::find(predictions, name, &Prediction::part);
        predictions_.push_back(known == predictions.end() ? Prediction{name, name, {}, {}, {}} : *known);
    }
    entries_ = predictions_.size();
    if (counts) {
        source_ = std::make_unique<CounterSource>(counters_in_use().or_fail());
        report_.counters = source_->names;
        reinterpret_cast<CountWith>(library.count_with)(std::ssize(source_->names), read_source, source_.get());
    }
    sums_.resize(entries_);
    for (Numbers& one : sums_) one.counts.resize(report_.counters.size());
    operations_.assign(entries_, 0.0);
    bytes_.assign(entries_, 0.0);
}

std::vector<Recorder::Numbers> Recorder::read() const {
    std::vector<Numbers> all(entries_);
    for (std::size_t at = 0; at < entries_; ++at) {
        const char* name = nullptr;
        reinterpret_cast<ReadProfile>(library_.profile)(static_cast<std::int64_t>(at), &name, &all[at].nanoseconds,
                                                        &all[at].executions);
        all[at].counts.resize(report_.counters.size());
        if (source_) reinterpret_cast<ReadCounts>(library_.counts)(static_cast<std::int64_t>(at), all[at].counts.data());
    }
    return all;
}

void Recorder::begin() {
    // Programs that share the library count by the source of whoever runs.
    if (source_) reinterpret_cast<CountWith>(library_.count_with)(std::ssize(source_->names), read_source, source_.get());
    before_ = read();
}

void Recorder::end(const Signature& signature, std::span<void* const> arguments) {
    std::map<std::string, std::int64_t> symbols;
    for (std::size_t i = 0; i < signature.arguments.size(); ++i)
        if (signature.arguments[i].kind == Argument::Kind::Symbol)
            symbols[signature.arguments[i].name] = *static_cast<const std::int64_t*>(arguments[i]);
    const std::vector<Numbers> after = read();
    report_.runs += 1;
    report_.parts.clear();
    for (std::size_t at = 0; at < entries_; ++at) {
        const std::int64_t executions = after[at].executions - before_[at].executions;
        sums_[at].nanoseconds += after[at].nanoseconds - before_[at].nanoseconds;
        sums_[at].executions += executions;
        for (std::size_t i = 0; i < sums_[at].counts.size(); ++i)
            sums_[at].counts[i] += after[at].counts[i] - before_[at].counts[i];
        add(operations_[at], predictions_[at].operations, executions, symbols);
        add(bytes_[at], predictions_[at].bytes, executions, symbols);
        if (sums_[at].executions > 0)
            report_.parts.push_back({predictions_[at].part, predictions_[at].label, predictions_[at].where, sums_[at].executions,
                                     static_cast<double>(sums_[at].nanoseconds) * 1e-9, sums_[at].counts, operations_[at],
                                     bytes_[at]});
    }
}

}  // namespace sluice::driver
