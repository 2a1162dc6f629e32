"""Graphs: PageRank of a web of pages.

S. Brin and L. Page, The anatomy of a large-scale hypertextual web search engine, 1998: power iteration over the links.
"""
import numpy as np

import sluice


@sluice.program
def page_rank(source, target, pages, damping, tolerance):
    out_degree = np.zeros(pages)
    np.add.at(out_degree, source, 1.0)
    dangling = out_degree == 0
    rank = np.full(pages, 1.0 / pages)
    change, rounds = 1.0, 0
    while change > tolerance:
        flow = np.zeros(pages)
        np.add.at(flow, target, rank[source] / out_degree[source])
        updated = (1 - damping) / pages + damping * (flow + rank[dangling].sum() / pages)
        change = np.abs(updated - rank).sum()
        rank = updated
        rounds += 1
    return rank, rounds


def inputs(size):
    pages, links = {"small": (30, 120), "large": (20_000, 200_000)}[size]
    rng = np.random.default_rng(17)
    return {"source": rng.integers(0, pages, links), "target": (pages * rng.random(links) ** 3).astype(np.int64), "pages": pages,
            "damping": 0.85, "tolerance": 1e-8}


def picture(inputs, result):
    ranks = np.sort(result[0])[::-1]
    return {"rank by place, log-log": (np.log10(np.arange(1, len(ranks) + 1)), np.log10(ranks))}
