"""
The maker of `maker.ts` in NautilusTrader: python nautilus_maker.py prepare|csv|prepared FOLDER.

FOLDER has incremental_book_L2.csv and trades.csv. `prepare` writes them to a Parquet catalog, `csv` runs from the text
and `prepared` from the catalog. A run prints one JSON object: CPU seconds of all threads for loading and running, peak
memory in MB, number and volume of fills.

Version 1.221 does not fill an order inside the spread by a print: it takes the price of a seller's print for the bid,
and fills from the recorded book alone. So prints are given with their sides swapped, and a fill model fills matched
orders at their price.
"""

import json
import resource
import sys
import time
from decimal import Decimal
from pathlib import Path

import pandas as pd
from nautilus_trader.adapters.tardis.loaders import TardisCSVDataLoader
from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
from nautilus_trader.backtest.models import FillModel, LatencyModel
from nautilus_trader.config import LoggingConfig, StrategyConfig
from nautilus_trader.model.book import OrderBook
from nautilus_trader.model.currencies import BTC, USD
from nautilus_trader.model.data import BookOrder, TradeTick
from nautilus_trader.model.enums import AccountType, AggressorSide, BookType, OmsType, OrderSide
from nautilus_trader.model.identifiers import InstrumentId, Symbol, Venue
from nautilus_trader.model.instruments import CryptoPerpetual
from nautilus_trader.model.objects import Money, Price, Quantity
from nautilus_trader.persistence.catalog import ParquetDataCatalog
from nautilus_trader.trading.strategy import Strategy

ID = InstrumentId.from_str("BTC-PERPETUAL.DERIBIT")
TICK, AMOUNT, LATENCY = 0.5, 100, 5_000_000
INSTRUMENT = CryptoPerpetual(
    ID, Symbol("BTC-PERPETUAL"), BTC, USD, BTC, is_inverse=True, price_precision=1, size_precision=0,
    price_increment=Price.from_str("0.5"), size_increment=Quantity.from_int(10), ts_event=0, ts_init=0,
    margin_init=Decimal("0.02"), margin_maint=Decimal("0.01"), maker_fee=Decimal(0), taker_fee=Decimal(0),
)


class AtLimit(FillModel):
    def get_orderbook_for_fill_simulation(self, instrument, order, best_bid, best_ask):
        book = OrderBook(instrument.id, BookType.L2_MBP)
        side = OrderSide.SELL if order.side == OrderSide.BUY else OrderSide.BUY
        book.add(BookOrder(side, order.price, order.quantity, 1), 0, 0)
        return book


class Maker(Strategy):
    def __init__(self, first: int) -> None:
        super().__init__(StrategyConfig(order_id_tag="1"))
        self.first = first
        self.fills, self.volume = 0, 0.0

    def on_start(self) -> None:
        self.subscribe_order_book_deltas(ID, BookType.L2_MBP)
        # A timer fires first an interval after its start.
        self.clock.set_timer("requote", pd.Timedelta(seconds=1), pd.Timestamp(self.first, tz="UTC"), None, self.requote)

    def requote(self, _) -> None:
        self.cancel_all_orders(ID)
        book = self.cache.order_book(ID)
        if book.spread() is None:
            return
        for side, away in ((OrderSide.BUY, -TICK), (OrderSide.SELL, TICK)):
            price = INSTRUMENT.make_price(book.midpoint() + away)
            self.submit_order(self.order_factory.limit(ID, side, INSTRUMENT.make_qty(AMOUNT), price))

    def on_order_filled(self, event) -> None:
        self.fills += 1
        self.volume += float(event.last_qty)


def swapped(tick: TradeTick) -> TradeTick:
    side = AggressorSide.SELLER if tick.aggressor_side == AggressorSide.BUYER else AggressorSide.BUYER
    return TradeTick(ID, tick.price, tick.size, side, tick.trade_id, tick.ts_event, tick.ts_init)


def texts_of(folder: Path) -> list:
    loader = TardisCSVDataLoader(price_precision=1, size_precision=0, instrument_id=ID)
    deltas = loader.load_deltas(folder / "incremental_book_L2.csv")
    return [*deltas, *map(swapped, loader.load_trades(folder / "trades.csv"))]


def main(job: str, folder: Path) -> None:
    catalog = ParquetDataCatalog(str(folder / "catalog"))
    if job == "prepare":
        catalog.write_data(texts_of(folder))
        return
    begin = time.process_time()
    data = texts_of(folder) if job == "csv" else []
    if job == "prepared":
        data = [*catalog.order_book_deltas([str(ID)]), *catalog.trade_ticks([str(ID)])]
    engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True)))
    engine.add_venue(
        Venue("DERIBIT"),
        OmsType.NETTING,
        AccountType.MARGIN,
        [Money(1000, BTC)],
        book_type=BookType.L2_MBP,
        fill_model=AtLimit(),
        latency_model=LatencyModel(base_latency_nanos=LATENCY),
        trade_execution=True,
    )
    maker = Maker(data[0].ts_init)
    engine.add_instrument(INSTRUMENT)
    engine.add_data(data)
    engine.add_strategy(maker)
    loaded = time.process_time()
    engine.run()
    end = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    spent = {"load": loaded - begin, "run": end - loaded, "peak": peak}
    print(json.dumps(spent | {"fills": maker.fills, "volume": maker.volume}))


main(sys.argv[1], Path(sys.argv[2]))
