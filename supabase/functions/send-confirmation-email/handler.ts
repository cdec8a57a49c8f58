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
  /** Reads the shop that sends the email. */
  readShop(): Promise<Shop>
  /**
   * Lists the bookings, or the quote requests, that this sender made with exactly this address in the last 15 minutes,
   * newest first, without cancelled ones and those of robots.
   */
  findRecentBookings(customerEmail: string, sender: Sender): Promise<BookingRecord[]>
  findRecentQuoteRequests(email: string, sender: Sender): Promise<QuoteRequestRecord[]>
  /** Returns the URL of the visit page of a booking; undefined when there is none. */
  visitUrl(bookingId: string): Promise<string | undefined>
  /** Queues the email once, unless a limit is reached, and attempts to send it now. Returns whether it was sent. */
  send(email: Confirmation): Promise<boolean>
}

type Sender = FunctionCaller['sender']

/**
 * Confirms a booking or a quote request by email (docs/product.md 7.3). Visitors call this, so the request only
 * identifies a row: the email goes to the address of a recent matching row, is written from that row, and is queued
 * once. A request without a matching row, or for a row of another sender, receives the same response as an outage of
 * the mail server, so that it does not reveal who has an appointment.
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
  /** Present for a confirmed booking: the form token proves that the caller made it, even if the email fails. */
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

/** Writes the confirmation, or a request to confirm for a booking that looks automated. */
async function writeToCustomer(
  dependencies: ConfirmationDependencies,
  booking: BookingRecord,
): Promise<Found> {
  const { heldUntil } = booking
  const shop = await dependencies.readShop()
  const url = await dependencies.visitUrl(booking.id)
  if (heldUntil === null) {
    const email = writeBookingConfirmation(shop, booking, url)
    // For a booking that looks automated, only the mailbox receives the link, because the link confirms the booking.
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
