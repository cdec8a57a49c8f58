import { truncateTables } from '#tests/support/database/truncate-tables.ts'
import { expect, type Page, type Shop, signIn } from './fixtures.ts'

const resetShopSql = `
  select internal.remove_sample_week();
  ${truncateTables('public.tasks', 'public.bookings', 'public.quote_requests', 'public.emails', 'public.payments', 'internal.assigned_invoice_numbers')};
  update internal.onboarding set hidden_at = null, done_at = null, confirmed_steps = '{}', has_first_password = true;
  alter table settings_history disable trigger prevent_history_change;
  delete from settings_history;
  alter table settings_history enable trigger prevent_history_change`

/**
 * Restores the state of a shop after its first start. Waits for the webhook events of earlier tests, because the site
 * would otherwise record their payments later.
 */
export async function resetShop({ database }: Shop): Promise<void> {
  const undelivered = `select from stripe_sandbox.event_deliveries where delivered_at is null and last_answer is null`
  await expect.poll(async () => (await database.query(undelivered)).rowCount).toBe(0)
  await database.query(resetShopSql)
}

/** The ids and the secret links of the records in the sample week. */
export type SampleIds = {
  readonly visitPath: string
  readonly openPath: string
  readonly openId: string
  readonly decidedPath: string
  readonly decidedId: string
  readonly bookingId: string
  readonly customerId: string
  readonly vehicleId: string
  readonly invoiceId: string
}

/** Fills the shop with the sample week and signs in as the admin. */
export async function fillSampleWeek(page: Page, shop: Shop): Promise<SampleIds> {
  await resetShop(shop)
  await signIn(page)
  const response = await page.request.post('/api/sample-week', { headers: { origin: shop.url } })
  expect(response.status()).toBe(200)
  const { rows } = await shop.database.query<SampleIds>(
    `select '/visit/' || public.visit_page_token(ahead.id) as "visitPath",
       '/estimate/' || internal.estimate_token(open.id) as "openPath", open.id as "openId",
       '/estimate/' || internal.estimate_token(answered.id) as "decidedPath", answered.id as "decidedId",
       known.id as "bookingId", known.customer_id as "customerId", known.vehicle_id as "vehicleId",
       (select invoice_id from estimate_invoices where state = 'made' limit 1) as "invoiceId"
     from estimates open
     join estimates answered on open.vehicle_model = '328i' and answered.vehicle_model = 'XC60'
     join bookings known on known.id = answered.booking_id
     join bookings ahead on ahead.status = 'confirmed' and ahead.appointment_date > current_date + 1
     limit 1`,
  )
  if (!rows[0]) throw new Error('The sample week lacks an estimate or a visit ahead.')
  return rows[0]
}
