"""
The maker of `maker.ts` in hftbacktest: python hftbacktest_maker.py prepare|csv|prepared FOLDER.

FOLDER has incremental_book_L2.csv and trades.csv. `prepare` writes them as feed.npz, `csv` runs from the text and
`prepared` from feed.npz. A run prints one JSON object: CPU seconds of all threads for loading and running, peak memory
in MB, number and volume of fills. The first call compiles the maker, on a few events, and is not counted.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
from hftbacktest import GTC, LIMIT, BacktestAsset, HashMapMarketDepthBacktest
from hftbacktest.data.utils import tardis
from numba import njit

TICK, LOT, AMOUNT, LATENCY = 0.5, 10, 100, 5_000_000


@njit
def make(hbt):
    number = 1
    while hbt.elapse(1_000_000_000) == 0:
        hbt.clear_inactive_orders(0)
        orders = hbt.orders(0).values()
        while orders.has_next():
            order = orders.get()
            if order.cancellable:
                hbt.cancel(0, order.order_id, False)
        depth = hbt.depth(0)
        mid = (depth.best_bid + depth.best_ask) / 2
        hbt.submit_buy_order(0, number, mid - TICK, AMOUNT, GTC, LIMIT, False)
        hbt.submit_sell_order(0, number + 1, mid + TICK, AMOUNT, GTC, LIMIT, False)
        number += 2
    state = hbt.state_values(0)
    return state.num_trades, state.trading_volume


def market_of(events):
    asset = BacktestAsset().data([events]).inverse_asset(1.0).tick_size(TICK).lot_size(LOT)
    asset = asset.constant_order_latency(LATENCY, LATENCY).risk_adverse_queue_model()
    return HashMapMarketDepthBacktest([asset.no_partial_fill_exchange().trading_value_fee_model(0, 0)])


def events_of(folder: Path, output: str | None = None):
    texts = [str(folder / "trades.csv"), str(folder / "incremental_book_L2.csv")]
    return tardis.convert(texts, output_filename=output, buffer_size=10_000_000)


def main(job: str, folder: Path) -> None:
    prepared = str(folder / "feed.npz")
    out, sys.stdout = sys.stdout, sys.stderr  # The converter prints what it does.
    if job == "prepare":
        events_of(folder, prepared)
        return
    begin = time.process_time()
    events = events_of(folder) if job == "csv" else np.load(prepared)["data"]
    market = market_of(events)
    loaded = time.process_time()
    make(market_of(events[:1000]))
    compiled = time.process_time()
    fills, volume = make(market)
    end = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    spent = {"load": loaded - begin, "run": end - compiled, "peak": peak}
    print(json.dumps({**spent, "fills": int(fills), "volume": float(volume)}), file=out)


main(sys.argv[1], Path(sys.argv[2]))
