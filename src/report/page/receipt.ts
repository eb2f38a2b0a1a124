/** Everything needed to repeat the run: seed, hashes, versions, and the command. */
import { element, note, section } from './dom.ts'
import { gridTable } from './events.ts'
import type { View } from './view.ts'

/** The section with the facts that make the run repeatable. */
export function receiptSection({ run }: View): HTMLElement {
  const { receipt } = run
  const facts: readonly (readonly [string, string])[] = [
    ['Digest of the event log', receipt.digest],
    ['Seed', receipt.seed],
    ['Engine', receipt.engine],
    ['Node', receipt.node],
    ['Scenario', `${run.title} (${receipt.file})`],
    ['SHA-256 of the scenario', receipt.scenarioSha256],
    ['SHA-256 of the file', receipt.fileSha256],
    ['Overrides', receipt.set.join(', ')],
  ]
  const known = facts.filter(([, text]) => text !== '')
  const journal = receipt.journal
    ? note('The journal in the folder gives the same digest: npx pitclock run journal.jsonl')
    : null
  const lists = [
    ['Recorded files', receipt.feeds],
    ['Strategies', receipt.strategies],
    ['Tables', receipt.tables],
  ] as const
  return section(
    'receipt',
    'Determinism',
    element('p', {}, 'The same inputs produce the same bytes on any machine. This run had the following inputs.'),
    receipt.command === ''
      ? note('A program made this run, so there is no command that repeats it.')
      : element(
          'div',
          { class: 'command' },
          element('span', {}, 'Command that repeats the run'),
          element('code', {}, receipt.command),
        ),
    journal,
    element(
      'dl',
      { class: 'hashes' },
      ...known.map(([name, text]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, element('code', {}, text))),
      ),
    ),
    ...lists.flatMap(([title, grid]) => (grid.rows.length === 0 ? [] : [gridTable(title, grid)])),
  )
}
