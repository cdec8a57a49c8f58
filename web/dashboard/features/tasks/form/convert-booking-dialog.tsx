import { useState } from 'react'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { vehicleLine, vehicleName } from '#domain/customers/vehicle.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { FormDialog } from '#web/dashboard/kit/controls/form-dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { emptyTaskForm, newTaskOf, taskFieldLimits, TaskFields } from './task-form.tsx'
import { useCreateTask } from './use-create-task.ts'
import '../tasks.css'

/** Creates a task from a booking. The booking's data fills in the form. */
export function ConvertBookingDialog(props: { booking: Booking; onClose: () => void }) {
  const { booking, onClose } = props
  const bookedVehicle = vehicleLine(booking)
  const [vehicle, setVehicle] = useState(bookedVehicle)
  const [input, setInput] = useState({
    ...emptyTaskForm,
    title: titleFor(booking),
    description: booking.notes ?? '',
    dueDate: booking.appointment_date,
  })
  const form = useForm({ values: input, onChange: setInput, limits: taskFieldLimits })
  const creation = useCreateTask({
    failure: 'Failed to create task from appointment.',
    onCreated: onClose,
  })
  const submit = () =>
    creation.mutate({
      ...newTaskOf(input),
      description: describe(input.description, vehicle.trim(), bookedVehicle),
      booking_id: booking.id,
    })
  const isBlank = input.title.trim() === ''
  return (
    <FormDialog
      wide
      title="Convert Appointment to Task"
      label="Create Task"
      busyLabel="Creating Task..."
      isBusy={creation.isPending}
      disabled={isBlank}
      className="task-form"
      onSubmit={submit}
      onClose={onClose}
      intro={
        <div className="note">
          <b>{booking.customer_name}</b>, {booking.service_name}
          <br />
          {formatLongDate(booking.appointment_date)}, {formatTime(booking.appointment_time)}
          <small>
            {booking.customer_email && `${booking.customer_email}, `}
            {booking.customer_phone}
          </small>
        </div>
      }
    >
      <TaskFields
        form={form}
        besideTitle={
          <Input
            label="Car"
            maxLength={200}
            value={vehicle}
            onChange={(event) => setVehicle(event.target.value)}
          />
        }
      />
    </FormDialog>
  )
}

function titleFor(booking: Booking): string {
  return [booking.service_name, vehicleName(booking)].filter(Boolean).join(': ').slice(0, 200)
}

/**
 * The description of the new task. If staff typed another vehicle than the booking's, the description begins with the
 * typed vehicle.
 */
function describe(description: string, vehicle: string, bookedVehicle: string): string {
  return [vehicle && vehicle !== bookedVehicle ? `Car: ${vehicle}` : '', description.trim()]
    .filter(Boolean)
    .join('\n')
}
