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
import { mailableAddress } from '#emails/layout/recipient.ts'
import {
  type QuoteRequestRecord,
  writeQuoteConfirmation,
} from '#emails/quotes/quote-confirmation.ts'
import { readJson } from '../_shared/read-json.ts'
import type { Confirmation } from '#emails/layout/shop-email.ts'
import type { FunctionCaller } from '../_shared/function-caller.ts'

export type ConfirmationDependencies = {
  /** Reads the details of the shop that sends the email. */
  readShop(): Promise<Shop>
  /**
   * Lists the bookings that the sender of the request made with exactly the given email address in the last 15 minutes,
   * newest first. `findRecentQuoteRequests` lists quote requests in the same way. Cancelled records and records that
   * look automated are omitted.
   */
  findRecentBookings(customerEmail: string, sender: Sender): Promise<BookingRecord[]>
  findRecentQuoteRequests(email: string, sender: Sender): Promise<QuoteRequestRecord[]>
  /** Returns the URL of a booking's visit page; undefined when the booking has none. */
  visitUrl(bookingId: string): Promise<string | undefined>
  /**
   * Queues the confirmation email, unless a limit is reached or the email is already queued, and attempts to send it
   * now. Returns whether the email was sent.
   */
  send(email: Confirmation): Promise<boolean>
}

type Sender = FunctionCaller['sender']

/**
 * Confirms a booking or a quote request by email (docs/product.md 7.3). Any visitor can call this function, so the
 * request only identifies a stored booking or quote request. The recipient and the text of the email come from that
 * row, which must be recent, and the email is queued only once. A request without a matching row, or for a row of
 * another sender, gets the same response as an outage of the mail server. The response therefore does not reveal who
 * has an appointment.
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
  /**
   * The URL of a confirmed booking's visit page. The form token proves that the caller made the booking, so the
   * response contains the URL even if the email fails.
   */
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

/** Writes the confirmation of an ordinary booking, or the request to confirm a booking that looks automated. */
async function writeToCustomer(
  dependencies: ConfirmationDependencies,
  booking: BookingRecord,
): Promise<Found> {
  const { heldUntil } = booking
  const shop = await dependencies.readShop()
  const url = await dependencies.visitUrl(booking.id)
  if (heldUntil === null) {
    const email = writeBookingConfirmation(shop, booking, url)
    // The response contains no URL for a booking that looks automated. The link to its visit page confirms the booking,
    // so only the owner of the mailbox may get the link.
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
