#include "library/registry.h"

#include <algorithm>

#include "ir/query.h"

namespace sluice::library {

namespace {

bool goes_by(const Expansion& expansion, const std::string& name) {
    return expansion.name == name || std::ranges::find(expansion.aliases, name) != expansion.aliases.end();
}

[[noreturn]] void refuse_contract(const std::string& operation, const std::string& why, const std::string& remedy) {
    fail({.code = "B006",
          .message = "the operation " + operation + " " + why,
          .where = {},
          .path = {},
          .remedy = remedy,
          .notes = {}});
}

void check_contract(const Operation& operation) {
    if (!ir::is_identifier(operation.name)) refuse_contract("`" + operation.name + "`", "has no name", "use letters, digits and _");
    if (operation.forms.empty() && !operation.forms_of)
        refuse_contract(operation.name, "has no form", "say how it is called: `_x[N] -> _y[N]`");
    for (const Form& form : operation.forms)
        for (const auto& [name, value] : form.properties)
            if (std::ranges::none_of(operation.properties, [&](const PropertyRule& rule) { return rule.name == name; }))
                refuse_contract(operation.name, "has a form for a property " + name + " that it does not have",
                                "list the property");
    for (std::size_t at = 0; at < operation.expansions.size(); ++at) {
        if (!operation.expansions[at].expand) refuse_contract(operation.name, "has an expansion without a function", "give it one");
        for (std::size_t other = 0; other < at; ++other)
            if (operation.expansions[at].name == operation.expansions[other].name &&
                operation.expansions[at].target == operation.expansions[other].target)
                refuse_contract(operation.name, "has two expansions named " + operation.expansions[at].name, "rename one");
    }
}

}  // namespace

void Registry::add(Operation operation) {
    check_contract(operation);
    const std::lock_guard lock(mutex_);
    kept_.push_back(std::make_unique<const Operation>(std::move(operation)));
    current_[kept_.back()->name] = kept_.back().get();
}

void Registry::add(const std::string& operation, Expansion expansion) {
    const Operation* found = find(operation);
    if (!found)
        fail({.code = "B001",
              .message = "there is no operation " + operation + " to which an expansion could be added",
              .where = {},
              .path = {},
              .remedy = "register the operation first",
              .notes = {}});
    Operation extended = *found;
    std::erase_if(extended.expansions,
                  [&](const Expansion& old) { return old.name == expansion.name && old.target == expansion.target; });
    extended.expansions.insert(extended.expansions.begin(), std::move(expansion));
    extended.builtin = false;
    add(std::move(extended));
}

const Operation* Registry::find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto at = current_.find(name);
    return at == current_.end() ? nullptr : at->second;
}

const Operation* Registry::find(const ir::LibraryNode& node) const {
    const Operation* found = find(node.operation);
    return found && (node.classpath.empty() || node.classpath == found->classpath) ? found : nullptr;
}

std::vector<const Operation*> Registry::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<const Operation*> found;
    for (const auto& [name, operation] : current_) found.push_back(operation);
    return found;
}

bool Registry::knows_expansion(const std::string& name) const {
    for (const Operation* operation : all())
        for (const Expansion& expansion : operation->expansions)
            if (goes_by(expansion, name)) return true;
    return false;
}

Registry& operations() {
    static Registry registry;
    static const bool filled = [] {
        for (Operation& operation : builtin_operations()) {
            operation.builtin = true;
            registry.add(std::move(operation));
        }
        return true;
    }();
    check(filled, "the registry of operations is empty");
    return registry;
}

}  // namespace sluice::library
