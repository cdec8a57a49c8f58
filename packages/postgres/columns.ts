declare const perhapsNull: unique symbol
declare const json: unique symbol

type PerhapsNull = { readonly [perhapsNull]: true }

/**
 * A computed column. PostgreSQL reports the type of the column, but not whether the column can be null; `rowsAs`
 * declares whether it can.
 */
export type Computed<Value> = Value | PerhapsNull

/** A column of type json or jsonb. PostgreSQL does not report the type of the content; `rowsAs` declares this type. */
export type JsonColumn = { readonly [json]: true }

/** A value that node-postgres sends as JSON: an object, or a text that contains JSON. */
export type JsonInput = object | string

/**
 * A value of type bigint or numeric. The package reads such columns as text, because a floating-point number may round
 * the value.
 */
export type LongNumber = number | string

/** The PostgreSQL column types for which a caller of `rowsAs` may declare the TypeScript type `Value`. */
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
 * Declares the part of a row's type that PostgreSQL does not know: the allowed values of a text, the content of JSON,
 * and whether a computed column can be null. The compiler checks everything else against PostgreSQL: a missing column,
 * a different type or an undeclared null is a compile error.
 */
export function rowsAs<Row extends object>(
  rows: readonly { readonly [Name in keyof Row]-?: Readable<Row[Name]> }[],
): Row[] {
  return rows as unknown as Row[]
}
