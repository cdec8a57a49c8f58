import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/app/app.ts'
import { readCalendar } from '#tests/support/read-calendar.ts'
import { agedFormToken } from '#tests/support/app/form-token.ts'
import { setShopClock } from '#tests/support/database/shop-clock.ts'
import { addService, bookingRow, fixtureClock } from '#tests/support/database/database-fixtures.ts'

let shop: TestApp
beforeAll(async () => {
  shop = await createTestApp({ config: { rateLimits: 'off' } })
  await setShopClock(shop.database.owner, fixtureClock)
})
afterAll(() => shop.close())

const outbox = () => join(shop.config.dataDirectory, 'outbox')

describe('the confirmation of a booking', () => {
  it('is stored in the outbox folder as an email with a calendar file when the booking page requests the confirmation', async () => {
    const serviceId = await addService(shop.database, 'Clutch Check', 60)
    const client = await shop.createClient()
    const row: object = bookingRow(serviceId, { notes: 'It slips in third gear.' })
    const headers = { 'x-form-token': await agedFormToken(shop.database.database) }
    await client.from('bookings').insert(row).setHeader('x-form-token', headers['x-form-token'])
    const { data, error } = await client.functions.invoke('send-confirmation-email', {
      headers,
      body: {
        type: 'booking',
        customerName: 'Dana Whitfield',
        customerEmail: 'dana@example.com',
        details: {
          serviceName: 'Clutch Check',
          date: 'Saturday, November 28, 2026',
          time: '1:30 PM',
          notes: 'It slips in third gear.',
          phone: '(650) 555-0167',
          year: '2019',
          vehicleMake: 'Subaru',
          vehicleModel: 'Outback',
          vehicleColor: null,
        },
      },
    })
    expect({ data, error }).toEqual({
      data: { success: true, visitUrl: expect.stringMatching(/\/visit\/[\w-]{43}$/) },
      error: null,
    })

    const [file, ...others] = await readdir(outbox())
    expect(others).toEqual([])
    expect(file).toMatch(/^\d{8}T\d{6}-booking_confirmation-[0-9a-f-]{36}\.eml$/)
    const path = join(outbox(), file ?? '')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const mail = await simpleParser(await readFile(path))
    expect(mail.subject).toBe(
      'Appointment confirmed: Clutch Check, Saturday, November 28, 2026 at 1:30 PM',
    )
    for (const body of [mail.text, mail.html || '']) {
      expect(body).toContain('Saturday, November 28, 2026')
      expect(body).toContain('1:30 PM shop time')
      expect(body).toContain('Hello Dana,')
      expect(body).toContain('2019 Subaru Outback')
      expect(body).not.toContain('third gear')
      expect(body).toContain('2130 Example Way, Mountain View, CA 94043')
      expect(body).toContain('(650) 555-0142')
    }
    // The calendar file appears twice: as a MIME part that calendar programs process, and as an attachment (RFC 6047,
    // section 2.4).
    expect(
      mail.attachments.map(({ contentType, filename }) => `${contentType} ${filename ?? '-'}`),
    ).toEqual(['text/calendar -', 'application/ics appointment.ics'])
    const raw = (await readFile(path)).toString()
    expect(raw).toContain('Content-Type: text/calendar; charset=utf-8; method=REQUEST')
    const { visitUrl } = data as { visitUrl: string }
    for (const { content } of mail.attachments) {
      const unfolded = content.toString().replaceAll('\r\n ', '')
      expect(unfolded).toContain(`URL:${visitUrl}\r\n`)
      expect(unfolded).toContain('Vehicle: 2019 Subaru')
      expect(readCalendar(content.toString())).toEqual({
        method: 'REQUEST',
        status: 'CONFIRMED',
        sequence: 0,
        start: '2026-11-28T21:30:00.000Z',
        end: '2026-11-28T22:30:00.000Z',
        organizer: 'mailto:hello@torqueandtiming.example',
        attendee: 'mailto:dana@example.com',
      })
    }
    const { rows } = await shop.database.owner.query(
      'select status, attempts, sent_at is not null as has_time from public.emails',
    )
    expect(rows).toEqual([{ status: 'in_outbox', attempts: 1, has_time: true }])
  })
})
