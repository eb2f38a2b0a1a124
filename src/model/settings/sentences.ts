/**
 * The sentences of settings with their defaults, for editors and guides.
 */
import { lspGroupName } from '../risk-terms.ts'
import { lspGroups } from '../words/liquidations.ts'
import type { Setting, Several } from './declaration.ts'
import { leafDefault, leafWords } from './units.ts'

/** The sentence of a setting, with its default. */
export function sentenceOf(setting: Setting): string {
  const words = defaultWords(setting)
  return words === null ? `${setting.says}.` : `${setting.says}; default: ${words}.`
}

/** Text for a default; null for no text. */
export function defaultWords(setting: Setting): string | null {
  if (setting.otherwise !== undefined) return setting.otherwise
  if ('unit' in setting) return leafDefault(setting)
  return 'each' in setting ? severalWords(setting) : null
}

function severalWords({ by, each, default: usual = {} }: Several): string | null {
  if (!('unit' in each)) return null
  const words = Object.entries(usual).map(([key, value]) => {
    const group = by === 'lsp_group' ? lspGroups.find((one) => one === key) : undefined
    return `${group === undefined ? key : lspGroupName(group)}: ${leafWords(each, value)}`
  })
  return words.length === 0 ? null : words.join(', ')
}
