import { useQuery } from '@tanstack/react-query'
import type { Booking } from '#contracts/bookings/bookings.ts'
import { listAutomated } from '../bookings-api.ts'
import type { Selection } from './use-selection.ts'
import { Button } from '#web/ui/button/button.tsx'

type Props = {
  /** The appointments that the list shows. */
  shown: readonly Booking[]
  selection: Selection
  onCancel: () => void
}

/**
 * The bar above the open bookings, with buttons that select all shown bookings, select all bookings that look
 * automated, and cancel the selected ones.
 */
export function SelectionBar({ shown, selection, onCancel }: Props) {
  const automated = useQuery({ queryKey: ['bookings', 'automated'], queryFn: listAutomated })
  const suspects = automated.data ?? []
  const count = selection.chosen.length
  const hasAll = shown.every(({ id }) => selection.has(id))
  return (
    <div className="selection-bar" role="group" aria-label="Selection">
      <label className="checkbox">
        <input
          type="checkbox"
          checked={hasAll}
          onChange={() => (hasAll ? selection.remove(shown) : selection.add(shown))}
        />
        Select all shown
      </label>
      {suspects.length > 0 && (
        <Button compact onClick={() => selection.add(suspects)}>
          Select all that look automated ({suspects.length})
        </Button>
      )}
      <span className="chosen-count" role="status">
        {count > 0 && `${count} selected`}
      </span>
      {count > 0 && (
        <>
          <Button compact level="quiet" onClick={selection.clear}>
            Clear
          </Button>
          <Button compact level="danger" onClick={onCancel}>
            Cancel {count === 1 ? '1 appointment' : `${count} appointments`}
          </Button>
        </>
      )}
    </div>
  )
}
