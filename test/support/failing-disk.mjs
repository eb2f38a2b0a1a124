/**
 * A preload of the built program: once the file that PITCLOCK_FAULT_FILE names is there, no file can be written. The
 * writes fail as on a full disk, or where PITCLOCK_FAULT is `defect` by an error that nothing expects.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { existsSync, writeSync } = fs
const { PITCLOCK_FAULT_FILE: file = '', PITCLOCK_FAULT: kind } = process.env

fs.writeSync = (descriptor, ...rest) => {
  if (descriptor <= 2 || !existsSync(file)) return writeSync(descriptor, ...rest)
  if (kind === 'defect') throw new TypeError('a planted defect')
  throw Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', syscall: 'write', errno: -28 })
}
syncBuiltinESMExports()
