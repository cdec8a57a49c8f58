import * as z from 'zod/mini'
import type { DateRange } from '#domain/calendar/date-range.ts'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/** The CSV files that an accountant can download, one for each kind of record. */
export const accountantFileKinds = [
  'appointments',
  'invoices',
  'payments',
  'refunds',
  'deposits',
  'write-offs',
  'day-closes',
  'customers',
] as const
export type AccountantFileKind = (typeof accountantFileKinds)[number]

/**
 * Downloads the records of a date range as a CSV file (docs/product.md 16.26). The server streams the file while it
 * reads the records; if the connection breaks, the browser discards the incomplete file. The status is 204 when there
 * are no records. `checkDateRange` validates the range.
 */
export const accountantFileEndpoint = {
  method: 'POST',
  path: '/api/accountant/file',
  rights: 'admin',
  stepUp: true,
  request: z.object({ kind: z.enum(accountantFileKinds), from: z.string(), to: z.string() }),
} satisfies Endpoint

/** The name of a downloaded file: 'appointments-2026-01-01-to-2026-03-31.csv'. The name contains no personal data. */
export function accountantFileName(kind: AccountantFileKind, { from, to }: DateRange): string {
  return `${kind}-${from}-to-${to}.csv`
}
