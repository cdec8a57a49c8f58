import { escapeIdentifier } from 'pg'

/** A statement for the database: its shape is its text, and all that a caller sent is in `values`. */
export type Statement = { readonly text: string; readonly values: readonly (string | null)[] }

/** Collects the values of a statement while its text is written. */
export class Parameters {
  readonly values: (string | null)[] = []

  /** The placeholder that stands for `value`. */
  add(value: string | number | null): string {
    return `$${this.values.push(value === null ? null : String(value))}`
  }
}

/** Quotes a name that came from the catalog, or that names an output of the answer. */
export const quote = (name: string): string => escapeIdentifier(name)

export const qualified = (name: string): string => `"public".${quote(name)}`
