/**
 * Says whether `dist` is built from the present sources: `npm run build:once` builds only if it is not.
 *
 * A build begins with `built-from.mjs begin` and ends with `built-from.mjs end`. If the hash of all inputs is the same then, it
 * is written into `dist`: an edit in between makes the build stale. `built-from.mjs check` exits 1 if the inputs have another hash
 * now, or if git cannot list them.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const stamp = 'dist/.built-from'
const begun = 'dist/.built-from.begun'
/** Packages count through the lock file. */
const inputs = ['src', 'cli', '.ci', ':(glob)*.json', ':(glob)*.mjs', ':(glob)*.ts']

/** The hash of the inputs and of Node's version; null without a list of the inputs. */
function hashOfInputs() {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...inputs]
  let files = []
  try {
    files = execFileSync('git', listed, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\0')
  } catch {
    // A copy without git.
  }
  if (!files.includes('src/index.ts')) return null
  const hash = createHash('sha256').update(process.version)
  for (const file of files.filter((name) => existsSync(name)).toSorted()) {
    hash.update(`\0${file}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

const hash = hashOfInputs()
const [, , step] = process.argv
if (step === 'begin') {
  mkdirSync('dist', { recursive: true })
  writeFileSync(begun, hash ?? '')
} else if (step === 'end') {
  if (hash !== null && readFileSync(begun, 'utf8') === hash) writeFileSync(stamp, hash)
  rmSync(begun)
} else {
  const isCurrent = hash !== null && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isCurrent) console.log('dist is built from these sources')
  process.exitCode = isCurrent ? 0 : 1
}
