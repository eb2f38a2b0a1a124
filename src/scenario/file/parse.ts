/** Parses the text of a scenario file into a `Scenario`, or returns all mistakes in it. */
import { assert, checkArgument, defined, err, type InputError, ok, type Result } from '../../core/index.ts'
import { DEFAULT_SEED } from '../../model/index.ts'
import type { RequestParams } from '../../rpc/index.ts'
import { hasDollar } from '../run/saved-values.ts'
import type { ReplyExpectation, Save, Scenario, Step } from '../scenario.ts'
import { faultRequestsOf, faultsOf, feedsOf, strategiesOf } from './build/market.ts'
import { exchangeConfigOf, runTerms, type Sound, setupOf } from './build/setup.ts'
import { finalChecks } from './checks/final-checks.ts'
import { checkMeaning } from './checks/meaning.ts'
import { readDocument } from './document.ts'
import { scenarioFormat } from './format.ts'
import { entriesOf, itemsOf, type Located, nodeAt } from './located.ts'
import { readSchedule } from './schedule.ts'
import { placedMistake, withSettings } from './settings.ts'
import { reportIssues } from './shape.ts'

/**
 * Reads a scenario file. `file` is its name for messages, and `set` overrides values (`key=value`). All mistakes are
 * reported.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const text = 'version: 1\ntitle: Nothing\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\nsteps: []\n'
 * const scenario = parseScenario(text, 'nothing.yaml')
 * console.log(scenario.ok && scenario.value.title) // Nothing
 */
export function parseScenario(
  text: string,
  file: string,
  set: readonly string[] = [],
): Result<Scenario, readonly InputError[]> {
  checkArgument('parseScenario: text', text, 'string')
  checkArgument('parseScenario: file', file, 'string')
  const document = readDocument(text, file)
  if (!document.ok) return document
  const changed = withSettings(document.value.root, set)
  if (!changed.ok) return changed
  const { root } = changed.value
  const findings = { ...document.value, root }
  const shape = scenarioFormat.safeParse(root.value)
  // Only the first mistake at a place is kept, and mistakes of meaning say more than mistakes of shape.
  const schedule = readSchedule(findings)
  const specs = checkMeaning(findings, schedule)
  if (!shape.success) {
    reportIssues(findings, scenarioFormat, shape.error.issues, [])
  }
  if (findings.errors.length > 0) {
    return err(findings.errors.toSorted(byPlace).map((error) => placedMistake(error, changed.value)))
  }
  const data = defined(shape.data, 'a wrong shape has been reported')
  return ok(build({ file, root, shape: data, schedule, specs }))
}

function build(sound: Sound): Scenario {
  const { file, root, shape, schedule } = sound
  return {
    file,
    title: shape.title,
    seed: String(shape.seed ?? DEFAULT_SEED),
    start: schedule.start,
    until: schedule.until,
    config: exchangeConfigOf(sound),
    ...runTerms(sound),
    setup: setupOf(sound),
    steps: itemsOf(nodeAt(root, ['steps'])).map((node, index) => stepOf(sound, node, index)),
    population: shape.population ?? null,
    feeds: feedsOf(sound),
    strategies: strategiesOf(sound),
    faults: faultsOf(sound),
    faultRequests: faultRequestsOf(sound),
    checks: finalChecks(root).map(({ steps, ...check }) => ({ ...check, path: steps.join('.') })),
    totals: nodeAt(root, ['expect', 'totals']) ?? null,
    laws: nodeAt(root, ['expect', 'laws'])?.place ?? null,
  }
}

function stepOf({ shape, schedule }: Sound, node: Located, index: number): Step {
  const step = shape.steps?.[index]
  const time = schedule.steps[index]
  assert(step !== undefined && time !== undefined, 'a step of the file has a shape and a time')
  const path = `steps.${index}`
  const params = nodeAt(node, ['params'])?.value
  return {
    time,
    account: step.as ?? null,
    method: step.call,
    // The shape check has shown that they are a mapping.
    params: (params ?? {}) as RequestParams,
    inserts: hasDollar(params),
    session: step.session ?? 0,
    saves: savesOf(node, path),
    expect: replyExpectation(node, path),
    path,
    place: node.place,
  }
}

function savesOf(node: Located, path: string): readonly Save[] {
  return [...entriesOf(nodeAt(node, ['save']))].map(([name, { node: keys }]) => ({
    name,
    keys: String(keys.value).split('.'),
    path: `${path}.save.${name}`,
    place: keys.place,
  }))
}

function replyExpectation(node: Located, path: string): ReplyExpectation | null {
  for (const part of ['result', 'error'] as const) {
    const expected = nodeAt(node, ['expect', part])
    if (expected !== undefined) return { part, expected, path: `${path}.expect.${part}` }
  }
  return null
}

function byPlace(left: InputError, right: InputError): number {
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0)
}
