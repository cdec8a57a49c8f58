import {
  expect,
  expectAccessible,
  notification,
  openDashboard,
  type Page,
  type Shop,
  test,
} from '#tests/browser/fixtures.ts'
import { addBooking, clearBookings } from '#tests/browser/shop-records.ts'

const otherOwner = '00000000-0000-4000-8000-00000000000c'

test.beforeEach(async ({ shop }) => {
  await clearBookings(shop)
  await shop.database.query(
    `insert into public.staff_accounts (user_id, username, role) values ($1, 'lena', 'owner') on conflict do nothing`,
    [otherOwner],
  )
  await shop.database.query(
    `update public.staff_accounts set role = 'technician', employee_id = $1 where username = 'admin'`,
    [await employeeId(shop, 'Ben Novak')],
  )
})
test.afterEach(({ shop }) =>
  shop.database.query(
    `update public.staff_accounts set role = 'owner', employee_id = null where username = 'admin'`,
  ),
)

async function employeeId(shop: Shop, name: string): Promise<string> {
  const { rows } = await shop.database.query<{ id: string }>(
    `insert into public.employees (name, email) values ($1, $2)
     on conflict (email) do update set name = excluded.name returning id`,
    [name, `${name.split(' ')[0]?.toLowerCase()}@shop.example`],
  )
  return rows[0]?.id ?? ''
}

async function addTask(shop: Shop, title: string, name: string, bookingId: string | null) {
  await shop.database.query(
    'insert into public.tasks (title, assigned_to, booking_id) values ($1, $2, $3)',
    [title, await employeeId(shop, name), bookingId],
  )
}

/** Returns a set that collects the paths of the page's requests for data and commands. */
function recordRequests(page: Page): Set<string> {
  const requests = new Set<string>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/(api|rest|functions)\//.test(pathname)) requests.add(pathname)
  })
  return requests
}

const groupOf = (page: Page, name: string) => page.getByRole('region', { name })

test('a technician can do the work of the day, and the page requests no other data @phone', async ({
  page,
  shop,
}) => {
  const own = await addBooking(shop, {
    time: '09:00',
    name: 'Maria Delgado',
    notes: 'They squeak.',
  })
  await addTask(shop, 'Front pads', 'Ben Novak', own)
  await addBooking(shop, { time: '11:00', name: 'Sam Okafor', notes: 'Pulls left.' })
  const other = await addBooking(shop, { time: '13:00', name: 'Dana Whitfield', notes: 'Private.' })
  await addTask(shop, 'Timing belt', 'Ana Reyes', other)
  const requests = recordRequests(page)
  await openDashboard(page)

  const mine = groupOf(page, 'Your appointments')
  await expect(mine.getByText('They squeak.')).toBeVisible()
  await expect(groupOf(page, 'Unassigned appointments').getByText('Pulls left.')).toBeVisible()
  const others = groupOf(page, 'Other technicians')
  await expect(others.getByText(/Oil Change, .*, Dana/)).toBeVisible()
  await expect(others.getByRole('button')).toHaveCount(0)
  await expect(page.getByText(/Private|Timing belt|555-0167|Delgado|@/)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Dashboard' }).getByRole('link')).toHaveText([
    'Day',
    /Technician$/,
  ])
  await expectAccessible(page)

  for (const [label, state] of [
    ['Arrived', 'Arrived'],
    ['Start work', 'In work'],
    ['Complete', 'Picked up'],
  ] as const) {
    await mine.getByRole('button', { name: label }).click()
    await expect(mine.locator('.badge')).toHaveText(state)
  }
  const tasks = groupOf(page, 'Your tasks')
  await tasks.getByRole('button', { name: 'Done' }).click()
  await expect(notification(page).getByText('Task completed')).toBeVisible()
  await expect(tasks.getByText('No open task is assigned to you.')).toBeVisible()
  expect([...requests].toSorted()).toEqual([
    '/api/admin/live',
    '/api/admin/me',
    '/rest/v1/rpc/complete_own_task',
    '/rest/v1/rpc/record_technician_step',
    '/rest/v1/technician_bays',
    '/rest/v1/technician_bookings',
    '/rest/v1/technician_tasks',
  ])
})

test('the day of a technician shows the changes that staff make at the counter', async ({
  page,
  shop,
}) => {
  await openDashboard(page, '/day')
  await expect(page.getByText('No appointments today.')).toBeVisible()
  const id = await addBooking(shop, { time: '11:00', name: 'Sam Okafor' })
  const unassigned = groupOf(page, 'Unassigned appointments')
  await expect(unassigned.getByText('Booked')).toBeVisible()
  await shop.database.query(`update public.bookings set status = 'arrived' where id = $1`, [id])
  await expect(unassigned.getByRole('button', { name: 'Start work' })).toBeVisible()
  await addTask(shop, 'Brake fluid', 'Ben Novak', id)
  await expect(groupOf(page, 'Your appointments').getByText('Brake fluid')).toBeVisible()
})

test('a page that technicians may not open redirects them to the day view', async ({ page }) => {
  for (const [address, title] of [
    ['/quotes', 'Quote Requests'],
    ['/invoices', 'Invoices'],
    ['/settings/team', 'Settings'],
    ['/today', 'Today'],
  ]) {
    const requests = recordRequests(page)
    await openDashboard(page, address)
    await expect(page.getByText(`${title} is not for technicians`)).toBeVisible()
    await expect(page.getByText('You are signed in as admin, Technician.')).toBeVisible()
    expect([...requests].filter((path) => path.startsWith('/rest/'))).toEqual([])
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Back to Appointments' }).click()
  await expect(page).toHaveURL(/\/admin-dashboard\/day$/)
  await expect(groupOf(page, 'Your tasks')).toBeVisible()
})

test.describe('after a change of the role', () => {
  // After the role change, the server refuses the requests of the open dashboard page until the page reloads.
  test.use({ expectedConsoleErrors: [/status of 403/] })

  test('an open page of an advisor becomes the day of a technician, and changes back with the role', async ({
    page,
    shop,
  }) => {
    const setRole = (role: string) =>
      shop.database.query(`update public.staff_accounts set role = $1 where username = 'admin'`, [
        role,
      ])
    await setRole('advisor')
    await openDashboard(page, '/day')
    await expect(page.getByRole('tab', { name: 'Invoices' })).toBeVisible()
    await setRole('technician')
    await expect(groupOf(page, 'Your tasks')).toBeVisible({ timeout: 15_000 })
    await expect(page.getByRole('tab')).toHaveCount(0)
    await setRole('advisor')
    await expect(page.getByRole('tab', { name: 'Invoices' })).toBeVisible({ timeout: 15_000 })
  })
})
