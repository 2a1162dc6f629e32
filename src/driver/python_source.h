// `@program` functions as the Python package hands them over: their source with the meaning of its free names. The values and
// functions are the front end's, under the driver's name.
#pragma once

#include "frontend/python/frontend.h"
#include "frontend/python/legacy_random.h"

namespace sluice::driver::python {

using frontend::ArgumentType;
using frontend::ArrayBinding;
using frontend::Binding;
using frontend::Bindings;
using frontend::ClassSource;
using frontend::Definition;
using frontend::ExpressionBinding;
using frontend::ExpressionPlace;
using frontend::FunctionBinding;
using frontend::FunctionSource;
using frontend::GraphBinding;
using frontend::KnownExpression;
using frontend::ModuleBinding;
using frontend::NumberBinding;
using frontend::NumberKind;
using frontend::Program;
using frontend::ProgramBinding;
using frontend::ProgramParameter;
using frontend::ReturnedForm;
using frontend::ReturnedForms;
using frontend::ReturnedView;
using frontend::SharedParameter;
using frontend::Sharing;
using frontend::SymbolBinding;
using frontend::TypeBinding;

using frontend::build;
using frontend::build_of_objects;
using frontend::parameters;
using frontend::parse_program;

/// Whether it draws from the random generator that a process shares.
inline bool draws_from_shared_generator(const Program& program) {
    return program.globals.contains(frontend::kSharedGenerator);
}

}  // namespace sluice::driver::python
