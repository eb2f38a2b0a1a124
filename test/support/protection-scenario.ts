/**
 * Writes requests of a run of protections as a scenario file that a person can run: the same head, the same requests at
 * the same times, and the expected error of each refused request.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProtectionRun } from './protection-run.ts'
import { headOf } from './protection-world.ts'

/** The file. Notes for its reader are at its end. It continues for `rest` microseconds. */
export function scenarioOfRun(
  sent: ProtectionRun['sent'],
  of: { readonly title: string; readonly notes?: readonly string[]; readonly rest?: number },
): string {
  const { title, notes = [], rest = 0 } = of
  const steps = sent.map(({ at, account, session, method, params, error }) => {
    const parts = [
      `at: ${at}us`,
      ...(account === null ? [] : [`as: ${account}`]),
      ...(session === 0 ? [] : [`session: ${session}`]),
      `call: ${method}`,
      // JSON is YAML, so each line of JSON is a step.
      `params: ${JSON.stringify(params)}`,
      ...(error === null ? [] : [`expect: { error: { code: ${error} } }`]),
    ]
    return `  - { ${parts.join(', ')} }`
  })
  const until = `until: ${untilOf((sent.at(-1)?.at ?? 0) + rest)}`
  return `${[headOf(title) + until, 'steps:', ...steps, ...notes.map((line) => `# ${line}`)].join('\n')}\n`
}

/** A time after the start as ISO text. */
function untilOf(last: number): string {
  const start = Date.UTC(2026, 0, 5, 9)
  const millis = new Date(start + Math.floor(last / 1000)).toISOString().slice(0, -1)
  return `${millis}${String(last % 1000).padStart(3, '0')}Z`
}

/** Writes the shrunk failing run to a temporary folder, and returns its path. */
export function writeBroken(
  sent: ProtectionRun['sent'],
  { seed, problem }: { readonly seed: number; readonly problem: string },
): string {
  const path = join(tmpdir(), `pitclock-protections-${seed}.yaml`)
  const title = `A law of protections is broken by the last step (seed ${seed})`
  writeFileSync(path, scenarioOfRun(sent, { title, notes: problem.split('\n'), rest: 1_000_000 }))
  return path
}
