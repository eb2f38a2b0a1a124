/**
 * `npm run picture` takes the picture of a report that the README and the guide of backtests show: it runs the market
 * maker, opens its report in Chromium, and captures the page from the headline figures to the end of the first chart.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openBrowser } from '../support/browser.ts'
import { pitclock, scratch } from '../support/built-program.ts'
import { repository } from '../support/repository.ts'

const scenario = 'scenarios/backtest/market-maker.yaml'
const picture = join(repository, 'scenarios/backtest/report-market-maker.png')
const MARGIN = 16

const out = join(scratch(), 'run')
const done = pitclock(['run', scenario, '--out', out, '--report'])
if (done.code !== 0) throw new Error(done.err)
const browser = await openBrowser()
const page = await browser.newPage({ viewport: { width: 960, height: 900 } })
await page.goto(pathToFileURL(join(out, 'report.html')).href)
await page.waitForSelector('html[data-ready=true]', { state: 'attached' })
const headline = await page.locator('#headline').boundingBox()
const chart = await page.locator('figure.chart').first().boundingBox()
if (headline === null || chart === null) throw new Error('expected a headline and a chart, found none')
const y = headline.y - MARGIN
const height = chart.y + chart.height + MARGIN - y
await page.screenshot({ path: picture, fullPage: true, clip: { x: 0, y, width: 960, height } })
await browser.close()
