"""DaCe's front ends."""
