/**
 * `pitclock completion`: the script with which a shell completes commands, options, their words, and files. The library
 * that makes it is loaded only where a shell, or a person, asks for it.
 */
import { readdirSync } from 'node:fs'
import type { Command } from 'commander'

/** Words that people type for the script, and that the script asks with. */
const names: ReadonlySet<string> = new Set(['completion', 'complete'])

/** Names of arguments and of values of options that are files or folders. */
const paths: ReadonlySet<string> = new Set(['dir', 'file', 'other', 'path', 'run', 'scenario'])

/** Adds the command, after all others, which it reads. */
export async function addCompletionCommand(program: Command): Promise<void> {
  if (!names.has(process.argv[2] ?? '')) {
    program
      .command('completion')
      .description('Print a script that completes commands and options in your shell.')
      .argument('<shell>', 'bash, zsh, fish or powershell')
    return
  }
  const { default: addCompletion } = await import('@bomb.sh/tab/commander')
  const root = addCompletion(program, { completionCommandName: 'completion' })
  for (const command of program.commands) {
    if (command.name() === 'completion') command.addHelpText('after', examples)
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

/** Tells the files and folders that begin as the last word does; a shell asks for no others. */
function completePaths(complete: (value: string, description: string) => void): void {
  const word = process.argv.at(-1) ?? ''
  const folder = word.slice(0, word.lastIndexOf('/') + 1)
  for (const name of entriesIn(folder)) {
    if (!name.startsWith('.') || word.slice(folder.length).startsWith('.')) {
      complete(`${folder}${name}`, '')
    }
  }
}

/** Entries of a folder, folders with a slash; nothing of what cannot be read. */
function entriesIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder === '' ? '.' : folder, { withFileTypes: true })
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort()
  } catch {
    return []
  }
}

const examples = `
Examples:
  source <(pitclock completion bash)        # in ~/.bashrc
  source <(pitclock completion zsh)         # in ~/.zshrc
  pitclock completion fish > ~/.config/fish/completions/pitclock.fish`
