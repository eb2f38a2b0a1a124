"""
Reads what `pitclock convert --to tardis --exchange deribit` wrote with the loader of NautilusTrader, and holds every
row against the text: python read_tardis.py FOLDER [INSTRUMENT].

FOLDER has incremental_book_L2.csv.gz and trades.csv.gz of one instrument. A delta of a book and a trade have the times,
side, price and size of their row; the book that the deltas build has the best prices that the rows tell.
"""

import csv
import gzip
import sys
from decimal import Decimal
from pathlib import Path

from nautilus_trader.adapters.tardis.loaders import TardisCSVDataLoader
from nautilus_trader.model.book import OrderBook
from nautilus_trader.model.enums import AggressorSide, BookAction, BookType, OrderSide
from nautilus_trader.model.identifiers import InstrumentId

PRICES, SIZES = 1, 0


def rows_of(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", newline="") as text:
        return list(csv.DictReader(text))


def expect(found: object, wanted: object, place: str) -> None:
    if found != wanted:
        raise SystemExit(f"{place}: expected {wanted}, found {found}")


def check_trades(loader: TardisCSVDataLoader, path: Path) -> int:
    sides = {"buy": AggressorSide.BUYER, "sell": AggressorSide.SELLER, "unknown": AggressorSide.NO_AGGRESSOR}
    rows = rows_of(path)
    trades = loader.load_trades(path)
    expect(len(trades), len(rows), f"{path}: trades")
    for number, (row, trade) in enumerate(zip(rows, trades), 1):
        place = f"{path}: row {number}"
        expect(trade.ts_event, int(row["timestamp"]) * 1000, place)
        expect(trade.ts_init, int(row["local_timestamp"]) * 1000, place)
        expect(trade.aggressor_side, sides[row["side"]], place)
        expect(str(trade.trade_id), row["id"], place)
        expect((trade.price.as_decimal(), trade.size.as_decimal()), (Decimal(row["price"]), Decimal(row["amount"])), place)
    return len(trades)


def check_book(loader: TardisCSVDataLoader, path: Path, instrument: InstrumentId) -> int:
    rows = rows_of(path)
    # A snapshot begins with a delta that clears the book, which no row tells.
    deltas = [delta for delta in loader.load_deltas(path) if delta.action != BookAction.CLEAR]
    # A level that came and went within one message is removed though nobody knows it; so readers leave it out or not.
    expect(len(deltas), len(rows), f"{path}: deltas")
    book = OrderBook(instrument, BookType.L2_MBP)
    levels: dict[str, dict[Decimal, Decimal]] = {"bid": {}, "ask": {}}
    for number, (row, delta) in enumerate(zip(rows, deltas), 1):
        place = f"{path}: row {number}"
        side, price, size = row["side"], Decimal(row["price"]), Decimal(row["amount"])
        expect(delta.ts_event, int(row["timestamp"]) * 1000, place)
        expect(delta.ts_init, int(row["local_timestamp"]) * 1000, place)
        expect(delta.order.side, OrderSide.BUY if side == "bid" else OrderSide.SELL, place)
        expect(delta.order.price.as_decimal(), price, place)
        expect(delta.action == BookAction.DELETE, size == 0, place)
        if size == 0:
            known = levels[side].pop(price, None) is not None
        else:
            expect(delta.order.size.as_decimal(), size, place)
            levels[side][price], known = size, True
        if known:
            book.apply_delta(delta)
        if number % 1000 and number < len(rows):
            continue
        bid, ask = book.best_bid_price(), book.best_ask_price()
        expect(bid and bid.as_decimal(), max(levels["bid"], default=None), f"{place}: best bid")
        expect(ask and ask.as_decimal(), min(levels["ask"], default=None), f"{place}: best ask")
    return len(rows)


def main() -> None:
    folder = Path(sys.argv[1])
    instrument = InstrumentId.from_str(f"{sys.argv[2] if len(sys.argv) > 2 else 'BTC-PERPETUAL'}.DERIBIT")
    loader = TardisCSVDataLoader(price_precision=PRICES, size_precision=SIZES, instrument_id=instrument)
    trades = check_trades(loader, folder / "trades.csv.gz")
    rows = check_book(loader, folder / "incremental_book_L2.csv.gz", instrument)
    print(f"{trades} trades and {rows} rows of the book as NautilusTrader reads them")


main()
