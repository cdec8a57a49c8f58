import { expect, notification, type Page, test } from '#tests/browser/fixtures.ts'
import { phoneSize } from '#tests/browser/viewports.ts'

const form = '/request-quote'
const submit = (page: Page) => page.getByRole('button', { name: 'Submit Quote Request' }).click()
/** Opens the form with a browser clock that advances only when the test advances it. */
async function openInStillTime(page: Page) {
  await page.clock.install({ time: '2026-11-23T18:00:00Z' })
  await page.goto(form)
  await page.clock.pauseAt('2026-11-23T18:01:00Z')
}
const toast = (page: Page) => page.getByRole('alert').filter({ hasText: 'Error' })

test.describe('toasts', () => {
  test('a notification is shown for five seconds at the bottom right @phone', async ({ page }) => {
    await openInStillTime(page)
    await submit(page)
    await expect(toast(page)).toContainText('Please fill in all required fields.')
    const box = await notification(page).boundingBox()
    const size = page.viewportSize()
    expect(box && size && size.width - box.x - box.width).toBeLessThanOrEqual(32)
    expect(box && size && size.height - box.y - box.height).toBeLessThanOrEqual(32)
    await page.clock.runFor(4_800)
    await expect(toast(page)).toBeVisible()
    await page.clock.runFor(400)
    await expect(toast(page)).toBeHidden()
  })

  test('a notification is fully readable and can be dismissed with text twice as large on a phone', async ({
    page,
  }) => {
    await page.setViewportSize(phoneSize)
    await openInStillTime(page)
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'))
    await page.getByLabel('Full Name').fill('Dana Whitfield')
    await page.getByLabel('Email Address').fill('dana@customer.example')
    await page.getByLabel('Describe the Issue or Service Needed').fill('Grinding noise')
    await submit(page)
    await expect(notification(page)).toContainText('Vehicle Details Required')
    const { textOverflow, button } = await notification(page).evaluate((region) => {
      const shown = region.querySelector('.toast')
      const dismiss = region.querySelector('[aria-label="Dismiss"]')
      const edge = (element: Element | null) => element?.getBoundingClientRect().right ?? Infinity
      return {
        textOverflow: (shown?.scrollWidth ?? Infinity) - (shown?.clientWidth ?? 0),
        button: edge(dismiss) - edge(shown),
      }
    })
    expect(textOverflow).toBeLessThanOrEqual(0)
    expect(button).toBeLessThanOrEqual(0)
  })

  test('a notification stays while it is under the pointer, while it has the focus, and while the window is inactive', async ({
    page,
  }) => {
    await openInStillTime(page)
    await submit(page)
    await notification(page).hover()
    await page.clock.runFor(20_000)
    await expect(toast(page)).toBeVisible()
    await page.keyboard.press('F8')
    await page.mouse.move(5, 5)
    await page.clock.runFor(20_000)
    await expect(toast(page)).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('blur')))
    await page.getByLabel('Full Name').focus()
    await page.clock.runFor(20_000)
    await expect(toast(page)).toBeVisible()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.clock.runFor(5_200)
    await expect(toast(page)).toBeHidden()
  })

  test('a notification is dismissed by a swipe to the right beyond 50 px or by keyboard, and only one is shown at a time', async ({
    page,
  }) => {
    await page.goto(form)
    await submit(page)
    const box = await notification(page).boundingBox()
    if (!box) throw new Error('no toast')
    const [x, y] = [box.x + 80, box.y + box.height / 2]
    const swipe = async (px: number) => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + px, y, { steps: 4 })
      await page.mouse.up()
    }
    await swipe(48)
    await expect(toast(page)).toBeVisible()
    await swipe(60)
    await expect(toast(page)).toBeHidden()

    await submit(page)
    await expect(toast(page)).toBeVisible()
    await page.keyboard.press('F8')
    await expect(page.getByRole('region', { name: /Notifications/ })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Dismiss' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(toast(page)).toBeHidden()

    await submit(page)
    await page.getByLabel('Full Name').fill('Dana')
    await page.getByLabel('Email Address').fill('dana@example.com')
    await page.getByLabel('Describe the Issue').fill('Noise')
    await submit(page)
    await expect(notification(page)).toHaveCount(1)
    await expect(notification(page)).toContainText('Vehicle Details Required')
  })
})
