/**
 * The table of metrics: each figure of a run, one a row. Figures are doubles; money that adds up has its exact value too.
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
      'currency of the figure, USD of all of them; none of orders and of what counts amounts',
    ),
  ),
  ...someInstrument,
  text('metric', 'name of the metric'),
  nullable(text('label', 'of a count by reason the reason, of the return of a month the month')),
  text('unit', 'unit of the value; `currency` is that of the row, `part` a part of one'),
  nullable(float64('value', 'the figure; none where it is not defined')),
  nullable(money('exact', 'of money that adds up: the exact figure')),
  nullable(text('reason', 'why there is no value')),
])
