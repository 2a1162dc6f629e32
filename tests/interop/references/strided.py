"""Copies between padded and transposed layouts; the second state's tasklet has a scalar for a range of outputs (see the table)."""
