"""Errors of the front end, and objects that programs call."""
from sluice import CompileError as DaceSyntaxError
from sluice.convertible import SDFGConvertible
