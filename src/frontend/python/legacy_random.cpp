#include "frontend/python/legacy_random.h"

#include <set>
#include <string>

#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/prelude.h"

namespace sluice::frontend {

using namespace code;

namespace {

class SharedGenerator {
public:
    explicit SharedGenerator(const Bindings& globals) : globals_(globals) {}

    Body replaced(const Body& body) {
        return with_expressions(body, [&](const ExprPtr& e) { return replaced(e); });
    }
    bool found() const { return found_; }

private:
    ExprPtr replaced(const ExprPtr& e) {
        return replace_parts(e, [&](const ExprPtr& part) -> ExprPtr {
            static const std::string kModule = "numpy.random.";
            const std::string name = qualified_name(*part, globals_);
            if (!name.starts_with(kModule) || !is_method_of_legacy_generator(name.substr(kModule.size()))) return nullptr;
            found_ = true;
            return make_attribute(make_name(kSharedGenerator, part->span), name.substr(kModule.size()), part->span);
        });
    }

    const Bindings& globals_;
    bool found_ = false;
};

}  // namespace

StmtPtr with_shared_generator(const StmtPtr& function, Bindings& globals) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    if (occurrences(definition.body).contains(kSharedGenerator)) return function;  // The user's own.
    SharedGenerator shared(globals);
    definition.body = shared.replaced(definition.body);
    if (!shared.found()) return function;
    const ArgumentType state{code::Scalar::UInt64, std::vector<symbolic::Expr>{symbolic::Expr(kLegacyStateWords)}};
    globals.insert_or_assign(kSharedGenerator, ArrayBinding{state, 0});
    return std::make_shared<const Stmt>(std::move(copy));
}

Value meaning_of_module_array(const Value& array) {
    const std::string& data = as_view(array)->data;
    if (data != std::string("__g_") + kSharedGenerator) return array;
    Value generator;
    generator.kind = Value::Kind::Generator;
    generator.stream = data;
    return generator;
}

}  // namespace sluice::frontend
