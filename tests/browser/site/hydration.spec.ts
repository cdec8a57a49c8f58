import { expect, notification, type Page, test } from '#tests/browser/fixtures.ts'
import { addBooking, clearBookings } from '#tests/browser/shop-records.ts'

// These tests examine pages before React hydrates them.
test.use({ waitsUntilAwake: false })

/** Delays the page's code, as on a slow phone. The returned function delivers the code. */
async function delayCode(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/(hydrate|enhance-\w+-page)-.*\.js/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test.describe('a page whose script has not run yet', () => {
  test('typed text and clicks before hydration (before React handles events) are kept, and handled after hydration', async ({
    page,
  }) => {
    const deliverCode = await delayCode(page)
    await page.goto('/request-quote')
    const name = page.getByLabel('Full Name')
    const service = page.getByLabel('Type of Service')
    await name.fill('Ada Quick')
    await service.selectOption({ label: 'Diagnostic' })
    const send = page.getByRole('button', { name: 'Submit Quote Request' })
    await send.click()
    await expect(send).toHaveAttribute('aria-busy', 'true')
    await expect(notification(page)).toBeHidden()
    deliverCode()
    await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toBeVisible()
    await expect(name).toHaveValue('Ada Quick')
    await expect(name).not.toHaveAttribute('aria-invalid')
    await expect(service).toHaveValue('diagnostic')
    await expect(send).not.toHaveAttribute('aria-busy')
    await expect(page).toHaveURL('/request-quote')
  })

  test('a press of Enter in a field before hydration (before React handles events) is handled after hydration', async ({
    page,
  }) => {
    const deliverCode = await delayCode(page)
    await page.goto('/pay-invoice')
    await page.getByLabel('Invoice Number').press('Enter')
    deliverCode()
    await expect(page.getByText('Please enter a valid invoice number.')).toBeVisible()
    await expect(page).toHaveURL('/pay-invoice')
  })

  test('the forms of the visit page can be submitted before hydration', async ({ page, shop }) => {
    const id = await addBooking(shop, { date: '2026-11-28', time: '13:30:00', name: 'Dana' })
    await shop.setClock('2026-11-20T18:00:00Z')
    const { rows } = await shop.database.query<{ path: string }>(
      `select '/visit/' || public.visit_page_token($1) as path`,
      [id],
    )
    await delayCode(page)
    await page.goto(rows[0]?.path ?? '')
    await page.getByRole('button', { name: 'I’ll be there' }).click()
    await expect(page.getByText('See you Saturday.')).toBeVisible()
    await page.getByRole('link', { name: 'Cancel this appointment' }).click()
    await page.getByRole('link', { name: 'Keep my appointment' }).click()
    await expect(page.getByText('See you Saturday.')).toBeVisible()
    await clearBookings(shop)
    await shop.setClock(undefined)
  })

  test('the menu opens and its links work before hydration @phone', async ({ page }, {
    project,
  }) => {
    await delayCode(page)
    await page.goto('/')
    const menu = page.getByRole('button', { name: 'Menu' })
    if (project.name === 'phone') await menu.click()
    const links = project.name === 'phone' ? page.getByRole('dialog') : page.getByRole('navigation')
    await links.getByRole('link', { name: 'Request Quote' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Request a Quote' })).toBeVisible()
  })
})
