import { useState } from 'react'
import type { SelectableBooking } from '../bookings-api.ts'

export type Selection = {
  readonly chosen: readonly SelectableBooking[]
  readonly has: (id: string) => boolean
  readonly toggle: (booking: SelectableBooking) => void
  readonly add: (bookings: readonly SelectableBooking[]) => void
  readonly remove: (bookings: readonly SelectableBooking[]) => void
  readonly clear: () => void
}

/** State of the selected bookings of a list. A booking stays selected while the list does not show it. */
export function useSelection(): Selection {
  const [byId, setById] = useState<ReadonlyMap<string, SelectableBooking>>(new Map())
  const add = (bookings: readonly SelectableBooking[]) =>
    setById((before) => new Map([...before, ...bookings.map((one) => [one.id, one] as const)]))
  const remove = (bookings: readonly SelectableBooking[]) => {
    const removed = new Set(bookings.map(({ id }) => id))
    setById((before) => new Map([...before].filter(([id]) => !removed.has(id))))
  }
  return {
    chosen: [...byId.values()],
    has: (id) => byId.has(id),
    toggle: (booking) => (byId.has(booking.id) ? remove([booking]) : add([booking])),
    add,
    remove,
    clear: () => setById(new Map()),
  }
}
