/** `pitclock explain`: the causes of a fill, an end, a refusal or a liquidation in a run, one link a line. */
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'
import type { CauseLink, Explanation, RunQuestion } from '../src/node.ts'
import { misuse, printJson, refuseFault } from './output.ts'
import { paint, print } from './print.ts'

interface ExplainFlags {
  readonly order?: string
  readonly fill?: string
  readonly account?: string
  readonly refusal?: number
  readonly json?: true
}

/** Maximum length of the shown parameters of a request. */
const PARAMS_MAX = 160

/** Adds the command. */
export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description(
      'Explain an order, a trade, an account or a refusal of a run: the causes, with their rules and guides.',
    )
    .argument('<run>', 'a run folder with Arrow tables')
    .option('--order <id>', 'why this order filled, ended or was refused; the id as in replies')
    .option('--fill <id>', 'why this trade happened, for both of its sides; the id as in replies')
    .option('--account <name>', 'why this account was liquidated or lost orders')
    .option('--refusal <n>', 'why this request was refused; its number among the refusals, from 1', refusalOf)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  pitclock explain runs/demo --order 3
  pitclock explain runs/demo --fill ETH-1 --json
  pitclock explain runs/demo --account maker
  pitclock explain runs/demo --refusal 1

Exits with 2 if the run does not have the order, trade, account or refusal, and with 3 if the folder does not contain a complete run with tables.`,
    )
    .action(explainCommand)
}

function refusalOf(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a number from 1.')
}

async function explainCommand(folder: string, flags: ExplainFlags): Promise<void> {
  const questions = questionsOf(flags)
  const [question] = questions
  if (question === undefined || questions.length > 1) {
    const found = questions.flatMap((one) => Object.keys(one)).map((name) => `--${name}`)
    misuse({ expected: 'one of --order, --fill, --account, --refusal', found: found.join(', ') || 'none' })
    return
  }
  const { explain } = await import('../src/node.ts')
  const explained = await explain(folder, question)
  if (!explained.ok) {
    const { kind, error } = explained.error
    const { path, expected, found, hint } = error
    if (error.code === 'VALUE')
      misuse({ path: `--${path ?? ''}`, expected, found, ...(hint === undefined ? {} : { hint }) })
    else await refuseFault(kind, error, true)
    return
  }
  if (flags.json === true) printJson('explain', { version: 1, ...explained.value })
  else print(`${linesOf(explained.value).join('\n')}\n`)
}

function questionsOf({ order, fill, account, refusal }: ExplainFlags): readonly RunQuestion[] {
  return [
    ...(order === undefined ? [] : [{ order }]),
    ...(fill === undefined ? [] : [{ fill }]),
    ...(account === undefined ? [] : [{ account }]),
    ...(refusal === undefined ? [] : [{ refusal }]),
  ]
}

function linesOf({ subject, answer, links, omitted, unrecorded }: Explanation): readonly string[] {
  const shown = links.map((link, at) => linkLines(link, at + 1, links[at - 1]?.request?.sequence ?? null))
  const middle = omitted === 0 ? links.length : Math.ceil(links.length * 0.5)
  const gap = omitted === 0 ? [] : [paint('dim', `  … ${omitted} links left out; the tables have them`)]
  return [
    `${paint('bold', subject)}: ${answer}`,
    ...shown.slice(0, middle).flat(),
    ...gap,
    ...shown.slice(middle).flat(),
    ...unrecorded.map(({ fact, how }) => `${paint('yellow', 'not recorded:')} ${fact} (${how})`),
  ]
}

/** The lines of a link. The request is left out if the link before has the same. */
function linkLines(link: CauseLink, number: number, shown: number | null): readonly string[] {
  const { time, text, request, rule, guide } = link
  const indent = ' '.repeat(String(number).length + 4)
  const isNew = request !== null && request.sequence !== shown
  return [
    `  ${number}. ${paint('dim', time)} ${text}`,
    ...(isNew ? [paint('dim', `${indent}request ${request.sequence}: ${requestText(request)}`)] : []),
    paint('dim', `${indent}rule ${rule}, ${fromHere(guide)}`),
  ]
}

function requestText({ account, method, params }: NonNullable<CauseLink['request']>): string {
  const shown = params.length > PARAMS_MAX ? `${params.slice(0, PARAMS_MAX)}…` : params
  return `${account === null ? '' : `${account} `}${method} ${shown}`
}

/** The path of a guide of this package from the current folder. */
function fromHere(guide: string): string {
  return relative('.', join(fileURLToPath(new URL('../..', import.meta.url)), guide))
}
