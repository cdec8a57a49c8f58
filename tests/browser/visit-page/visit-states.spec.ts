import { addDayBooking, emptyDay, resetDay } from '#tests/browser/day/day-records.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { expect, expectAccessible, type Page, type Shop, test } from '#tests/browser/fixtures.ts'
import {
  addVisitPage,
  expectNoWiderThanScreen,
  heading,
  main,
  mondayEvening,
} from './visit-page-steps.ts'

test.beforeEach(async ({ shop }) => {
  await emptyDay(shop)
  await shop.setClock(mondayEvening)
})
test.afterEach(async ({ shop }) => {
  await shop.database.query('update booking_rules set cancel_cutoff_minutes = 120')
  await resetDay(shop)
})

type ExpectedTexts = {
  readonly when: string
  /** Brings the appointment into the state that the test checks. */
  readonly arrange: (shop: Shop, id: string) => Promise<unknown>
  readonly heading: string
  readonly text: string
  /** The names of all links and buttons, in the order of the page. */
  readonly actions: readonly string[]
}

const set = (change: string) => (shop: Shop, id: string) =>
  shop.database.query(`update bookings set ${change} where id = $1`, [id])
const atOneFifteen = (shop: Shop) => shop.setClock('2026-11-24T13:15:00-08:00')
/** The links below the actions, which the page shows in every state of the appointment. */
const around = ['Directions', 'Call us']
const phone = '(650) 555-0142'

const states: readonly ExpectedTexts[] = [
  {
    when: 'too late to move, but not too late to cancel',
    async arrange(shop) {
      await shop.database.query('update booking_rules set cancel_cutoff_minutes = 0')
      await shop.setClock('2026-11-24T11:30:00-08:00')
    },
    heading: 'See you Tuesday at 1:00 PM',
    text: 'You can cancel here until Tuesday, November 24, 1:00 PM.',
    actions: ['I’ll be there', 'Cancel this appointment', 'Add to calendar', ...around, phone],
  },
  {
    when: 'too late to move or cancel',
    async arrange(shop) {
      await shop.database.query('update booking_rules set cancel_cutoff_minutes = 120')
    },
    heading: 'See you Tuesday at 1:00 PM',
    text: `It's too late to change this appointment online. Please call ${phone}.`,
    actions: ['I’ll be there', phone, 'Add to calendar', ...around],
  },
  {
    when: '15 minutes after the start without an arrival',
    arrange: atOneFifteen,
    heading: 'This appointment has passed',
    text: 'On your way, or do you still need us?',
    actions: ['Book another time', ...around],
  },
  {
    when: 'marked as a no-show',
    arrange: set(`status = 'no_show'`),
    heading: 'Sorry we missed you',
    text: 'Do you still need us? Please book a new time.',
    actions: ['Book another time', ...around],
  },
  {
    when: 'the vehicle has arrived',
    arrange: set(`status = 'arrived'`),
    heading: 'Your car is with us',
    text: 'Your car arrived',
    actions: around,
  },
  {
    when: 'the vehicle is in work',
    arrange: set(`status = 'in_work'`),
    heading: 'We are working on your car',
    text: 'Work started',
    actions: around,
  },
  {
    when: 'the vehicle is completed',
    arrange: set(
      `status = 'confirmed', completed_at = internal.current_instant(), completed_by = 'admin'`,
    ),
    heading: 'Your appointment is complete',
    text: 'Thank you for bringing your car to us.',
    actions: ['Book another time', ...around],
  },
]

const hold = set(`held_until = internal.current_instant() + interval '20 minutes'`)

const ends: readonly ExpectedTexts[] = [
  {
    when: 'held until the customer confirms',
    arrange: hold,
    heading: 'Please confirm your appointment',
    text: 'We hold this time for you until 6:32 PM. Confirm to keep it.',
    actions: ['Confirm Appointment', phone, ...around],
  },
  {
    when: 'not confirmed in time',
    arrange: set(`status = 'not_confirmed'`),
    heading: 'Please confirm your appointment',
    text: 'this time is still available. Confirm to keep it.',
    actions: ['Confirm Appointment', phone, ...around],
  },
  {
    when: 'not confirmed, and the time is taken',
    async arrange(shop) {
      for (const bay of ['Bay 1', 'Bay 2', 'Rack']) {
        await addDayBooking(shop, { bay, time: '13:00', minutes: 60, name: 'Sam Okafor' })
      }
    },
    heading: 'This time is no longer available',
    text: 'Please pick another time.',
    actions: ['Book another time', ...around],
  },
  {
    when: 'cancelled by the shop',
    arrange: set(`status = 'cancelled'`),
    heading: 'Cancelled. There is no charge.',
    text: 'Tuesday, November 24, 1:00 PM is cancelled.',
    actions: ['Book another time', ...around],
  },
]

for (const [span, expected] of [
  ['from the cut-off to the end of an appointment', states],
  ['held, unconfirmed and cancelled', ends],
] as const) {
  test(`${span}, the visit page shows the state and the possible actions`, async ({
    page,
    shop,
  }) => {
    const { id, path } = await addVisitPage(shop)
    for (const state of expected) {
      await test.step(state.when, async () => {
        await state.arrange(shop, id)
        await page.goto(path)
        await expectTexts(page, state)
      })
    }
  })
}

async function expectTexts(page: Page, expected: ExpectedTexts): Promise<void> {
  await expect(heading(page, expected.heading)).toBeVisible()
  await expect(main(page)).toContainText(expected.text)
  const offered = await main(page).locator('a:visible, button:visible').allInnerTexts()
  expect(offered.map((text) => text.trim())).toEqual(expected.actions)
  await expectNoWiderThanScreen(page)
  await expectAccessible(page)
}

test('an invalid visit link shows the phone number, at each URL of the visit page', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/404/)
  const { path } = await addVisitPage(shop)
  for (const address of [path.slice(0, -1), `${path}A`, `${path.slice(0, -4)}AAAA/change`]) {
    await page.goto(address)
    await expect(heading(page, 'This link is not valid.')).toBeVisible()
    await expect(main(page)).toContainText(`Call ${phone} and we'll find your appointment.`)
    await expect(main(page).getByRole('link', { name: `Call ${phone}` })).toBeVisible()
    await expect(main(page).getByRole('button')).toHaveCount(0)
    await expect(main(page)).not.toContainText('Maria')
  }
  await expectNoWiderThanScreen(page)
  await expectAccessible(page)
})

test('the printed visit page fits on one sheet with the shop at the top, without buttons', async ({
  page,
  shop,
}) => {
  const { id, path } = await addVisitPage(shop)
  const print = async () => {
    await page.goto(path)
    const { pages } = await readPdf(await page.pdf({ format: 'Letter' }))
    expect(pages).toHaveLength(1)
    return pages[0]?.text.replaceAll(/\s+/g, ' ') ?? ''
  }
  const confirmed = await print()
  for (const text of [
    'Torque & Timing 2130 Example Way, Mountain View, CA 94043 (650) 555-0142',
    'Maria Delgado, 2019 Subaru Outback See you Tuesday at 1:00 PM',
    'When Tuesday, November 24, 2026 1:00 PM shop time (Pacific), about 1 hour',
    'What Oil Change Where 2130 Example Way Mountain View, CA 94043',
    'To change or cancel it, call (650) 555-0142, or open your private link in time.',
  ]) {
    expect(confirmed).toContain(text)
  }
  const onlyOnScreen =
    /I’ll be there|Change time|Cancel this appointment|Directions|Call us|here until|Anyone with this link|rights reserved|Why did you cancel|Restore Tuesday/
  expect(confirmed).not.toMatch(onlyOnScreen)
  await shop.database.query('select internal.cancel_booking_by_customer($1, 0)', [id])
  const cancelled = await print()
  expect(cancelled).toContain('Cancelled By you, Monday, November 23, 6:12 PM')
  expect(cancelled).not.toMatch(onlyOnScreen)
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('button:visible, input:visible')).toHaveCount(0)
})
