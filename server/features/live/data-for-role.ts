import type { LiveEvents } from '#contracts/api/live-events.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'

/** The settings sections that affect a technician's day view. */
const sectionsOfDay = new Set(['shop', 'bays', 'hours', 'closures', 'services', 'team'])

/**
 * Returns the part of the data of a live event (a notice of changed records) that a staff role may receive; undefined
 * when the role does not receive the event. Technicians receive no record ids; their event only tells the dashboard to
 * refetch the day view.
 */
export function dataFor<Name extends keyof LiveEvents>(
  role: StaffRole,
  name: Name,
  data: LiveEvents[Name],
): object | undefined {
  return role === 'technician' ? technicianData[name](data) : data
}

const nothing = () => undefined

const technicianData: {
  readonly [Name in keyof LiveEvents]: (data: LiveEvents[Name]) => object | undefined
} = {
  refetch: () => ({}),
  bookings: () => ({ bookings: [], events: [] }),
  tasks: () => ({ tasks: [] }),
  settings({ sections }) {
    const shown = sections.filter((section) => sectionsOfDay.has(section))
    return shown.length > 0 ? { sections: shown } : undefined
  },
  estimates: nothing,
  invoices: nothing,
  cash: nothing,
  quotes: nothing,
  customers: nothing,
}
