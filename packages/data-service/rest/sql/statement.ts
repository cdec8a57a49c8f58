import { escapeIdentifier } from 'pg'

/** A statement with its parameters. `text` contains only placeholders; the values from the client are in `values`. */
export type Statement = { readonly text: string; readonly values: readonly (string | null)[] }

/** Collects the parameter values while another function writes the text of a statement. */
export class Parameters {
  readonly values: (string | null)[] = []

  /** Adds a value and returns its placeholder. */
  add(value: string | number | null): string {
    return `$${this.values.push(value === null ? null : String(value))}`
  }
}

/** Quotes the name of a relation, column or function of the catalog, or of an output column. */
export const quote = (name: string): string => escapeIdentifier(name)

export const qualified = (name: string): string => `"public".${quote(name)}`
