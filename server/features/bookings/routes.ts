import type { FastifyInstance } from 'fastify'
import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { type CommandDependencies, commandRoute } from '#server/features/commands/run-command.ts'
import { serve } from '#server/platform/http/serve-endpoint.ts'
import { bookByPhoneCommand } from './book-by-phone.ts'
import {
  cancelBookingCommand,
  cancelBookingsCommand,
  reopenBookingsCommand,
} from './cancel-bookings.ts'
import { editBookingCommand } from './edit-booking.ts'
import { moveBookingCommand } from './move-booking.ts'
import { notifyCustomerCommand, type NotifyContext } from './notify-customer.ts'

type Dependencies = CommandDependencies & NotifyContext

/** The commands that change appointments and notify their customers (docs/product.md 12.8). */
export function registerBookingCommands(app: FastifyInstance, dependencies: Dependencies): void {
  const { move, edit, cancel, cancelMany, reopen, bookByPhone, notify } = bookingCommands
  serve(app, move).with(commandRoute(dependencies, moveBookingCommand(dependencies)))
  serve(app, edit).with(commandRoute(dependencies, editBookingCommand(dependencies)))
  serve(app, cancel).with(commandRoute(dependencies, cancelBookingCommand(dependencies)))
  serve(app, cancelMany).with(commandRoute(dependencies, cancelBookingsCommand(dependencies)))
  serve(app, reopen).with(commandRoute(dependencies, reopenBookingsCommand))
  serve(app, bookByPhone).with(commandRoute(dependencies, bookByPhoneCommand(dependencies)))
  serve(app, notify).with(commandRoute(dependencies, notifyCustomerCommand(dependencies)))
}
