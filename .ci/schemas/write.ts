/** A step of the build: writes the OpenRPC document of the interface. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { openRpcDocument } from './document.ts'
import { resultTypes } from './result-types.ts'

const folder = new URL('../../dist/schema/', import.meta.url)
mkdirSync(folder, { recursive: true })
const document = openRpcDocument(resultTypes())
writeFileSync(new URL('openrpc.json', folder), `${JSON.stringify(document)}\n`)
