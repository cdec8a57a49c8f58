import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { test as base, type Cookie, expect, type Locator, type Page } from '@playwright/test'
import type Axe from 'axe-core'
import pg from 'pg'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { openPool } from '#tests/support/database/open-pool.ts'
import { startServer } from '#tests/support/app/server-process.ts'
import { smallTargets } from './small-targets.ts'
import { desktopSize, phoneSize } from './viewports.ts'

export { expect }
export type { Locator, Page } from '@playwright/test'

export const adminLogin = { username: 'admin', password: 'correct horse battery' }

/** The running shop of this worker, on a database of its own. */
export type Shop = {
  readonly url: string
  readonly dataDirectory: string
  readonly databaseUrl: string
  /** The superuser's connections: arrange and look, past every policy. */
  readonly database: pg.Pool
  /** Fixes the clock of the booking rules (ISO 8601), or sets it free again. */
  setClock(instant: string | undefined): Promise<void>
}

const mapHost = 'https://www.openstreetmap.org'

type Fixtures = {
  /** Console errors that a test expects, for example of a request it makes fail. */
  expectedConsoleErrors: RegExp[]
  /** Whether `page.goto` waits until the page answers to what is pressed. */
  waitsUntilAwake: boolean
}

export const test = base.extend<Fixtures, { shop: Shop }>({
  shop: [
    async ({}, use) => {
      const databaseUrl = await copyTemplate()
      const database = openPool(databaseUrl, 3)
      const running = await startServer({
        DATABASE_URL: databaseUrl,
        // All visitors of a test run come from one address.
        RATE_LIMITS: 'off',
        ADMIN_USERNAME: adminLogin.username,
        ADMIN_PASSWORD: adminLogin.password,
      })
      await use({
        url: running.url,
        dataDirectory: running.dataDirectory,
        databaseUrl,
        database,
        async setClock(instant) {
          const now = instant ? `timestamptz ${pg.escapeLiteral(instant)}` : 'now()'
          await database.query(
            `create or replace function internal.current_instant() returns timestamptz
               language sql stable set search_path = '' return ${now}`,
          )
        },
      })
      await running.end()
      await database.end()
      await onServer(`drop database "${new URL(databaseUrl).pathname.slice(1)}" with (force)`)
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ shop }, use) => use(shop.url),
  expectedConsoleErrors: async ({}, use) => use([]),
  waitsUntilAwake: [true, { option: true }],
  page: async (
    { page, expectedConsoleErrors, waitsUntilAwake, javaScriptEnabled },
    use,
    testInfo,
  ) => {
    const unexpected: string[] = []
    const note = (text: string) => {
      if (!expectedConsoleErrors.some((pattern) => pattern.test(text))) unexpected.push(text)
    }
    page.on('console', (message) => {
      const { url } = message.location()
      // The map is another host's, and tests have no network.
      if (message.type() !== 'error' || url.startsWith(mapHost)) return
      note(`${message.text()} (${url})`)
    })
    page.on('pageerror', (error) => note(String(error)))
    if (waitsUntilAwake && javaScriptEnabled) actOnceHydrated(page)
    await use(page)
    if (testInfo.status !== testInfo.expectedStatus) {
      await page.screenshot({ path: testInfo.outputPath('failure.png'), caret: 'initial' })
    }
    // A test may end while one of its route handlers still waits for the server; others hold a request back for good.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(unexpected, 'unexpected console errors').toEqual([])
  },
})

/** Today in the week of appointments; a phone shows it alone. */
export const todayColumn = (page: Page) =>
  page.getByRole('region', { name: formatLongDate(shopToday(new Date())) })

/** What the dashboard says of an email that it writes: the shop of a browser test has no mail server. */
export const messageInOutbox = 'Email is not set up. The message is in the outbox.'

/** The dashboard says what it says where a mail server is set. */
export async function enableEmail(page: Page): Promise<void> {
  for (const path of ['**/api/admin/me*', '**/api/onboarding']) {
    await page.route(path, async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('"canSendEmail":false', '"canSendEmail":true')
      await route.fulfill({ response, body: text })
    })
  }
}

/** Where a notification stands, while there is one. */
export const notification = (page: Page) =>
  page.getByRole('region', { name: /^Notifications/ }).filter({ has: dismissButton(page) })

/** The notification that is shown covers none of these, where somebody presses next. */
export async function expectUncovered(page: Page, ...actions: Locator[]): Promise<void> {
  for (const action of actions) {
    await action.scrollIntoViewIfNeeded()
    await expect
      .poll(async () => {
        const [over, under] = [await notification(page).boundingBox(), await action.boundingBox()]
        if (!over || !under) return 'not shown'
        const isApart =
          over.y >= under.y + under.height ||
          over.y + over.height <= under.y ||
          over.x >= under.x + under.width ||
          over.x + over.width <= under.x
        return isApart ? 'apart' : 'covered'
      })
      .toBe('apart')
  }
}

/** The same where it tells of a failure, which is read out at once. */
export const badNotification = (page: Page) =>
  page.getByRole('alert').filter({ has: dismissButton(page) })

const dismissButton = (page: Page) => page.getByRole('button', { name: 'Dismiss' })

/** The map's host answers what the page asks it before it shows the map, and then the map. */
export async function stubMap(page: Page): Promise<void> {
  const dot = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')
  await page.route(`${mapHost}/**`, (route) =>
    route.request().resourceType() === 'image'
      ? route.fulfill({ contentType: 'image/gif', body: dot })
      : route.fulfill({ contentType: 'text/html', body: '' }),
  )
}

/** Tests act on a page that is alive; what happens before that is the matter of waking.spec.ts. */
function actOnceHydrated(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    await page.locator('html:not([data-awake]) script[data-modules]').waitFor({ state: 'detached' })
    return response
  }
}

/**
 * Shows a page from its top, where nothing has slid half under the bar. The pointer leaves what was pressed: back under it
 * by the scroll, a button would take on the colours of one that is pointed at just while they are being measured.
 */
export async function scrollToTop(page: Page): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
}

/**
 * Holds the page, or a part of it, against WCAG 2.2 AA as far as a machine can tell: as it is, and on a desktop once
 * more in the width of a phone, where nothing may stand out at the side, or be too small for a finger. A story that runs
 * on the phone as well is looked at there.
 */
export async function expectAccessible(page: Page, selector?: string): Promise<void> {
  await expectAccessibleHere(page, selector)
  const width = page.viewportSize()?.width
  if (width === phoneSize.width) return expectFitForPhone(page)
  if (width !== desktopSize.width || test.info().tags.includes('@phone')) return
  await page.setViewportSize(phoneSize)
  await expectAccessibleHere(page, selector)
  await expectFitForPhone(page)
  await page.setViewportSize(desktopSize)
}

async function expectFitForPhone(page: Page): Promise<void> {
  const overflowPx = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  await expect.poll(overflowPx).toBe(0)
  expect(await smallTargets(page, { widthPx: 44, heightPx: 44 }), 'small targets').toEqual([])
}

/**
 * The same in this width alone: something is in the hand. Frames are another matter: no script may run in an invoice or a
 * letter. Only faults are described, by their HTML: what passed, a selector for each element and what scripts of frames
 * would answer made this twice as dear.
 */
export async function expectAccessibleHere(page: Page, selector?: string): Promise<void> {
  // What is still fading in has too little contrast. What turns for ever is not waited for.
  const isLoaded = await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
        )
        .map(({ finished }) => finished),
    ).then(() => 'axe' in window),
  )
  if (!isLoaded) await page.evaluate(await axeScript)
  // Behind a modal dialog nothing can be reached, and its position there depends on how far the page was scrolled.
  const findings = await page.evaluate(async (part) => {
    const { axe } = window as unknown as { axe: typeof Axe }
    const modal = document.querySelector('dialog:modal')
    const { violations } = await axe.run(part ?? modal ?? document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'],
      selectors: false,
      preload: false,
      iframes: false,
    })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, selector)
  expect(findings).toEqual([])
}

const axeScript = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A page of the site as the server answers it, which writes its pages anew a moment after it hears of a change. */
export const htmlOf = async (page: Page, path: string) => (await page.request.get(path)).text()

/** What another window hears at once is not heard on a page that is opened from now on. */
export async function withoutLiveEvents(page: Page): Promise<void> {
  await page.route('**/api/admin/live', (route) => route.fulfill({ status: 204 }))
}

/**
 * Ends every session just as this is first asked. Before that, whatever is still being read would ask for the login over
 * the button that is to be pressed.
 */
export async function endSessionAt(
  page: Page,
  shop: Shop,
  method: 'POST' | 'PATCH',
  address: string,
): Promise<void> {
  let hasEnded = false
  await page.route(address, async (route) => {
    if (!hasEnded && route.request().method() === method) {
      hasEnded = true
      await shop.database.query('delete from auth.sessions; delete from internal.admin_sessions')
    }
    await route.continue()
  })
}

/** Logs in as the admin through the login card. */
export async function logIn(page: Page): Promise<void> {
  await page.goto('/admin-dashboard')
  await page.getByLabel('Username').fill(adminLogin.username)
  await page.getByLabel('Password').fill(adminLogin.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
}

/** The cookies of the admin who logged in last on this worker, and where. */
let adminSession: { readonly url: string; readonly cookies: Cookie[] } | undefined

/** Gives the page the session of an admin who logged in before; a password is checked only when none stands. */
export async function signIn(page: Page): Promise<void> {
  const context = page.context()
  if (adminSession && (await isSessionValid(adminSession))) {
    return context.addCookies(adminSession.cookies)
  }
  const response = await page.request.post('/api/admin/login', { data: adminLogin })
  expect(response.status()).toBe(200)
  adminSession = { url: new URL(response.url()).origin, cookies: await context.cookies() }
}

/** Asked by the runner itself, which has a connection open: through the page it takes as long as a click. */
async function isSessionValid({
  url,
  cookies,
}: NonNullable<typeof adminSession>): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(`${url}/api/admin/me`, { headers: { cookie } })
  return ((await response.json()) as { ok: boolean }).ok
}

/** Opens the dashboard, signed in, where the query leads: `?tab=tasks`. */
export async function openDashboard(page: Page, query = ''): Promise<void> {
  await signIn(page)
  await page.goto(`/admin-dashboard${query}`)
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
}

function setting(name: 'E2E_OWNER_URL' | 'E2E_TEMPLATE'): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is set by the global setup`)
  return value
}

async function copyTemplate(): Promise<string> {
  const name = `shop_e2e_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template ${setting('E2E_TEMPLATE')} strategy file_copy`)
  const url = new URL(setting('E2E_OWNER_URL'))
  url.pathname = `/${name}`
  return url.href
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: setting('E2E_OWNER_URL') })
  await client.connect()
  await client.query(sql)
  await client.end()
}
