import { formatTime } from '#domain/calendar/clock-time.ts'
import { addDays, formatLongDate } from '#domain/calendar/calendar-date.ts'
import { shopToday } from '#domain/calendar/shop-time.ts'
import { listBookableSlots } from '#domain/bookings/time-slots.ts'
import { publicAnonKey } from '#server/config.ts'
import { signFormToken } from '#server/features/form-guard/form-tokens.ts'
import { testFormKey } from '#tests/support/app/form-key.ts'

/** The URL of a site, and the IP address that a proxy reports for the visitor. */
export type VisitorClient = { readonly url: string; readonly address?: string }

export type Slot = { readonly date: string; readonly time: string }
export type Service = {
  readonly id: string
  readonly name: string
  readonly duration_minutes: number
}

/** The HTTP status, 0 without a response, and the code of the error in the body. */
export type Outcome = { readonly status: number; readonly code: string }

/**
 * Returns every slot that visitors can book throughout a test. The first two days are left out, because their slots may
 * pass during the test.
 */
export function upcomingSlots(durationMinutes: number, stepMinutes = durationMinutes): Slot[] {
  const now = new Date()
  const slots: Slot[] = []
  for (let day = 2; day < 30; day += 1) {
    const date = addDays(shopToday(now), day)
    const times = listBookableSlots(date, durationMinutes, now)
    for (const [index, time] of times.entries()) {
      if (index % (stepMinutes / 30) === 0) slots.push({ date, time })
    }
  }
  return slots
}

export async function readServices(client: VisitorClient): Promise<Service[]> {
  const response = await sendRequest(
    client,
    'GET',
    '/rest/v1/services?is_active=eq.true&order=name',
  )
  return (await response.json()) as Service[]
}

let customerCount = 0

/** Books as the website does, each time as a new customer. */
export async function book(
  client: VisitorClient,
  service: Service,
  slot: Slot,
  customerEmail: string,
): Promise<Outcome> {
  customerCount += 1
  return outcomeOf(
    sendRequest(
      client,
      'POST',
      '/rest/v1/bookings',
      {
        service_id: service.id,
        appointment_date: slot.date,
        appointment_time: slot.time,
        customer_name: 'Dana Whitfield',
        customer_email: customerEmail,
        customer_phone: `(650) 555-0167 x${customerCount}`,
        vehicle_year: '2019',
        vehicle_make: 'Subaru',
        vehicle_model: 'Outback',
        status: 'confirmed',
      },
      openForm(customerEmail),
    ),
  )
}

/** Requests the confirmation email of a booking, as the website does after a booking. */
export function confirmBooking(
  client: VisitorClient,
  service: Service,
  slot: Slot,
  customerEmail: string,
): Promise<Outcome> {
  return outcomeOf(
    sendRequest(
      client,
      'POST',
      '/functions/v1/send-confirmation-email',
      {
        type: 'booking',
        customerName: 'Dana Whitfield',
        customerEmail,
        details: {
          serviceName: service.name,
          date: formatLongDate(slot.date),
          time: formatTime(slot.time),
        },
      },
      formOf(customerEmail),
    ),
  )
}

/** Requests a quote as the website does. */
export function submitQuote(
  client: VisitorClient,
  email: string,
  description: string,
): Promise<Outcome> {
  return outcomeOf(
    sendRequest(
      client,
      'POST',
      '/rest/v1/quote_requests',
      {
        name: 'Dana Whitfield',
        email,
        phone: null,
        vehicle_year: '2019',
        vehicle_make: 'Subaru',
        vehicle_model: 'Outback',
        service_type: 'diagnostic',
        description,
        status: 'pending',
      },
      openForm(email),
    ),
  )
}

/** Requests the confirmation email of a quote request, as the website does after the request. */
export function confirmQuote(
  client: VisitorClient,
  email: string,
  description: string,
): Promise<Outcome> {
  return outcomeOf(
    sendRequest(
      client,
      'POST',
      '/functions/v1/send-confirmation-email',
      {
        type: 'quote',
        customerName: 'Dana Whitfield',
        customerEmail: email,
        details: { vehicle: '2019 Subaru Outback', serviceType: 'Diagnostic', description },
      },
      formOf(email),
    ),
  )
}

const forms = new Map<string, string>()

/** Creates a form token that is a minute old, so that the form does not look automated. */
function openForm(email: string): Record<string, string> {
  forms.set(email, signFormToken(Date.now() - 60_000, testFormKey))
  return formOf(email)
}

/**
 * Returns the token of the last form that a visitor sent. The server reports the state of a confirmation only to the
 * sender of the form.
 */
const formOf = (email: string) => ({ 'x-form-token': forms.get(email) ?? '' })

/** Returns whether the website would offer the time. */
export async function isFree(
  client: VisitorClient,
  service: Service,
  slot: Slot,
): Promise<boolean> {
  const response = await sendRequest(client, 'POST', '/rest/v1/rpc/is_time_slot_available', {
    service_duration: service.duration_minutes,
    booking_date: slot.date,
    booking_time: slot.time,
  })
  return (await response.json()) === true
}

/** Sends one request of a visitor's browser. Throws if no response arrives. */
export function sendRequest(
  { url, address }: VisitorClient,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: {
      apikey: publicAnonKey,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(address ? { 'x-forwarded-for': address } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  })
}

async function outcomeOf(pending: Promise<Response>): Promise<Outcome> {
  try {
    const response = await pending
    const text = await response.text()
    const parsed: unknown = text === '' ? {} : JSON.parse(text)
    const { code } = parsed as { code?: unknown }
    return { status: response.status, code: typeof code === 'string' ? code : '' }
  } catch {
    return { status: 0, code: '' }
  }
}
