import * as z from 'zod/mini'

const vehicle = {
  vehicle_year: z.nullable(z.string()),
  vehicle_make: z.nullable(z.string()),
  vehicle_model: z.nullable(z.string()),
}

/** An appointment of the shown day as technicians see it: without price and contact details. Times are shop time. */
export const technicianBooking = z.object({
  id: z.string(),
  version: z.int(),
  starts_at: z.string(),
  ends_at: z.string(),
  bay_name: z.nullable(z.string()),
  service_name: z.string(),
  state: z.string(),
  is_held: z.boolean(),
  ...vehicle,
  vehicle_color: z.nullable(z.string()),
  vehicle_plate: z.nullable(z.string()),
  first_name: z.string(),
  /**
   * Whether the appointment is assigned to the technician, to nobody, or to another technician. In the last case, the
   * license plate and the notes are null.
   */
  assignment: z.enum(['own', 'unassigned', 'other']),
  notes: z.nullable(z.string()),
})
export type TechnicianBooking = z.infer<typeof technicianBooking>

/**
 * A task that is assigned to the technician (`is_own`), or a task of one of the day's appointments. Such an appointment
 * is assigned to the technician or to nobody.
 */
export const technicianTask = z.object({
  id: z.string(),
  booking_id: z.nullable(z.string()),
  title: z.string(),
  description: z.string(),
  priority: z.string(),
  status: z.string(),
  due_date: z.nullable(z.string()),
  is_own: z.boolean(),
  ...vehicle,
})
export type TechnicianTask = z.infer<typeof technicianTask>

/** A bay with its opening hours on the shown date; `is_own` is true when the bay is assigned to the technician. */
export const technicianBay = z.object({
  name: z.string(),
  is_own: z.boolean(),
  open: z.array(z.object({ starts_at: z.string(), ends_at: z.string() })),
})
export type TechnicianBay = z.infer<typeof technicianBay>
