import { expect, expectAccessible, openDashboard, test } from '#tests/browser/fixtures.ts'

const routes = ['/', '/book-appointment', '/request-quote', '/pay-invoice', '/privacy']

test.describe('on every page', () => {
  test('the navigation of the site links to the four public pages and marks the current page @phone', async ({
    page,
  }, { project }) => {
    await page.goto('/request-quote')
    if (project.name === 'phone') await page.getByRole('button', { name: 'Menu' }).click()
    const nav =
      project.name === 'phone'
        ? page.getByRole('dialog', { name: 'Menu' })
        : page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Home', 'Book Appointment', 'Request Quote', 'Pay Invoice']) {
      await expect(nav.getByRole('link', { name, exact: true })).toBeVisible()
    }
    await expect(nav.getByRole('link', { name: 'Request Quote' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expect(nav.locator('[aria-current]')).toHaveCount(1)
  })

  test('client-side navigation scrolls to the top, sets the title and focuses the heading', async ({
    page,
  }) => {
    await page.goto('/')
    await page.evaluate(() => Reflect.set(window, 'sameDocument', true))
    await page.getByRole('link', { name: 'Oil changes' }).scrollIntoViewIfNeeded()
    await page.getByRole('link', { name: 'Oil changes' }).click()
    const headline = page.getByRole('heading', { level: 1, name: 'Request a Quote' })
    await expect(headline).toBeFocused()
    await expect(page).toHaveTitle('Request a Quote | Torque & Timing')
    await expect(page).toHaveURL('/request-quote')
    expect(await page.evaluate(() => [scrollY, Reflect.get(window, 'sameDocument')])).toEqual([
      0,
      true,
    ])
    await page.evaluate(() => scrollTo(0, 400))
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'Torque & Timing' })).toBeFocused()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })

  test('the first focusable element is a link that skips to the content', async ({ page }) => {
    await page.goto('/pay-invoice')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.locator('main')).toBeFocused()
  })

  test.describe('the not-found page', () => {
    test.use({ expectedConsoleErrors: [/status of 404/] })

    test('an unknown URL gets status 404 and a page that links to the home page', async ({
      page,
    }) => {
      const response = await page.goto('/no-such-page')
      expect(response?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1, name: '404' })).toBeVisible()
      await expect(page.getByText('Oops! Page not found')).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Return to Home' }).click()
      await expect(page).toHaveURL('/')
    })
  })

  test('the footer shows the copyright and links to Find my appointment, the privacy page and the dashboard', async ({
    page,
  }) => {
    const footer = page.getByRole('contentinfo')
    // Repeats the request, because an earlier test may have restored the shop's name a moment ago.
    await expect(async () => {
      await page.goto('/')
      await expect(footer).toContainText(/© 20\d\d Torque & Timing/, { timeout: 500 })
    }).toPass()
    const dot = footer.getByRole('link', { name: 'Staff sign-in' })
    await expect(dot).toHaveAttribute('href', '/admin-dashboard')
    const box = await dot.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
    await expect(footer.getByRole('link', { name: 'Find my appointment' })).toHaveAttribute(
      'href',
      '/visit',
    )
    await footer.getByRole('link', { name: 'Privacy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  })
})

test.describe('at a width of 390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the menu of small screens keeps the focus inside, and closes with Escape, on a click outside and after a link is followed', async ({
    page,
  }) => {
    await page.goto('/')
    const button = page.getByRole('button', { name: 'Menu', exact: true })
    await button.click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expect(menu).toBeVisible()
    await expectAccessible(page, '#site-menu')
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press('Tab')
      const isBehind = await page.evaluate(() => Boolean(document.activeElement?.closest('main')))
      expect(isBehind).toBe(false)
    }
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
    await expect(button).toBeFocused()
    await button.click()
    await page.mouse.click(10, 400)
    await expect(menu).toBeHidden()
    await button.click()
    await menu.getByRole('link', { name: 'Pay Invoice' }).click()
    await expect(page).toHaveURL('/pay-invoice')
    await expect(menu).toBeHidden()
  })

  test('the menu of small screens works on the dashboard in the same way as on the site', async ({
    page,
  }) => {
    await openDashboard(page, '/tasks')
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await expect(menu).toBeVisible()
    await expectAccessible(page, '#site-menu')
    const box = await menu.boundingBox()
    expect({ right: (box?.x ?? 0) + (box?.width ?? 0), height: box?.height }).toEqual({
      right: 390,
      height: 844,
    })
    await page.mouse.click(10, 400)
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await menu.getByRole('link', { name: 'Pay Invoice' }).click()
    await expect(page).toHaveURL('/pay-invoice')
  })

  test('the menu of small screens shows the hours of the current day in shop time', async ({
    browser,
    shop,
  }) => {
    // The first instant is Wednesday evening at the shop and Thursday in Tokyo. The second instant is Thursday evening
    // at the shop and Friday in Tokyo.
    for (const [instant, hours] of [
      ['2026-11-26T03:00:00Z', 'Open today 11:00 AM – 7:00 PM'],
      ['2026-11-27T03:00:00Z', 'Open today 8:30 AM – 9:00 PM'],
    ] as const) {
      const context = await browser.newContext({
        baseURL: shop.url,
        timezoneId: 'Asia/Tokyo',
        viewport: { width: 390, height: 844 },
      })
      const page = await context.newPage()
      await page.clock.setFixedTime(instant)
      await expect(async () => {
        await page.goto('/')
        await page.getByRole('button', { name: 'Menu', exact: true }).click()
        const menu = page.getByRole('dialog', { name: 'Menu' })
        await expect(menu).toContainText(hours, { timeout: 500 })
      }).toPass()
      await context.close()
    }
  })

  test('the menu of small screens is hidden at window widths from 768 px, at which the navigation bar shows the links', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 768, height: 900 })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeHidden()
    await expect(page.getByRole('link', { name: 'Request Quote', exact: true })).toBeVisible()
    await page.setViewportSize({ width: 767, height: 900 })
    await expect(page.getByRole('button', { name: 'Menu', exact: true })).toBeVisible()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the home page is complete, and the phone number and links work', async ({ page }) => {
    await page.goto('/')
    for (const name of ['Find Our Shop', 'Why Choose Us', 'Ready to Get Started']) {
      await expect(page.getByRole('heading', { name })).toBeVisible()
    }
    await expect(page.getByRole('main').getByText('Mon–Wed: 11:00 AM – 7:00 PM')).toBeVisible()
    await expect(page.locator('a[href="tel:+16505550142"]:visible').first()).toBeVisible()
    await page.getByRole('link', { name: 'Battery testing' }).click()
    await expect(page).toHaveURL('/request-quote')
    await expect(page.locator('noscript p')).toBeVisible()
  })

  test('the menu of the site opens and its links work', async ({ page }, { project }) => {
    await page.goto('/')
    if (project.name === 'desktop') await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Pay Invoice' }).click()
    await expect(page).toHaveURL('/pay-invoice')
  })
})

for (const route of routes) {
  test(`the page ${route} is accessible in light and dark mode, and fits a width of 320 px`, async ({
    page,
  }) => {
    await page.goto(route)
    await expect(page.locator('h1')).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    // At a zoom of 400 %, a page in a 1280 px wide browser window has a width of 320 px.
    await page.setViewportSize({ width: 320, height: 700 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })
}

test('public pages load no dashboard code', async ({ page }) => {
  const files: string[] = []
  page.on('request', (request) => files.push(new URL(request.url()).pathname))
  for (const route of routes) await page.goto(route)
  expect(files.filter((file) => /admin/.test(file))).toEqual([])
  expect(files.some((file) => /archivo-site/.test(file))).toBe(true)
})
