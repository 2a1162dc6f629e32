"""What goes wrong when code is compiled: a CompileError, with the code D... that says what."""
from sluice import CompileError

CompilationError = CompilerConfigurationError = CompileError
