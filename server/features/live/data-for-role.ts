import type { LiveEvents } from '#contracts/api/live-events.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'

/** The settings sections that affect a technician's day view. */
const sectionsOfDay = new Set(['shop', 'bays', 'hours', 'closures', 'services', 'team'])

/**
 * Returns the event data that a role may receive; undefined when the role does not receive the event. Technicians
 * receive no record ids: the event tells their dashboard to refetch the day view.
 */
export function dataFor<Name extends keyof LiveEvents>(
  role: StaffRole,
  name: Name,
  data: LiveEvents[Name],
): object | undefined {
  return role === 'technician' ? technicianData(name, data) : data
}

function technicianData(name: keyof LiveEvents, data: object): object | undefined {
  switch (name) {
    case 'refetch':
      return {}
    case 'bookings':
      return { bookings: [], events: [] }
    case 'tasks':
      return { tasks: [] }
    case 'settings': {
      const { sections } = data as LiveEvents['settings']
      const shown = sections.filter((section) => sectionsOfDay.has(section))
      return shown.length > 0 ? { sections: shown } : undefined
    }
    case 'estimates':
    case 'invoices':
    case 'cash':
    case 'quotes':
    case 'customers':
      return undefined
  }
}
