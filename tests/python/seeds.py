"""How many random programs a test draws: few, or as many as the environment variable SLUICE_SEEDS says."""
import os


def seeds(few):
    return range(int(os.environ.get("SLUICE_SEEDS", few)))
