import { bookingCommands } from '#contracts/bookings/booking-commands.ts'
import type { DayBooking } from '#contracts/bookings/day.ts'
import { cleanLine, emptyToNull } from '#domain/text/text-input.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { type EditForm, editedVehicle, isContactChanged } from './edit-form.ts'

/**
 * Saves an edited booking and, if `notifies` is true, emails the customer. The database rejects the save if someone has
 * changed the booking since the user opened the edit panel. If the booking now belongs to another customer, the server
 * always emails a confirmation to that customer.
 */
export function editBooking(
  booking: DayBooking,
  seenVersion: number,
  form: EditForm,
  notifies: boolean,
) {
  const vehicle = editedVehicle(form, booking)
  return runCommand(bookingCommands.edit, {
    bookingId: booking.id,
    seenVersion,
    serviceId: form.serviceId,
    date: form.date,
    time: form.time,
    customerName: cleanLine(form.name),
    customerPhone: cleanLine(form.phone),
    customerEmail: emptyToNull(cleanLine(form.email)),
    vehicleYear: vehicle.vehicle_year,
    vehicleMake: vehicle.vehicle_make,
    vehicleModel: vehicle.vehicle_model,
    vehicleColor: vehicle.vehicle_color,
    vehiclePlate: vehicle.plate,
    contactChange: isContactChanged(form, booking) ? form.contactChange || null : null,
    notifies,
  })
}
