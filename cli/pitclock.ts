#!/usr/bin/env node
/**
 * The command `pitclock`.
 *
 * Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 an expectation failed or two runs differ, 2
 * usage, 3 bad scenario or data, 4 input/output, 70 internal fault, 130 interrupted by Ctrl-C, 143 by SIGTERM. Each
 * command loads the heavy modules that it needs, so that help appears at once.
 */
import * as nodeModule from 'node:module'
import { Command, CommanderError } from 'commander'
import { addCompareCommand } from './compare.ts'
import { addCompletionCommand } from './completion.ts'
import { addDebugOption } from './debug.ts'
import { addDiffCommand } from './diff.ts'
import { addDoctorCommand } from './doctor.ts'
import { addExplainCommand } from './explain.ts'
import { addExportCommand } from './export.ts'
import { addConvertCommand } from './feeds/convert.ts'
import { addInspectCommand } from './feeds/inspect.ts'
import { addFuzzCommand } from './fuzz.ts'
import { addInitCommand } from './init.ts'
import { leaveAtSignals } from './interrupt.ts'
import { keepMisuse, watchJsonOption } from './json-errors.ts'
import { complain, exitCode, fail, printErrors, version } from './output.ts'
import { addQueryCommand } from './query.ts'
import { addReportCommand } from './report.ts'
import { addResumeCommand } from './resume.ts'
import { addRunCommand } from './run.ts'
import { addSchemaCommand } from './schema.ts'
import { addServeCommand } from './serve.ts'
import { addShrinkCommand } from './shrink.ts'

// Node 22.8 and later cache compiled code for the next start, in the folder of temporary files. The types are those of
// Node 20, which lacks this function.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: () => void }
enableCompileCache?.()

const program = new Command('pitclock')
  .description('A deterministic simulator of a crypto-derivatives exchange.')
  .version(version(), '-V, --version', 'print the version')
  .helpOption('-h, --help', 'print help')
  .helpCommand(false)
  .showSuggestionAfterError()
  .showHelpAfterError('(pitclock --help lists all commands)')
  .configureHelp({ sortSubcommands: false, sortOptions: false })
  .addHelpText(
    'before',
    `Examples:
  pitclock run scenarios/orders/market-sell-fills-resting-bid.yaml
  pitclock run scenarios/*/*.yaml
  pitclock run my-scenario.yaml --out runs/first --events events.jsonl
  pitclock run runs/first/journal.jsonl
  pitclock serve
  pitclock convert incremental_book_L2.csv.gz --out book.arrow
  pitclock inspect book.arrow
  pitclock diff runs/first runs/second
  pitclock compare runs/first runs/second
  pitclock report runs/first
  pitclock explain runs/first --order 1
  pitclock shrink failing.yaml
  pitclock fuzz --runs 20
  pitclock export runs/first --format parquet
  pitclock init my-market
  source <(pitclock completion bash)
`,
  )
  .addHelpText(
    'after',
    `
Exit codes: 0 done, 1 an expectation failed or two runs differ, 2 usage, 3 bad scenario or data,
4 input/output, 70 internal error, 129 hung up, 130 interrupted, 143 terminated.`,
  )
  .exitOverride()

addRunCommand(program)
addResumeCommand(program)
addServeCommand(program)
addConvertCommand(program)
addInspectCommand(program)
addDiffCommand(program)
addCompareCommand(program)
addReportCommand(program)
addExplainCommand(program)
addShrinkCommand(program)
addFuzzCommand(program)
addExportCommand(program)
addQueryCommand(program)
addSchemaCommand(program)
addInitCommand(program)
addDoctorCommand(program)
addDebugOption(program, version())
watchJsonOption(program)
await addCompletionCommand(program)
for (const command of program.commands) {
  command.showHelpAfterError(`(pitclock ${command.name()} --help lists all options)`)
}

leaveAtSignals()

// A reader that closes stdout early (`pitclock … | head`) is not a fault of the run.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    const found = error.code === 'ENOSPC' ? 'no space left on the disk' : error.message
    const line = `stdout: expected a writable stream, found ${found}`
    // The reader of `--json` output has gone, so no errors are collected for it.
    complain({ lines: [line], errors: [] })
    process.exit(exitCode.inputOutput)
  }
  process.exit()
})
// If errors cannot be printed either, only the exit code remains.
process.stderr.on('error', () => undefined)

// Handles uncaught exceptions. A run has its own listener, which reports exceptions of its strategies and removes
// itself for all others.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return
  void fail(error, 'a bug in pitclock or in a module that it loaded').finally(() => {
    printErrors()
    process.exit()
  })
})

try {
  if (process.argv.length <= 2) {
    program.outputHelp({ error: true })
    process.exitCode = exitCode.usage
  } else {
    await program.parseAsync()
  }
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : exitCode.usage
    if (error.exitCode !== 0) keepMisuse(program, error)
  } else {
    await fail(error)
  }
}
printErrors()
