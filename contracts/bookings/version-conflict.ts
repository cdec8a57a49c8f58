import * as z from 'zod/mini'

/** The detail of the error TT051: the other change, when a change names an old version of the appointment. */
export const versionConflictDetail = z.object({
  /** Null when no history was recorded for the other change. */
  changed_by_name: z.nullable(z.string()),
  /** ISO 8601 */
  happened_at: z.nullable(z.string()),
})
