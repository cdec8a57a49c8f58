import {
  expect,
  expectAccessible,
  notification,
  type Page,
  signIn,
  test,
  withoutLiveEvents,
} from '#tests/browser/fixtures.ts'
import { addEmail } from '#tests/browser/shop-records.ts'
import { addDayBooking, emptyDay, resetDay, fixtureDay, setPageClock } from './day-records.ts'

test.beforeEach(async ({ shop, page }) => {
  await emptyDay(shop)
  await signIn(page)
})
test.afterEach(({ shop }) => resetDay(shop))

const bookingPanel = (page: Page) => page.getByRole('dialog', { name: 'Maria Delgado' })

async function openBooking(page: Page) {
  await page.goto(`/admin-dashboard/day/${fixtureDay}`)
  await page.getByRole('button', { name: /Maria Delgado/ }).click()
  await expect(bookingPanel(page)).toBeVisible()
}

test('A vehicle that is booked twice at one time has a warning in the day view, in its panel, and in a further phone booking @phone', async ({
  page,
  shop,
}) => {
  const name = 'Maria Delgado'
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name })
  const rack = await addDayBooking(shop, { bay: 'Rack', time: '13:30', minutes: 90, name })
  const isLinked = async () =>
    (await shop.database.query('select from bookings where vehicle_id is null')).rowCount
  await expect.poll(isLinked).toBe(0)
  await setPageClock(page)
  await page.goto(`/admin-dashboard/day/${fixtureDay}`)
  await expect(page.getByRole('button', { name: /Maria Delgado.*Booked twice/ })).toHaveCount(2)
  await expectAccessible(page)
  await page.goto(`/admin-dashboard/day/${fixtureDay}?booking=${rack}`)
  const warning = page.getByText('This vehicle is booked twice at this time.').locator('..')
  await expect(warning).toContainText('Bay 1, 1:00 – 2:00 PM: Oil Change')
  await expectAccessible(page)
  await page.goto(`/admin-dashboard/day/${fixtureDay}?book=${fixtureDay}`)
  const panel = page.getByRole('dialog', { name: /^Book by phone/ })
  await panel.getByRole('combobox', { name: 'Who is calling?' }).fill('del')
  await panel.getByRole('option', { name: /Maria Delgado/ }).click()
  await panel.getByLabel('Time').selectOption('14:30')
  await expect(warning).toContainText('Rack, 1:30 – 3:00 PM: Oil Change')
  await expect(warning).not.toContainText('Bay 1')
  await expectAccessible(page)
  await panel.getByRole('radio', { name: 'Different vehicle' }).check()
  await expect(warning).toBeHidden()
  await panel.getByRole('radio', { name: '2019 Subaru Outback' }).check()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(notification(page)).toContainText('Booked. Maria Delgado')
})

test('The booking panel saves the note on blur, shows the history, and deletes a past booking @phone', async ({
  page,
  shop,
}) => {
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await shop.database.query(`update bays set technician = 'Ana Reyes' where name = 'Bay 1'`)
  await openBooking(page)
  await expect(bookingPanel(page).getByText('Bay 1, Ana Reyes')).toBeVisible()
  const note = bookingPanel(page).getByLabel('Internal note')
  const saved = async () => {
    const { rows } = await shop.database.query<{ internal_note: string }>(
      'select internal_note from bookings where id = $1',
      [id],
    )
    return rows[0]?.internal_note
  }
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/rpc/save_booking_note', (route) => held.then(() => route.continue()))
  await note.fill('Pads are here')
  await note.blur()
  await expect(bookingPanel(page).getByRole('button', { name: 'Saving…' })).toBeVisible()
  // When the user edits a note during a save, the panel saves the new text afterwards.
  await note.fill('Pads are here, shelf 4')
  await note.blur()
  release()
  await expect.poll(saved).toBe('Pads are here, shelf 4')
  await expect(bookingPanel(page).getByRole('button', { name: 'Save note' })).toBeHidden()

  await bookingPanel(page).getByRole('button', { name: 'Complete' }).click()
  await expect(bookingPanel(page).getByRole('button', { name: 'Undo Complete' })).toBeVisible()
  await bookingPanel(page)
    .getByText(/^History/)
    .click()
  await expect(
    bookingPanel(page).getByRole('listitem').filter({ hasText: 'admin (staff)' }),
  ).toHaveText(/^Completed.*admin \(staff\), Nov 24/)
  await expectAccessible(page)
  await bookingPanel(page).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete Appointment' })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(notification(page)).toContainText('Appointment Deleted')
  await expect(bookingPanel(page)).toBeHidden()
  const { rows } = await shop.database.query<{ kind: string }>(
    'select kind from booking_events where booking_id = $1 order by id',
    [id],
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['booked', 'completed', 'deleted'])
})

test('The booking panel names the kind of each email, for example of an estimate email', async ({
  page,
  shop,
}) => {
  await addDayBooking(shop, { bay: 'Bay 1', time: '13:00', minutes: 60, name: 'Maria Delgado' })
  const { rows } = await shop.database.query<{ id: string }>('select id from bookings')
  const about = { bookingId: rows[0]?.id ?? '' }
  await addEmail(shop, { kind: 'estimate', status: 'sent', about })
  await addEmail(shop, { kind: 'booking_confirmation', status: 'sent', about })
  await openBooking(page)
  await expect(bookingPanel(page).getByRole('heading', { name: 'Emails' })).toBeVisible()
  await expect(bookingPanel(page).getByRole('group', { name: 'Confirmation' })).toHaveCount(1)
  await expect(bookingPanel(page).getByRole('group', { name: 'Estimate' })).toBeVisible()
})

test('A note that another user changed at the same time is replaced only after a confirmation', async ({
  page,
  shop,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/live|400/)
  // The test disables live events, so that this browser window does not notice the later change by another window.
  await withoutLiveEvents(page)
  const id = await addDayBooking(shop, {
    bay: 'Bay 1',
    time: '13:00',
    minutes: 60,
    name: 'Maria Delgado',
  })
  await openBooking(page)
  const note = bookingPanel(page).getByLabel('Internal note')
  await shop.database.query(`update bookings set status = 'arrived' where id = $1`, [id])
  await note.fill('Waits in the shop')
  await note.blur()
  await expect(bookingPanel(page).locator('.badge').first()).toHaveText('Arrived')

  await shop.database.query(`update bookings set internal_note = 'Comes back at 3' where id = $1`, [
    id,
  ])
  await note.fill('Waits in the cafe')
  await note.blur()
  await expect(
    bookingPanel(page).getByText('The note now says “Comes back at 3”.').first(),
  ).toBeVisible()
  await expect(note).toHaveValue('Waits in the cafe')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Maria Delgado/ }).click()
  await expect(note).toHaveValue('Waits in the cafe')
  await bookingPanel(page).getByRole('button', { name: 'Save note' }).click()
  await expect(bookingPanel(page).getByRole('button', { name: 'Save note' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: /Maria Delgado/ })).toContainText(
    'Waits in the cafe',
  )
})
