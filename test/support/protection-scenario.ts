/**
 * Requests of a run of protections as a scenario file that a person can run: the same head, the same requests at
 * the same times, and of what was refused its error, which a file has to expect.
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProtectionRun } from './protection-run.ts'
import { headOf } from './protection-world.ts'

/** The file; notes are for its reader and stand at its end. */
export function scenarioOfRun(
  sent: ProtectionRun['sent'],
  { title, notes = [] }: { readonly title: string; readonly notes?: readonly string[] },
): string {
  const steps = sent.map(({ at, account, session, method, params, error }) => {
    const parts = [
      `at: ${at}us`,
      ...(account === null ? [] : [`as: ${account}`]),
      ...(session === 0 ? [] : [`session: ${session}`]),
      `call: ${method}`,
      // JSON is YAML, and a line of it is a step.
      `params: ${JSON.stringify(params)}`,
      ...(error === null ? [] : [`expect: { error: { code: ${error} } }`]),
    ]
    return `  - { ${parts.join(', ')} }`
  })
  const until = `until: ${untilOf(sent)}`
  return `${[headOf(title) + until, 'steps:', ...steps, ...notes.map((line) => `# ${line}`)].join('\n')}\n`
}

/** The time of the last request as a text of ISO. */
function untilOf(sent: ProtectionRun['sent']): string {
  const last = sent.at(-1)?.at ?? 0
  const start = Date.UTC(2026, 0, 5, 9)
  const millis = new Date(start + Math.floor(last / 1000)).toISOString().slice(0, -1)
  return `${millis}${String(last % 1000).padStart(3, '0')}Z`
}

/** Writes what is left of a failing run to a temporary folder, and returns its path. */
export function writeBroken(
  sent: ProtectionRun['sent'],
  { seed, problem }: { readonly seed: number; readonly problem: string },
): string {
  const path = join(tmpdir(), `pitclock-protections-${seed}.yaml`)
  const title = `A law of protections is broken by the last step (seed ${seed})`
  writeFileSync(path, scenarioOfRun(sent, { title, notes: problem.split('\n') }))
  return path
}
