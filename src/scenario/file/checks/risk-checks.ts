/**
 * Checks of the settings of risk and of engines in a file: indices that it has, numbers within their bounds,
 * durations.
 */
import { MICROS_PER_DAY, micros, nearest } from '../../../core/index.ts'
import { defaultConfig } from '../../../model/index.ts'
import {
  entriesOf,
  type Findings,
  meant,
  nodeAt,
  type Path,
  report,
  reportKey,
} from '../located.ts'
import { checkFraction, checkRange } from './decimal-checks.ts'
import { checkDuration } from './duration-checks.ts'

/** A year; windows are minutes as a rule. */
const DURATION_MICROS_MAX = 31_536_000_000_000

/** Checks the settings; `indices` are those that instruments of the file or of its steps may follow. */
export function checkRisk(findings: Findings, indices: ReadonlySet<string>): void {
  checkEngines(findings, indices)
  checkSmiles(findings, indices)
  checkPortfolio(findings, indices)
  checkFractions(findings, ['venue', 'haircuts'])
  const chunk = nodeAt(findings.root, ['venue', 'liquidation', 'chunk'])
  if (chunk !== undefined) {
    checkRange(findings, {
      path: ['venue', 'liquidation', 'chunk'],
      node: chunk,
      decimals: 6,
      min: 1n,
      max: 1_000_000n,
      meaning: 'a fraction above 0 and up to 1',
    })
  }
  checkProgramme(findings)
  checkBlocks(findings)
  checkRfqs(findings)
  checkComboLimits(findings)
}

/** Limits of a participant, or of all of them. */
export function checkLimits(findings: Findings, path: Path): void {
  for (const [group, { node }] of entriesOf(nodeAt(findings.root, path))) {
    checkRange(findings, {
      path: [...path, group],
      node,
      decimals: 4,
      min: 0n,
      max: 1_000_000_000n,
      meaning: 'a percentage of equity from 0 to 100000',
    })
  }
}

/** Each stands beside the other, or beside the venue's where the file leaves that out. */
function checkComboLimits(findings: Findings): void {
  const base: Path = ['venue', 'combo_limits']
  const { comboLimits: usual } = defaultConfig(micros(0))
  const softGiven = nodeAt(findings.root, [...base, 'soft'])?.value
  const soft = softGiven ?? usual.soft
  const hard = nodeAt(findings.root, [...base, 'hard'])?.value ?? usual.hard
  if (typeof soft !== 'number' || typeof hard !== 'number' || soft <= hard) return
  if (softGiven === undefined) {
    report(findings, [...base, 'hard'], { expected: `a limit from the soft one, ${soft}, up` })
  } else {
    report(findings, [...base, 'soft'], { expected: `a limit up to the hard one, ${hard}` })
  }
}

/** Engines are chosen for indices that there are. */
function checkEngines(findings: Findings, indices: ReadonlySet<string>): void {
  const base: Path = ['venue', 'engines']
  for (const [index] of entriesOf(nodeAt(findings.root, base))) {
    checkIndex(findings, { path: [...base, index], indices })
  }
}

function checkSmiles(findings: Findings, indices: ReadonlySet<string>): void {
  const base: Path = ['venue', 'smiles']
  for (const [index, { node }] of entriesOf(nodeAt(findings.root, base))) {
    checkIndex(findings, { path: [...base, index], indices })
    const parts = {
      atm: { min: 10_000_000n, max: 5_000_000_000n, meaning: 'a volatility from 0.01 to 5' },
      skew: { ...bend, meaning: 'a skew from -100 to 100' },
      curvature: { ...bend, meaning: 'a curvature from -100 to 100' },
    }
    for (const [key, bounds] of Object.entries(parts)) {
      const part = nodeAt(node, [key])
      if (part === undefined) continue
      checkRange(findings, { path: [...base, index, key], node: part, decimals: 9, ...bounds })
    }
  }
}

const bend = { min: -100_000_000_000n, max: 100_000_000_000n }

function checkPortfolio(findings: Findings, indices: ReadonlySet<string>): void {
  const base: Path = ['venue', 'portfolio_margin']
  for (const [index, { node }] of entriesOf(nodeAt(findings.root, base))) {
    checkIndex(findings, { path: [...base, index], indices })
    for (const [field, { node: value }] of entriesOf(node)) {
      const path = [...base, index, field]
      checkRange(
        findings,
        field === 'price_range'
          ? {
              path,
              node: value,
              decimals: 4,
              min: 1n,
              max: 9_999n,
              meaning: 'a range above 0 and below 1',
            }
          : {
              path,
              node: value,
              decimals: 9,
              min: 0n,
              max: PARAMETER_MAX,
              meaning: 'a number from 0 to 1000000000000',
            },
      )
    }
  }
}

const PARAMETER_MAX = 1_000_000_000_000_000_000_000n

function checkProgramme(findings: Findings): void {
  const base: Path = ['venue', 'lsp']
  for (const key of ['cooldown', 'failure_window']) {
    checkDuration(findings, [...base, key], {
      min: 1,
      max: DURATION_MICROS_MAX,
      expected: 'a duration above 0 and up to 365 days',
    })
  }
  for (const key of ['spread', 'adl_spread', 'commission']) {
    const node = nodeAt(findings.root, [...base, key])
    if (node !== undefined) checkFraction(findings, { path: [...base, key], node, decimals: 6 })
  }
  checkLimits(findings, [...base, 'group_limits'])
}

function checkBlocks(findings: Findings): void {
  const base: Path = ['venue', 'block_trades']
  for (const key of ['signature_window', 'approval_window']) {
    checkDuration(findings, [...base, key], {
      min: 1,
      max: MICROS_PER_DAY,
      expected: 'a duration above 0 and up to a day',
    })
  }
  const band = nodeAt(findings.root, [...base, 'price_band'])
  const path = [...base, 'price_band']
  if (band !== undefined) checkFraction(findings, { path, node: band, decimals: 6 })
}

function checkRfqs(findings: Findings): void {
  const base: Path = ['venue', 'block_rfqs']
  for (const key of ['expiry', 'grace']) {
    checkDuration(findings, [...base, key], {
      min: 1,
      max: MICROS_PER_DAY,
      expected: 'a duration above 0 and up to a day',
    })
  }
}

function checkFractions(findings: Findings, base: Path): void {
  for (const [key, { node }] of entriesOf(nodeAt(findings.root, base))) {
    checkFraction(findings, { path: [...base, key], node, decimals: 6 })
  }
}

/** A setting of an index that nothing follows would be left aside in silence. */
function checkIndex(
  findings: Findings,
  { path, indices }: { readonly path: Path; readonly indices: ReadonlySet<string> },
): void {
  const index = String(path.at(-1))
  if (indices.has(index)) return
  const expected = 'an index that an instrument of this file follows'
  reportKey(findings, path, { expected, ...meant(nearest(index, indices)) })
}
