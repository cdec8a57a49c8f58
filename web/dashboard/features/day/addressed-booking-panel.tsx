import { useQuery } from '@tanstack/react-query'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { readAppointment } from './day-api.ts'
import { ChosenBookingPanel } from './chosen-booking-panel.tsx'
import { useDay } from './use-day.ts'
import { useDayPanel } from './use-day-panel.ts'

type Props = {
  onAddToTasks: (booking: Booking) => void
  onDelete: (booking: Booking) => void
}

/** The panel of the booking that the address names, over a view that does not show its day: the week or the list. */
export function AddressedBookingPanel({ onAddToTasks, onDelete }: Props) {
  const { chosenId, isMoving, choose, openMove, closeMove } = useDayPanel()
  const record = useQuery({
    queryKey: ['bookings', 'one', chosenId],
    queryFn: async () => (chosenId ? ((await readAppointment(chosenId)) ?? null) : null),
    enabled: chosenId !== undefined,
  })
  const date = record.data?.appointment_date
  const day = useDay(date)
  const booking = day.data?.bookings.find(({ id }) => id === chosenId)
  if (!day.data || !booking) return null
  const close = () => choose(undefined)
  return (
    <ChosenBookingPanel
      day={day.data}
      booking={booking}
      isMoving={isMoving}
      onMove={() => openMove(booking.id)}
      onBack={closeMove}
      onMoved={close}
      onClose={close}
      onAddToTasks={onAddToTasks}
      onDelete={onDelete}
    />
  )
}
