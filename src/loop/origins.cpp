#include "loop/origins.h"

#include "loop/walk.h"

namespace sluice::loop {

OriginId Origins::of(const std::string& path) {
    const auto [at, added] = ids_.emplace(path, static_cast<OriginId>(module_.origins.size() + 1));
    if (added) module_.origins.push_back(path);
    return at->second;
}

void Origins::give(const std::string& path, Body& body, std::size_t first) {
    if (first >= body.size()) return;
    const OriginId origin = of(path);
    for (; first < body.size(); ++first) give_origin(body[first], origin);
}

void give_origin(Statement& statement, OriginId origin) {
    if (statement.origin != 0) return;
    statement.origin = origin;
    for_each_body(statement, [&](Body& body) {
        for (Statement& inner : body) give_origin(inner, origin);
    });
}

const std::string& path_of_origin(const Module& module, const Statement& statement) {
    static const std::string kUnknown;
    return statement.origin == 0 || statement.origin > module.origins.size() ? kUnknown : module.origins[statement.origin - 1];
}

std::string from_where(const Module& module, const Statement* statement) {
    const std::string path = statement ? path_of_origin(module, *statement) : std::string();
    return path.empty() ? path : ", from " + path;
}

}  // namespace sluice::loop
