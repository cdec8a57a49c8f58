import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { defaultShop } from '#domain/shop/default-shop.ts'
import { Router } from '#web/site/router.tsx'
import { ShopContext } from '#web/lib/shop.ts'
import { BookingWizard } from './booking-wizard.tsx'
import { clearDraft, currentDraft } from './draft/draft-store.ts'

const services = [
  { id: 's1', name: 'Oil Change', description: 'Fresh oil', duration_minutes: 30 },
  { id: 's2', name: 'Brake Job', description: 'New pads', duration_minutes: 90 },
]

// A fake client of the database's REST API. The shop has two repair services, and every slot is free.
vi.mock('#web/lib/data/supabase.ts', () => {
  const respondWith = (data: unknown) => {
    const request = { abortSignal: () => Promise.resolve({ data, error: null }) }
    const chain = {
      ...request,
      select: () => chain,
      eq: () => chain,
      order: () => chain,
      retry: () => chain,
    }
    return chain
  }
  const client = { from: () => respondWith(services), rpc: () => respondWith(true) }
  return { getVisitorService: () => Promise.resolve(client) }
})

const home = window.location.href
beforeEach(() => {
  // Friday, November 27, 2026, 10:00 at the shop.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-27T18:00:00Z') })
  clearDraft()
})
afterEach(() => {
  vi.useRealTimers()
  history.replaceState(null, '', home)
})

async function openWizard(search = '') {
  history.replaceState(null, '', `/book-appointment${search}`)
  await render(
    <ShopContext value={defaultShop}>
      <Router>
        <BookingWizard />
      </Router>
    </ShopContext>,
  )
}

const step = (name: string) => page.getByRole('heading', { level: 1, name })
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()

async function chooseTime() {
  await press(/Brake Job/)
  await press(/^Saturday, November 28, 2026/)
  await press('10:00 AM')
  await expect.element(step('Confirm Your Booking')).toBeVisible()
}

describe('the booking wizard', () => {
  test('moves the focus to the heading of each new step', async () => {
    await openWizard()
    await press(/Brake Job/)
    await expect.element(step('Pick Your Time')).toHaveFocus()
    expect(location.search).toBe('?step=time')
  })

  test.each(['?step=time', '?step=details', '?step=confirmed', '?step=anything'])(
    'starts at the first step without a draft, also at the URL %s',
    async (search) => {
      await openWizard(search)
      await expect.element(step('Choose Your Service')).toBeVisible()
      if (search !== '?step=anything') await expect.poll(() => location.search).toBe('')
    },
  )

  test('returns to the previous step with Back and preserves the choices', async () => {
    await openWizard()
    await chooseTime()
    await press(/Back/)
    await expect.element(step('Pick Your Time')).toBeVisible()
    expect(currentDraft()).toMatchObject({ date: '2026-11-28', time: '10:00' })
    await press(/Back/)
    await expect.element(step('Choose Your Service')).toBeVisible()
    expect(currentDraft().service?.name).toBe('Brake Job')
  })

  test('clears the time when another date is chosen', async () => {
    await openWizard()
    await chooseTime()
    await press(/Back/)
    await press(/^Monday, November 30, 2026/)
    await expect.poll(currentDraft).toMatchObject({ date: '2026-11-30', time: null })
  })

  test('clears the time when another service is chosen, but not when the selected service is chosen again', async () => {
    await openWizard()
    await chooseTime()
    await press(/Back/)
    await press(/Back/)
    await press(/Brake Job/)
    expect(currentDraft().time).toBe('10:00')
    await press(/Back/)
    await press(/Oil Change/)
    await expect.poll(currentDraft).toMatchObject({ date: '2026-11-28', time: null })
  })
})
