/**
 * `pitclock completion`: the script that completes commands, options, their words, and files in a shell. Its library is
 * loaded only when a shell or a user requests the script.
 */
import { readdirSync } from 'node:fs'
import type { Command } from 'commander'
import { debugOption } from './debug.ts'

/** The command by which users request the script, and the one by which the script requests completions. */
const names: ReadonlySet<string> = new Set(['completion', 'complete'])

/** Names of arguments and option values that are files or folders. */
const paths: ReadonlySet<string> = new Set(['dir', 'file', 'other', 'path', 'run', 'scenario'])

/** Adds the command. It must come after all others, because it reads them. */
export async function addCompletionCommand(program: Command): Promise<void> {
  if (!names.has(process.argv[2] ?? '')) {
    program.command('completion').description(description).argument('<shell>', 'bash, zsh, fish or powershell')
    return
  }
  const { default: addCompletion } = await import('@bomb.sh/tab/commander')
  const root = addCompletion(program, { completionCommandName: 'completion' })
  for (const command of program.commands) {
    if (command.name() === 'completion') {
      command
        .description(description)
        .option(...debugOption)
        .addHelpText('before', examples)
      for (const shell of command.registeredArguments) shell.description = 'the shell'
    }
    const completed = root.commands.get(command.name())
    for (const argument of completed?.arguments.values() ?? []) {
      if (paths.has(argument.name)) argument.handler = completePaths
    }
    for (const { long, flags } of command.options) {
      const option = completed?.options.get(long?.slice(2) ?? '')
      if (option !== undefined && /<(?:dir|file)>/.test(flags)) option.handler = completePaths
    }
  }
}

/** Completes the last word with matching files and folders; a shell needs no others. */
function completePaths(complete: (value: string, description: string) => void): void {
  const word = process.argv.at(-1) ?? ''
  const folder = word.slice(0, word.lastIndexOf('/') + 1)
  for (const name of entriesIn(folder)) {
    if (!name.startsWith('.') || word.slice(folder.length).startsWith('.')) {
      complete(`${folder}${name}`, '')
    }
  }
}

/** Entries of a folder, folders with a slash; empty if the folder cannot be read. */
function entriesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder === '' ? '.' : folder, { withFileTypes: true })
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  } catch {
    return []
  }
}

const description = 'Print a script that completes commands, options and their values in your shell.'

const examples = `Examples:
  source <(pitclock completion bash)        # in ~/.bashrc
  source <(pitclock completion zsh)         # in ~/.zshrc
  pitclock completion fish > ~/.config/fish/completions/pitclock.fish
`
