import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { accepted } from '#domain/result.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { notificationOf, type NotifyContext } from './notify-customer.ts'

type Moved = { readonly version: number; readonly bayId: string | null }

/** Moves a booking and queues the email about its new time. */
export const moveBookingCommand = (context: NotifyContext) =>
  defineCommand(bookingCommands.move, {
    async asStaff(query, input) {
      const [moved] = rowsAs<Moved>(
        await query(
          `select version, bay_id as "bayId"
         from public.move_booking($1, $2, $3, $4, $5, $6, $7, $8)`,
          [
            input.bookingId,
            input.seenVersion,
            input.date,
            input.time,
            input.minutes,
            input.bayId,
            input.withoutBay,
            input.reason,
          ],
        ),
      )
      if (!moved) throw new Error('public.move_booking returned no row')
      return accepted(moved)
    },
    async asServer(query, { bookingId, notifies }, moved) {
      const notification = notifies
        ? await notificationOf(context, query, bookingId, 'moved')
        : null
      return accepted({ ...moved, notification })
    },
  })
