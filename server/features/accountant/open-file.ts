import { Readable } from 'node:stream'
import type { RecordKind } from '#contracts/accountant.ts'
import { streamCsv } from '#domain/csv.ts'
import type { RecordRange } from '#domain/record-range.ts'
import type { Database } from '#server/platform/database/database.ts'
import { appointmentColumns, listAppointments } from './list-appointments.ts'

type Shop = { readonly database: Database }

const files = {
  appointments: (shop: Shop, range: RecordRange) =>
    streamCsv(appointmentColumns, listAppointments(shop, range)),
} satisfies Record<RecordKind, (shop: Shop, range: RecordRange) => AsyncGenerator<string>>

/**
 * The records of a range as a CSV file that is read from the database as fast as somebody reads it; undefined where
 * there are none. What fails before its first piece is thrown, later it ends the stream, and so does `signal`.
 */
export async function openFile(
  shop: Shop,
  kind: RecordKind,
  { range, signal }: { readonly range: RecordRange; readonly signal: AbortSignal },
): Promise<Readable | undefined> {
  const pieces = files[kind](shop, range)
  const first = await pieces.next()
  if (first.done) return undefined
  return Readable.from(startingWith(first.value, pieces), { signal })
}

async function* startingWith(first: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}
