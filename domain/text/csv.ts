/*
 * CSV files for spreadsheets (RFC 4180): UTF-8 with a byte order mark, lines end with CRLF. A cell that a spreadsheet
 * would run as a formula gets an apostrophe as its first character, so that the spreadsheet shows the text.
 */

/** The columns of a CSV file in order: each column's name with the function that returns its value. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>

class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
}

/** An amount in cents as a number with two decimals ('1234.50', '-0.05'); an empty cell for null. */
export const money = (cents: number | null) => (cents === null ? null : new Money(cents))

/**
 * Renders rows as a complete CSV file; the columns are the keys of all rows, in the order of their first appearance.
 */
export function toCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return headOf(columns) + rows.map((row) => lineOf(columns.map((name) => row[name]))).join('')
}

/** Yields a CSV file in pieces, from rows that arrive in pages; yields nothing when there are no rows. */
export async function* streamCsv<Row>(
  columns: Columns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const cells = Object.values(columns)
  let head = headOf(Object.keys(columns))
  for await (const rows of pages) {
    if (rows.length === 0) continue
    yield head + rows.map((row) => lineOf(cells.map((cell) => cell(row)))).join('')
    head = ''
  }
}

const headOf = (columns: readonly string[]) => `\u{feff}${lineOf(columns)}`

const lineOf = (cells: readonly unknown[]) => `${cells.map(cellOf).join(',')}\r\n`

/**
 * The text of one cell. A cell is also quoted when it contains a separator that spreadsheets outside the United States
 * use (';', a tab).
 */
function cellOf(value: unknown): string {
  const isNumber = typeof value === 'number' || value instanceof Money
  const text = isNumber ? textOf(value) : neutralize(textOf(value))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Money) return decimalOf(value.cents)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function decimalOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Prefixes texts that a spreadsheet would run as a formula. The list of characters is from OWASP's page 'CSV
 * Injection'.
 */
function neutralize(text: string): string {
  return /^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
}
