declare const perhapsNull: unique symbol
declare const json: unique symbol

type PerhapsNull = { readonly [perhapsNull]: true }

/** A computed column: PostgreSQL knows its type, but not whether it can be null. `rowsAs` declares that. */
export type Computed<Value> = Value | PerhapsNull

/** A column of type json or jsonb: PostgreSQL does not know its content. `rowsAs` declares that. */
export type JsonColumn = { readonly [json]: true }

/** A value that node-postgres sends as json: an object, or a text that is JSON already. */
export type JsonInput = object | string

/** A value of type bigint or numeric. Such columns are read as text, because a double may round them. */
export type LongNumber = number | string

/** The catalog types of a column that `rowsAs` may declare as `Value`. */
type Readable<Value> = unknown extends Value ? unknown : Whole<Value> | PerhapsNull

type Whole<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends Buffer | null
        ? Value
        : Value extends readonly string[]
          ? readonly string[] | JsonColumn
          : JsonColumn

/**
 * Declares the part of a row's type that PostgreSQL does not know: the allowed values of a text, the content of a
 * JSON, whether a computed column can be null. The compiler still checks the part that PostgreSQL knows: a missing
 * column, another type or a column that can be null does not compile.
 */
export function rowsAs<Row extends object>(
  rows: readonly { readonly [Name in keyof Row]-?: Readable<Row[Name]> }[],
): Row[] {
  return rows as unknown as Row[]
}
