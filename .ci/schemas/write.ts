/** A step of the build: writes the OpenRPC document of the interface, and the schemas of what `--json` prints. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { openRpcDocument } from './document.ts'
import { outputSchemas } from './outputs.ts'
import { resultTypes } from './result-types.ts'

const folder = new URL('../../dist/schema/', import.meta.url)
mkdirSync(folder, { recursive: true })
const document = openRpcDocument(resultTypes())
writeFileSync(new URL('openrpc.json', folder), `${JSON.stringify(document)}\n`)
writeFileSync(new URL('outputs.json', folder), `${JSON.stringify(outputSchemas())}\n`)
