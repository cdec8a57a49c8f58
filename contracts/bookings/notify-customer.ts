import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/**
 * Emails the customer of an appointment about its latest change, once for each change. The email is delayed by twelve
 * seconds so that staff can undo the change, and is not sent when the appointment has changed again. Without an address
 * the request is refused (NO_EMAIL_ADDRESS), and staff have to call. The delivery status is in `emails` of the
 * appointment.
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
