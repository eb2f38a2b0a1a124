/** The whole page: its head, the selection of the shown data, its sections, themes and the print layout. */
import type { Account, Report, Run, Wallet } from '../payload.ts'
import { Chart } from './chart.ts'
import { compareSection } from './compare.ts'
import { element, note } from './dom.ts'
import { eventSection, figureSection, qualitySection } from './events.ts'
import { formatTime } from './format.ts'
import { headline, information } from './headline.ts'
import { funnelSection, markoutSection } from './orders.ts'
import { fundingSection, profitSection } from './profit.ts'
import { receiptSection } from './receipt.ts'
import { equitySection, returnsSection } from './returns.ts'
import { inventorySection, marginSection, priceSection } from './trading.ts'
import type { View } from './view.ts'

/** The selected run, account and currency. */
interface Choice {
  readonly run: number
  readonly account: string | null
  readonly currency: string | null
}

type Theme = 'auto' | 'light' | 'dark'
const themes: readonly Theme[] = ['auto', 'light', 'dark']

/** Sections in the usual order of such reports. */
const sections: readonly ((view: View) => HTMLElement | null)[] = [
  headline,
  equitySection,
  returnsSection,
  priceSection,
  inventorySection,
  profitSection,
  marginSection,
  funnelSection,
  markoutSection,
  fundingSection,
  eventSection,
  qualitySection,
  figureSection,
  receiptSection,
]

/** The page of a report. */
export class Board {
  readonly #report: Report
  readonly #root: HTMLElement
  readonly #main = element('main', {})
  #choice: Choice = { run: 0, account: null, currency: null }
  #charts: Chart[] = []
  #theme: Theme = 'auto'
  #isPaper = false

  constructor(report: Report, root: HTMLElement) {
    this.#report = report
    this.#root = root
  }

  /** Shows the report. */
  show(): void {
    const { title, runs } = this.#report
    const [first] = runs
    const over = first === undefined ? '' : `${formatTime(first.from)} to ${formatTime(first.until)} UTC`
    this.#root.append(
      element(
        'header',
        {},
        element('h1', {}, title),
        element('p', { class: 'over' }, runs.length === 1 ? over : `${runs.length} runs`),
        this.#themeButton(),
      ),
      this.#main,
      element(
        'footer',
        {},
        note(`Computed by ${first?.receipt.engine ?? ''} from the run folder alone. Times are in UTC.`),
      ),
    )
    this.#render()
    this.#watch()
  }

  #render(): void {
    for (const chart of this.#charts) chart.destroy()
    this.#charts = []
    const view = this.#view()
    if (view === null) return
    const parts = [
      this.#warnings(view),
      this.#toolbar(view),
      compareSection(view),
      information(view),
      ...sections.map((make) => make(view)),
    ].filter((part) => part !== null)
    const links = parts.flatMap((part) => {
      const heading = part.querySelector(':scope > h2')
      return part.id === '' || heading === null ? [] : [{ id: part.id, text: heading.textContent ?? '' }]
    })
    const contents = element(
      'nav',
      { 'aria-label': 'Sections' },
      ...links.map(({ id, text }) => element('a', { href: `#${id}` }, text.replace(/:.*/, ''))),
    )
    this.#main.replaceChildren(contents, ...parts)
    for (const chart of this.#charts) chart.draw(this.#isPaper)
  }

  #view(): View | null {
    const { runs } = this.#report
    const run = runs[this.#choice.run]
    if (run === undefined) return null
    const account = chosenAccount(run, this.#choice.account)
    return {
      report: this.#report,
      run,
      account,
      wallet: chosenWallet(account, this.#choice.currency),
      span: { min: run.from, max: Math.max(run.until, run.from + 1e-3) },
      chart: (spec) => {
        const chart = new Chart(spec, () => this.#charts)
        this.#charts.push(chart)
        return chart.root
      },
    }
  }

  /** Warnings about damage first, then notes about omissions. */
  #warnings({ report }: View): HTMLElement | null {
    const lines = (of: (run: Run) => readonly string[]): readonly string[] => sharedTexts(report.runs, of)
    const warnings = lines((run) => run.warnings)
    const notes = lines((run) => run.notes)
    if (warnings.length + notes.length === 0) return null
    const list = (texts: readonly string[], kind: string): HTMLElement | null =>
      texts.length === 0 ? null : element('ul', { class: kind }, ...texts.map((text) => element('li', {}, text)))
    return element(
      'div',
      { class: 'remarks', role: 'region', 'aria-label': 'State of the folder' },
      list(warnings, 'warning'),
      list(notes, 'remark'),
    )
  }

  #toolbar({ report, run, account, wallet }: View): HTMLElement | null {
    const runs = report.runs.map(({ name }, at) => ({ value: String(at), text: name }))
    const accounts = run.accounts.map(({ name }) => ({ value: name, text: name }))
    const currencies = (account?.wallets ?? []).map(({ currency }) => ({
      value: currency,
      text: currency,
    }))
    const choices = [
      this.#select('Run', runs, String(this.#choice.run), (value) => ({ run: Number(value) })),
      this.#select('Account', accounts, account?.name ?? '', (value) => ({ account: value })),
      this.#select('Currency', currencies, wallet?.currency ?? '', (value) => ({ currency: value })),
    ].filter((choice) => choice !== null)
    if (choices.length === 0) return null
    return element('div', { class: 'toolbar', role: 'group', 'aria-label': 'Shown' }, ...choices)
  }

  #select(
    label: string,
    options: readonly { readonly value: string; readonly text: string }[],
    now: string,
    choose: (value: string) => Partial<Choice>,
  ): HTMLElement | null {
    if (options.length < 2) return null
    const id = `choose-${label.toLowerCase()}`
    const select = element(
      'select',
      { id },
      ...options.map(({ value, text }) => element('option', { value, selected: value === now }, text)),
    )
    select.addEventListener('change', () => {
      this.#choice = { ...this.#choice, ...choose(select.value) }
      this.#render()
      document.getElementById(id)?.focus()
    })
    return element('label', { for: id }, `${label} `, select)
  }

  #themeButton(): HTMLElement {
    const button = element('button', { type: 'button', class: 'theme' }, 'theme: auto')
    button.addEventListener('click', () => {
      this.#theme = themes[(themes.indexOf(this.#theme) + 1) % themes.length] ?? 'auto'
      button.textContent = `theme: ${this.#theme}`
      this.#applyTheme()
      this.#redraw()
    })
    return button
  }

  /** Printed pages are always light. */
  #applyTheme(): void {
    const root = document.documentElement
    if (this.#isPaper) root.dataset['theme'] = 'light'
    else if (this.#theme === 'auto') delete root.dataset['theme']
    else root.dataset['theme'] = this.#theme
  }

  #redraw(): void {
    for (const chart of this.#charts) chart.draw(this.#isPaper)
  }

  #watch(): void {
    const paper = (isPaper: boolean): void => {
      if (isPaper === this.#isPaper) return
      this.#isPaper = isPaper
      this.#applyTheme()
      this.#redraw()
    }
    const print = matchMedia('print')
    print.addEventListener('change', ({ matches }) => paper(matches))
    addEventListener('beforeprint', () => paper(true))
    addEventListener('afterprint', () => paper(print.matches))
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#redraw())
    new ResizeObserver(() => {
      if (this.#isPaper) return
      for (const chart of this.#charts) chart.resize()
    }).observe(this.#main)
  }
}

/** Each text once. A text that is not about all runs is preceded by the names of its runs. */
function sharedTexts(runs: readonly Run[], of: (run: Run) => readonly string[]): readonly string[] {
  const names = new Map<string, string[]>()
  for (const run of runs) {
    for (const text of of(run)) names.set(text, [...(names.get(text) ?? []), run.name])
  }
  return [...names].map(([text, whose]) => (whose.length === runs.length ? text : `${whose.join(', ')}: ${text}`))
}

function chosenAccount(run: Run, name: string | null): Account | null {
  return run.accounts.find((account) => account.name === name) ?? run.accounts[0] ?? null
}

function chosenWallet(account: Account | null, currency: string | null): Wallet | null {
  const wallets = account?.wallets ?? []
  return wallets.find((wallet) => wallet.currency === currency) ?? wallets[0] ?? null
}
