"""Modules below dace.sdfg that Sluice answers."""
