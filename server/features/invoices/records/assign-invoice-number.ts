import { randomInt } from 'node:crypto'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { Database, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** Neither 0 nor O, 1 nor I nor L; no vowels, so that no word comes of it. */
const letters = '23456789BCDFGHJKMNPQRSTVWXYZ'

/** 28.8 bits: who knows a number, and so its neighbours' counts, still has 480 million to try for each. */
const endingLength = 6

/**
 * The number of a new invoice, 'INV-2026-0042-7K3QXR': year at the shop, count, and letters that cannot be
 * guessed, since the number alone opens the invoice. The same for the same `requestId`, in every process;
 * it fits the processor's 26 characters and `invoiceNumberPattern`. `now` is in milliseconds.
 */
export function assignInvoiceNumber(
  database: Database,
  requestId: string,
  now: number,
): Promise<string> {
  return database.transaction(asServer, async (query) => {
    const existing = await findNumber(query, requestId)
    if (existing) return existing
    const [row] = await query(`select nextval('internal.invoice_count') as count`)
    const number = writeInvoiceNumber(shopToday(new Date(now)).slice(0, 4), Number(row?.count))
    const [assigned] = await query(
      `insert into internal.assigned_invoice_numbers (request_id, number) values ($1, $2)
       on conflict (request_id) do nothing returning number`,
      [requestId, number],
    )
    // Another process was given the same wish in this moment.
    const meant = assigned?.number ?? (await findNumber(query, requestId))
    if (!meant) throw new Error('An invoice number was neither assigned nor found')
    return meant
  })
}

/** 'INV-2026-0042-7K3QXR', with another ending each time. */
export function writeInvoiceNumber(year: string, count: number): string {
  const ending = Array.from({ length: endingLength }, () => letters[randomInt(letters.length)])
  return `INV-${year}-${String(count).padStart(4, '0')}-${ending.join('')}`
}

async function findNumber(query: Query, requestId: string): Promise<string | undefined> {
  const [row] = await query(
    'select number from internal.assigned_invoice_numbers where request_id = $1',
    [requestId],
  )
  return row?.number
}
