import * as z from 'zod/mini'
import {
  type ConfirmationEmailRequest,
  type ConfirmationEmailResponse,
  confirmationEmailRequest,
} from '#contracts/api/server-functions.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import type { Shop } from '#domain/shop/shop.ts'
import {
  type BookingRecord,
  writeBookingConfirmation,
} from '#emails/bookings/booking-confirmation.ts'
import { writeConfirmationRequest } from '#emails/bookings/confirmation-request.ts'
import { mailableAddress } from '#emails/layout/untrusted-text.ts'
import {
  type QuoteRequestRecord,
  writeQuoteConfirmation,
} from '#emails/quotes/quote-confirmation.ts'
import { readJson } from '../_shared/read-json.ts'
import type { Confirmation } from '#emails/layout/shop-email.ts'
import type { FunctionCaller } from '../_shared/function-caller.ts'

export type ConfirmationDependencies = {
  /** Whose letter it is. */
  readShop(): Promise<Shop>
  /**
   * What this caller booked or asked for with exactly this address in the last 15 minutes, newest first,
   * without what is cancelled or certainly automated.
   */
  findRecentBookings(customerEmail: string, sender: Sender): Promise<BookingRecord[]>
  findRecentQuoteRequests(email: string, sender: Sender): Promise<QuoteRequestRecord[]>
  /** The address of a booking's own page; undefined where none can be made. */
  visitUrl(bookingId: string): Promise<string | undefined>
  /** Writes the message once, unless a cap keeps it back, and tries to send it now; whether it has left. */
  send(email: Confirmation): Promise<boolean>
}

type Sender = FunctionCaller['sender']

/**
 * Confirms a booking or a quote request by e-mail (docs/product.md 7.3). Visitors call it, so it
 * only names a row: the message goes to the address of a fresh row that matches, is made from that row,
 * and is written once. Whatever does not match, and a row that somebody else made, is answered like a mail
 * server that is down: nobody learns who has an appointment.
 */
export function createHandler(dependencies: ConfirmationDependencies) {
  return async (request: Request, caller: FunctionCaller): Promise<Response> => {
    if (request.method !== 'POST') return respond(405, { error: 'Please use POST.' })
    const parsed = z.safeParse(confirmationEmailRequest, await readJson(request))
    if (!parsed.success) return respond(400, { error: 'The request could not be read.' })
    const { email, confirmBy, visitUrl } = await findEmail(dependencies, parsed.data, caller.sender)
    const hasLeft = email !== undefined && (await send(dependencies, email))
    return hasLeft
      ? respond(200, { success: true, ...confirmBy, ...visitUrl })
      : respond(502, {
          error: 'The confirmation email could not be sent.',
          ...confirmBy,
          ...visitUrl,
        })
  }
}

type Found = {
  email: Confirmation | undefined
  confirmBy?: { confirmBy: string }
  /** Of a booking that stands: the form's token proves that the caller made it, whatever becomes of the email. */
  visitUrl?: { visitUrl: string }
}

async function findEmail(
  dependencies: ConfirmationDependencies,
  input: ConfirmationEmailRequest,
  sender: Sender,
): Promise<Found> {
  if (input.type === 'booking') {
    const bookings = await dependencies.findRecentBookings(input.customerEmail, sender)
    const booking = bookings.find((candidate) => isBooking(candidate, input.details))
    return booking ? writeToCustomer(dependencies, booking) : { email: undefined }
  }
  const requests = await dependencies.findRecentQuoteRequests(input.customerEmail, sender)
  const request = requests.find(({ description }) => description === input.details.description)
  return { email: request && writeQuoteConfirmation(await dependencies.readShop(), request) }
}

/** The confirmation, or for what looks automated the question whether it was meant. */
async function writeToCustomer(
  dependencies: ConfirmationDependencies,
  booking: BookingRecord,
): Promise<Found> {
  const { heldUntil } = booking
  const shop = await dependencies.readShop()
  const url = await dependencies.visitUrl(booking.id)
  if (heldUntil === null) {
    const email = writeBookingConfirmation(shop, booking, url)
    // Of what looks automated only its mailbox gets the link: it would confirm it.
    const isUrlShown = url !== undefined && booking.flaggedReasons.length === 0
    return { email, ...(isUrlShown && { visitUrl: { visitUrl: url } }) }
  }
  return {
    email:
      url === undefined
        ? undefined
        : writeConfirmationRequest(shop, { ...booking, heldUntil }, url),
    confirmBy: { confirmBy: heldUntil },
  }
}

function isBooking(
  { serviceName, date, time }: BookingRecord,
  details: Extract<ConfirmationEmailRequest, { type: 'booking' }>['details'],
): boolean {
  return (
    serviceName === details.serviceName &&
    formatLongDate(date) === details.date &&
    formatTime(time) === details.time
  )
}

async function send(dependencies: ConfirmationDependencies, email: Confirmation): Promise<boolean> {
  const address = mailableAddress(email.to.email)
  if (address === undefined) return false
  return dependencies.send({ ...email, to: { ...email.to, email: address } })
}

function respond(status: number, body: ConfirmationEmailResponse): Response {
  return Response.json(body, { status })
}
