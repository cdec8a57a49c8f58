import { expect, expectAccessible, test } from '#tests/browser/fixtures.ts'

test.use({ expectedConsoleErrors: [/localhost:\d+\/visit\b/] })

test('the booking page links to a form that sends a lost visit link again', async ({ page }) => {
  await page.goto('/book-appointment')
  await page.getByRole('main').getByRole('link', { name: 'Find my appointment' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Find my appointment' })).toBeVisible()
  await expectAccessible(page)
  const email = page.getByLabel('The email address you booked with')
  await email.fill('dana@')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Please enter a valid email address.')
  await expect(email).toHaveValue('dana@')
  await expectAccessible(page)
  await email.fill('dana@customer.example')
  await page.getByRole('button', { name: 'Email me the links' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Check your inbox' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  const isWider = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  )
  expect(isWider).toBe(false)
})
