/**
 * The page of a report in a browser: it opens from a file without a request, draws every chart, works with a screen
 * reader and without a mouse, and prints. Without Chromium on the machine these tests are listed as not run.
 */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageText } from '../../src/report/html.ts'
import { packed } from '../../src/report/packing.ts'
import type { Grid, Line, Report } from '../../src/report/payload.ts'
import { hasBrowser, openBrowser } from '../support/browser.ts'
import { pitclock, scratch } from '../support/built-program.ts'
import { isWhole, sampleOf } from '../support/property-runs.ts'
import { repository } from '../support/repository.ts'

let browser: Browser
let home = ''

/** A page with all its console errors and requests. */
interface Opened {
  readonly page: Page
  readonly complaints: readonly string[]
  readonly requests: readonly string[]
}

async function open(file: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(pathToFileURL(file).href)
  await page.waitForSelector('html[data-ready=true]', { state: 'attached', timeout: 30_000 })
  return { page, complaints, requests }
}

/** Titles of charts that have no pixel in the colour of any of their lines. */
async function emptyCharts(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    // The page's own canvases are not read, because reading would change how the browser stores them.
    const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const rgbOf = (colour: string): readonly number[] => {
      if (probe === null) return []
      probe.fillStyle = colour
      probe.fillRect(0, 0, 1, 1)
      return [...probe.getImageData(0, 0, 1, 1).data]
    }
    return [...document.querySelectorAll('figure.chart')]
      .filter((chart) => {
        const canvas = chart.querySelector('canvas')
        if (canvas === null || probe === null) return true
        const colours = [...chart.querySelectorAll('.swatch')].map((swatch) =>
          rgbOf(getComputedStyle(swatch).getPropertyValue('--key')),
        )
        probe.canvas.width = canvas.width
        probe.canvas.height = canvas.height
        probe.drawImage(canvas, 0, 0)
        const { data } = probe.getImageData(0, 0, canvas.width, canvas.height)
        let painted = 0
        for (let at = 0; at < data.length; at += 4) {
          if ((data[at + 3] ?? 0) < 128) continue
          const isLine = colours.some((colour) =>
            [0, 1, 2].every((part) => Math.abs((data[at + part] ?? 0) - (colour[part] ?? 0)) < 24),
          )
          if (isLine) painted += 1
        }
        return painted < 30
      })
      .map((chart) => chart.querySelector('h3')?.textContent ?? '')
  })
}

/** The violations that axe reports. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source })
  return await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      readonly axe: {
        run(): Promise<{
          readonly violations: readonly {
            readonly id: string
            readonly nodes: readonly { readonly html: string }[]
          }[]
        }>
      }
    }
    const found = await checker.run()
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`)
  })
}

describe.skipIf(!hasBrowser)('the page of a report', () => {
  beforeAll(async () => {
    home = scratch()
    browser = await openBrowser()
    const runs = [
      ['maker', 'scenarios/backtest/market-maker.yaml', 'until=2026-01-05T09:30:00Z'],
      ['two', 'scenarios/backtest/two-strategies.yaml', 'until=2026-01-05T09:20:00Z'],
      ['liquidation', 'scenarios/liquidation/perpetual-round-by-round.yaml', null],
    ] as const
    for (const [name, file, set] of runs) {
      const args = ['run', file, '--out', join(home, name), '--report', '-q']
      expect(pitclock(set === null ? args : [...args, '--set', set]).code).toBe(0)
    }
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    if (home !== '') rmSync(home, { recursive: true, force: true })
  })

  test.each(sampleOf(['light', 'dark'] as const, 1))(
    'opens from a file in %s: no request, no console error, every chart drawn, no violation in axe',
    async (colorScheme) => {
      const names = ['maker', 'two', 'liquidation']
      const [checked] = sampleOf(names, 1)
      for (const name of names) {
        const file = join(home, name, 'report.html')
        const { page, complaints, requests } = await open(file, { colorScheme })
        expect(await page.locator('figure.chart canvas').count()).toBeGreaterThan(3)
        expect(await emptyCharts(page)).toEqual([])
        expect([complaints, requests]).toEqual([[], [pathToFileURL(file).href]])
        if (isWhole || name === checked) expect(await violations(page)).toEqual([])
        await page.context().close()
      }
    },
  )

  test('a phone scrolls in one direction', async () => {
    const viewport = { width: 390, height: 800 }
    const { page } = await open(join(home, 'two', 'report.html'), { viewport })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await emptyCharts(page)).toEqual([])
    await page.context().close()
  })

  test('the parts that users look for are there, in order', async () => {
    const { page } = await open(join(home, 'maker', 'report.html'))
    expect(await page.locator('section').evaluateAll((all) => all.map(({ id }) => id))).toEqual([
      ...['headline', 'equity', 'returns', 'prices', 'inventory', 'profit', 'margin', 'orders'],
      ...['markouts', 'events', 'quality', 'figures', 'receipt'],
    ])
    const { digest } = JSON.parse(readFileSync(join(home, 'maker', 'manifest.json'), 'utf8')) as {
      digest: string
    }
    const receipt = await page.locator('#receipt').textContent()
    expect(receipt).toContain(digest)
    expect(receipt).toContain('npx pitclock run scenarios/backtest/market-maker.yaml')
    await page.context().close()
  })

  test('a liquidation is shown with its reasons', async () => {
    const { page } = await open(join(home, 'liquidation', 'report.html'))
    const choice = page.locator('#choose-account')
    const names = await choice.locator('option').allInnerTexts()
    const texts: string[] = []
    for (const name of names) {
      await choice.selectOption(name)
      texts.push((await page.locator('#events').textContent()) ?? '')
    }
    expect(texts.some((text) => text.includes('reduces_delta') && text.includes('book'))).toBe(true)
    await page.context().close()
  })

  test('on paper it is light, as wide as the paper, and has its charts', async () => {
    const { page } = await open(join(home, 'maker', 'report.html'), { colorScheme: 'dark' })
    const surface = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await surface()).toBe('rgb(18, 22, 27)')
    await page.emulateMedia({ media: 'print' })
    await page.waitForSelector('html[data-theme=light]', { state: 'attached' })
    expect(await surface()).toBe('rgb(255, 255, 255)')
    expect(await emptyCharts(page)).toEqual([])
    const widest = await page
      .locator('canvas')
      .evaluateAll((all) => Math.max(...all.map((canvas) => canvas.clientWidth)))
    expect(widest).toBeLessThanOrEqual(700)
    expect((await page.pdf({ format: 'A4', printBackground: true })).length).toBeGreaterThan(50_000)
    await page.emulateMedia({ media: 'screen' })
    await page.waitForSelector('html:not([data-theme])', { state: 'attached' })
    expect(await surface()).toBe('rgb(18, 22, 27)')
    expect(await emptyCharts(page)).toEqual([])
    await page.context().close()
  })

  test('the keyboard moves along a chart, zooms all of them and shows all again', async () => {
    const { page } = await open(join(home, 'maker', 'report.html'))
    const chart = page.locator('#chart-equity')
    await chart.locator('.canvas').focus()
    await page.keyboard.press('End')
    const words = await chart.locator('output').textContent()
    expect(words).toMatch(/^2026-01-05 09:30:00: equity 1\.0\d+$/)
    await page.keyboard.press('ArrowLeft')
    expect(await chart.locator('output').textContent()).not.toBe(words)
    await page.keyboard.press('+')
    await page.waitForSelector('#chart-drawdown.zoomed')
    await page.keyboard.press('Escape')
    await page.waitForSelector('#chart-drawdown:not(.zoomed)')
    await page.context().close()
  })

  test('every chart also has a table and a description in words', async () => {
    const { page } = await open(join(home, 'maker', 'report.html'))
    const chart = page.locator('#chart-equity')
    expect(await chart.getByRole('img').getAttribute('aria-label')).toMatch(
      /^Equity in BTC\. equity: begins at 1, ends at 1\.0\d+; lowest /,
    )
    await chart.locator('summary').click()
    await chart.locator('tbody tr').first().waitFor()
    expect(await chart.locator('tbody tr').count()).toBe(60)
    expect(await chart.locator('caption').textContent()).toMatch(/^equity: 60 of [\d,]+ points$/)
    await page.context().close()
  })

  test('several runs are shown side by side, and each can be chosen', async () => {
    const out = join(home, 'both.html')
    const folders = ['maker', 'two'].map((name) => join(home, name))
    expect(pitclock(['report', ...folders, '--out', out, '--title', 'Spreads']).code).toBe(0)
    const { page, complaints } = await open(out)
    expect(await page.locator('h1').textContent()).toBe('Spreads')
    expect(await page.locator('#compare thead th').allInnerTexts()).toEqual(['Metric', 'maker', 'two'])
    expect(await page.locator('#chart-compare-growth .key').count()).toBe(2)
    await page.locator('#choose-run').selectOption('1')
    await page.locator('#choose-account').selectOption('taker')
    expect(await page.locator('#headline h2').textContent()).toBe('Headline: taker, BTC')
    expect(await emptyCharts(page)).toEqual([])
    expect([complaints, await violations(page)]).toEqual([[], []])
    await page.context().close()
  })

  test('a warning about damage comes first', async () => {
    truncateSync(join(home, 'two', 'fills.arrow'), 5_000)
    const out = join(home, 'damaged.html')
    expect(pitclock(['report', join(home, 'two'), '--out', out]).code).toBe(0)
    const { page, complaints } = await open(out)
    const first = page.locator('main > :not(nav)').first()
    expect(await first.textContent()).toMatch(/^The folder is damaged: a file is missing or has changed since the run/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('200,000 points are drawn in under a second', async () => {
    const out = join(home, 'long.html')
    const [style, script] = ['report.css', 'report.js'].map((name) =>
      readFileSync(join(repository, 'dist/page', name), 'utf8'),
    )
    const report = longReport(200_000)
    const data = gzipSync(packed(report))
    writeFileSync(out, pageText({ title: report.title, style: style ?? '', script: script ?? '', data }))
    const { page, complaints } = await open(out)
    expect([complaints, await emptyCharts(page)]).toEqual([[], []])
    expect(await page.locator('#prices canvas').count()).toBe(1)
    const millis = await page.evaluate(() => document.documentElement.dataset['millis'])
    expect(Number(millis)).toBeLessThan(1_000)
    await page.context().close()
  })
})

/** A report with a single price. */
function longReport(points: number): Report {
  const none: Grid = { columns: [], rows: [], total: 0 }
  const from = 1_767_603_600
  let [price, state] = [60_000, 7]
  const mark: Line = {
    time: Float64Array.from({ length: points }, (_, at) => from + at),
    value: Float64Array.from({ length: points }, () => {
      state = (state * 48_271) % 2_147_483_647
      price += (state % 9) - 4
      return price / 2
    }),
    points,
  }
  const market = {
    ...{ name: 'BTC-PERPETUAL', kind: 'future', amountUnit: 'USD', quote: 'USD' },
    ...{ settlement: 'BTC', tick: 0.5, mark, funding: null },
  }
  const receipt = {
    ...{ command: '', file: '', fileSha256: '', scenarioSha256: '', set: [], seed: '0' },
    ...{ digest: '', engine: '', node: '', journal: false },
    ...{ feeds: none, strategies: none, tables: none },
  }
  const run = {
    ...{ name: 'long', title: 'Long', from, until: from + points, requests: 0, events: 0 },
    ...{ warnings: [], notes: [], conventions: [], accounts: [], indices: [], currencies: [] },
    ...{ receipt, markets: [market], quality: none },
  }
  return { version: 1, title: 'Long', runs: [run], alike: true, leading: [], deflated: [] }
}
