/** Five order managers, each with one bug that clients of exchanges have had. */
import { OrderClient, type OrderReport, type PlacedReply } from './order-client.ts'

export const plantedBugs: Readonly<Record<string, typeof OrderClient>> = {
  /** The reply to an edit has trades that a notification reports again. */
  'counts fills of edits twice': class extends OrderClient {
    protected override onEdited({ order, trades }: PlacedReply): void {
      for (const trade of trades) this.count(trade)
      if (order !== undefined) this.onOrder(order)
    }
  },

  /** The exchange cancels a reduce-only order if the position is gone. */
  'forgets reduce-only cancels': class extends OrderClient {
    protected override onOrder(order: OrderReport): void {
      if (order.reduce_only && order.order_state === 'cancelled') return
      super.onOrder(order)
    }
  },

  /** The client notes an order before the exchange rejects it. */
  'keeps rejected orders': class extends OrderClient {
    protected override onRejected(): void {
      // The bug: the order is still open for the client.
    }
  },

  /** An order that is cancelled may have fills. */
  'loses fills of cancelled orders': class extends OrderClient {
    protected override onOrder(order: OrderReport): void {
      const known = this.open.get(order.label)
      if (known !== undefined && order.order_state === 'cancelled') {
        this.position -= known.side === 'buy' ? known.filled : -known.filled
      }
      super.onOrder(order)
    }
  },

  /** The screen shows whole dollars, and the client keeps what the screen shows. */
  'rounds average prices': class extends OrderClient {
    protected override onOrder(order: OrderReport): void {
      super.onOrder({ ...order, average_price: Math.round(order.average_price) })
    }
  },
}
