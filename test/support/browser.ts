/**
 * A browser without a window, where the machine has one: Debian's package `chromium`, or what PITCLOCK_CHROMIUM names.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env['PITCLOCK_CHROMIUM'] ?? '/usr/bin/chromium'

/** True if there is a browser; tests that need one are skipped by name elsewhere. */
export const hasBrowser = existsSync(executablePath)

/** Starts the browser, which asks nobody for anything by itself. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
