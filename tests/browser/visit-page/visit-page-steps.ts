import { addDayBooking } from '#tests/browser/day/day-records.ts'
import { expect, type Page, type Shop } from '#tests/browser/fixtures.ts'

/** Adds Maria's appointment on Tuesday at 1:00 PM, for an hour; returns its id and the path of its visit page. */
export async function addVisitPage(shop: Shop): Promise<{ id: string; path: string }> {
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
    notes: 'Grinding from the front left when cold.',
  })
  const { rows } = await shop.database.query<{ token: string }>(
    'select public.visit_page_token($1) as token',
    [id],
  )
  return { id, path: `/visit/${rows[0]?.token}` }
}

/** Sets the clock to the evening before the appointment, when the customer can still change the appointment. */
export const mondayEvening = '2026-11-23T18:12:00-08:00'

export const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true })
export const main = (page: Page) => page.getByRole('main')

export async function expectNoWiderThanScreen(page: Page): Promise<void> {
  const [wide, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(wide).toBe(screen)
}
