import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/**
 * Writes to the customer of an appointment what has just become of it, once for each change; the letter waits ten
 * seconds for an undo, and does not leave when it is no longer true by then. Without an address it is refused
 * (NO_EMAIL_ADDRESS): then somebody calls. What becomes of the letter is in `emails` of the appointment.
 */
export const notifyCustomerEndpoint = {
  method: 'POST',
  path: '/api/admin/notify-customer',
  caller: 'admin',
  request: z.object({
    bookingId: z.uuid(),
    about: z.enum(['booked', 'moved', 'cancelled']),
  }),
  response: z.object({ ok: z.literal(true), emailId: z.uuid() }),
} satisfies Endpoint
