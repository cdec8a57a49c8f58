import * as z from 'zod/mini'

/** POST /api/admin/login */
export const loginRequest = z.object({
  username: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
  password: z.string().check(z.minLength(1), z.maxLength(200)),
})

const adminUser = z.object({ username: z.string() })

/** A session of the data service: what `supabase.auth.setSession` takes. */
export const dataSession = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /** Seconds until the access token runs out, and when, in seconds since 1970. */
  expires_in: z.int(),
  expires_at: z.int(),
})
export type DataSession = z.infer<typeof dataSession>

export const loginResponse = z.object({
  ok: z.literal(true),
  message: z.string(),
  user: adminUser,
  session: dataSession,
})

/**
 * GET /api/admin/me answers 200 either way: not being signed in is no error of the asker. With
 * `?session=missing` a browser that has lost its data session is given a fresh one.
 */
export const meResponse = z.union([
  z.object({ ok: z.literal(true), user: adminUser, session: z.optional(dataSession) }),
  z.object({ ok: z.literal(false), code: z.literal('UNAUTHENTICATED'), message: z.string() }),
])

/** What a new password of the admin must be like. */
export const adminPassword = z
  .string()
  .check(z.minLength(10, 'must have at least 10 characters'), z.maxLength(200))

/** What an admin may be called. */
export const adminUsername = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{1,60}$/, 'must be 1 to 60 letters, digits, dots or dashes'))
