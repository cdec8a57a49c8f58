import { rowsAs } from '#server/platform/database/columns.ts'
import type { Query } from '#server/platform/database/query.ts'

/** What the page of a booking says of it: what, when, and where it stands. Nothing that a visitor typed. */
export type Visit = {
  readonly serviceName: string
  /** 'yyyy-MM-dd' and 'HH:mm:ss', shop time. */
  readonly date: string
  readonly time: string
  readonly state: VisitState
  /** ISO 8601: until when a held one keeps its time. */
  readonly heldUntil: string | null
}

/**
 * held: waits for the click; lapsed: it did not come in time, the slot is still free; lost: somebody else has
 * the slot, or it is too near; over: it has begun.
 */
export type VisitState = 'confirmed' | 'held' | 'lapsed' | 'lost' | 'cancelled' | 'done' | 'over'

/** Reads the booking of a page; undefined once it was deleted. */
export async function readVisit(query: Query, bookingId: string): Promise<Visit | undefined> {
  const [visit] = rowsAs<Visit>(
    await query(
      `select service.name as "serviceName", appointment_date as date, appointment_time as time,
       to_json(held_until) #>> '{}' as "heldUntil",
       case
         when completed_at is not null then 'done'
         when status = 'cancelled' then 'cancelled'
         when appointment_date + appointment_time <= internal.shop_now() then 'over'
         when held_until > internal.current_instant() then 'held'
         when status <> 'not_confirmed' and held_until is null then 'confirmed'
         when public.is_time_slot_available(booking.duration_minutes, appointment_date, appointment_time)
           then 'lapsed'
         else 'lost'
       end as state
     from public.bookings booking join public.services service on service.id = booking.service_id
     where booking.id = $1`,
      [bookingId],
    ),
  )
  return visit
}
