/**
 * The size of a report: 30 days in which two accounts trade 2.5 million times (5 million fills), their report, and how
 * long it takes to open. It runs by itself (`npm run bench:report`, some 20 minutes and 4 GB of disk) on what was built:
 * `node test/report/long-run.mjs [days] [folder]`; a folder that is there is taken as it is.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { defineStrategy } from '../../dist/src/index.js'
import { runDocument, writeReport } from '../../dist/src/node.js'

const instrument_name = 'BTC-PERPETUAL'
const start = '2026-01-05T09:00:00Z'
const DAY = 86_400_000
/** 2.5 million trades in 30 days. */
const EVERY_MICROS = 1_036_800
const SIZE_MAX = 10_000_000
const MILLIS_MAX = 3_000

const days = Number(process.argv[2] ?? 30)
const home = mkdtempSync(join(tmpdir(), 'pitclock-report-'))
const folder = process.argv[3] ?? join(home, 'run')
const page = join(home, 'report.html')

/** One account quotes at a price that wanders around 60,000, the other meets each quote. */
function strategies() {
  let [price, state] = [60_000, 7]
  let quote = null
  const noise = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const onTimer = (act) => ({
    onStart: (venue) => venue.setTimer('next', `${EVERY_MICROS}us`),
    onTimer: (_, venue) => {
      act(venue)
      venue.setTimer('next', `${EVERY_MICROS}us`)
    },
  })
  const trade = (venue, isBuy) =>
    venue.request(isBuy ? 'private/buy' : 'private/sell', {
      instrument_name,
      amount: 100,
      price: quote.price,
    })
  const maker = onTimer((venue) => {
    const pull = 0.002 * (price - 60_000)
    price = Math.round(2 * (price + (noise() - 0.5) * 6 - pull)) / 2
    quote = { isBuy: noise() < 0.5, price }
    trade(venue, quote.isBuy)
  })
  const taker = onTimer((venue) => {
    if (quote !== null) trade(venue, !quote.isBuy)
  })
  return { maker: defineStrategy(() => maker), taker: defineStrategy(() => taker) }
}

async function run() {
  const hours = Array.from({ length: 24 * days }, (_, hour) => hour)
  const document = {
    version: 1,
    title: `${days} days of quotes`,
    start,
    until: new Date(Date.parse(start) + days * DAY).toISOString(),
    instruments: [instrument_name],
    index: { btc_usd: 60_000 },
    accounts: { maker: { deposit: { BTC: 100 } }, taker: { deposit: { BTC: 100 } } },
    strategies: ['maker', 'taker'].map((name) => ({ account: name, module: name })),
    steps: hours.map((hour) => ({
      at: `${hour}h`,
      call: 'sim/set_index',
      params: { index_name: 'btc_usd', price: 60_000 + Math.round(200 * Math.sin(hour / 9)) },
    })),
  }
  const ran = await runDocument(document, { out: folder, journal: false, strategies: strategies() })
  if (!ran.ok) throw new Error(ran.error.lines.join('\n'))
  console.log(`${2 * ran.value.trades} fills`)
}

async function millisToOpen() {
  const browser = await chromium.launch({
    executablePath: process.env.PITCLOCK_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const begun = performance.now()
  await tab.goto(`file://${page}`)
  await tab.waitForSelector('html[data-ready=true]', { state: 'attached' })
  const millis = performance.now() - begun
  await browser.close()
  return millis
}

if (!existsSync(folder)) await run()
const begun = performance.now()
const written = await writeReport([folder], page)
if (!written.ok) throw new Error(JSON.stringify(written.error))
const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
const peak = Math.round(process.resourceUsage().maxRSS / 1_024)
const bytes = statSync(page).size
const millis = Math.round(await millisToOpen())
console.log(written.value.notes.join('\n'))
console.log(`report: ${bytes} bytes, written in ${seconds} s, ${peak} MB at most, opens in ${millis} ms`)
rmSync(home, { recursive: true })
if (bytes > SIZE_MAX || millis > MILLIS_MAX) process.exitCode = 1
