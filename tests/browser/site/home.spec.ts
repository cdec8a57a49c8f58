import { expect, stubMap, test } from '#tests/browser/fixtures.ts'

test.describe('content and loading', () => {
  test('the home page shows the shop’s name, a tagline and three large buttons at the start and the end @phone', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Torque & Timing')
    await expect(page.getByText('Fixed right. Ready on time.')).toBeVisible()
    for (const [name, href] of [
      [/^Book Appointment/, '/book-appointment'],
      [/^Get a Quote/, '/request-quote'],
      [/^Pay Invoice/, '/pay-invoice'],
    ] as const) {
      const buttons = page.getByRole('main').getByRole('link', { name })
      await expect(buttons).toHaveCount(2)
      for (const button of await buttons.all()) {
        await expect(button).toHaveAttribute('href', href)
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(60)
      }
    }
  })

  test('the home page describes services, advantages, location and hours, and links each service to a quote or a booking', async ({
    page,
  }) => {
    await page.goto('/')
    for (const name of [
      'Engine diagnostics and repair',
      'Brake system services',
      'Transmission services',
      'Find Our Shop',
      'Why Choose Us',
      'Expert technicians',
      'Fast turnaround',
      'Quality guarantee',
      'Ready to Get Started',
    ]) {
      await expect(page.getByRole('heading', { name })).toBeVisible()
    }
    const main = page.getByRole('main')
    await expect(main).toContainText('1 hour and 15 minutes')
    await expect(main).toContainText('Most repairs are same-day or next-day.')
    await expect(main).toContainText('2130 Example Way')
    await expect(main).toContainText('Mon–Wed: 11:00 AM – 7:00 PM')
    await expect(main).toContainText('Thu–Sun: 8:30 AM – 9:00 PM')
    await expect(main.getByRole('link', { name: '(650) 555-0142' }).first()).toHaveAttribute(
      'href',
      'tel:+16505550142',
    )
    const expected = {
      'Oil changes': '/request-quote',
      'Tire rotation and alignment': '/request-quote',
      'Battery testing': '/request-quote',
      'Air conditioning': '/request-quote',
      'Exhaust and suspension': '/request-quote',
      'Pre-purchase inspections': '/book-appointment',
      'Scheduled maintenance': '/book-appointment',
    }
    for (const [name, href] of Object.entries(expected)) {
      await expect(page.getByRole('link', { name })).toHaveAttribute('href', href)
    }
  })

  test('the home page highlights the hours of the current day in shop time', async ({ page }) => {
    await page.clock.setFixedTime('2026-11-26T03:00:00Z')
    await page.goto('/')
    await page.getByRole('heading', { name: 'Opening hours' }).scrollIntoViewIfNeeded()
    await expect(page.locator('[aria-current=date]')).toHaveText('Mon–Wed: 11:00 AM – 7:00 PM')
  })

  test('the home page does not wait for the map host, and shows the embedded map after the host responds', async ({
    page,
  }) => {
    await stubMap(page)
    await page.goto('/')
    const map = page.getByTitle(/^Map: Torque & Timing/)
    await expect(map).toBeHidden()
    await page.getByRole('heading', { name: 'Find Our Shop' }).scrollIntoViewIfNeeded()
    await expect(map).toBeVisible()
    await expect(map).toHaveAttribute('src', /^https:\/\/www\.openstreetmap\.org\/export\/embed/)
    await expect(map).toHaveAttribute('loading', 'lazy')
  })

  test('the home page keeps the drawn map and its link while the host of the embedded map is unreachable', async ({
    page,
  }) => {
    const failed = page.waitForEvent('requestfailed', (request) =>
      /openstreetmap/.test(request.url()),
    )
    await page.goto('/')
    await page.getByRole('heading', { name: 'Find Our Shop' }).scrollIntoViewIfNeeded()
    await failed
    await expect(page.getByRole('group', { name: 'Map' }).locator('svg').first()).toBeVisible()
    await expect(page.getByTitle(/^Map: Torque & Timing/)).toBeHidden()
    await expect(page.getByRole('link', { name: 'Open in maps' })).toHaveAttribute(
      'href',
      /2130\+Example\+Way/,
    )
  })

  for (const [path, last] of [
    ['/', 'Ready to Get Started'],
    ['/book-appointment', 'Select the Service You Need'],
  ] as const) {
    test(`the layout of the page ${path} does not shift while the page loads`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await page.addInitScript(() => {
        new PerformanceObserver((list) => {
          const shifts = list.getEntries().map((entry) => Number(Reflect.get(entry, 'value')))
          const sum = Number(Reflect.get(window, 'shift') ?? 0)
          Reflect.set(
            window,
            'shift',
            shifts.reduce((total, value) => total + value, sum),
          )
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(path)
      await page.evaluate(() => document.fonts.ready.then(() => undefined))
      await expect(page.getByTestId('service-skeleton')).toHaveCount(0)
      await page.getByRole('heading', { name: last }).scrollIntoViewIfNeeded()
      expect(await page.evaluate(() => Number(Reflect.get(window, 'shift') ?? 0))).toBeLessThan(
        0.002,
      )
    })
  }

  test('the home page keeps the shop name within its line height while the web font loads', async ({
    page,
  }) => {
    await page.route('**/*.woff2', () => undefined)
    // The `load` event may wait for the font, whose response never arrives in this test.
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await expect(page.locator('html[data-awake]')).toBeAttached()
    const { ink, lineHeight } = await page
      .getByRole('heading', { level: 1 })
      .evaluate((heading) => {
        const style = getComputedStyle(heading)
        const canvas = document.createElement('canvas').getContext('2d')
        if (!canvas) throw new Error('No canvas')
        canvas.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
        canvas.fontStretch = style.fontStretch === '100%' ? 'normal' : 'expanded'
        const { actualBoundingBoxAscent, actualBoundingBoxDescent } = canvas.measureText('Torque')
        return {
          ink: actualBoundingBoxAscent + actualBoundingBoxDescent,
          lineHeight: Number.parseFloat(style.lineHeight),
        }
      })
    expect(ink).toBeLessThan(lineHeight)
  })

  test('the home page has no animation with prefers-reduced-motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    const running = await page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    )
    expect(running).toBe(0)
  })
})
