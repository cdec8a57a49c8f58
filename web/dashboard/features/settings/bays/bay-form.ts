import type { FieldErrors } from '#web/dashboard/kit/forms/use-versioned-form.ts'
import type { Bay } from './bays-api.ts'

/** The values of a bay as the user typed them. */
export type BayForm = {
  name: string
  technician: string
  isActive: boolean
  /** Whether the bay is limited to the services of `serviceIds`. */
  isLimited: boolean
  serviceIds: readonly string[]
}

export const emptyBayForm: BayForm = {
  name: '',
  technician: '',
  isActive: true,
  isLimited: false,
  serviceIds: [],
}

export const bayLabels: Readonly<Record<keyof BayForm, string>> = {
  name: 'Name',
  technician: 'Technician',
  isActive: 'Accepts appointments',
  isLimited: 'Services',
  serviceIds: 'Services',
}

/** Maximum lengths in characters. */
export const bayLimits = { name: 40, technician: 40 } as const

export function bayFormOf({ name, technician, isActive, serviceIds }: Bay): BayForm {
  return { name, technician, isActive, isLimited: serviceIds.length > 0, serviceIds }
}

/** Converts the form to the bay that the server saves. An empty list of services means all services. */
export function bayOf(id: string | null, form: BayForm): Bay {
  return {
    id,
    name: form.name.trim(),
    technician: form.technician.trim(),
    isActive: form.isActive,
    serviceIds: form.isLimited ? form.serviceIds : [],
  }
}

/** The errors that the form shows before it sends a request. */
export function checkBay({ name, isLimited, serviceIds }: BayForm): FieldErrors<BayForm> {
  return {
    ...(name.trim() === '' && { name: 'Please enter a name.' }),
    ...(isLimited &&
      serviceIds.length === 0 && { serviceIds: 'Please choose at least one service.' }),
  }
}

/**
 * The messages for changes that the database refused. The key is the violated constraint, or the hint in the database's
 * error.
 */
export const bayRefusals: Readonly<Record<string, FieldErrors<BayForm>>> = {
  last_active_bay: {
    isActive: 'This is the last active bay. Activate another one first, or pause online booking.',
  },
  bays_name_is_unique: { name: 'Another bay has this name.' },
  bays_name_is_text: { name: 'Please enter up to 40 visible characters.' },
  bays_technician_is_text: { technician: 'Please enter up to 40 visible characters.' },
  bays_position_in_range: { name: 'A shop can have at most 50 bays. Rename a bay instead.' },
}
