import exchange.core2.collections.objpool.ObjectsPool;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.orderbook.IOrderBook;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import exchange.core2.core.orderbook.OrderBookEventsHelper;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The stream of `stream.ts` on the order book of exchange-core, in one thread: java ExchangeCore FILE.
 *
 * The book alone: no accounts, risk engine or journal. Prints one JSON object: CPU seconds of all threads for loading
 * and running, peak memory in MB, number and volume of trades.
 */
class ExchangeCore {
  public static void main(String[] args) throws Exception {
    double begin = cpuSeconds();
    var words = ByteBuffer.wrap(Files.readAllBytes(Path.of(args[0]))).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    var terms = CoreSymbolSpecification.builder().symbolId(0).type(SymbolType.FUTURES_CONTRACT).build();
    var pool = ObjectsPool.createDefaultTestPool();
    var events = OrderBookEventsHelper.NON_POOLED_EVENTS_HELPER;
    IOrderBook book = new OrderBookDirectImpl(terms, pool, events, LoggingConfiguration.DEFAULT);
    double loaded = cpuSeconds();
    long trades = 0;
    long volume = 0;
    for (int at = 0; at < words.limit(); at += 4) {
      var command = commandOf(words.get(at), words.get(at + 1), words.get(at + 2), words.get(at + 3));
      IOrderBook.processCommand(book, command);
      for (var event = command.matcherEvent; event != null; event = event.nextEvent) {
        if (event.eventType != MatcherEventType.TRADE) continue;
        trades += 1;
        volume += event.size;
      }
    }
    double done = cpuSeconds();
    var text = "{\"load\":%.4f,\"run\":%.4f,\"peak\":%.1f,\"fills\":%d,\"volume\":%d}";
    System.out.println(String.format(text, loaded - begin, done - loaded, peakMegabytes(), trades, volume));
  }

  private static OrderCommand commandOf(int first, int id, int price, int lots) {
    var user = id & 63;
    var kind = first & 255;
    if (kind == 1) {
      var cancel = OrderCommand.cancel(id, user);
      cancel.command = OrderCommandType.CANCEL_ORDER;
      return cancel;
    }
    var isSell = first >> 8 == 1;
    var worst = isSell ? 1 : Integer.MAX_VALUE;
    var limit = kind == 0 ? price : worst;
    var type = kind == 0 ? OrderType.GTC : OrderType.IOC;
    return OrderCommand.newOrder(type, id, user, limit, limit, lots, isSell ? OrderAction.ASK : OrderAction.BID);
  }

  private static double cpuSeconds() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }

  private static double peakMegabytes() throws Exception {
    var status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return 0;
    for (var line : Files.readAllLines(status)) {
      if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
    }
    return 0;
  }
}
