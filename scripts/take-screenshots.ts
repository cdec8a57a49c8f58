import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { startEmbeddedPostgres } from '@local/embedded-postgres'
import { browserFlags, findBrowser } from '#tests/support/browser.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { startServer } from '#tests/support/app/server-process.ts'

/* Takes the pictures of the README from a temporary shop with a sample week: `npm run screenshots`. Needs a build. */

const directory = join(import.meta.dirname, '..', 'docs', 'screenshots')
/** The maximum size of all pictures together, in bytes. */
const mostBytes = 1_000_000
const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 780 }
const username = 'admin'
const password = 'a password for pictures'

type Picture = {
  readonly name: string
  /** The URL path of the page, with ids of records of the sample week. */
  readonly path: (ids: SampleIds) => string
  readonly size: { readonly width: number; readonly height: number }
  readonly isDark?: boolean
  /** Performs the actions that the picture needs, and waits until the page shows its content. */
  readonly until: (page: Page) => Promise<unknown>
}
type SampleIds = { readonly estimatePath: string; readonly vehicleId: string }

const text = (content: RegExp | string) => (page: Page) => page.getByText(content).first().waitFor()
const estimatePicture = {
  path: ({ estimatePath }: SampleIds) => estimatePath,
  size: phone,
  until: text('Your estimate'),
}

const pictures: readonly Picture[] = [
  { name: 'home', path: () => '/', size: desktop, until: text('Request Quote') },
  { name: 'booking', path: () => '/book-appointment', size: phone, until: text('Oil Change') },
  {
    name: 'day',
    path: () => '/admin-dashboard/day',
    size: desktop,
    until: text('Dele Okonwu'),
  },
  { name: 'estimate', ...estimatePicture },
  { name: 'estimate-dark', ...estimatePicture, isDark: true },
  {
    name: 'settings',
    path: () => '/admin-dashboard/settings/hours',
    size: desktop,
    until: (page) => page.getByRole('switch').first().waitFor(),
  },
  {
    name: 'vehicle',
    path: ({ vehicleId }) => `/admin-dashboard/vehicles/${vehicleId}`,
    size: desktop,
    until: text('Front brakes'),
  },
]

const workplace = mkdtempSync(join(tmpdir(), 'torque-pictures-'))
const server = await startEmbeddedPostgres({ dataDirectory: join(workplace, 'data') })
const shop = await startServer({
  DATABASE_URL: server.ownerUrl,
  RATE_LIMITS: 'off',
  ADMIN_USERNAME: username,
  ADMIN_PASSWORD: password,
  // No email is sent to this mail server, because the emails of a sample week are never delivered.
  SMTP_URL: 'smtp://localhost:2525',
  MAIL_FROM: 'hello@torqueandtiming.example',
})
const executablePath = findBrowser()
const browser = await chromium.launch({
  args: browserFlags,
  ...(executablePath === undefined ? {} : { executablePath }),
})
try {
  await takeAll(browser)
} finally {
  await browser.close()
  await shop.end()
  await server.stop()
  rmSync(workplace, { recursive: true, force: true })
}

async function takeAll(from: Browser): Promise<void> {
  const context = await from.newContext({ baseURL: shop.url })
  await context.request.post('/api/admin/login', { data: { username, password } })
  await openBays()
  await context.request.post('/api/sample-week', { headers: { origin: shop.url } })
  await context.request.post('/api/onboarding/hide', {
    data: { isHidden: true },
    headers: { origin: shop.url },
  })
  const cookies = await context.storageState()
  const ids = await findIds()
  mkdirSync(directory, { recursive: true })
  let bytes = 0
  for (const picture of pictures) bytes += await takeScreenshot(from, cookies, ids, picture)
  if (bytes > mostBytes) throw new Error(`The pictures are ${bytes} bytes of ${mostBytes}.`)
  console.log(`${pictures.length} pictures, ${Math.round(bytes / 1000)} kB, in docs/screenshots`)
}

/** Adds bays: a new shop has one bay, and the picture of the day view shows several. */
async function openBays(): Promise<void> {
  const database = openPool(server.ownerUrl, 1)
  await database.query(
    `insert into public.bays (name, position, technician)
     values ('Bay 2', 2, 'Ana Reyes'), ('Alignment rack', 3, null)`,
  )
  await database.end()
}

async function findIds(): Promise<SampleIds> {
  const database = openPool(server.ownerUrl, 1)
  const { rows } = await database.query<SampleIds>(
    `select '/estimate/' || internal.estimate_token(estimate.id) as "estimatePath", booking.vehicle_id as "vehicleId"
     from public.estimates estimate
     join public.estimate_revisions revision on revision.estimate_id = estimate.id and revision.decided_at is null
     cross join lateral (
       select answered.vehicle_id from public.estimates of_answered
       join public.bookings answered on answered.id = of_answered.booking_id
       where of_answered.id <> estimate.id limit 1
     ) booking
     limit 1`,
  )
  await database.end()
  if (!rows[0]) throw new Error('The sample week has no estimate that is waiting on its customer.')
  return rows[0]
}

async function takeScreenshot(
  from: Browser,
  storageState: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>,
  ids: SampleIds,
  { name, path, size, isDark = false, until }: Picture,
): Promise<number> {
  const context = await from.newContext({
    baseURL: shop.url,
    storageState,
    viewport: size,
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(path(ids))
  await until(page)
  // Waits for the font, which the site loads after its first paint.
  await page.waitForFunction(
    () =>
      [...document.fonts].some(({ status }) => status === 'loaded') &&
      document.fonts.status === 'loaded',
  )
  const file = join(directory, `${name}.png`)
  await page.screenshot({ path: file, animations: 'disabled' })
  await context.close()
  return statSync(file).size
}
