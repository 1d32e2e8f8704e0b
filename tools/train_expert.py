"""Tunes the expert's weights by self-play: evolution of a normal distribution (CMA-ES) over points a round on paired packs.

python -m tools.train_expert --settings 2p10 --seconds 1200 --step 0.8 --pairs 200 --out weights.json
python -m tools.train_expert --settings 2p13h --seconds 600 --pairs 400 --zoo reference=1 --out weights.json

Seconds are of CPU time, so that a run that had to wait is as good as another. The figures printed on the way are of few
games on always the same packs: judge a result by many games on fresh ones (`Trainer.games` with another seed).
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

from server.ai import evaluate, weights
from server.ai.masks import point_table
from server.ai.reference.player import WEIGHTS
from server.ai.simple import EASY
from tools.compiled import compile_all

SETTINGS = {
    "2p10": (2, 10, 1, 0, 15),
    "2p13": (2, 13, 0, 1, 1),
    "3p7": (3, 7, 0, 1, 1),
    "4p7": (4, 7, 1, 0, 15),
    "4p7p": (4, 7, 0, 1, 1),
}
"""Seats, cards, must_meld, play_on, low_ace_points of each setting."""
OPPONENTS = {"easy": 0, "normal": 1, "reference": 3, "last": 4, "past": 6, "deep": 7}
"""Rows of the table: `last` and `past` are what the tuning had before; 2 and 5 are the candidate's, see `lean_table`."""
HOARDS = "h"
"""Ends the name of a setting whose second row is tuned: what is played against one that keeps its melds back."""
STEPS = {
    evaluate.OPEN: 0.4,
    evaluate.END_KNOWN: 0.3,
    evaluate.OUT_POINTS: 0.06,
    evaluate.OUT_POINTS_Q: 0.06,
    evaluate.MORE_POINTS: 0.04,
    evaluate.DRAW_GAIN: 0.6,
    evaluate.FEED_NEAR: 0.12,
    evaluate.Q_PILE: 0.4,
    evaluate.READY: 0.5,
    evaluate.Q_RIPE: 0.02,
}
"""Step sizes where the reference has no weight to go by."""
DEEP = (10, 99)
"""An easy player that looks at the whole pile, as a further opponent."""


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
    end = time.process_time() + seconds
    generation = 0
    while time.process_time() < end:
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


class Trainer:
    """One compiled table, and the opponents that weights are tried against."""

    def __init__(self, hand, normal):
        self.table = compile_all()
        self.pts = np.array(point_table(1), np.int64)
        self.rows = np.zeros((8, evaluate.COUNT))
        self.rows[0, :3] = EASY
        self.rows[1, : len(normal)] = normal
        self.rows[3, : len(hand)] = hand
        self.rows[3, evaluate.HOLDS] = 1
        self.rows[7, :2] = DEEP

    def candidate(self, setting, row, other):
        """Sets the candidate's rows: `row` is tuned, `other` the one that stays (None: there is but one)."""
        self.rows[2] = self.rows[5] = row
        if other is not None:
            self.rows[2 if setting.endswith(HOARDS) else 5] = other
        return SETTINGS[setting.removesuffix(HOARDS)]

    def points(self, setting, row, against, seed, pairs, other=None):
        """Points a round of `row` against a player, and half the width of the interval."""
        n, cards, must, play_on, low = self.candidate(setting, row, other)
        result = np.zeros(pairs)
        self.table.match_rounds(n, 2, against, self.rows, cards, must, play_on, self.pts, low, pairs, seed, result)
        return result.mean(), 1.96 * result.std() / pairs**0.5

    def games(self, setting, row, against, deals, seed=77, other=None):
        """The share of whole games `row` wins against a player in all other seats."""
        n, cards, must, play_on, low = self.candidate(setting, row, other)
        return self.table.match_games(n, 2, against, self.rows, cards, must, play_on, self.pts, low, deals, seed, 500)[
            0
        ]

    def tune(self, setting, start, other, seconds, pairs, seed, step, zoo, note, by_games=False):
        """Tunes `start` for one setting against `zoo`: (row of the opponent, its share of the score); `other` stays.

        The score is points a round, or the share of whole games won.
        """
        past = [start]
        scale = np.maximum(np.abs(self.rows[3]) * 0.5, 0.12) * step
        for index, size in STEPS.items():
            scale[index] = size * step
        for fixed in (
            evaluate.HOLDS,
            evaluate.LOOKS,
            evaluate.JOKER_HELD,
            evaluate.JOKER_HELD_Q,
            evaluate.LOW_STOCK_HELD,
        ):
            scale[fixed] = 0.0

        def one(x, who, at):
            if by_games:
                return self.games(setting, x, who, pairs, at, other)
            return self.points(setting, x, who, at, pairs, other)[0]

        def score(xs, generation):
            self.rows[4] = past[-1]
            self.rows[6] = past[generation % len(past)]
            at = seed * 100003 + generation
            return np.array([sum(one(x, who, at) * share for who, share in zoo) for x in xs])

        def log(generation, sigma, fit, mean):
            if generation % 10 == 0:
                past.append(mean.copy())
                note(generation, sigma, mean)

        return evolve(score, start, scale, seconds, seed, log)


def in_use():
    """The weights the players have now, and the reference's, by which tuning can go on."""
    return {
        "2p10": weights.TWO_TEN,
        "2p13": weights.TWO_THIRTEEN,
        "2p13h": weights.TWO_THIRTEEN_HOARDS,
        "4p7": weights.MORE,
        "normal": weights.NORMAL,
        "hand": WEIGHTS,
    }


def main():
    """Tunes the settings one after the other and writes their weights."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default="2p10,2p13,4p7")
    parser.add_argument("--seconds", type=float, default=300, help="of CPU time, for each setting")
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--games", action="store_true", help="score whole games, by deals, instead of points a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--step", type=float, default=1.0)
    parser.add_argument("--zoo", default="normal=1,reference=2", help="opponents and their shares: %(default)s")
    parser.add_argument("--start", type=Path, help="JSON: weights by setting, `hand`, `normal`; else those in use")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    zoo = [(OPPONENTS[name], float(share)) for name, share in (each.split("=") for each in args.zoo.split(","))]
    file = json.loads(args.start.read_text()) if args.start else in_use()
    trainer = Trainer(file["hand"], file["normal"])
    began = time.process_time()
    for setting in args.settings.split(","):
        start = np.zeros(evaluate.COUNT)
        given = file.get(setting) or file["hand"]
        start[: len(given)] = given
        start[evaluate.HOLDS] = 1
        stays = file.get(setting.removesuffix(HOARDS) if setting.endswith(HOARDS) else setting + HOARDS)
        other = None if stays is None else np.array(stays)

        def note(generation, sigma, mean, setting=setting, other=other):
            won = " ".join(f"{trainer.games(setting, mean, who, 120, other=other):.3f}" for who in (1, 3))
            print(
                f"{time.process_time() - began:.0f}s {setting} {generation} {sigma:.2f} normal, hand: {won}", flush=True
            )
            file[setting] = [round(float(v), 4) for v in mean]
            args.out.write_text(json.dumps(file))

        best = trainer.tune(
            setting, start, other, args.seconds, args.pairs, args.seed, args.step, zoo, note, args.games
        )
        note(-1, 0.0, best)


if __name__ == "__main__":
    main()
