import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { accepted } from '#domain/result.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { notificationOf, notifyCustomer, type NotifyContext } from './notify-customer.ts'

/** Cancels one booking and queues the cancellation email. Fails if the booking changed after the client had read it. */
export const cancelBookingCommand = (context: NotifyContext) =>
  defineCommand(bookingCommands.cancel, {
    async asStaff(query, { bookingId, seenVersion, reason }) {
      const [cancelled] = rowsAs<{ version: number }>(
        await query(`select version from public.change_booking_state($1, 'cancelled', $2, $3)`, [
          bookingId,
          seenVersion,
          reason,
        ]),
      )
      if (!cancelled) throw new Error('public.change_booking_state returned no row')
      return accepted(cancelled)
    },
    async asServer(query, { bookingId, notifies }, { version }) {
      const notification = notifies
        ? await notificationOf(context, query, bookingId, 'cancelled')
        : null
      return accepted({ version, notification })
    },
  })

type Cancelled = readonly { readonly id: string; readonly previousStatus: string }[]

/** Cancels several bookings with one reason and queues the emails to the customers whom staff chose to notify. */
export const cancelBookingsCommand = (context: NotifyContext) =>
  defineCommand(bookingCommands.cancelMany, {
    async asStaff(query, { bookingIds, reason }) {
      return accepted(
        rowsAs<Cancelled[number]>(
          await query(
            'select id, previous_status as "previousStatus" from public.cancel_bookings($1, $2)',
            [bookingIds, reason],
          ),
        ),
      )
    },
    async asServer(query, { notifiedIds }, cancelled) {
      const notNotified: string[] = []
      for (const { id } of cancelled) {
        if (!notifiedIds.includes(id)) continue
        const queued = await notifyCustomer(context, query, id, 'cancelled')
        if (!queued.ok) notNotified.push(id)
      }
      return accepted({ cancelled: [...cancelled], notNotified })
    },
  })

/** Restores cancelled bookings. Each booking gets the status that it had before the cancellation. */
export const reopenBookingsCommand = defineCommand(bookingCommands.reopen, {
  async asStaff(query, { bookings }) {
    const reopened: string[] = []
    for (const status of new Set(bookings.map((booking) => booking.status))) {
      const ids = bookings.filter((booking) => booking.status === status).map(({ id }) => id)
      const rows = rowsAs<{ id: string }>(
        await query('select id from public.reopen_bookings($1, $2) id', [ids, status]),
      )
      reopened.push(...rows.map(({ id }) => id))
    }
    return accepted(reopened)
  },
  asServer: async (_query, _input, reopened) => accepted({ reopened }),
})
