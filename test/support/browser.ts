/**
 * A headless browser: the program that PITCLOCK_CHROMIUM names, or Debian's package `chromium` if it is installed.
 */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env['PITCLOCK_CHROMIUM'] ?? '/usr/bin/chromium'

/** True if there is a browser. Without one, tests that need it are skipped by name. */
export const hasBrowser = existsSync(executablePath)

/** Starts the browser without background requests. */
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
