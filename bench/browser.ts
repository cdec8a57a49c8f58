import { type Browser, chromium, type Page } from '@playwright/test'
import { browserFlags, findBrowser, findBrowserWithoutWindows } from '#tests/support/browser.ts'
import { admin } from './prepared.ts'
import { isSmoke } from './smoke.ts'

/** The path of the browser's executable file. A smoke run uses the headless build, which needs less processor time. */
export const browserPath = isSmoke ? findBrowserWithoutWindows() : findBrowser()

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    args: browserFlags,
    ...(browserPath ? { executablePath: browserPath } : {}),
  })
}

/** Opens the dashboard of the shop at `url` in a new page of a desktop's size, and signs in. */
export async function signIn(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${url}/admin-dashboard`)
  await page.getByLabel('Username').fill(admin.username)
  await page.getByLabel('Password').fill(admin.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('button', { name: 'Logout' }).waitFor()
  return page
}
