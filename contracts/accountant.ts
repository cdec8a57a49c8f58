import * as z from 'zod/mini'
import type { RecordRange } from '#domain/record-range.ts'
import type { Endpoint } from './endpoint.ts'

/** What the accountant gets, a file each. */
export const recordKinds = ['appointments', 'invoices', 'people'] as const
export type RecordKind = (typeof recordKinds)[number]

/**
 * The records of a range as a CSV file (docs/product.md 16.26), sent while it is read: one that breaks off is no
 * file. 204 where there are none. The days are looked at by `checkRecordRange`.
 */
export const accountantFileEndpoint = {
  method: 'POST',
  path: '/api/accountant/file',
  caller: 'admin',
  request: z.object({ kind: z.enum(recordKinds), from: z.string(), to: z.string() }),
} satisfies Endpoint

/** 'appointments-2026-01-01-to-2026-03-31.csv', which names nobody. */
export function recordFileName(kind: RecordKind, { from, to }: RecordRange): string {
  return `${kind}-${from}-to-${to}.csv`
}
