import { toShop } from '#contracts/shop-row.ts'
import type { Database as Tables } from '#contracts/database.ts'
import type { OpeningHours, OpeningWeek, Weekday } from '#domain/calendar/opening-hours.ts'
import { orderServices } from '#domain/shop/service-order.ts'
import type { ShopFacts, SpecialDay } from '#domain/shop/shop.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

type RulesRow = Tables['public']['Tables']['booking_rules']['Row']
type HoursRow = Tables['public']['Tables']['opening_hours']['Row']

/** Reads the details and settings of the shop. */
export function readShop(database: Database): Promise<ShopFacts> {
  return database.transaction(asServer, async (query) => {
    const [shop] = await query('select * from public.shop')
    const [rules] = await query('select * from public.booking_rules')
    if (!shop || !rules)
      throw new Error('The database contains no row of the shop or no row of the booking rules')
    const hours = await query('select * from public.opening_hours')
    const specialDays = rowsAs<SpecialDay>(
      await query(
        'select day as date, hours, bays as openings, closed_because as reason from public.list_special_days()',
      ),
    )
    const services = await query(
      'select id, name, description, duration_minutes, price_from_cents, position from public.services where is_active order by name',
    )
    return {
      ...toShop(shop),
      week: weekOf(hours),
      specialDays,
      rules: rulesOf(rules),
      services: orderServices(services).map(
        ({ id, name, description, duration_minutes, price_from_cents }) => ({
          id,
          name,
          description,
          duration_minutes,
          price_from_cents,
        }),
      ),
    }
  })
}

function rulesOf(row: RulesRow): ShopFacts['rules'] {
  return {
    noticeMinutes: row.notice_minutes,
    horizonDays: row.booking_window_days,
    gridMinutes: row.slot_interval_minutes,
    isPaused: row.online_booking_paused,
    pauseSentence: row.online_booking_paused ? row.pause_message : '',
    requiresInvoiceEmail: row.invoice_lookup_requires_email,
  }
}

/**
 * Converts the rows of the opening hours to an object with the hours of each weekday. The shop is closed on a weekday
 * without a row.
 */
function weekOf(rows: readonly HoursRow[]): OpeningWeek {
  const hoursOf = (weekday: Weekday): OpeningHours | null => {
    const row = rows.find((candidate) => candidate.weekday === weekday)
    return row ? { opensAtMinute: row.opens_minute, closesAtMinute: row.closes_minute } : null
  }
  return {
    0: hoursOf(0),
    1: hoursOf(1),
    2: hoursOf(2),
    3: hoursOf(3),
    4: hoursOf(4),
    5: hoursOf(5),
    6: hoursOf(6),
  }
}
