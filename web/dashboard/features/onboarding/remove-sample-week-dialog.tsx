import { useQuery } from '@tanstack/react-query'
import { formatNarrowDateTime } from '#domain/calendar/date-time-text.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { listBookingsInSampleBays } from './bookings-in-sample-bays.ts'
import { useSampleWeek } from './use-step-actions.ts'

/** The maximum number of appointments that the dialog lists by name. */
const maxListed = 20

/**
 * Asks for a confirmation before the sample week is removed, and names the real appointments in the bays of the sample
 * week.
 */
export function RemoveSampleWeekDialog({ onClose }: { onClose: () => void }) {
  const { remove } = useSampleWeek()
  const real = useQuery({
    queryKey: ['bookings', 'in_sample_bays'],
    queryFn: listBookingsInSampleBays,
  })
  return (
    <ConfirmDialog
      open
      title="Remove the sample week?"
      confirmLabel="Remove it"
      busyLabel="Removing…"
      busy={remove.isPending}
      isReady={real.isSuccess}
      onConfirm={() => remove.mutate(undefined, { onSettled: onClose })}
      onClose={onClose}
    >
      {real.isPending && <p role="status">Loading the appointments in the sample bays…</p>}
      {real.isError && (
        <LoadFailure
          title="The appointments in the sample bays could not be loaded."
          onRetry={() => void real.refetch()}
        >
          You can remove the sample week once these appointments are shown.
        </LoadFailure>
      )}
      {real.isSuccess && <Effect bookings={real.data} />}
    </ConfirmDialog>
  )
}

/** Explains what removing the sample week deletes, and names the real appointments that move to other bays. */
function Effect({ bookings }: { bookings: Awaited<ReturnType<typeof listBookingsInSampleBays>> }) {
  if (bookings.length === 0) {
    return <p>All sample records and sample bays are removed. Your own records are kept.</p>
  }
  const hidden = bookings.length - maxListed
  return (
    <>
      <p>
        These real appointments are in a sample bay. They move to your bays. Appointments that do
        not fit are marked in the day view: move or cancel them.
      </p>
      <ul className="sample-bay-bookings">
        {bookings
          .slice(0, maxListed)
          .map(({ id, customer_name, appointment_date, appointment_time, bay }) => (
            <li key={id}>
              <b>{customer_name}</b>,{' '}
              {formatNarrowDateTime(appointment_date, appointment_time.slice(0, 5))}, {bay.name}
            </li>
          ))}
        {hidden > 0 && <li>and {hidden} more</li>}
      </ul>
    </>
  )
}
