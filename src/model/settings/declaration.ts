/**
 * Declarations of settings. They are plain data that determine the keys, bounds and sentences in scenario files and the
 * JSON Schema, the form in heads of journals, the checks of values from programs, and the table in the guide of
 * scenarios.
 */
/** Keys of a setting and a sentence about it. */
export interface Said {
  /** Key in scenario files; null if files cannot set it. */
  readonly key: string | null
  /** Section of scenario files that contains the setting, by default `venue`. Only for settings outside of groups. */
  readonly section?: 'record'
  /** Key in heads of journals, by default the key of files. The default key of a time ends in `_micros` there. */
  readonly journal?: string
  /** True if heads of journals omit the default value, so that older journals do not change. */
  readonly isLean?: true
  /** A sentence for users, without its default and its full stop. */
  readonly says: string
  /** Text for the default, if the generated text is not good; null for no text. */
  readonly otherwise?: string | null
  readonly examples?: readonly unknown[]
}

/** A value with its unit. A setting with default null may be null; a setting without a default must be given. */
export type Leaf =
  | { readonly unit: 'flag'; readonly default?: boolean }
  | { readonly unit: 'word'; readonly words: readonly string[]; readonly default?: string }
  /** A text. The bounds apply to its number of characters, and `form` restricts it further. */
  | (Bounds & {
      readonly unit: 'text'
      readonly form?: { readonly pattern: RegExp; readonly expected: string }
      readonly default?: string | null
    })
  /** A pair whose instruments the venue lists by its schedule. */
  | { readonly unit: 'pair'; readonly of: 'futures' | 'options'; readonly default?: string }
  /** The base of instruments, as in their names. */
  | { readonly unit: 'base'; readonly default?: string }
  | (Bounds & { readonly unit: 'count'; readonly default?: number; readonly upTo?: string })
  /** Microseconds; in files a duration such as `5m`. */
  | (Bounds & { readonly unit: 'micros'; readonly default?: number | null })
  /** A point of time in microseconds; in files and journals in ISO 8601. */
  | { readonly unit: 'moment'; readonly default?: number }
  /**
   * A decimal as a count of its last place, 10^-`scale`: with 6 places parts per million. In files a number, with
   * `percent` a percentage; in journals a text, with `counted` the count.
   */
  | (Bounds & {
      readonly unit: 'parts'
      readonly scale: number
      /** Noun for the value, by default a fraction. */
      readonly noun?: string
      readonly percent?: true
      readonly counted?: true
      readonly default?: number
    })
  /** Money in 1e-9 of its currency. */
  | { readonly unit: 'money'; readonly max: bigint; readonly default?: bigint }
  /**
   * A double, as the venue publishes it, with at most `scale` decimal places; the bounds are counts of the last place.
   */
  | {
      readonly unit: 'double'
      readonly scale: number
      readonly min: bigint
      readonly max: bigint
      readonly noun?: string
      readonly default?: number | null
    }
  /** An amount in 1e-9; -1 for explicitly unlimited, null for not set. */
  | { readonly unit: 'risk_limit'; readonly default: null }

/** Bounds of whole numbers, by default from 0 to the largest safe integer. */
interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Settings that belong together. Each field has the given value or its default. */
export interface Group {
  readonly fields: Fields
  /**
   * Effect of omitting the group; without this field it cannot be omitted. `usual`: journals omit a group that has only
   * defaults. `whole`: an omitted group does not exist. `partial`: an omitted group does not exist, and a given one has
   * only the given fields. `null`: an omitted group is null.
   */
  readonly absent?: 'usual' | 'whole' | 'partial' | 'null'
  /**
   * Flag that the shorthand `true` or `false` sets in place of the group. A group that does not give this flag has the
   * value true.
   */
  readonly shorthand?: string
  /** True if journals contain the fields in the form of the exchange. */
  readonly verbatim?: true
  /** Order of the fields in files, if it differs. */
  readonly inFiles?: readonly string[]
}

/** Settings by key, for several keys. */
export interface Several {
  /**
   * Kinds of keys. In files an index must be used elsewhere in the file; a name is any text that its author chooses.
   */
  readonly by: 'index' | 'currency' | 'lsp_group' | 'name'
  /** Valid names. */
  readonly names?: { readonly pattern: RegExp; readonly expected: string }
  /** The declaration of each value. */
  readonly each: Setting
  readonly default?: Values
  /** Defaults of the omitted fields of a group, if they depend on its key. */
  readonly usual?: (key: string) => object
  /** True if files may name indices that nothing in the file uses. */
  readonly anyIndex?: true
  /** Currencies that files may name, by default all. */
  readonly currencies?: readonly string[]
}

/** A list of settings; default null means that the list may be missing. */
export interface List {
  readonly items: Setting
  readonly default: readonly unknown[] | null
  /**
   * Field of the items that contains ascending times, the first not after the start. Without it each item must occur
   * only once.
   */
  readonly rising?: string
  /** Items may repeat: `kept` keeps them; `sorted` sorts them and removes repetitions. */
  readonly repeats?: 'kept' | 'sorted'
  /** Largest number of items; such a list has at least one item. */
  readonly most?: number
  /** True if files may give a single item in place of a list. */
  readonly isLone?: true
}

/** Settings by field name. */
export interface Fields {
  readonly [field: string]: Setting
}

/** Values of settings. */
export interface Values {
  readonly [field: string]: unknown
}

/** A declaration. */
export type Setting = Said & (Leaf | Group | Several | List)

/** A declaration of a setting with a default of its type. */
export type SettingOf<V> = Setting & { readonly default?: Exclude<V, undefined> }

/** A declaration of every setting of an interface. */
export type SettingsOf<T> = { readonly [F in keyof T]-?: SettingOf<T[F]> }
