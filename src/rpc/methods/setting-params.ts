/**
 * Parameters of controls that set settings. Their schemas, sentences and values derive from the same declarations as
 * those of scenario files.
 */
import { assert, type DecimalInput, micros, z } from '../../core/index.ts'
import {
  defaultWords,
  type Fault,
  type Fields,
  type Leaf,
  readSettings,
  type Setting,
  type SettingsOf,
} from '../../model/index.ts'
import { decimal, paramFault } from './params.ts'

/** The key of a setting in files; never for a setting that files cannot contain. */
type KeyOf<S> = S extends { readonly key: infer K extends string } ? K : never

/** The value of a setting as a file or request writes it. */
type Given<S> = S extends { readonly unit: 'flag' }
  ? boolean
  : S extends { readonly unit: 'word'; readonly words: readonly (infer W)[] }
    ? W
    : S extends { readonly unit: 'text' }
      ? string
      : S extends { readonly unit: 'parts' }
        ? DecimalInput
        : S extends { readonly items: infer I }
          ? Given<I>[]
          : S extends { readonly fields: infer F }
            ? { [N in keyof F as KeyOf<F[N]>]: Given<F[N]> }
            : never

/** An optional parameter for each setting, by its key. */
export type SettingParams<F> = {
  readonly [N in keyof F as KeyOf<F[N]>]: z.ZodOptional<z.ZodType<Given<F[N]>>>
}

/** The parameters for these settings. */
export function settingParams<F extends Fields>(fields: F): SettingParams<F> {
  const params = Object.values(fields).flatMap((setting) =>
    setting.key === null ? [] : [[setting.key, formOf(setting).optional().describe(wordsOf(setting))]],
  )
  // Each schema is made from its setting.
  return Object.fromEntries(params) as SettingParams<F>
}

/** The settings that the parameters set, and the first fault. */
export function givenSettings<T>(
  fields: SettingsOf<T>,
  params: object,
): { readonly values: Partial<T>; readonly fault: Fault | null } {
  const group = { key: 'params', fields, absent: 'partial', says: 'Parameters' } as const
  const reading = { place: 'file', start: micros(0), path: [] } as const
  const { values, faults } = readSettings({ group }, { params }, reading)
  const [first] = faults
  const fault = first === undefined ? null : paramFault(String(first.path[1]), `expected ${first.expected}`)
  // The declaration describes these settings.
  return { values: values['group'] as Partial<T>, fault }
}

function formOf(setting: Setting): z.ZodType {
  if ('items' in setting) return z.array(formOf(setting.items))
  if ('fields' in setting) {
    const parts = Object.values(setting.fields).map((part) => [String(part.key), formOf(part)])
    return z.object(Object.fromEntries(parts))
  }
  // A parameter is a value, a list or a group.
  return leafForm(setting as Leaf)
}

function leafForm(leaf: Leaf): z.ZodType {
  if (leaf.unit === 'flag') return z.boolean()
  if (leaf.unit === 'word') return z.enum(leaf.words)
  if (leaf.unit === 'parts') return decimal
  assert(leaf.unit === 'text', 'a setting has a parameter type')
  const { min, max, form } = leaf
  const text = form === undefined ? z.string() : z.string().regex(form.pattern)
  const needed = min === undefined ? text : text.min(min)
  return max === undefined ? needed : needed.max(max)
}

/** The description of a parameter. */
function wordsOf(setting: Setting): string {
  const words = `${setting.says.charAt(0).toLowerCase()}${setting.says.slice(1)}`
  const usual = defaultWords(setting)
  return usual === null ? words : `${words}; default: ${usual}`
}
