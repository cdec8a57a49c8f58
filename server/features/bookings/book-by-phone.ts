import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import { accepted } from '#domain/result.ts'
import { rowsAs } from '@local/postgres'
import { defineCommand } from '#server/features/commands/run-command.ts'
import { notificationOf, type NotifyContext } from './notify-customer.ts'

type Booked = {
  readonly version: number
  readonly date: string
  readonly time: string
  readonly bayId: string | null
  readonly hasEmail: boolean
}

/** Books an appointment for a customer who phones the shop, and queues the confirmation email. */
export const bookByPhoneCommand = (context: NotifyContext) =>
  defineCommand(bookingCommands.bookByPhone, {
    async asStaff(query, input) {
      const [booked] = rowsAs<Booked>(
        await query(
          `select version, appointment_date as date, appointment_time as time, bay_id as "bayId",
           customer_email is not null as "hasEmail"
         from public.book_by_phone(
           booking_id => $1, service_id => $2, appointment_date => $3, appointment_time => $4, bay_id => $5,
           without_bay => $6, reason => $7, customer_name => $8, customer_phone => $9, customer_email => $10,
           notes => $11, vehicle_year => $12, vehicle_make => $13, vehicle_model => $14, vehicle_color => $15, vehicle_plate => $16)`,
          [
            input.bookingId,
            input.serviceId,
            input.date,
            input.time,
            input.bayId,
            input.withoutBay,
            input.reason,
            input.customerName,
            input.customerPhone,
            input.customerEmail,
            input.notes,
            input.vehicleYear,
            input.vehicleMake,
            input.vehicleModel,
            input.vehicleColor,
            input.vehiclePlate,
          ],
        ),
      )
      if (!booked) throw new Error('public.book_by_phone returned no row')
      return accepted(booked)
    },
    async asServer(query, { bookingId }, { hasEmail, ...booked }) {
      const notification = hasEmail
        ? await notificationOf(context, query, bookingId, 'booked')
        : null
      return accepted({ ...booked, notification })
    },
  })
