/**
 * The list of thresholds is complete: each named constant that the engine, or a mechanism below it, compares something
 * with is a row of the tests of thresholds, or is listed here with the reason why no rule depends on it. Settings are
 * listed in `test/conformance/setting-thresholds.test.ts`.
 *
 * Source: STYLE 12 (for every threshold, test below, at and above it).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { repository } from '../support/repository.ts'
import { parseSource, visitNodes } from './sources.ts'

const folders = ['model', 'book', 'blocks', 'wallet', 'faults', 'pricing', 'ledger', 'margin']
const places = [...folders, 'engine', 'gateways'].map((folder) => `src/${folder}`)

/** Constants by the files that compare with them, with a part of the title of the test at equality. */
const tested: { readonly [place: string]: string } = {
  'book/prints PRINT_LAG_MICROS': 'prints: a row explains a print',
  'engine/day/transfers BALANCE_MAX': 'cash-transfer: the largest balance',
  'engine/day/transfers TOTAL_MAX': 'cash-transfer: the largest sum',
  'engine/day/schedule FRIDAY': 'expiries: the Friday of a trading day',
  'engine/day/schedule MICROS_PER_DAY': 'strikes: the distance of the last days',
  'engine/market/order-checks AMOUNT9_MAX': 'order-checks: the largest order',
  'engine/market/order-checks ICEBERG_MINIMA': 'order-checks: the part that an iceberg shows',
  'engine/market/order-checks ICEBERG_PARTS': 'order-checks: the parts of an iceberg',
  'engine/market/request-steps DIRECT_MAX': 'quotes-checks: quotes of a message',
  'engine/market/request-steps SIDES_MAX': 'quotes-checks: sides of a request',
  'engine/market/rfq-solution SEEN_LEAST': 'rfq-solution: how long a solution was seen',
  'engine/requests/block-checks NANO': 'blockTrades: the smallest size',
  'engine/requests/controls BALANCE_MAX': 'controls: the largest withdrawal',
  'engine/requests/create-combo MICROS_PER_DAY': 'comboLimits: how long a combo is idle',
  'engine/requests/payments DAY': 'deposits: an address a day',
  'engine/requests/keys KEYS_MAX': 'keys: keys of an account',
  'engine/requests/mmp-config MICROS_PER_SECOND': 'mmp-config: the longest window',
  'engine/requests/mmp-config NAMED_GROUPS_MAX': 'mmp-config: the number of named groups',
  'engine/requests/mmp-config NANO': 'mmp-config: the largest quantity limit',
  'engine/requests/mmp-config SECONDS_MAX': 'mmp-config: the longest freeze',
  'engine/state/delivery-average WINDOW_MICROS': 'delivery-average: the last half hour',
  'engine/state/standing STALE_MICROS': 'outages: an index is stale',
  'engine/value/advanced-price IMPLV_LAST_MICROS': 'volatility orders end before the expiration',
  'engine/value/leg-prices CENT9': 'leg-prices: legs on a finer tick',
  'faults/faults BY_MICROS_MAX': 'faults: the longest delay',
  'gateways/logon CREDENTIALS_MAX': 'logon: credentials of a portfolio',
  'gateways/session-requests RESEND_MILLIS': 'session-requests: messages of a day',
  'model/instruments/names/instrument-names NAME_LENGTH_MAX': 'instrument-names: the longest name',
  'model/instruments/sizes LOTS_MAX': 'sizes: the largest amount',
  'model/instruments/steps TICK9_MAX': 'rescale: the coarsest tick',
  'pricing/mark ONE9': 'mark: six decimals below one',
  'pricing/mark STEP_6_DIGITS': 'mark: a premium that rounding would never close',
  'pricing/mark THOUSAND9': 'mark: four decimals below a thousand',
  'pricing/options/forward DELIVERY_MARK_MICROS': 'forward: a future that still has a premium',
  'pricing/price-index ONE9': 'price-index: six decimals below one',
}

/** Reasons why no rule depends on a constant, and these constants by the files that compare with them. */
const reasons: readonly (readonly [reason: string, places: readonly string[]])[] = [
  [
    'memory: how much is kept in one piece, or before it is freed',
    [
      'book/levels EMPTY_PAGES_MAX',
      'book/prints SHRUNK_MAX',
      'book/recorded-pages EMPTY_PAGES_MAX',
      'book/recorded-pages NEAR_LEVELS',
      'book/recorded-pages NEAR_PAGES',
      'engine/state/order-records WORDS',
      'gateways/released-orders PART',
      'model/events/log/event-log PAGE_WORDS',
      'model/events/log/log-buffer ASCII_END',
      'model/events/log/log-buffer SHORT_TEXT_MAX',
    ],
  ],
  [
    'index: a place in memory or a cell of a table, not a quantity',
    [
      'engine/market/dry-run NO_SLOT',
      'engine/market/funds AVAILABLE',
      'engine/market/funds NEEDED',
      'engine/market/funds REPLACED',
      'engine/market/reduce-only NO_SLOT',
      'engine/spine/views/portfolio-views STANDARD_CELLS',
      'margin/margin WORST',
      'margin/portfolio/matrix STANDARD_CELLS',
    ],
  ],
  [
    'infinity: nothing is there or never comes',
    [
      'book/queue POSITIVE_INFINITY',
      'engine/value/mark POSITIVE_INFINITY',
      'engine/value/skipped-revaluations POSITIVE_INFINITY',
    ],
  ],
  [
    'exact: numbers too large for a double give the same result by another path, or are refused',
    [
      'engine/day/lsp MOST_LOTS',
      'engine/market/straight PRICE9_MAX',
      'engine/requests/rfqs MOST',
      'engine/spine/views/risk-views PRICE9_MAX',
      'engine/value/advanced-price PRICE9_MAX',
      'engine/value/leg-prices MAX_SAFE_INTEGER',
      'engine/value/mmp-sizes MOST',
      'ledger/fees FEE8_MAX',
      'ledger/fees MAX_SAFE_INTEGER',
      'ledger/positions WIDE_BASE',
      'ledger/terms COIN_MAX',
      'ledger/terms MAX_SAFE_INTEGER',
      'ledger/terms QUOTE_MAX',
      'margin/portfolio/matrix SAFE_MAX',
      'margin/portfolio/risk-group FIGURE_MAX',
      'margin/portfolio/risk-group NANO_MAX',
      'margin/portfolio/risk-group ONE9',
      'margin/portfolio/risk-group PRODUCT_MAX',
      'margin/portfolio/scenarios SAFE_MAX_BIG',
      'margin/standard SAFE_MAX',
      'margin/option-margin PRODUCT_MAX',
      'margin/option-margin SAFE_MAX',
      'model/instruments/names/instrument-names MAX_SAFE_INTEGER',
      'model/instruments/price-grid MAX_SAFE_INTEGER',
      'pricing/funding CERTAINLY',
      'pricing/funding RATE_SCALE_DOUBLE',
      'pricing/impact CERTAINLY',
      'pricing/impact NANO',
      'pricing/impact NANO_DOUBLE',
      'pricing/mark CERTAINLY',
      'pricing/mark PPM',
    ],
  ],
  [
    'work: skipping a look, or looking later, changes no result; `npm run test:whole` checks that with `--mode skips`',
    [
      'engine/value/due-looks MINUTE_MICROS',
      'engine/value/funding-look PERIOD_MICROS',
      'engine/value/skipped-revaluations NEAR',
      'engine/value/skipped-revaluations PERPETUALS_A_LOOK',
      'engine/value/skipped-revaluations SHARE_MIN',
      'engine/value/wallet-state NEAR_LOSS',
      'margin/wallet-totals BORNE_BY_NONE',
    ],
  ],
  [
    'meeting: both sides give the same at the limit',
    [
      'engine/day/schedule SHARE_OF_INDEX',
      'engine/spine/views/market-views WINDOW_MICROS',
      'engine/spine/views/risk-views WINDOW_MICROS',
      'engine/value/grid WINDOW_MICROS',
      'engine/value/option-marks WINDOW_MICROS',
      'engine/value/reference WINDOW_MICROS',
      'ledger/fees NANO',
      'pricing/options/stress SHOCK_DAYS',
    ],
  ],
  [
    'series: a numerical method changes its form, to the same value',
    [
      'pricing/options/elementary SQRT_2',
      'pricing/options/elementary SQRT_HALF',
      'pricing/options/elementary TWO_16',
      'pricing/options/option-price RISE_LEAST',
      'pricing/options/option-price SOUGHT_MAX',
      'pricing/options/option-price SOUGHT_MIN',
      'pricing/options/option-price STEP_LEAST',
      'pricing/options/normal LARGE',
      'pricing/options/normal MIDDLE',
      'pricing/options/normal SMALL',
    ],
  ],
]

const orders: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
])
const CONSTANT = /^[A-Z][A-Z0-9_]{2,}$/

/** Constants that a file compares something with, except at the ends of loops and in assertions. */
function comparedIn(path: string, text: string): readonly string[] {
  const found = new Set<string>()
  const file = parseSource(path, text)
  visitNodes(file, (node) => {
    if (!ts.isBinaryExpression(node) || !orders.has(node.operatorToken.kind)) return
    for (let above: ts.Node = node; above !== file; above = above.parent) {
      if (ts.isForStatement(above.parent) && above.parent.condition === above) return
      if (ts.isCallExpression(above) && above.expression.getText() === 'assert') return
    }
    const look = (part: ts.Node): void => {
      if (ts.isIdentifier(part) && CONSTANT.test(part.text)) found.add(part.text)
      ts.forEachChild(part, look)
    }
    look(node)
  })
  return [...found].map((name) => `${path.replace(/^src\/|\.ts$/g, '')} ${name}`)
}

test('a comparison with a constant is found, except at the end of a loop and in an assertion', () => {
  const text = `if (lots * step > LOTS_MAX) assert(lots < OTHER_MAX, 'held')
for (let at = 0; at < CELLS; at += 1) if (at >= HALF) break`
  expect(comparedIn('src/book/a.ts', text)).toEqual(['book/a LOTS_MAX', 'book/a HALF'])
})

test('every constant that the engine compares with has a test at equality, or a reason', () => {
  const found = places.flatMap((place) =>
    readdirSync(join(repository, place), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const path = `${place}/${file.replaceAll('\\', '/')}`
        return comparedIn(path, readFileSync(join(repository, path), 'utf8'))
      }),
  )
  const listed = [...Object.keys(tested), ...reasons.flatMap(([, names]) => names)]
  expect(found.toSorted()).toEqual(listed.toSorted())
})

test('the tests of constants exist', () => {
  const texts = ['thresholds', 'setting-thresholds'].map((name) =>
    readFileSync(join(repository, `test/conformance/${name}.test.ts`), 'utf8'),
  )
  const missing = Object.values(tested).filter((title) => !texts.some((text) => text.includes(title)))
  expect(missing).toEqual([])
})
