/**
 * `pitclock schema`: the JSON Schema of scenario files, for editors.
 */
import type { Command } from 'commander'

/** Adds the command. */
export function addSchemaCommand(program: Command): void {
  program
    .command('schema')
    .description('Print the JSON Schema of scenario files.')
    .addHelpText(
      'after',
      `
Example:
  pitclock schema > scenario.schema.json
  # first line of a scenario: # yaml-language-server: $schema=./scenario.schema.json`,
    )
    .action(async () => {
      const { scenarioJsonSchema } = await import('../src/index.ts')
      process.stdout.write(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`)
    })
}
