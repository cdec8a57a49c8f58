import type { Database } from '#contracts/database.ts'

declare const perhapsNull: unique symbol
declare const json: unique symbol

type PerhapsNull = { readonly [perhapsNull]: true }
type Tables = Database['public']['Tables']

/** A column that was computed: PostgreSQL knows its type, but not whether it can be null. `rowsAs` decides. */
export type Computed<Value> = Value | PerhapsNull

/** A column of type json or jsonb: PostgreSQL does not know what is in it. `rowsAs` decides. */
export type JsonColumn = { readonly [json]: true }

/** What node-postgres writes as json: an object, or text that is JSON already. */
export type JsonInput = object | string

/** A value of type bigint or numeric; their columns are read as text, because a double may not hold them. */
export type LongNumber = number | string

/** A text column of the schema `public` of which a check or a key leaves some words only. */
export type Column<
  Table extends keyof Tables,
  Name extends keyof Tables[Table]['Row'],
> = Tables[Table]['Row'][Name]

/** What a column may be in the catalog's eyes when it is to be read as `Value`. */
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
 * Declares of rows what PostgreSQL cannot know: which words a text is one of, what is in a JSON, whether what was
 * computed can be null. What it knows stays checked: a column that is missing, of another type or may be
 * null after all does not compile.
 */
export function rowsAs<Row extends object>(
  rows: readonly { readonly [Name in keyof Row]-?: Readable<Row[Name]> }[],
): Row[] {
  return rows as unknown as Row[]
}
