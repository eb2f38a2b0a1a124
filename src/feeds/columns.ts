/**
 * The mapping of a CSV file that is in no format of its own: which column tells what, in which unit
 * and in which words. It is a part of the scenario format, hence its keys and descriptions.
 *
 * A column is named by its text in the header. What is left out of a mapping stands for nothing: a
 * file without a symbol holds one instrument, and one without a recorder's clock was recorded at the
 * time of the exchange.
 */
import { err, type InputError, nearest, ok, type Result, z } from '../core/index.ts'
import { type MarketKind, marketKinds } from '../model/index.ts'
import { idScopes } from './batch.ts'

const column = z.string().min(1).meta({ description: 'The text of the column in the header.' })
const word = z.string().min(1).meta({ description: 'The word that stands for it in a cell.' })

const timeColumn = z
  .union([
    column,
    z.strictObject({
      column,
      unit: z.enum(['s', 'ms', 'us', 'ns', 'iso']).meta({
        description:
          'Unit of the numbers, of which what is finer than a microsecond is cut off; or iso for ISO times with Z or an offset, up to six decimals.',
        examples: ['ms'],
      }),
    }),
  ])
  .meta({
    description: 'A column of times since the epoch; its name alone means microseconds.',
    examples: ['timestamp', { column: 'timestamp_ms', unit: 'ms' }],
  })

const sideColumn = z.union([column, z.strictObject({ column, buy: word, sell: word })]).meta({
  description:
    'The side, with the words for a bid or a buying taker and for an ask or a selling one; its name alone means `bid` and `ask` in a book, `buy` and `sell` in trades.',
  examples: ['side', { column: 'side', buy: 'B', sell: 'S' }],
})

const snapshotColumn = z.union([column, z.strictObject({ column, word })]).meta({
  description:
    'The column that marks rows of a snapshot, and the word that does; its name alone means `true`. Any other word is a change.',
  examples: ['is_snapshot', { column: 'type', word: 'snapshot' }],
})

/** Description of the columns of a CSV file in a scenario. */
export const feedColumnsSchema = z
  .strictObject({
    kind: z.enum(marketKinds).meta({
      description: 'What the rows tell: trades, sizes at price levels, or values of an index.',
      examples: ['book'],
    }),
    delimiter: z
      .string()
      .regex(/^[!#-~\t]$/, 'one character')
      .optional()
      .meta({ description: 'What stands between two cells; else a comma.', examples: [';'] }),
    header: z
      .boolean()
      .optional()
      .meta({
        description:
          "Whether the first line names the columns, as it does if nothing is said; else they are named by their number, '1' and on.",
        examples: [false],
      }),
    timestamp: timeColumn,
    local_timestamp: timeColumn.optional(),
    symbol: column
      .optional()
      .meta({ description: 'The column of the instrument.', examples: ['instrument_name'] }),
    side: sideColumn.optional(),
    price: column.meta({ description: 'The column of the price.', examples: ['price'] }),
    amount: column.optional().meta({
      description: 'The column of the size of a trade, or of a level, where 0 removes it.',
      examples: ['amount'],
    }),
    mark: column.optional().meta({
      description:
        "The column of the instrument's mark price beside its index; empty where it is not told.",
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
          'What the numbers of trades count: trades of the instrument, where a jump is a gap (default), or of several instruments of a currency, where it is one only after ten steps of one for each jump.',
        examples: ['currency'],
      }),
    leave_out: z
      .array(z.union([column, z.strictObject({ column, word })]))
      .min(1)
      .optional()
      .meta({
        description:
          'Columns that tell trades which are not of this book, such as block trades and legs of combos: any text in a column alone, or a word. Such trades are counted and left out.',
        examples: [['block_trade_id', { column: 'is_leg', word: 'true' }]],
      }),
    previous_sequence: column.optional().meta({
      description: 'The number of the message before; where it is another one, rows are missing.',
      examples: ['prev_change_id'],
    }),
  })
  .superRefine((columns, context) => {
    if (columns.ids !== undefined && columns.kind !== 'trades') {
      const message = 'no such key but with kind trades'
      context.addIssue({ code: 'custom', path: ['ids'], message })
    }
    if (columns.leave_out !== undefined && columns.kind !== 'trades') {
      const message = 'no such key but with kind trades'
      context.addIssue({ code: 'custom', path: ['leave_out'], message })
    }
    if (columns.mark !== undefined && columns.kind !== 'index') {
      const message = 'no such column but with kind index'
      context.addIssue({ code: 'custom', path: ['mark'], message })
    }
    for (const key of missingKeys(columns)) {
      const message = `a column, which rows of kind ${columns.kind} need`
      context.addIssue({ code: 'custom', path: [key], message })
    }
  })
  .meta({
    description: 'Which column of a CSV file tells what.',
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

/** The columns of a CSV file by their meaning. */
export type FeedColumns = z.infer<typeof feedColumnsSchema>

type NeededKey = 'side' | 'amount' | 'is_snapshot' | 'sequence'

/** Columns that a mapping of this kind cannot do without. */
function missingKeys(columns: {
  readonly kind: MarketKind
  readonly previous_sequence?: string | undefined
}): readonly NeededKey[] {
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
      return { code: 'SHAPE', path, expected: `the keys ${keys.join(', ')}`, found: key, ...hint }
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
      return issue.expected === 'object'
        ? 'a mapping of columns'
        : `a value of type ${issue.expected}`
    case 'too_small':
      return 'a text that is not empty'
    default:
      return issue.message
  }
}

/** The keys of what describes a column by more than its name. */
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
