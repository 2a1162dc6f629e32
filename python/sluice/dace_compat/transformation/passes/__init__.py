"""DaCe's passes that one pipeline of Sluice covers."""
