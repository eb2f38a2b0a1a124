/**
 * The table of settings in the guide of scenarios, printed from their declarations.
 */
import { defaultWords, type Fields, leafExpectation, type Setting } from '../../src/model/index.ts'
import { fileSettings } from '../../src/scenario/index.ts'

/** Every setting of a file, with its accepted values, its default and its sentence. */
export function settingTable(): string {
  return Object.entries(fileSettings).map(tableOf).join('\n\n')
}

function tableOf([section, settings]: readonly [string, Fields]): string {
  const rows = Object.values(settings).flatMap((setting) => rowsOf(setting, setting.key ?? ''))
  return [`| Key of \`${section}\` | Value | Default | Meaning |`, '|---|---|---|---|', ...rows].join('\n')
}

function rowsOf(setting: Setting, path: string): readonly string[] {
  if (setting.key === null) return []
  const words = defaultWords(setting) ?? ''
  const cells = [`\`${path}\``, takenBy(setting), cellOf(words), cellOf(setting.says)]
  return [`| ${cells.join(' | ')} |`, ...partsOf(setting, path)]
}

/** Rows of the settings in a group, or in each of several groups. */
function partsOf(setting: Setting, path: string): readonly string[] {
  if ('each' in setting) return partsOf(setting.each, `${path}.${keyNames[setting.by]}`)
  if ('items' in setting) return partsOf(setting.items, `${path}.N`)
  if (!('fields' in setting)) return []
  return Object.values(setting.fields).flatMap((part) => rowsOf(part, `${path}.${part.key}`))
}

const keyNames = {
  index: 'INDEX',
  currency: 'CURRENCY',
  lsp_group: 'GROUP',
  name: 'NAME',
} as const

/** The accepted values of a setting; the rows of a group describe theirs. */
function takenBy(setting: Setting): string {
  if ('fields' in setting) return setting.shorthand === undefined ? '' : 'true, false, or its keys'
  if ('items' in setting) {
    const list = 'unit' in setting.items ? `a list, each ${takenBy(setting.items)}` : 'a list'
    return setting.isLone === true ? `${takenBy(setting.items)}, or ${list}` : list
  }
  if ('each' in setting) {
    return 'unit' in setting.each ? `of each ${keyNames[setting.by]} ${takenBy(setting.each)}` : ''
  }
  return cellOf(leafExpectation(setting, 'file'))
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|')
}
