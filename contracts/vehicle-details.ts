import * as z from 'zod/mini'
import type { VehicleFacts } from '#domain/bookings/vehicle-state.ts'

/** The values in the database that determine the state of a vehicle (domain/bookings/vehicle-state.ts). */
export const vehicleFacts: z.ZodMiniType<VehicleFacts> = z.object({
  bookingState: z.string(),
  hold: z.enum(['none', 'running', 'ended']),
  tasks: z.array(z.object({ status: z.string(), isReady: z.boolean() })),
  isPaid: z.boolean(),
})
