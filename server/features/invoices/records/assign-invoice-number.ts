import { randomInt } from 'node:crypto'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { Database, Query } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/**
 * The characters of the random ending of an invoice number. Vowels are excluded, so that no ending is a word. The
 * similar characters 0, O, 1, I and L are excluded too.
 */
const letters = '23456789BCDFGHJKMNPQRSTVWXYZ'

/**
 * The entropy of the ending is 28.8 bits: somebody who knows one invoice number would have to try 480 million
 * endings for the next number.
 */
const endingLength = 6

/**
 * Matches the invoice numbers that this shop assigns. The count in a number has at most nine digits, so that it fits
 * into an integer column of the database.
 */
const ownNumber = new RegExp(`^INV-\\d{4}-(\\d{4,9})-[${letters}]{${endingLength}}$`)

/**
 * Returns the number of a new invoice, 'INV-2026-0042-7K3QXR': the year in the shop time zone, a count, and random
 * characters. The random characters are needed because anybody who knows the number can open the invoice. The same
 * `requestId` returns the same number in every process. The number fits Stripe's limit of 26 characters and
 * `invoiceNumberPattern`. `now` is in milliseconds since 1970.
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
    // If the insert returned no row, another process has assigned a number to the same request in the meantime.
    const meant = assigned?.number ?? (await findNumber(query, requestId))
    if (!meant) throw new Error('An invoice number was neither assigned nor found')
    return meant
  })
}

/** Returns a number such as 'INV-2026-0042-7K3QXR', with a new random ending each time. */
export function writeInvoiceNumber(year: string, count: number): string {
  const ending = Array.from({ length: endingLength }, () => letters[randomInt(letters.length)])
  return `INV-${year}-${String(count).padStart(4, '0')}-${ending.join('')}`
}

/** Returns the count in an invoice number that this shop assigned; undefined for any other invoice number. */
export function readInvoiceCount(number: string): number | undefined {
  const [, count] = ownNumber.exec(number) ?? []
  return count === undefined ? undefined : Number(count)
}

async function findNumber(query: Query, requestId: string): Promise<string | undefined> {
  const [row] = await query(
    'select number from internal.assigned_invoice_numbers where request_id = $1',
    [requestId],
  )
  return row?.number
}
