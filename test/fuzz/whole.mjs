/**
 * Tries many mutated texts: `node test/fuzz/whole.mjs scenarios|journals|snapshots [CASES] [SEED]`. The same seed tries
 * the same texts.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const [kind = 'scenarios', cases = '20000', seed = 'fuzz'] = process.argv.slice(2)
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const filter = ['-t', `H03 ${kind} are refused`]
const done = spawnSync(
  process.execPath,
  [vitest, 'run', 'test/fuzz/fuzz.test.ts', '--testTimeout', '7200000', ...filter],
  {
    stdio: 'inherit',
    env: { ...process.env, PITCLOCK_FUZZ_CASES: cases, PITCLOCK_FUZZ_SEED: seed },
  },
)
process.exitCode = done.status ?? 1
