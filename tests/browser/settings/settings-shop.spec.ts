import { defaultShop } from '#domain/shop/default-shop.ts'
import {
  expect,
  expectAccessible,
  htmlOf,
  notification,
  type Page,
  signIn,
  test,
} from '#tests/browser/fixtures.ts'

const openShop = async (page: Page) => {
  await page.goto('/admin-dashboard/settings/shop')
  await expect(page.getByLabel('Shop name')).toBeVisible()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const preview = (page: Page) => page.getByRole('complementary', { name: 'What customers see' })

test.beforeEach(async ({ page }) => {
  await signIn(page)
})
test.afterEach(async ({ shop, page }) => {
  const { name, tagline, phone, address, timeZone, warranty } = defaultShop
  await shop.database.query(
    'update shop set name = $1, tagline = $2, phone = $3, street = $4, time_zone = $5, warranty_text = $6',
    [name, tagline, phone.e164, address.street, timeZone, warranty],
  )
  // A second statement restores the map position, because a change of the street address clears the position.
  const { latitude, longitude } = defaultShop.position ?? { latitude: 0, longitude: 0 }
  await shop.database.query('update shop set latitude = $1, longitude = $2', [latitude, longitude])
  // Waits until the server has rendered the home page with the initial details, so that later tests start with them.
  await expect
    .poll(() => htmlOf(page, '/'))
    .toMatch(/<title>[^<]*Torque &amp; Timing<[^]*\(650\) 555-0142/)
})

test('A new shop name appears in the preview and on every page', async ({ page }) => {
  await openShop(page)
  await expectAccessible(page)
  await page.getByLabel('Shop name').fill('Bo’s')
  await page.getByLabel('Shop phone').fill('650.555.0124')
  await expect(page.getByText('Not saved:').locator('..')).toContainText('Shop name, Shop phone')
  await expect(preview(page)).toContainText('© Bo’s. All rights reserved.')
  await expect(preview(page).locator('mark').filter({ hasText: '(650) 555-0124' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Shop phone').press('Enter')
  await expect(notification(page)).toContainText('Saved')
  await expect(page.getByLabel('Shop phone')).toHaveValue('(650) 555-0124')
  await expect
    .poll(async () => {
      const html = await htmlOf(page, '/')
      return html.includes('Bo’s') && html.includes('(650) 555-0124')
    })
    .toBe(true)
  await page.getByText('History', { exact: true }).click()
  await expect(
    page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first(),
  ).toContainText('Shop phone: (650) 555-0142 → (650) 555-0124')
})

test('A new text about the warranty appears on the home page', async ({ page, context }) => {
  const words = 'Every repair is guaranteed for 24 months <or> 24,000 miles.'
  await openShop(page)
  await page.getByLabel('Quality guarantee').fill(' ')
  await save(page).click()
  await expect(page.getByLabel('Quality guarantee')).toHaveAccessibleDescription(
    /Please enter the text of your warranty\./,
  )
  await page.getByLabel('Quality guarantee').fill(words)
  await save(page).click()
  await expect(notification(page)).toContainText('Saved')
  const home = await context.newPage()
  await expect(async () => {
    await home.goto('/')
    await expect(home.getByText(words)).toBeVisible({ timeout: 500 })
  }).toPass()
})

test('A new street address without a new map position shows that the position is cleared, and a button restores it', async ({
  page,
  shop,
}) => {
  const { position, address } = defaultShop
  const numbers = `${position?.latitude}, ${position?.longitude}`
  await openShop(page)
  await page.getByLabel('Street').fill(`${address.street}, Suite B`)
  await expect(
    page.getByText('Saving the new address clears the position on the map.'),
  ).toBeVisible()
  await expectAccessible(page)
  await save(page).click()
  await expect(
    page.getByText('The address changed, so the position on the map was cleared.'),
  ).toBeVisible()
  await expect(page.getByLabel('Position on the map')).toHaveValue('')
  await expectAccessible(page)
  await page.getByRole('button', { name: `Keep ${numbers}` }).click()
  await expect(page.getByLabel('Position on the map')).toHaveValue(numbers)
  await save(page).click()
  await expect
    .poll(async () => (await shop.database.query('select street, latitude from shop')).rows)
    .toEqual([{ street: `${address.street}, Suite B`, latitude: position?.latitude }])
  await expect(page.getByText('The address changed, so the position')).toHaveCount(0)
})

test('Each invalid field of the shop details shows an error, and the first one receives the focus', async ({
  page,
  shop,
}) => {
  await openShop(page)
  await page.getByLabel('Street').fill(' \u200b ')
  await page.getByLabel('Billing phone').fill('555-0188')
  await page.getByLabel('Time zone').fill('Mars/Olympus')
  await save(page).click()
  await expect(page.getByLabel('Street')).toBeFocused()
  await expect(page.getByLabel('Street')).toHaveAccessibleDescription(
    'Please enter the street and number.',
  )
  await expect(page.getByLabel('Billing phone')).toHaveAccessibleDescription(
    'Please enter a phone number with its area code.',
  )
  await expect(page.getByLabel('Time zone')).toHaveAccessibleDescription(
    /Please choose a time zone/,
  )
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Street')).toHaveValue(defaultShop.address.street)
  await expect(page.getByText('Please enter the street')).toBeHidden()
  const { rows } = await shop.database.query('select street from shop')
  expect(rows).toEqual([{ street: defaultShop.address.street }])
})

test('An error in the shop details that only the database detects is also shown at its field', async ({
  page,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push(/Failed to load resource/)
  await openShop(page)
  await page.route('**/rest/v1/shop*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 400,
          json: {
            code: 'TT052',
            message: 'There is no time zone of this name.',
            hint: 'time_zone_unknown',
          },
        })
      : route.fallback(),
  )
  await page.getByLabel('Time zone').fill('America/Chicago')
  await save(page).click()
  await expect(page.getByLabel('Time zone')).toBeFocused()
  await expect(page.getByLabel('Time zone')).toHaveAccessibleDescription(
    /Please choose a time zone/,
  )
})

for (const name of ['Bo', 'Northside Brake and Transmission Specialists of Santa Clara']) {
  test(`The shop name ${name} fits into the page and its preview, even on the narrowest phone`, async ({
    page,
    shop,
  }) => {
    await shop.database.query('update shop set name = $1', [name])
    await page.setViewportSize({ width: 320, height: 640 })
    await openShop(page)
    const overflow = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    await expect(preview(page)).toContainText(name.split(' ')[0] ?? '')
    expect(await overflow()).toBe(0)
    await expect(async () => {
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name, { timeout: 500 })
    }).toPass()
    expect(await overflow()).toBe(0)
  })
}
