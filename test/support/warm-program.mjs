/**
 * The built program, started once for many commands: a start costs half a second of a core, which most commands of the tests
 * do not need. Each line of stdin is a command; the answer goes to the file that it names. Each command runs the module of
 * the program from its top, with its own state, exit code and streams; the library stays loaded, as in a user's process.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [, , program] = process.argv
const kept = { stdout: process.stdout.write, stderr: process.stderr.write }

const targets = [process, process.stdout, process.stderr]
const listenersOf = (target) => new Map(target.eventNames().map((name) => [name, target.listeners(name)]))

/** Calls the listeners for the end of a process that a command added, and forgets all its listeners. */
function endListeners(before, code) {
  targets.forEach((target, at) => {
    for (const name of target.eventNames()) {
      const known = before[at].get(name) ?? []
      for (const each of target.listeners(name).filter((listener) => !known.includes(listener))) {
        target.off(name, each)
        if (target === process && name === 'exit') each.call(process, code)
      }
    }
  })
}

/** Resources that keep the process alive a second after a command that should have ended it; empty without any. */
async function leftOpen(before) {
  for (let look = 0; look < 100; look += 1) {
    const open = process.getActiveResourcesInfo()
    if (open.length <= before) return ''
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return `the command left open: ${process.getActiveResourcesInfo().join(', ')}\n`
}

function answer(file, result) {
  writeFileSync(`${file}.partial`, JSON.stringify(result))
  renameSync(`${file}.partial`, file)
}

/** Answers the command at work; null between commands. A process that ends in the middle of a command answers it. */
let finish = null
process.on('exit', (code) => finish?.(code, true))

let count = 0
for await (const line of createInterface({ input: process.stdin })) {
  const { args, cwd, file } = JSON.parse(line)
  const before = targets.map(listenersOf)
  const open = process.getActiveResourcesInfo().length
  const texts = { out: '', err: '' }
  const into = (name) =>
    function write(chunk, encoding, done) {
      texts[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      const then = typeof encoding === 'function' ? encoding : done
      if (then !== undefined) process.nextTick(then)
      return true
    }
  process.stdout.write = into('out')
  process.stderr.write = into('err')
  finish = (code, isLast = false) => {
    finish = null
    answer(file, { ran: { code, ...texts }, isLast })
  }
  process.chdir(cwd)
  process.argv = [process.argv[0], program, ...args]
  process.exitCode = undefined
  count += 1
  await import(`${pathToFileURL(program).href}?${count}`)
  texts.err += await leftOpen(open)
  const code = process.exitCode ?? 0
  endListeners(before, code)
  process.stdout.write = kept.stdout
  process.stderr.write = kept.stderr
  process.exitCode = undefined
  finish(code)
}
