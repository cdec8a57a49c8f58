import * as z from 'zod/mini'
import {
  technicianBay,
  technicianBooking,
  type TechnicianBooking,
  technicianTask,
} from '#contracts/technician-day.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/**
 * Reads the appointments, tasks and bays that the technician's day shows, with only the data that a technician may see.
 */
export async function readTechnicianDay() {
  const [bookings, tasks, bays] = await Promise.all([
    requestData((service) =>
      service.from('technician_bookings').select('*').order('starts_at').order('id'),
    ),
    requestData((service) =>
      service.from('technician_tasks').select('*').order('created_at').order('id'),
    ),
    requestData((service) => service.from('technician_bays').select('*').order('position')),
  ])
  return {
    bookings: z.array(technicianBooking).parse(bookings.data),
    tasks: z.array(technicianTask).parse(tasks.data),
    bays: z.array(technicianBay).parse(bays.data),
  }
}
export type TechnicianDayData = Awaited<ReturnType<typeof readTechnicianDay>>

/**
 * Records the new state of an appointment: the vehicle arrived, or the work on the vehicle began or is completed. The
 * database refuses the change unless the appointment still has the version that the user was looking at.
 */
export async function recordStep({ id, version }: TechnicianBooking, state: string): Promise<void> {
  await requestData((service) =>
    service.rpc('record_technician_step', {
      booking_id: id,
      new_state: state,
      seen_version: version,
    }),
  )
}

/** Completes a task that is assigned to the signed-in technician. */
export async function completeOwnTask(id: string): Promise<void> {
  await requestData((service) => service.rpc('complete_own_task', { task_id: id }))
}
