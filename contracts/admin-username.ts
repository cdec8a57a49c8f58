import * as z from 'zod/mini'

/** Validates the username of a staff account. */
export const adminUsername = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{1,60}$/, 'must be 1 to 60 letters, digits, dots or dashes'))
