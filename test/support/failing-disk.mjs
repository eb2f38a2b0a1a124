/**
 * A preload of the built program: as soon as the file that PITCLOCK_FAULT_FILE names exists, all writes of files fail.
 * They fail like on a full disk, or with an unexpected error if PITCLOCK_FAULT is `defect`. At its end the process
 * writes the milliseconds since the first failed write to the file of that name with `.end` appended.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { existsSync, openSync, writeSync } = fs
const { PITCLOCK_FAULT_FILE: file = '', PITCLOCK_FAULT: kind } = process.env

let failed

/** Times of the process so far: wall-clock time, idle time, CPU time. */
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
