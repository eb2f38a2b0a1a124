/**
 * `pitclock schema`: the JSON Schema of scenario files, for editors, and the OpenRPC document of the interface, for
 * generators of clients.
 */
import { Argument, type Command } from 'commander'
import { complain, exitCode } from './output.ts'

/** Adds the command. */
export function addSchemaCommand(program: Command): void {
  const what = new Argument('[WHAT]', 'what to describe').choices(['scenario', 'openrpc'])
  program
    .command('schema')
    .description('Print the JSON Schema of scenario files, or the OpenRPC document of the methods.')
    .addArgument(what.default('scenario'))
    .addHelpText(
      'after',
      `
Examples:
  pitclock schema > scenario.schema.json
  # first line of a scenario: # yaml-language-server: $schema=./scenario.schema.json
  pitclock schema openrpc > openrpc.json
  # every method with parameters, result and errors; a server has its own at /openrpc.json`,
    )
    .action(async (asked: 'scenario' | 'openrpc') => {
      if (asked === 'openrpc') await printInterface()
      else {
        const { scenarioJsonSchema } = await import('../src/index.ts')
        print(scenarioJsonSchema())
      }
    })
}

async function printInterface(): Promise<void> {
  const { readInterfaceDocument } = await import('../src/node.ts')
  const { formatInputError } = await import('../src/index.ts')
  const read = await readInterfaceDocument()
  if (read.ok) print(read.value)
  else {
    complain([formatInputError(read.error)])
    process.exitCode = exitCode.inputOutput
  }
}

function print(schema: object): void {
  process.stdout.write(`${JSON.stringify(schema, null, 2)}\n`)
}
