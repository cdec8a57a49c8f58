/*
 * CSV files as spreadsheets read them (RFC 4180): UTF-8 with a byte order mark, lines that end in CRLF. What a
 * spreadsheet would run as a formula begins with an apostrophe: it is shown as it was written.
 */

/** What stands in a column, by its name, in the order of the columns. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => unknown>>

class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
}

/** An amount as a number with two decimals ('1234.50', '-0.05'); nothing of null. */
export const money = (cents: number | null) => (cents === null ? null : new Money(cents))

/** Rows as a whole file; the columns are the keys of all rows, in the order in which they first appear. */
export function toCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return headOf(columns) + rows.map((row) => lineOf(columns.map((name) => row[name]))).join('')
}

/** The same piece by piece, of rows that come in pages; no piece at all where there are no rows. */
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

/** What separates cells elsewhere than here (';', a tab) must not begin one either. */
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

/** OWASP, 'CSV Injection', names the characters. */
function neutralize(text: string): string {
  return /^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
}
