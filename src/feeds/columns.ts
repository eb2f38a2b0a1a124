/**
 * The column mapping of a CSV file without a published format: the meaning of each column, its unit and its words. The
 * mapping is a part of the scenario format, which determines its keys and descriptions.
 *
 * A column is named by its text in the header. A mapping may omit columns: a file without a symbol column contains one
 * instrument, and a file without a recorder's clock was recorded at the time of the exchange.
 */
import { err, type InputError, nearest, ok, type Result, z } from '../core/index.ts'
import { type MarketKind, marketKinds } from '../model/index.ts'
import { idScopes } from './batch.ts'

const column = z.string().min(1).meta({ description: 'The text of the column in the header.' })
const word = z.string().min(1).meta({ description: 'The word for it in a cell.' })

const timeColumn = z
  .union([
    column,
    z.strictObject({
      column,
      unit: z.enum(['s', 'ms', 'us', 'ns', 'iso']).meta({
        description:
          'Unit of the numbers; digits below a microsecond are cut off. Use iso for ISO times with Z or an offset and up to six decimals.',
        examples: ['ms'],
      }),
    }),
  ])
  .meta({
    description: 'A column of times since the epoch; a name without a unit means microseconds.',
    examples: ['timestamp', { column: 'timestamp_ms', unit: 'ms' }],
  })

const sideColumn = z.union([column, z.strictObject({ column, buy: word, sell: word })]).meta({
  description:
    'The side, with the words for a bid or a buying taker and for an ask or a selling taker; a name without words means `bid` and `ask` in a book, `buy` and `sell` in trades.',
  examples: ['side', { column: 'side', buy: 'B', sell: 'S' }],
})

const snapshotColumn = z.union([column, z.strictObject({ column, word })]).meta({
  description:
    'The column that marks rows of a snapshot, and its word for them; a name without a word means `true`. Other words mark changes.',
  examples: ['is_snapshot', { column: 'type', word: 'snapshot' }],
})

/** Description of the columns of a CSV file in a scenario. */
export const feedColumnsSchema = z
  .strictObject({
    kind: z.enum(marketKinds).meta({
      description: 'Kind of the rows: trades, sizes at price levels, or values of an index.',
      examples: ['book'],
    }),
    delimiter: z
      .string()
      .regex(/^[!#-~\t]$/, 'one character')
      .optional()
      .meta({ description: 'Delimiter of cells (default: a comma).', examples: [';'] }),
    header: z
      .boolean()
      .optional()
      .meta({
        description:
          "True if the first line has the names of the columns (default: true). Otherwise their names are '1', '2' and so on.",
        examples: [false],
      }),
    timestamp: timeColumn,
    local_timestamp: timeColumn.optional(),
    symbol: column.optional().meta({ description: 'The column of the instrument.', examples: ['instrument_name'] }),
    side: sideColumn.optional(),
    price: column.meta({ description: 'The column of the price.', examples: ['price'] }),
    amount: column.optional().meta({
      description: 'The column of the size of a trade, or of a level, where 0 removes it.',
      examples: ['amount'],
    }),
    mark: column.optional().meta({
      description: "The column of the instrument's mark price, in addition to its index; cells can be empty.",
      examples: ['mark_price'],
    }),
    is_snapshot: snapshotColumn.optional(),
    sequence: column.optional().meta({
      description: 'The number of the message in a book, or of the trade.',
      examples: ['change_id'],
    }),
    ids: z
      .enum(idScopes)
      .optional()
      .meta({
        description:
          'Scope of the trade numbers: one instrument, where each jump is a gap (default), or several instruments of a currency, where a jump is a gap only after ten steps of one for each jump.',
        examples: ['currency'],
      }),
    leave_out: z
      .array(z.union([column, z.strictObject({ column, word })]))
      .min(1)
      .optional()
      .meta({
        description:
          'Columns that mark trades outside this book, such as block trades and legs of combos, by any text or by one word. Such trades are counted and skipped.',
        examples: [['block_trade_id', { column: 'is_leg', word: 'true' }]],
      }),
    previous_sequence: column.optional().meta({
      description: 'The number of the previous message; rows are missing if it differs.',
      examples: ['prev_change_id'],
    }),
  })
  .superRefine((columns, context) => {
    if (columns.ids !== undefined && columns.kind !== 'trades') {
      const message = 'this key only with kind trades'
      context.addIssue({ code: 'custom', path: ['ids'], message })
    }
    if (columns.leave_out !== undefined && columns.kind !== 'trades') {
      const message = 'this key only with kind trades'
      context.addIssue({ code: 'custom', path: ['leave_out'], message })
    }
    if (columns.mark !== undefined && columns.kind !== 'index') {
      const message = 'this column only with kind index'
      context.addIssue({ code: 'custom', path: ['mark'], message })
    }
    for (const key of missingKeys(columns)) {
      const message = `a column, because kind ${columns.kind} requires it`
      context.addIssue({ code: 'custom', path: [key], message })
    }
  })
  .meta({
    description: 'Meaning of the columns of a CSV file.',
    examples: [
      {
        kind: 'book',
        timestamp: { column: 'timestamp_ms', unit: 'ms' },
        side: 'side',
        price: 'price',
        amount: 'amount',
        is_snapshot: { column: 'type', word: 'snapshot' },
      },
    ],
  })

/** The meanings of the columns of a CSV file. */
export type FeedColumns = z.infer<typeof feedColumnsSchema>

type NeededKey = 'side' | 'amount' | 'is_snapshot' | 'sequence'

/** The columns of a recording that a feed needs. */
interface NumberedColumns {
  readonly kind: MarketKind
  readonly previous_sequence?: string | undefined
}

/** Columns that a mapping of this kind requires. */
function missingKeys(columns: NumberedColumns): readonly NeededKey[] {
  const needed: NeededKey[] = []
  if (columns.kind === 'book') needed.push('side', 'amount', 'is_snapshot')
  if (columns.kind === 'trades') needed.push('amount')
  if (columns.previous_sequence !== undefined) needed.push('sequence')
  const given: Readonly<Record<string, unknown>> = { ...columns }
  return needed.filter((key) => given[key] === undefined)
}

/**
 * Reads a mapping of columns from outside a scenario. Returns the mapping, or all its mistakes.
 *
 * @example
 * console.log(readFeedColumns({ kind: 'quotes' }).ok) // false
 */
export function readFeedColumns(value: unknown): Result<FeedColumns, readonly InputError[]> {
  const read = feedColumnsSchema.safeParse(value)
  if (read.success) return ok(read.data)
  return err(read.error.issues.flatMap((issue) => mistakesOf(issue, value)))
}

const keys = Object.keys(feedColumnsSchema.shape)

function mistakesOf(issue: z.core.$ZodIssue, root: unknown): readonly InputError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const meant = nearest(key, keys)
      const hint = meant === undefined ? {} : { hint: `did you mean ${meant}?` }
      return { code: 'SHAPE', path, expected: `one of the keys ${keys.join(', ')}`, found: key, ...hint }
    })
  }
  let value = root
  for (const step of issue.path) value = propertyOf(value, step)
  const found = value === undefined ? 'nothing' : JSON.stringify(value)
  return [{ code: 'VALUE', path, expected: expectedAt(issue), found }]
}

function propertyOf(value: unknown, step: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined
}

function expectedAt(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`
    case 'invalid_union': {
      return `the name of a column, or a mapping of ${mappedAt(issue.path[0])}`
    }
    case 'invalid_type':
      if (issue.expected === 'object') return 'a mapping of columns'
      if (issue.expected === 'string' && issue.path[0] !== 'delimiter') return 'the name of a column'
      return `a value of type ${issue.expected}`
    case 'too_small':
      return 'a text that is not empty'
    default:
      return issue.message
  }
}

/** The keys of an entry that describes a column by more than its name. */
function mappedAt(key: PropertyKey | undefined): string {
  switch (key) {
    case 'side':
      return 'column, buy and sell'
    case 'is_snapshot':
      return 'column and word'
    default:
      return 'column and unit (s, ms, us, ns or iso)'
  }
}
