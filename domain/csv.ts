/**
 * Rows as a CSV file (RFC 4180, with a byte order mark, so that spreadsheets read it as UTF-8); the columns are the
 * keys of all rows, in the order in which they first appear. What a spreadsheet would run as a formula begins with
 * an apostrophe: it is shown as it was written.
 */
export function toCsv(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column]))]
  return `\u{feff}${lines.map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`
}

function cellOf(value: unknown): string {
  const text = neutralize(textOf(value), typeof value === 'number')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A number of ours may be below zero; OWASP, 'CSV Injection', names the characters. */
function neutralize(text: string, isNumber: boolean): string {
  return !isNumber && /^[\s]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text
}
