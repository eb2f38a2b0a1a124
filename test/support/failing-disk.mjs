/**
 * A preload of the built program: once the file that PITCLOCK_FAULT_FILE names is there, no file can be written. The
 * writes fail as on a full disk, or where PITCLOCK_FAULT is `defect` by an error that nothing expects. At its end the
 * process writes how long it lived after the first failed write, in milliseconds, to the file with `.end` behind its name.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { existsSync, openSync, writeSync } = fs
const { PITCLOCK_FAULT_FILE: file = '', PITCLOCK_FAULT: kind } = process.env

let failed

/** What the process has done until now: time on the wall, time that it waited for others, CPU time. */
function spent() {
  const { user, system } = process.cpuUsage()
  const waited = performance.eventLoopUtilization().idle
  return { wall: performance.now(), waited, worked: (user + system) / 1000 }
}

process.on('exit', () => {
  if (failed === undefined) return
  const end = spent()
  const lived = Object.keys(end).map((key) => [key, end[key] - failed[key]])
  writeSync(openSync(`${file}.end`, 'w'), JSON.stringify(Object.fromEntries(lived)))
})

fs.writeSync = (descriptor, ...rest) => {
  if (descriptor <= 2 || !existsSync(file)) return writeSync(descriptor, ...rest)
  failed ??= spent()
  if (kind === 'defect') throw new TypeError('a planted defect')
  throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', syscall: 'write', errno: -28 })
}
syncBuiltinESMExports()
