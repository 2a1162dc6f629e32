"""Modules below dace.transformation that Sluice answers."""
