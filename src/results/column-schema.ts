/** Columns of result tables: their properties, and the functions with which the files of `tables` declare them. */

/** Kinds of columns: how a value is stored, hashed and shown. */
export type ColumnType = 'int64' | 'time' | 'int32' | 'float64' | 'boolean' | 'dictionary' | 'utf8'

/** The id column by which the text of a derived column is looked up. */
export type DerivedFrom = 'instrument_id' | 'account_id'

/** A column of a result table. */
export interface ColumnSchema {
  readonly name: string
  readonly type: ColumnType
  /** Empty for words, flags and counts. */
  readonly unit: string
  /** The shown value is value / 10^scale; 0 for plain integers. */
  readonly scale: number
  /** Words of a dictionary in the order of their codes; empty for other columns. */
  readonly words: readonly string[]
  readonly nullable: boolean
  /** The id column that this text names; null for a stored column. */
  readonly derivedFrom: DerivedFrom | null
  readonly description: string
}

/** A column of a table by its name, type and words. */
export interface Column<Name extends string, Type extends ColumnType, Word extends string = never>
  extends ColumnSchema {
  readonly name: Name
  readonly type: Type
  readonly words: readonly Word[]
  readonly nullable: false
  readonly derivedFrom: null
}

/** A derived column. */
type Derived<C extends ColumnSchema> = Omit<C, 'derivedFrom'> & {
  readonly derivedFrom: DerivedFrom
}
/** A column that may be null. */
type Nullable<C extends ColumnSchema> = Omit<C, 'nullable'> & { readonly nullable: true }

/** A point of virtual time. */
export function time<const Name extends string>(name: Name, description: string): Column<Name, 'time'> {
  return column(name, 'time', description, 'us')
}

/** A count, or a number that identifies something. */
export function int64<const Name extends string>(name: Name, description: string): Column<Name, 'int64'> {
  return column(name, 'int64', description)
}

/** A duration. */
export function timeSpan<const Name extends string>(name: Name, description: string): Column<Name, 'int64'> {
  return column(name, 'int64', description, 'us')
}

/** A price in 1e-9. */
export function price<const Name extends string>(name: Name, description: string): Column<Name, 'int64'> {
  return column(name, 'int64', description, 'quote', 9)
}

/** An amount in 1e-9. */
export function amount9<const Name extends string>(name: Name, description: string): Column<Name, 'int64'> {
  return column(name, 'int64', description, 'amount', 9)
}

/** Money in 1e-9 of a currency. */
export function money<const Name extends string>(name: Name, description: string): Column<Name, 'int64'> {
  return column(name, 'int64', description, 'currency', 9)
}

/** An interest value in 1e-9. */
export function interest<const Name extends string>(name: Name, description: string): Column<Name, 'int64'> {
  return column(name, 'int64', description, 'interest', 9)
}

/** A rate in 1e-9. */
export function rate<const Name extends string>(name: Name, description: string): Column<Name, 'int64'> {
  return column(name, 'int64', description, 'rate', 9)
}

/** A small whole number. */
export function int32<const Name extends string>(name: Name, description: string): Column<Name, 'int32'> {
  return column(name, 'int32', description)
}

/** A double without an exact integer form. */
export function float64<const Name extends string>(name: Name, description: string): Column<Name, 'float64'> {
  return column(name, 'float64', description)
}

/** A sum over many trades, which may exceed 64 bits: the double nearest to the exact sum. */
export function total<const Name extends string>(
  name: Name,
  unit: 'amount' | 'coin' | 'quote',
  description: string,
): Column<Name, 'float64'> {
  return column(name, 'float64', description, unit)
}

/** Yes or no. */
export function flag<const Name extends string>(name: Name, description: string): Column<Name, 'boolean'> {
  return column(name, 'boolean', description)
}

/** A text. */
export function text<const Name extends string>(name: Name, description: string): Column<Name, 'utf8'> {
  return column(name, 'utf8', description)
}

/** One word of a closed list. */
export function words<const Name extends string, const Word extends string>(
  name: Name,
  list: readonly Word[],
  description: string,
): Column<Name, 'dictionary', Word> {
  return { ...column(name, 'dictionary', description), words: list }
}

/** A derived column with the name for an id column. */
export function namedBy<C extends ColumnSchema>(derivedFrom: DerivedFrom, base: C): Derived<C> {
  return { ...base, derivedFrom }
}

/** Makes a column nullable. */
export function nullable<C extends ColumnSchema>(base: C): Nullable<C> {
  return { ...base, nullable: true }
}

function column<const Name extends string, const Type extends ColumnType>(
  name: Name,
  type: Type,
  description: string,
  unit = '',
  scale = 0,
): Column<Name, Type> {
  return { name, type, unit, scale, words: [], nullable: false, derivedFrom: null, description }
}
