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
import { observeForReport } from './failure-report.ts'
import { smallTargets } from './small-targets.ts'
import { recordIfStoppedDrawing, refuseOtherRepetitions } from './stopped-drawing.ts'
import { desktopSize, phoneSize } from './viewports.ts'

export { expect }
export type { Locator, Page } from '@playwright/test'

export const adminLogin = { username: 'admin', password: 'correct horse battery' }

/** The running shop of one worker of the test runner. Each worker has its own database. */
export type Shop = {
  readonly url: string
  readonly dataDirectory: string
  readonly databaseUrl: string
  /** The superuser's connections, which bypass every policy. The tests use them to set up and inspect data. */
  readonly database: pg.Pool
  /** Sets the clock of the booking rules to a fixed time (ISO 8601); undefined lets the clock run again. */
  setClock(instant: string | undefined): Promise<void>
}

const mapHost = 'https://www.openstreetmap.org'

type Fixtures = {
  /** Console errors that a test expects, for example of a request that the test makes fail. */
  expectedConsoleErrors: RegExp[]
  /** Whether `page.goto` waits until the page is hydrated. */
  waitsUntilAwake: boolean
  /** Refuses to repeat a failed test, unless the browser stopped drawing in the first run. */
  repetition: void
}

export const test = base.extend<Fixtures, { shop: Shop }>({
  shop: [
    async ({}, use) => {
      const databaseUrl = await copyTemplate()
      const database = openPool(databaseUrl, 3)
      const running = await startServer({
        DATABASE_URL: databaseUrl,
        // Rate limits are off, because all visitors of a test have the same IP address.
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
  repetition: [
    async ({}, use, testInfo) => {
      refuseOtherRepetitions(testInfo)
      await use()
    },
    { auto: true },
  ],
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
      // The map is on another host, which tests cannot reach.
      if (message.type() !== 'error' || url.startsWith(mapHost)) return
      note(`${message.text()} (${url})`)
    })
    page.on('pageerror', (error) => note(String(error)))
    if (waitsUntilAwake && javaScriptEnabled) actOnceHydrated(page)
    if (javaScriptEnabled) waitForInterception(page)
    const report = observeForReport(page)
    await use(page)
    const hasFailed = testInfo.status !== testInfo.expectedStatus
    if (hasFailed && !(await recordIfStoppedDrawing(page, testInfo))) {
      await report()
      await page.screenshot({ path: testInfo.outputPath('failure.png'), caret: 'initial' })
    }
    // Ignores the errors of unfinished route handlers: at the end of a test, a handler may wait for the server, or
    // deliberately never respond.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(unexpected, 'unexpected console errors').toEqual([])
  },
})

/** Returns the column of today in the week of appointments. A phone shows only today's column. */
export const todayColumn = (page: Page) =>
  page.getByRole('region', { name: formatLongDate(shopToday(new Date())) })

/**
 * The text that the dashboard shows after a command that sends an email, because the shop of a browser test has no mail
 * server.
 */
export const messageInOutbox = 'Email is not set up. The message is in the outbox.'

/** Makes the dashboard show the texts of a shop with a mail server. */
export async function enableEmail(page: Page): Promise<void> {
  for (const path of ['**/api/admin/me*', '**/api/onboarding']) {
    await page.route(path, async (route) => {
      const response = await route.fetch()
      const text = (await response.text()).replaceAll('"canSendEmail":false', '"canSendEmail":true')
      await route.fulfill({ response, body: text })
    })
  }
}

/** Returns the notification area, while it shows a notification. */
export const notification = (page: Page) =>
  page.getByRole('region', { name: /^Notifications/ }).filter({ has: dismissButton(page) })

/** Expects that the current notification covers none of the given elements, which the user needs next. */
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

/** Returns the notification of a failure. Screen readers announce it immediately. */
export const badNotification = (page: Page) =>
  page.getByRole('alert').filter({ has: dismissButton(page) })

const dismissButton = (page: Page) => page.getByRole('button', { name: 'Dismiss' })

/** Responds in place of the map's host: with an image to the reachability check, then with an empty map. */
export async function stubMap(page: Page): Promise<void> {
  const dot = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64')
  await page.route(`${mapHost}/**`, (route) =>
    route.request().resourceType() === 'image'
      ? route.fulfill({ contentType: 'image/gif', body: dot })
      : route.fulfill({ contentType: 'text/html', body: '' }),
  )
}

/**
 * Makes `goto` wait until the page is hydrated. The tests in hydration.spec.ts do not use this, because they test the
 * page before hydration.
 */
function actOnceHydrated(page: Page): void {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    await page.locator('html:not([data-awake]) script[data-modules]').waitFor({ state: 'detached' })
    return response
  }
}

/**
 * Makes `page.route` resolve only after the browser intercepts the requests of an open page. Chromium reports success
 * earlier, so on a busy machine the page's next request could still reach the server.
 */
function waitForInterception(page: Page): void {
  const route = page.route.bind(page)
  const probe = '/robots.txt?probe'
  page.route = async (...interception) => {
    const disposable = await route(...interception)
    if (!page.url().startsWith('http')) return disposable
    await route(`**${probe}`, (request) => request.fulfill({ status: 204 }))
    // The script fails while the page navigates to another document, so the test repeats the script until it succeeds.
    await expect(async () => {
      const status = await page.evaluate(async (path) => (await fetch(path)).status, probe)
      expect(status).toBe(204)
    }).toPass({ intervals: [10], timeout: 10_000 })
    await page.unroute(`**${probe}`)
    return disposable
  }
}

/**
 * Checks the page, or a part of it, with the automated rules of WCAG 2.2 AA. For a test that runs on the desktop only,
 * also checks the page in the width of a phone, where no element may be wider than the window or too small for a
 * finger.
 */
export async function expectAccessible(page: Page, selector?: string): Promise<void> {
  const scrollTop = await scrollToTop(page)
  await expectAccessibleInBothWidths(page, selector)
  await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), scrollTop)
}

/**
 * Scrolls to the top, where the page's fixed bar covers no button: a covered button would count as too small. Also
 * moves the pointer away, because scrolling may put a button under the pointer and show the button's hover colors.
 * Returns the earlier scroll position of the page.
 */
async function scrollToTop(page: Page): Promise<number> {
  await page.mouse.move(0, 0)
  return page.evaluate(() => {
    const top = scrollY
    scrollTo({ top: 0, behavior: 'instant' })
    return top
  })
}

async function expectAccessibleInBothWidths(page: Page, selector?: string): Promise<void> {
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
 * Checks the page in its current width only, because a drag is running. Skips frames, because scripts may not run in an
 * invoice or an email. The result contains only the violations and their HTML, because passed rules, selectors and
 * frames would double the duration.
 */
export async function expectAccessibleHere(page: Page, selector?: string): Promise<void> {
  // Waits for finite animations, because elements that are fading in have too little contrast.
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
  // If a modal dialog is open, checks only the dialog. The user cannot reach the page behind the dialog, and the result
  // for that page would depend on its scroll position.
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

/** Reads the current HTML of a page of the site. The server renders its pages again some time after a change. */
export const htmlOf = async (page: Page, path: string) => (await page.request.get(path)).text()

/** Disables live events on pages that are opened from now on. */
export async function withoutLiveEvents(page: Page): Promise<void> {
  await page.route('**/api/admin/live', (route) => route.fulfill({ status: 204 }))
}

/**
 * Ends every sign-in session at the first request with the given method and URL. If the sessions ended earlier, another
 * request would open the login dialog over the button that the test clicks.
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

/** Signs in as the admin through the login form. */
export async function logIn(page: Page): Promise<void> {
  await page.goto('/admin-dashboard')
  await page.getByLabel('Username').fill(adminLogin.username)
  await page.getByLabel('Password').fill(adminLogin.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
}

/** The cookies of the last sign-in session of this worker's admin, and the URL of the site that accepts the cookies. */
let adminSession: { readonly url: string; readonly cookies: Cookie[] } | undefined

/** Gives the page a sign-in session of the admin. Signs in with the password only if no earlier session is valid. */
export async function signIn(page: Page): Promise<void> {
  const context = page.context()
  if (adminSession && (await isSessionValid(adminSession))) {
    return context.addCookies(adminSession.cookies)
  }
  const response = await page.request.post('/api/admin/login', { data: adminLogin })
  expect(response.status()).toBe(200)
  adminSession = { url: new URL(response.url()).origin, cookies: await context.cookies() }
}

/**
 * Returns whether the site accepts the cookies. The test runner sends the request over its open connection, because a
 * request by the page would take as long as a click.
 */
async function isSessionValid({
  url,
  cookies,
}: NonNullable<typeof adminSession>): Promise<boolean> {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const response = await fetch(`${url}/api/admin/me`, { headers: { cookie } })
  return ((await response.json()) as { ok: boolean }).ok
}

/**
 * Marks the password as confirmed for the next five minutes in every sign-in session. All tests of a worker share one
 * session.
 */
export async function confirmSessions(shop: Shop): Promise<void> {
  await shop.database.query(
    `update internal.admin_sessions set last_used_at = now(), confirmed_until = now() + interval '5 minutes'`,
  )
}

/** Ends the password confirmations of earlier tests. */
export async function forgetConfirmations(shop: Shop): Promise<void> {
  await shop.database.query('update internal.admin_sessions set confirmed_until = null')
}

/** Opens the dashboard as the signed-in admin, at the given path below `/admin-dashboard`, such as `/tasks`. */
export async function openDashboard(page: Page, view = ''): Promise<void> {
  await signIn(page)
  await page.goto(`/admin-dashboard${view}`)
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
