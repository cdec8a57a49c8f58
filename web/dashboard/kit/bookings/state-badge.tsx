import { bookingStateLabel } from '#domain/bookings/state-labels.ts'
import {
  type VehicleFacts,
  type VehicleState,
  vehicleState,
} from '#domain/bookings/vehicle-state.ts'
import { vehicleTable } from '#domain/bookings/vehicle-state-table.ts'
import { Badge, type BadgeTone } from '#web/ui/badge/badge.tsx'

type BadgeLabel = { readonly tone: BadgeTone; readonly label: string }
type Stated = { readonly vehicle_facts: VehicleFacts; readonly will_come: boolean }

const tones: Readonly<Record<VehicleState, BadgeTone>> = {
  held: 'warn',
  expected: 'neutral',
  here: 'warn',
  in_work: 'strong',
  waiting_on_parts: 'warn',
  waiting_on_customer: 'warn',
  ready: 'solid',
  ready_and_paid: 'solid',
  picked_up: 'ok',
  cancelled: 'ring',
  no_show: 'danger',
  not_confirmed: 'ring',
}

/**
 * The badge of a vehicle's state. Before the vehicle arrives, the badge shows the state of the booking, or 'Will come'
 * once the customer has confirmed the appointment.
 */
export function stateLabel({ vehicle_facts: facts, will_come }: Stated): BadgeLabel {
  const state = vehicleState(facts)
  const badge = { tone: tones[state], label: vehicleTable[state].label }
  if (state !== 'expected') return badge
  const { bookingState } = facts
  if (bookingState !== 'confirmed') {
    return {
      tone: bookingState === 'pending' ? 'warn' : 'neutral',
      label: bookingStateLabel(bookingState),
    }
  }
  return will_come ? { tone: 'ok', label: 'Will come' } : badge
}

/** Renders the badge of a vehicle's state with its color and text. */
export function StateBadge({ booking }: { booking: Stated }) {
  const { tone, label } = stateLabel(booking)
  return <Badge tone={tone}>{label}</Badge>
}
