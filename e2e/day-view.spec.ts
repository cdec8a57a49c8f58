import { emptyTheDay, fillTheDay, theDay } from './day-records.ts'
import { expect, expectAccessible, type Page, signIn, test } from './fixtures.ts'

const openDay = (page: Page, date = theDay) =>
  page.goto(`/admin-dashboard?tab=appointments&view=day&day=${date}`)

const isPhone = (page: Page) => (page.viewportSize()?.width ?? 0) < 768
/** What a phone shows in one list stands on a wide screen in the bay's column. */
const lane = (page: Page, bay: string) =>
  page.getByRole('list', { name: isPhone(page) ? 'Cars' : bay, exact: true })

test.beforeEach(async ({ shop, page }) => {
  await emptyTheDay(shop)
  await signIn(page)
})
test.afterEach(async ({ shop }) => {
  await shop.setClock(undefined)
})

test('Each car of the day is seen in its bay, with its state', async ({ page, shop }) => {
  await fillTheDay(shop)
  await openDay(page)
  for (const [bay, name, state] of [
    ['Bay 1', 'Ken Morimoto', 'In work'],
    ['Bay 1', 'Maria Delgado', 'Booked'],
    ['Bay 2', 'June Albright', 'Booked'],
    ['Rack', 'Renee Dupont', 'Arrived'],
  ] as const) {
    const car = lane(page, bay).getByRole('listitem').filter({ hasText: name })
    await expect(car).toContainText(state)
    await expect(car).toContainText('2019 Subaru Outback')
    if (isPhone(page)) await expect(car).toContainText(bay)
  }
  await expect(lane(page, 'Bay 1')).toContainText('“Grinding from the front left when cold.”')
  await expect(lane(page, 'No bay')).toContainText('Sam Okafor')
  await expect(page.getByText('12:40 PM', { exact: true })).toBeVisible()
  await expect(page.getByText('Closed 2–3 PM: staff meeting')).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({
    path: `test-results/day-${isPhone(page) ? 390 : 1280}.png`,
    fullPage: true,
  })
})
