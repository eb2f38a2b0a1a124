/**
 * The types of results and of messages, as the compiler reads them in the sources. This takes ten seconds of a core, so
 * the first worker of a test run that needs them writes them next to the compiled modules of the run
 * (`test/native-modules.ts`), and the others read that file.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChannelTypes, channelTypes, type ResultTypes, resultTypes } from '../../.ci/schemas/result-types.ts'
import { repository } from './repository.ts'

/** The results of all methods. */
export function typesOfResults(): ResultTypes {
  return onceInRun('results', resultTypes)
}

/** The messages of all channels. */
export function typesOfMessages(): ChannelTypes {
  return onceInRun('messages', channelTypes)
}

/** A value that is computed once in a test run; outside of test runs, and with coverage, whenever it is asked for. */
function onceInRun<Value>(name: string, compute: () => Value): Value {
  const folder = import.meta.dirname
  if (!folder.startsWith(join(repository, 'dist-test'))) return compute()
  const file = join(folder, `${name}.json`)
  if (!existsSync(file)) {
    // Another worker may write the same content at this moment.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(compute()))
    renameSync(`${file}.${process.pid}`, file)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Value
}
