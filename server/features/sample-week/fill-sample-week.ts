import { addDays } from '#domain/calendar/calendar-date.ts'
import { accepted, refused, type Result } from '#domain/result.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { PaymentContext } from '#server/features/payments/payment-context.ts'
import { type Database, type Query, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import { billClaimed } from '#server/features/invoices/estimates/bill-estimate.ts'
import { makeSampleInvoices } from './make-sample-invoices.ts'
import type { SampleWeekShop } from './plan-sample-week.ts'
import { removeSampleWeek } from './remove-sample-week.ts'
import { writeSampleRows } from './write-sample-rows.ts'

/** The number of days before and after today that are searched for open days of the shop. */
const daysAround = 21

/**
 * Adds a sample week to a new shop, unless the shop already has one. First creates the invoices without an estimate,
 * each at most once. Then adds all other records in one transaction, and finally the invoice of the sample estimate.
 * After an interruption, the next call completes the sample week, and `removeSampleWeek` removes an incomplete one.
 * Calls must not run at the same time.
 */
export async function fillSampleWeek(
  context: PaymentContext,
): Promise<Result<undefined, 'SHOP_IN_USE'>> {
  const { database } = context
  if (await isFilled(database)) return accepted(undefined)
  const weekId = await database.transaction(asServer, beginSampleWeek)
  if (weekId) await makeSampleInvoices(context, weekId)
  const isWritten = weekId !== null && (await database.transaction(asServer, fill(context)))
  if (isWritten) {
    // If the invoice of the sample estimate cannot be created now, the job that completes interrupted invoices
    // creates it later.
    await billClaimed(context, () => undefined, 0)
    return accepted(undefined)
  }
  // Somebody created a real record after the check for real records, so the sample invoices that were already created
  // are removed again.
  await removeSampleWeek(database)
  return refused('SHOP_IN_USE')
}

const fill =
  ({ currentShop }: PaymentContext) =>
  async (query: Query): Promise<boolean> => {
    if ((await beginSampleWeek(query)) === null) return false
    await query('select internal.add_sample_bays() as done')
    await writeSampleRows(query, currentShop(), await readSampleWeekShop(query))
    await query('select internal.finish_sample_week() as done')
    return true
  }

async function beginSampleWeek(query: Query): Promise<string | null> {
  const [row] = rowsAs<{ id: string | null }>(
    await query('select internal.begin_sample_week() as id'),
  )
  return row?.id ?? null
}

function isFilled(database: Database): Promise<boolean> {
  return database.transaction(asServer, async (query) => {
    const [row] = await query('select sample_filled_at from internal.onboarding')
    return Boolean(row?.sample_filled_at)
  })
}

async function readSampleWeekShop(query: Query): Promise<SampleWeekShop> {
  const [clock] = rowsAs<{ now: string }>(
    await query(`select to_json(internal.current_instant()) #>> '{}' as now`),
  )
  const now = Date.parse(clock?.now ?? '')
  const today = shopToday(new Date(now))
  const days = await query(
    `select day from public.list_open_days($1::date, $2::date) where bays <> '[]' order by day`,
    [addDays(today, -daysAround), addDays(today, daysAround)],
  )
  const services = await query('select id, name from public.services where is_active order by name')
  return {
    now,
    openDates: rowsAs<{ day: string }>(days).map(({ day }) => day),
    services,
  }
}
