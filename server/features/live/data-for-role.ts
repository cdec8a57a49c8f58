import type { LiveEvents } from '#contracts/api/live-events.ts'
import type { StaffRole } from '#contracts/staff-accounts.ts'

/** The sections of the settings that change what a technician's day shows. */
const sectionsOfDay = new Set(['shop', 'bays', 'hours', 'closures', 'services', 'team'])

/**
 * The data of an event that a role may know; undefined when the role does not receive the event. Technicians receive
 * no ids: they learn that the day changed, and then read their views.
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
