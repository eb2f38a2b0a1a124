/**
 * Says whether `dist` is built from the present sources: `npm run build:once` builds only if it is not.
 *
 * `built-from.mjs write`, the last step of a build, writes the hash of all inputs into `dist`. `built-from.mjs check` exits 1
 * if the inputs have another hash now, or if git cannot list them.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const stamp = 'dist/.built-from'
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
if (process.argv[2] === 'write') {
  if (hash === null) rmSync(stamp, { force: true })
  else writeFileSync(stamp, hash)
} else {
  const isCurrent = hash !== null && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash
  if (isCurrent) console.log('dist is built from these sources')
  process.exitCode = isCurrent ? 0 : 1
}
