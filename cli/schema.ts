/**
 * `pitclock schema`: prints the JSON Schema of scenario files for editors, the OpenRPC document of the interface for
 * generators of clients, and the JSON Schemas of a method and of `--json` output.
 */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { misuse, refuseFault } from './output.ts'

/** Adds the command. */
export function addSchemaCommand(program: Command): void {
  program
    .command('schema')
    .description(
      'Print the JSON Schema of scenario files, of a method or of the output of --json, or the OpenRPC document.',
    )
    .argument('[what]', 'scenario, openrpc, output or the name of a method', 'scenario')
    .argument('[command]', 'with output: the command that prints it with --json')
    .option('--json', 'print errors as one JSON object (other output is always JSON)')
    .addHelpText(
      'before',
      `Examples:
  pitclock schema > scenario.schema.json
  # first line of a scenario: # yaml-language-server: $schema=./scenario.schema.json
  pitclock schema openrpc > openrpc.json
  # every method with its parameters, result and errors; a server also offers it at /openrpc.json
  pitclock schema private/buy
  # the JSON Schema of its parameters and its result
  pitclock schema output run
  # the JSON Schema of the output of pitclock run --json
`,
    )
    .action(async (asked: string, of: string | undefined) => {
      if (asked === 'output') printOutput(of)
      else if (asked !== 'scenario') await printInterface(asked)
      else {
        const { scenarioJsonSchema } = await import('../src/index.ts')
        print(scenarioJsonSchema())
      }
    })
}

/** Prints the schema of a command's `--json` output. */
function printOutput(command: string | undefined): void {
  // The bundled program and the schemas of the build have a fixed relative path.
  const file = new URL('../schema/outputs.json', import.meta.url)
  const outputs = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, object>>
  const schema = Object.hasOwn(outputs, command ?? '') ? outputs[command ?? ''] : undefined
  if (schema !== undefined) {
    print(schema)
    return
  }
  const names = Object.keys(outputs).join(', ')
  misuse({ path: 'schema output', expected: `one of ${names}`, found: command ?? 'none' })
}

/** Prints the document, or its part about a method. */
async function printInterface(asked: string): Promise<void> {
  const { methodSchema, readInterfaceDocument } = await import('../src/node.ts')
  const read = await readInterfaceDocument()
  if (!read.ok) {
    await refuseFault('io', read.error)
    return
  }
  const schema = asked === 'openrpc' ? read.value : await methodSchema(read.value, asked)
  if (schema !== undefined) {
    print(schema)
    return
  }
  misuse({
    expected: 'scenario, openrpc, output or the name of a method',
    found: asked,
    hint: 'a method name looks like private/buy; pitclock schema openrpc lists all of them',
  })
}

function print(schema: object): void {
  process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`)
}
