/**
 * The table of metrics: one row for each figure of a run. Figures are doubles; sums of money also have their exact
 * value.
 */
import { float64, money, nullable, text, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, moment, someInstrument, table } from './table-schema.ts'

/** The table `metrics`. */
export const metricTable = table('metrics', [
  ...moment,
  ...account,
  nullable(
    words(
      'currency',
      vocabulary.liquidationCurrency,
      'currency of the metric; USD is the sum of all currencies; null for metrics of orders and amounts',
    ),
  ),
  ...someInstrument,
  text('metric', 'name of the metric'),
  nullable(text('label', 'reason of a count by reason, or month of a monthly return')),
  text('unit', 'unit of the value; `currency` means the currency of the row, `part` a fraction of 1'),
  nullable(float64('value', 'value of the metric; null if undefined')),
  nullable(money('exact', 'exact value of a metric that is a sum of money')),
  nullable(text('reason', 'why the value is missing')),
])
