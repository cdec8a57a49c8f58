import { expect, expectAccessible, test, type Page } from '#tests/browser/fixtures.ts'

const input = {
  'Full Name': 'Dana Whitfield',
  'Email Address': 'dana@example.com',
  Year: '2019',
  Make: 'Subaru',
  Model: 'Outback',
  'Describe the Issue or Service Needed': 'Grinding from the front left.\nWorse when cold.',
}

const field = (page: Page, label: string) => page.getByLabel(label)
const submit = (page: Page) => page.getByRole('button', { name: 'Submit Quote Request' })

async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value)
}

/** Responds in place of the server function that sends emails. Returns the bodies of the requests to this function. */
async function catchMail(page: Page, status = 200): Promise<unknown[]> {
  const requests: unknown[] = []
  await page.route('**/functions/v1/send-confirmation-email', async (route) => {
    requests.push(route.request().postDataJSON())
    await route.fulfill({ status, json: { success: status === 200 } })
  })
  return requests
}

test.describe('requesting a quote', () => {
  test('the quote form has the specified fields, options and texts', async ({ page }) => {
    await page.goto('/request-quote')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Request a Quote')
    await expect(page.getByRole('heading', { name: 'Get Your Free Quote' })).toBeVisible()
    await expect(page.getByRole('group', { name: 'Vehicle Information' })).toBeVisible()
    const options = page.getByLabel('Type of Service').locator('option')
    expect(await options.allTextContents()).toEqual([
      'Choose a service (optional)',
      'Oil Change',
      'Brake Service',
      'Engine Repair',
      'Transmission Service',
      'Electrical Issues',
      'A/C & Heating',
      'Performance Upgrade',
      'Diagnostic',
      'Other',
    ])
    await expect(page.getByRole('heading', { name: 'What Happens Next?' })).toBeVisible()
    await expect(page.getByText('We call or email you within 24 hours.')).toBeVisible()
    await expect(page.getByText('An online quote is preliminary.')).toBeVisible()
    await expect(page.locator('[aria-required=true]')).toHaveCount(6)
  })

  test('a submitted quote form stores the request, sends the confirmation email and is then empty', async ({
    page,
    shop,
  }) => {
    const mail = await catchMail(page)
    const email = `dana-${Date.now()}-${test.info().project.name}@example.com`
    await page.goto('/request-quote')
    await fill(page, { ...input, 'Email Address': email, 'Phone Number': '(650) 555-0167' })
    await field(page, 'Type of Service').selectOption({ label: 'A/C & Heating' })
    await submit(page).click()
    const toast = page.getByRole('status').filter({ hasText: 'Quote Request Submitted!' })
    await expect(toast).toContainText(
      "We'll contact you within 24 hours with your personalized quote.",
    )
    for (const label of Object.keys(input)) await expect(field(page, label)).toHaveValue('')
    await expect(field(page, 'Type of Service')).toHaveValue('')
    await page.reload()
    await expect(page.getByText(`We'll reply to ${email}.`)).toBeVisible()
    expect(page.url()).not.toContain('dana')
    const { rows } = await shop.database.query(
      `select name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status,
              flagged_reasons
         from public.quote_requests where email = $1`,
      [email],
    )
    expect(rows).toEqual([
      {
        name: 'Dana Whitfield',
        email,
        phone: '(650) 555-0167',
        vehicle_year: '2019',
        vehicle_make: 'Subaru',
        vehicle_model: 'Outback',
        service_type: 'ac-heating',
        description: 'Grinding from the front left.\nWorse when cold.',
        status: 'pending',
        // The test fills in the form as fast as a browser's autofill would.
        flagged_reasons: [],
      },
    ])
    await expect
      .poll(() => mail)
      .toEqual([
        {
          type: 'quote',
          customerName: 'Dana Whitfield',
          customerEmail: email,
          details: {
            vehicle: '2019 Subaru Outback',
            serviceType: 'A/C & Heating',
            description: 'Grinding from the front left.\nWorse when cold.',
            phone: '(650) 555-0167',
          },
        },
      ])
  })

  test('the quote form reports errors in the specified order and with the specified texts, and keeps the input @phone', async ({
    page,
  }) => {
    await page.goto('/request-quote')
    await fill(page, { 'Full Name': 'Dana Whitfield', Make: 'Subaru' })
    await submit(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Error' })).toContainText(
      'Please fill in all required fields.',
    )
    await expect(field(page, 'Email Address')).toBeFocused()
    await expect(field(page, 'Email Address')).toHaveAccessibleDescription(
      'Please fill in all required fields.',
    )
    await expect(field(page, 'Full Name')).not.toHaveAttribute('aria-invalid')
    await expectAccessible(page)
    await fill(page, { 'Email Address': 'dana', 'Describe the Issue': 'Noise' })
    await submit(page).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Vehicle Details' })).toContainText(
      'Please enter vehicle year, make, and model.',
    )
    await expect(field(page, 'Year')).toBeFocused()
    await fill(page, { Year: 'about 1998', Model: 'Outback' })
    await submit(page).click()
    await expect(field(page, 'Email Address')).toBeFocused()
    await expect(field(page, 'Email Address')).toHaveAccessibleDescription(
      'Please enter a valid email address.',
    )
    await expect(field(page, 'Full Name')).toHaveValue('Dana Whitfield')
    await expect(field(page, 'Make')).toHaveValue('Subaru')
  })

  test('the quote form shows that the request is being sent, and does not send the request twice', async ({
    page,
  }) => {
    await catchMail(page)
    let inserts = 0
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/rest/v1/quote_requests*', async (route) => {
      inserts += 1
      await held
      await route.fulfill({ status: 201, body: '' })
    })
    await page.goto('/request-quote')
    await fill(page, input)
    await submit(page).click()
    const busy = page.getByRole('button', { name: 'Submitting...' })
    await expect(busy).toBeDisabled()
    await field(page, 'Model').press('Enter')
    release()
    await expect(page.getByText('Quote Request Submitted!')).toBeVisible()
    await expect(submit(page)).toBeEnabled()
    expect(inserts).toBe(1)
  })

  test('the quote form keeps the input after navigation and a reload', async ({ page }) => {
    await catchMail(page)
    await page.goto('/request-quote')
    await fill(page, input)
    await page.getByRole('link', { name: 'Pay Invoice', exact: true }).click()
    await expect(page).toHaveURL('/pay-invoice')
    await page.goBack()
    await expect(field(page, 'Full Name')).toHaveValue('Dana Whitfield')
    await page.reload()
    await expect(field(page, 'Full Name')).toHaveValue('Dana Whitfield')
    await expect(field(page, 'Describe the Issue')).toHaveValue(/Worse when cold/)
    await submit(page).click()
    await expect(page.getByText('Quote Request Submitted!')).toBeVisible()
    for (const label of Object.keys(input)) await expect(field(page, label)).toHaveValue('')
  })

  test('the quote form sends empty optional fields as null, and hides the honeypot field from view and from the tab order', async ({
    page,
  }) => {
    await catchMail(page)
    await page.goto('/request-quote')
    const honeypot = page.locator('input[name=website]')
    await expect(honeypot).not.toBeInViewport()
    await expect(honeypot).toHaveAttribute('tabindex', '-1')
    await expect(honeypot).toHaveAttribute('autocomplete', 'off')
    await expect(page.getByRole('textbox', { name: 'Website' })).toHaveCount(0)
    await fill(page, input)
    const sent = page.waitForRequest('**/rest/v1/quote_requests*')
    await submit(page).click()
    const headers = (await sent).headers()
    expect(headers['x-form-website']).toBe('')
    expect(headers['x-form-token']).toBeTruthy()
    expect((await sent).postDataJSON()).toMatchObject({ phone: null, service_type: null })
    await expect(page.getByText('Quote Request Submitted!')).toBeVisible()
  })

  test.describe('when sending a quote request fails', () => {
    test.use({ expectedConsoleErrors: [/status of 5\d\d|ERR_FAILED|ERR_INTERNET_DISCONNECTED/] })

    test('a failed confirmation email does not stop the quote request, and the visitor sees no error', async ({
      page,
    }) => {
      await catchMail(page, 500)
      await page.goto('/request-quote')
      await fill(page, input)
      await submit(page).click()
      await expect(page.getByText('Quote Request Submitted!')).toBeVisible()
    })

    for (const failure of ['an error', 'no response'] as const) {
      test(`the quote form shows a message after ${failure} from the REST API, and keeps the input`, async ({
        page,
      }) => {
        await page.route('**/rest/v1/quote_requests*', (route) =>
          failure === 'an error'
            ? route.fulfill({ status: 500, json: { code: 'XX000', message: 'no' } })
            : route.abort(),
        )
        await page.goto('/request-quote')
        await fill(page, input)
        await submit(page).click()
        const alert = page.getByRole('alert').filter({ hasText: 'Submission Failed' })
        await expect(alert).toContainText(
          'There was an error submitting your request. Please try again.',
        )
        for (const [label, value] of Object.entries(input)) {
          await expect(field(page, label)).toHaveValue(value)
        }
        await expect(submit(page)).toBeEnabled()
      })
    }

    test('a quote request that is sent again after a lost connection does not look automated', async ({
      page,
      shop,
    }) => {
      await catchMail(page)
      const opened = page.waitForResponse('**/api/form-token')
      await page.goto('/request-quote')
      await fill(page, input)
      await opened
      await page.context().setOffline(true)
      await submit(page).click()
      await expect(page.getByText('Submission Failed')).toBeVisible()
      await expect(submit(page)).toBeFocused()
      await page.context().setOffline(false)
      await submit(page).click()
      await expect(page.getByText('Quote Request Submitted!')).toBeVisible()
      const { rows } = await shop.database.query(
        'select flagged_reasons from public.quote_requests order by created_at desc limit 1',
      )
      expect(rows).toEqual([{ flagged_reasons: [] }])
    })

    test('the quote request is sent even if the page has no form token', async ({ page }) => {
      await catchMail(page)
      await page.route('**/api/form-token', (route) => route.abort())
      await page.goto('/request-quote')
      await fill(page, input)
      await submit(page).click()
      await expect(page.getByText('Quote Request Submitted!')).toBeVisible()
    })
  })
})
