/** `pitclock doctor`: shows what is installed, and runs a self-test with a known digest. */
import type { Command } from 'commander'
import type { JsonOutputs } from './json-outputs.ts'
import { exitCode, printJson, version } from './output.ts'
import { paint, print } from './print.ts'

/** Adds the command. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Show what is installed and run a self-test with a known digest.')
    .option('--json', 'print one JSON object')
    .action(async (options: { json?: true }) => {
      const { selfTest } = await import('../src/node.ts')
      const test = await selfTest()
      const facts: JsonOutputs['doctor'] = {
        pitclock: version(),
        node: process.versions.node,
        platform: `${process.platform} ${process.arch}`,
        self_test: test.digest === test.expected ? 'ok' : 'differs',
        digest: test.digest,
        expected_digest: test.expected,
      }
      if (options.json === true) {
        printJson('doctor', facts)
      } else {
        for (const [name, value] of Object.entries(facts)) {
          const shown = name === 'self_test' ? paint(value === 'ok' ? 'green' : 'red', value) : value
          print(`${name.padEnd(16)} ${shown}\n`)
        }
      }
      if (test.digest !== test.expected) process.exitCode = exitCode.failed
    })
}
