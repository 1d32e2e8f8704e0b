"""Tunes the expert's weights by self-play: evolution of a normal distribution (CMA-ES) over points a round on paired packs.

python -m tools.train_expert --setting 2p10 --seconds 300 --start weights.json --out weights.json
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from server.ai import evaluate
from server.ai.masks import point_table
from server.ai.simple import EASY, NORMAL
from tools.compiled import compile_all

SETTINGS = {
    "2p10": (2, 10, 1, 0, 15),
    "2p13": (2, 13, 0, 1, 1),
    "3p7": (3, 7, 0, 1, 1),
    "4p7": (4, 7, 1, 0, 15),
    "4p7p": (4, 7, 0, 1, 1),
}
"""Seats, cards, must_meld, play_on, low_ace_points of each setting."""


def evolve(score, start, scale, seconds, seed, log):
    """CMA-ES from `start` with step sizes `scale`; returns the mean and the best found by `score(xs, generation)`."""
    rng = np.random.default_rng(seed)
    dim = len(start)
    lam = 4 + int(3 * np.log(dim)) + 4
    mu = lam // 2
    weights = np.log(mu + 0.5) - np.log(np.arange(1, mu + 1))
    weights /= weights.sum()
    mueff = 1 / (weights**2).sum()
    cc = (4 + mueff / dim) / (dim + 4 + 2 * mueff / dim)
    cs = (mueff + 2) / (dim + mueff + 5)
    c1 = 2 / ((dim + 1.3) ** 2 + mueff)
    cmu = min(1 - c1, 2 * (mueff - 2 + 1 / mueff) / ((dim + 2) ** 2 + mueff))
    damps = 1 + 2 * max(0, np.sqrt((mueff - 1) / (dim + 1)) - 1) + cs
    chi = np.sqrt(dim) * (1 - 1 / (4 * dim) + 1 / (21 * dim**2))
    mean = np.zeros(dim)
    sigma = 0.5
    cov = np.eye(dim)
    pc = np.zeros(dim)
    ps = np.zeros(dim)
    end = time.monotonic() + seconds
    generation = 0
    while time.monotonic() < end:
        vals, basis = np.linalg.eigh(cov)
        vals = np.sqrt(np.maximum(vals, 1e-12))
        z = rng.standard_normal((lam, dim))
        y = z @ (basis * vals).T
        xs = mean + sigma * y
        fit = score(start + xs * scale, generation)
        order = np.argsort(-fit)[:mu]
        step = weights @ y[order]
        mean = mean + sigma * step
        inv = basis @ np.diag(1 / vals) @ basis.T
        ps = (1 - cs) * ps + np.sqrt(cs * (2 - cs) * mueff) * inv @ step
        hs = np.linalg.norm(ps) / np.sqrt(1 - (1 - cs) ** (2 * (generation + 1))) < (1.4 + 2 / (dim + 1)) * chi
        pc = (1 - cc) * pc + hs * np.sqrt(cc * (2 - cc) * mueff) * step
        cov = (1 - c1 - cmu) * cov + c1 * np.outer(pc, pc) + cmu * (y[order].T * weights) @ y[order]
        sigma *= np.exp((cs / damps) * (np.linalg.norm(ps) / chi - 1))
        generation += 1
        if generation % 10 == 0:
            log(generation, sigma, fit, start + mean * scale)
    return start + mean * scale


def main():
    """Tunes one setting and writes the weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--setting", choices=SETTINGS, required=True)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--key")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    table = compile_all()
    pts = np.array(point_table(1), np.int64)
    n, cards, must, play_on, low = SETTINGS[args.setting]
    file = json.loads(args.start.read_text())
    start = np.zeros(evaluate.COUNT)
    given = file.get(args.key or args.setting, file["hand"])
    start[: len(given)] = given
    hand = np.zeros(evaluate.COUNT)
    hand[: len(file["hand"])] = file["hand"]
    scale = np.maximum(np.abs(hand) * 0.6, 0.15)
    rows = np.zeros((8, evaluate.COUNT))
    rows[0, :2] = EASY
    rows[1, : len(NORMAL)] = NORMAL
    rows[3] = hand
    rows[4] = start
    past = [start]
    result = np.zeros(args.pairs)

    def points(row, against, seed, pairs=args.pairs):
        rows[2] = row
        res = result if pairs == args.pairs else np.zeros(pairs)
        table.match_rounds(n, 2, against, rows, cards, must, play_on, pts, low, pairs, seed, res)
        return res.mean(), 1.96 * res.std() / pairs**0.5

    def score(xs, generation):
        rows[4] = past[-1]
        rows[6] = past[generation % len(past)]
        seed = args.seed * 100003 + generation
        return np.array([sum(points(x, against, seed)[0] * share for against, share in zoo) for x in xs])

    zoo = [(1, 1.0), (3, 0.5), (4, 1.0), (6, 0.5)]
    t0 = time.monotonic()

    def log(generation, sigma, fit, mean):
        if generation % 20 == 0:
            past.append(mean.copy())
        if generation % 40 == 0:
            out = [points(mean, against, 999, 3000) for against in (0, 1, 3)]
            text = " ".join(f"{m:.1f}±{c:.1f}" for m, c in out)
            print(
                f"{time.monotonic() - t0:.0f}s gen {generation} sigma {sigma:.3f} fit {fit.max():.1f} vs easy, normal, hand: {text}",
                flush=True,
            )
            file[args.setting] = [round(float(v), 4) for v in mean]
            args.out.write_text(json.dumps(file))

    best = evolve(score, start, scale, args.seconds, args.seed, log)
    file[args.setting] = [round(float(v), 4) for v in best]
    args.out.write_text(json.dumps(file))
    rows[2] = best
    for against in (0, 1, 3):
        won, rounds = table.match_games(n, 2, against, rows, cards, must, play_on, pts, low, 1000, 77, 500)
        print("games against", against, round(won, 4), "rounds", round(rounds, 2), flush=True)


if __name__ == "__main__":
    main()
