import type { ExpectedRecords } from './expected-records.ts'
import { readAll, type StaffClient } from '#tests/long/support/staff-client.ts'
import { sendRequest, type VisitorClient } from '#tests/long/support/visitor-client.ts'

/** The requests that the simulated staff send to the site. */
export type StaffRequests = {
  makeInvoice(email: string, cents: number): Promise<{ id: string; number: string }>
}

/** Returns clients with different IP addresses, because the rate limits count staff by IP address, like visitors. */
export function clients(url: string): () => VisitorClient {
  let turn = 0
  return () => ({ url, address: `192.0.2.${(turn += 1) % 250}` })
}

export function createStaffRequests(
  createClient: () => VisitorClient,
  staff: StaffClient,
): StaffRequests {
  return {
    async makeInvoice(email, cents) {
      const response = await sendRequest(
        createClient(),
        'POST',
        '/api/invoice/create',
        {
          customer: { name: 'Dana Whitfield', email, phone: '' },
          lineItems: [
            { description: 'Work as agreed', amount: (cents / 100).toFixed(2), quantity: 1 },
          ],
          memo: '',
          dueDays: 7,
          sendEmail: false,
          currency: 'usd',
        },
        { cookie: staff.cookie },
      )
      const body = (await response.json()) as { invoice?: { id: string; number: string } }
      if (!body.invoice) throw new Error(`No invoice: ${JSON.stringify(body)}`)
      return body.invoice
    },
  }
}

type QuoteRow = { id: string; email: string; name: string }
type BookingRow = { id: string; customer_email: string }

/** Does one round of the admin's work: answers quote requests, completes a booking, cancels another. */
export async function workOneRound(
  createClient: () => VisitorClient,
  staff: StaffClient,
  day: ExpectedRecords,
): Promise<void> {
  const pending = await readAll<QuoteRow>(
    createClient(),
    staff,
    'quote_requests?select=id,email,name&status=eq.pending&order=created_at.asc',
  )
  // Skips a quote request whose visitor has not seen the confirmation yet, because the visitor's page is still sending
  // the form.
  const ready = pending.filter(({ email }) => day.quoteConfirmed.has(email)).slice(0, 10)
  for (const quote of ready) await replyToQuote(createClient(), staff, day, quote)

  const bookings = await readAll<BookingRow>(
    createClient(),
    staff,
    'bookings?select=id,customer_email,services(name)&status=eq.confirmed&completed_at=is.null&order=id.asc',
  )
  const [done, called] = bookings.filter((row) => day.bookingConfirmed.has(row.customer_email))
  if (done && (await change(createClient(), staff, done.id, completion()))) {
    day.completed.add(done.customer_email)
  }
  if (called && (await change(createClient(), staff, called.id, { status: 'cancelled' }))) {
    day.cancelled.add(called.customer_email)
  }
}

const completion = () => ({ completed_at: new Date().toISOString(), completed_by: 'admin' })

async function change(
  client: VisitorClient,
  staff: StaffClient,
  id: string,
  body: object,
): Promise<boolean> {
  const { authorization } = staff
  const response = await sendRequest(client, 'PATCH', `/rest/v1/bookings?id=eq.${id}`, body, {
    authorization,
  })
  return response.ok
}

async function replyToQuote(
  client: VisitorClient,
  staff: StaffClient,
  day: ExpectedRecords,
  { id, email, name }: QuoteRow,
): Promise<void> {
  const text = `Dear ${name}, that will be 120 dollars.`
  const response = await sendRequest(
    client,
    'POST',
    '/functions/v1/send-quote-email',
    {
      quoteRequestId: id,
      recipientEmail: email,
      recipientName: name,
      subject: 'Your quote',
      originalDraft: text,
      finalBody: text,
      vehicleInfo: '2019 Subaru Outback',
    },
    { authorization: staff.authorization },
  )
  if (response.ok) day.quoteAnswered.add(email)
  else day.unexpected.push(`answer to a quote request: ${response.status}`)
}
