import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatDayOfYear } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'
import { formatBookedCount } from '../kit/conflicts/schedule-conflict-dialog.tsx'
import { reasonOf, toastRefusedChange } from '../kit/save-errors.ts'
import type { BayRefusal } from './bay-editor.tsx'
import { type Bay, type ReassignedBooking, orderBays, saveBay } from './bays-api.ts'

type PendingDecision = {
  readonly moved: readonly ReassignedBooking[]
  readonly decide: (goesOn: boolean) => void
}

/**
 * Saves bays and their order over the seen version. Before a bay is deactivated, a dialog lists its appointments with
 * their new bays.
 */
export function useBayChange(version: number) {
  const queries = useQueryClient()
  const [pending, setPending] = useState<PendingDecision>()
  const confirm = (moved: readonly ReassignedBooking[]) =>
    new Promise<boolean>((decide) => setPending({ moved, decide }))
  const decide = (goesOn: boolean) => {
    pending?.decide(goesOn)
    setPending(undefined)
  }
  const reload = async () => {
    await Promise.all([
      refetchQueries(queries, 'settings', 'bays'),
      refetchQueries(queries, 'bookings'),
      refetchQueries(queries, 'settings_history'),
    ])
  }
  const saving = useMutation({
    mutationFn: async (bay: Bay) => {
      const moved = await saveBay(bay, version, { isPreview: true })
      if (moved.length > 0 && !(await confirm(moved))) return false
      await saveBay(bay, version, { isPreview: false })
      return true
    },
    onSuccess: (isSaved, { name }) => {
      if (isSaved)
        toast({ title: 'Saved', description: `${name}. New appointments use these settings.` })
    },
    onError: (error) => {
      if (!refusals[reasonOf(error)]) toastRefusedChange(error, 'the bays')
    },
    onSettled: reload,
  })
  const ordering = useMutation({
    mutationFn: (ids: readonly string[]) => orderBays(ids, version),
    onError: (error) => toastRefusedChange(error, 'the bays'),
    onSettled: reload,
  })
  return {
    /** Resolves to whether the bay was saved. */
    save: (bay: Bay) => saving.mutateAsync(bay).catch(() => false),
    order: (ids: readonly string[]) => ordering.mutateAsync(ids).catch(() => undefined),
    isBusy: saving.isPending || ordering.isPending,
    /** The reason why the last save of this bay was refused. */
    refusalOf: (bay: Bay) =>
      saving.variables?.id === bay.id ? refusals[reasonOf(saving.error)] : undefined,
    forget: () => {
      // A running save is not reset, because the buttons must be busy until the refetch: the next save needs the new
      // version.
      if (!saving.isPending) saving.reset()
    },
    question: (pending && <MoveQuestion moved={pending.moved} onDecide={decide} />) as ReactNode,
  }
}

/** The refusals of the database, by their constraint or hint. */
const refusals: Readonly<Record<string, BayRefusal>> = {
  last_active_bay: {
    field: 'isActive',
    message: 'This is the last active bay. Activate another one first, or pause online booking.',
  },
  bays_name_is_unique: { field: 'name', message: 'Another bay has this name.' },
  bays_name_is_text: {
    field: 'name',
    message: 'Please enter up to 40 visible characters.',
  },
  bays_technician_is_text: {
    field: 'technician',
    message: 'Please enter up to 40 visible characters.',
  },
  bays_position_in_range: {
    field: 'name',
    message: 'There are 50 bays. Rename one instead.',
  },
}

function MoveQuestion(props: {
  moved: readonly ReassignedBooking[]
  onDecide: (goesOn: boolean) => void
}) {
  const { moved, onDecide } = props
  return (
    <Dialog
      open
      size="small"
      title={`${formatBookedCount(moved.length)} in this bay`}
      onClose={() => onDecide(false)}
      footer={
        <>
          <Button level="quiet" data-first-focus onClick={() => onDecide(false)}>
            Cancel
          </Button>
          <Button level="primary" onClick={() => onDecide(true)}>
            Deactivate
          </Button>
        </>
      }
    >
      <p>The appointments keep their times. New bays:</p>
      <ul className="booked-vehicles">
        {moved.map((booking) => (
          <li key={booking.booking_id}>
            <b>{booking.customer_name}</b>, {formatDayOfYear(booking.appointment_date)},{' '}
            {formatTime(booking.appointment_time)}, {booking.service_name}:{' '}
            {booking.new_bay_name ? `to ${booking.new_bay_name}` : <strong>no bay</strong>}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
