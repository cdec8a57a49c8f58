import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { addService, admin, fixtureClock } from '#tests/support/database/database-fixtures.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { truncateTables } from '#tests/support/database/truncate-tables.ts'

let shop: TestApp
let cookie: string
let brakesId: string
let wheelsId: string
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
  cookie = await shop.logIn()
  brakesId = await addService(shop.database, 'Story, brakes', 60)
  wheelsId = await addService(shop.database, 'Story, wheels', 60)
})
afterAll(() => shop.close())
beforeEach(() =>
  shop.database.owner.query(truncateTables('public.bookings', 'public.customers', 'public.emails')),
)

const contact = {
  customerName: 'Sam Okafor',
  customerPhone: '555-0155',
  customerEmail: 'sam@customer.example',
}

async function book(): Promise<string> {
  const [row] = await shop.database.database.transaction(admin, (query) =>
    query.unchecked<{ id: string }>(
      `select id from public.book_by_phone(service_id => $1, appointment_date => '2026-11-28',
         appointment_time => '13:30', customer_name => $2, customer_phone => $3, customer_email => $4)`,
      [brakesId, ...Object.values(contact)],
    ),
  )
  return row?.id ?? ''
}

/** Edits the booking: the request changes the fields in `change` and repeats the stored values of all other fields. */
async function edit(bookingId: string, change: Record<string, unknown>) {
  const input = {
    bookingId,
    seenVersion: 1,
    serviceId: brakesId,
    date: '2026-11-28',
    time: '13:30',
    ...contact,
    vehicleYear: null,
    vehicleMake: null,
    vehicleModel: null,
    vehicleColor: null,
    vehiclePlate: null,
    contactChange: null,
    notifies: false,
    ...change,
  }
  const response = await shop.inject({
    method: 'POST',
    url: bookingCommands.edit.path,
    headers: { cookie },
    payload: { commandId: randomUUID(), input },
  })
  return response.json<{ ok: boolean; cause?: { code: string; hint: string | null } }>()
}

const emails = async () => {
  const { rows } = await shop.database.owner.query<{
    kind: string
    recipient_email: string
    subject: string
    text_body: string
  }>('select kind, recipient_email, subject, text_body from public.emails order by kind')
  return rows
}

describe('an edit of an appointment', () => {
  it('emails the customer when the service was changed', async () => {
    const id = await book()
    expect(await edit(id, { serviceId: wheelsId, notifies: true })).toMatchObject({ ok: true })
    expect(await emails()).toMatchObject([
      {
        kind: 'booking_moved',
        recipient_email: 'sam@customer.example',
        subject: 'Changed: Story, wheels, Saturday, November 28, 2026 at 1:30 PM',
      },
    ])
  })

  it('emails the customer the new time when the edit changes the time and the service', async () => {
    const id = await book()
    await edit(id, { serviceId: wheelsId, time: '15:00', notifies: true })
    expect(await emails()).toMatchObject([
      { subject: 'New time: Story, wheels, Saturday, November 28, 2026 at 3:00 PM' },
    ])
  })

  it('sends no email unless staff chose to notify the customer', async () => {
    await edit(await book(), { serviceId: wheelsId })
    expect(await emails()).toEqual([])
  })

  it('sends the confirmation to the corrected email address', async () => {
    const change = { customerEmail: 'samuel@customer.example', contactChange: 'correction' }
    await edit(await book(), { ...change, notifies: true })
    expect(await emails()).toMatchObject([
      { kind: 'booking_confirmation', recipient_email: 'samuel@customer.example' },
    ])
  })

  it('emails a notice to the previous customer and a confirmation to the new customer when staff assign the booking to another customer', async () => {
    const id = await book()
    const other = {
      customerName: 'Pat Lindgren',
      customerPhone: '555-0199',
      customerEmail: 'pat@customer.example',
    }
    await edit(id, { ...other, contactChange: 'other_customer' })
    const [confirmation, handedOver] = await emails()
    expect(confirmation).toMatchObject({
      kind: 'booking_confirmation',
      recipient_email: 'pat@customer.example',
    })
    expect(handedOver).toMatchObject({
      kind: 'booking_handed_over',
      recipient_email: 'sam@customer.example',
      subject:
        'Appointment no longer in your name: Story, brakes, Saturday, November 28, 2026 at 1:30 PM',
    })
    expect(handedOver?.text_body).not.toMatch(/Pat|Lindgren|0199/)
  })

  it('is refused when a contact detail changed but staff did not choose whether to update the customer record', async () => {
    const id = await book()
    expect(await edit(id, { customerName: 'Pat Lindgren', notifies: true })).toMatchObject({
      ok: false,
      cause: { code: '22023', hint: 'contact_change_required' },
    })
    expect(await emails()).toEqual([])
  })

  it('is refused for a booking that does not exist', async () => {
    expect(await edit(randomUUID(), {})).toMatchObject({ ok: false, cause: { code: 'TT060' } })
  })
})
