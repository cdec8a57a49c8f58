import { useQuery } from '@tanstack/react-query'
import { formatNarrowDateTime } from '#domain/calendar/date-time-text.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { listBookingsInSampleBays } from './bookings-in-sample-bays.ts'
import { useSampleWeek } from './use-step-actions.ts'

/** Asks before the sample week is removed, and names the real appointments in its bays. */
export function RemoveSampleWeekDialog({ onClose }: { onClose: () => void }) {
  const { remove } = useSampleWeek()
  const real = useQuery({
    queryKey: ['bookings', 'in_sample_bays'],
    queryFn: listBookingsInSampleBays,
  })
  const bookings = real.data ?? []
  return (
    <ConfirmDialog
      open
      title="Remove the sample week?"
      confirmLabel="Remove it"
      busyLabel="Removing…"
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      {real.isError && (
        <LoadFailure
          title="The appointments in the sample bays could not be loaded."
          onRetry={() => void real.refetch()}
        />
      )}
      {bookings.length === 0 ? (
        <p>All sample records and sample bays are removed. Your own records stay.</p>
      ) : (
        <>
          <p>
            These real appointments are in a sample bay. They move to your bays. Those that do not
            fit are marked in the day view: move or cancel them.
          </p>
          <ul className="sample-bay-bookings">
            {bookings.map(({ id, customer_name, appointment_date, appointment_time, bay }) => (
              <li key={id}>
                <b>{customer_name}</b>,{' '}
                {formatNarrowDateTime(appointment_date, appointment_time.slice(0, 5))}, {bay.name}
              </li>
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
