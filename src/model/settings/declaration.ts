/**
 * Declarations of settings: plain data, from which follow their keys, bounds and sentences in scenario files and the JSON
 * Schema, their form in the heads of journals, the checks of what programs give, and the table in the guide of scenarios.
 */
/** Names of a setting and a sentence about it. */
export interface Said {
  /** Its key in scenario files; null for what files do not say. */
  readonly key: string | null
  /** The section of files that it stands in: else `venue`. Of settings that stand in no group. */
  readonly section?: 'record'
  /** Its key in the heads of journals. Else that of files; times say there that they are microseconds. */
  readonly journal?: string
  /** True if heads of journals leave the value out where it is the default, so that older ones stay as they are. */
  readonly isLean?: true
  /** A sentence for people, without its default and its full stop. */
  readonly says: string
  /** The words for its default, where those that follow from it are not good; null for none. */
  readonly otherwise?: string | null
  readonly examples?: readonly unknown[]
}

/** A value with its unit. A setting whose default is null may be null; one without a default has to be given. */
export type Leaf =
  | { readonly unit: 'flag'; readonly default?: boolean }
  | { readonly unit: 'word'; readonly words: readonly string[]; readonly default?: string }
  /** A text; bounds count its characters, and `form` says more of what it may be. */
  | (Bounds & {
      readonly unit: 'text'
      readonly form?: { readonly pattern: RegExp; readonly expected: string }
      readonly default?: string | null
    })
  /** A pair whose instruments the venue lists by its schedule. */
  | { readonly unit: 'pair'; readonly of: 'futures' | 'options'; readonly default?: string }
  /** The base of instruments, as their names have it. */
  | { readonly unit: 'base'; readonly default?: string }
  | (Bounds & { readonly unit: 'count'; readonly default?: number; readonly upTo?: string })
  /** Microseconds; in files a duration such as `5m`. */
  | (Bounds & { readonly unit: 'micros'; readonly default?: number | null })
  /** A point of time in microseconds; in files and journals in ISO 8601. */
  | { readonly unit: 'moment'; readonly default?: number }
  /**
   * A decimal as a count of its last place, the 10^-`scale`: of 6 places parts per million. In files a number, with
   * `percent` a percentage; in journals a text, with `counted` the count.
   */
  | (Bounds & {
      readonly unit: 'parts'
      readonly scale: number
      /** The word for such a value: a fraction where nothing is said. */
      readonly noun?: string
      readonly percent?: true
      readonly counted?: true
      readonly default?: number
    })
  /** Money in 1e-9 of its currency. */
  | { readonly unit: 'money'; readonly max: bigint; readonly default?: bigint }
  /** A double, as the venue publishes it, with so many places at most; the bounds count the last of them. */
  | {
      readonly unit: 'double'
      readonly scale: number
      readonly min: bigint
      readonly max: bigint
      readonly noun?: string
      readonly default?: number | null
    }
  /** An amount in 1e-9, -1 for none that holds, null where nothing is set. */
  | { readonly unit: 'risk_limit'; readonly default: null }

/** Bounds of whole numbers: from 0 where nothing is said, up to any that is exact. */
interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Settings that belong together; each is what the file says or its default. */
export interface Group {
  readonly fields: Fields
  /**
   * Says when a group may be left out: where nothing is said, never. `usual`: a journal leaves out what is all
   * default. `whole`: there is none where nothing is said of it. `partial`: likewise, and only those that are given.
   * `null`: it is null where nothing is said of it.
   */
  readonly absent?: 'usual' | 'whole' | 'partial' | 'null'
  /** The flag that `true` or `false` instead of the group sets; it is true of a group that says nothing of it. */
  readonly shorthand?: string
  /** True if journals have it field by field as the exchange does. */
  readonly verbatim?: true
  /** The fields in the order in which they stand in files, where that is another. */
  readonly inFiles?: readonly string[]
}

/** A setting for each of several keys. */
export interface Several {
  /** Kinds of keys. In files, indices are those that something of the file follows; a name is what its giver calls it. */
  readonly by: 'index' | 'currency' | 'lsp_group' | 'name'
  /** Names that may be. */
  readonly names?: { readonly pattern: RegExp; readonly expected: string }
  /** The declaration of each. */
  readonly each: Setting
  readonly default?: Values
  /** The values that stand for what is left out of a group, where they follow from its key. */
  readonly usual?: (key: string) => object
  /** True if files may name indices that nothing follows. */
  readonly anyIndex?: true
  /** Currencies that files may name: else all. */
  readonly currencies?: readonly string[]
}

/** A list of settings; null where none is needed. */
export interface List {
  readonly items: Setting
  readonly default: readonly unknown[] | null
  /** The field whose times rise, from one up to the start on; else each item stands once. */
  readonly rising?: string
  /** Items may stand more than once: `kept` as they are; `sorted` are put in order, each once. */
  readonly repeats?: 'kept' | 'sorted'
  /** Most items of a list, which then has at least one. */
  readonly most?: number
  /** True if files may have one item in place of a list of it. */
  readonly isLone?: true
}

/** Settings by the names that they have here. */
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
