import * as z from 'zod/mini'

/** The detail of TT051: what a change met that was made from an older version of the appointment. */
export const versionConflictDetail = z.object({
  /** Null when its story was not kept. */
  changed_by_name: z.nullable(z.string()),
  /** ISO 8601 */
  happened_at: z.nullable(z.string()),
})
