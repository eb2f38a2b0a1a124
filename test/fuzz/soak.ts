/**
 * `npm run soak -- --commands N`: random runs of all methods, with all laws and the audit of the engine after every
 * request. It saves its progress after each run, and continues from there. A save of another commit is refused.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { randomStream } from '../../src/core/index.ts'
import { fc, fuzzScenario, nothingReached, runChecked, scenarioText } from '../../src/testing/index.ts'

/** The progress of an audit. */
interface Save {
  readonly commit: string
  readonly seed: string
  readonly runs: number
  readonly commands: number
  /** CPU seconds of all runs. */
  readonly seconds: number
}

/** Sequences in a run: deep states need long runs. */
const SEQUENCES_MAX = 1000
const PRINT_MILLIS = 10_000

const { values } = parseArgs({
  options: {
    commands: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '0' },
    save: { type: 'string', default: 'runs/soak.json' },
  },
})
const target = Number(values.commands)
if (!Number.isSafeInteger(target) || target < 1) {
  throw new Error(`--commands: expected a number from 1, found ${values.commands}`)
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()
const changes = git('status', '--porcelain', '--', 'src') === '' ? '' : ' with changes'
const commit = `${git('rev-parse', 'HEAD')}${changes}`

function begun(): Save {
  if (!existsSync(values.save)) return { commit, seed: values.seed, runs: 0, commands: 0, seconds: 0 }
  const save = JSON.parse(readFileSync(values.save, 'utf8')) as Save
  for (const [name, now] of [
    ['commit', commit],
    ['seed', values.seed],
  ] as const) {
    if (save[name] === now) continue
    throw new Error(`${values.save}: expected a save of ${name} ${now}, found ${save[name]}; delete it to start again`)
  }
  return save
}

let save = begun()
let printed = performance.now()
const say = (): void => {
  const rate = Math.round(save.commands / Math.max(save.seconds, 1e-9))
  process.stdout.write(`${save.runs} runs, ${save.commands} commands, ${rate} commands/s of CPU time\n`)
}
while (save.commands < target) {
  const run = save.runs + 1
  const seed = randomStream(save.seed, `soak ${run}`).int(0, 0x7f_ff_ff_ff)
  const drawn = fc.noBias(fuzzScenario({ swarm: run % 2 === 0, sequencesMax: SEQUENCES_MAX }))
  const [scenario] = fc.sample(drawn, { numRuns: 1, seed })
  if (scenario === undefined) throw new Error('a sample has a scenario')
  const reached = nothingReached()
  const before = process.cpuUsage()
  const error = runChecked(scenario, 1, reached)
  const { user, system } = process.cpuUsage(before)
  if (error !== null) {
    const file = `${values.save}.${run}.yaml`
    writeFileSync(file, scenarioText(error.run))
    throw new Error(`run ${run} of seed ${save.seed}: ${error.message}; written to ${file}`, { cause: error })
  }
  save = {
    ...save,
    runs: run,
    commands: save.commands + reached.requests,
    seconds: save.seconds + (user + system) / 1e6,
  }
  mkdirSync(dirname(values.save), { recursive: true })
  writeFileSync(`${values.save}.tmp`, `${JSON.stringify(save)}\n`)
  renameSync(`${values.save}.tmp`, values.save)
  if (performance.now() - printed < PRINT_MILLIS) continue
  printed = performance.now()
  say()
}
say()
