#include "analysis/signed_symbols.h"

#include "analysis/symbols.h"

namespace sluice::analysis {

std::set<std::string> signed_symbols(const ir::Sdfg& sdfg) {
    std::set<std::string> result;
    for (const std::string& name : sdfg.arg_names)
        if (!sdfg.containers.contains(name)) result.insert(name);
    if (result.empty()) return result;
    for (const std::string& name : sdfg.arg_names)
        if (const ir::Container* container = sdfg.containers.find(name))
            for (const std::string& symbol : free_symbols(*container)) result.erase(symbol);
    return result;
}

}  // namespace sluice::analysis
