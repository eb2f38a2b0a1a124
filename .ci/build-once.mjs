/**
 * Builds, unless `dist` was built from the files that are here now. The stamp is written when a build is complete.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const stamp = 'dist/.built-from'
const inputs = ['src', 'cli', '.ci', 'template', '*.json', '*.mjs', '*.ts']

/** The hash of all files that a build reads, of the packages through their lock, and of Node's version. */
function hashOfInputs() {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...inputs]
  const files = execFileSync('git', listed, { encoding: 'utf8' }).split('\0').filter(Boolean)
  const hash = createHash('sha256').update(process.version)
  for (const file of files.toSorted()) {
    hash.update(`\0${file}\0`)
    try {
      hash.update(readFileSync(file))
    } catch {
      hash.update('deleted')
    }
  }
  return hash.digest('hex')
}

function stampOrNull() {
  try {
    return readFileSync(stamp, 'utf8')
  } catch {
    return null
  }
}

const hash = hashOfInputs()
if (stampOrNull() === hash) console.log('dist is built from these sources')
else {
  const { status } = spawnSync('npm', ['run', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' })
  if (status !== 0) process.exit(1)
  writeFileSync(stamp, hash)
}
