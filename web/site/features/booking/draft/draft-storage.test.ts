import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { emptyBookingForm } from '#domain/bookings/booking-form.ts'
import { emptyDraft, type BookingDraft } from './booking-draft.ts'
import { forgetDraft, recallDraft, rememberDraft } from './draft-storage.ts'

const entries = new Map<string, string>()
beforeEach(() => {
  entries.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

const draft: BookingDraft = {
  ...emptyDraft,
  service: {
    id: 's1',
    name: 'Brake Job',
    description: 'Pads',
    duration_minutes: 90,
    price_from_cents: 18900,
  },
  date: '2026-11-28',
  time: '13:30',
  form: { ...emptyBookingForm, name: 'Dana' },
  unanswered: { booking: 'a', guard: { 'x-form-token': 'b' } },
}

describe('the stored draft of a booking', () => {
  test('contains the typed texts and the choices of the visitor', () => {
    rememberDraft(draft)
    expect(recallDraft()).toEqual(draft)
  })

  test('is undefined before it is stored and after it is deleted', () => {
    expect(recallDraft()).toBeUndefined()
    rememberDraft(draft)
    forgetDraft()
    expect(recallDraft()).toBeUndefined()
  })

  test.each(['', 'null', '3', '{{'])(
    'is undefined when the storage of the browser contains %j',
    (stored) => {
      entries.set('booking-draft', stored)
      expect(recallDraft()).toBeUndefined()
    },
  )

  test.each([
    ['[]', {}],
    ['{"service":3,"date":"2026-02-29","time":"25:00","form":7,"unanswered":{}}', {}],
    [
      '{"date":"2026-11-28","time":"25:00","confirmed":{"date":"2026-11-28"}}',
      { date: '2026-11-28' },
    ],
    ['{"form":{"name":"Dana","email":7}}', { form: { ...emptyBookingForm, name: 'Dana' } }],
  ])('contains only the valid fields of %s', (stored, expected) => {
    entries.set('booking-draft', stored)
    expect(recallDraft()).toEqual({ ...emptyDraft, ...expected })
  })

  test('is undefined in a browser that forbids storage', () => {
    vi.stubGlobal('sessionStorage', {
      getItem: () => {
        throw new Error('forbidden')
      },
      setItem: () => {
        throw new Error('forbidden')
      },
      removeItem: () => {
        throw new Error('forbidden')
      },
    })
    rememberDraft(draft)
    forgetDraft()
    expect(recallDraft()).toBeUndefined()
  })
})
