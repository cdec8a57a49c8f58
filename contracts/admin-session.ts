import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { onboarding } from './onboarding.ts'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'

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

/** What stands above the work in the dashboard: with the answer that opens it, nothing moves when it arrives. */
const above = { onboarding: optionalIfInvalid(onboarding) }

const unauthenticated = z.object({
  ok: z.literal(false),
  code: z.literal('UNAUTHENTICATED'),
  message: z.string(),
})

/** Signing in to the dashboard and out of it (docs/product.md 7.1). */
export const adminSessionEndpoints = {
  logIn: {
    method: 'POST',
    path: '/api/admin/login',
    request: z.object({
      username: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
      password: z.string().check(z.minLength(1), z.maxLength(200)),
    }),
    response: z.object({
      ok: z.literal(true),
      message: optionalIfInvalid(z.string()),
      user: adminUser,
      session: optionalIfInvalid(dataSession),
      ...above,
    }),
  },
  /**
   * Answers 200 either way: not being signed in is no error of the asker. A browser that has lost its data
   * session says so and is given a fresh one.
   */
  whoAmI: {
    method: 'GET',
    path: '/api/admin/me',
    request: z.object({ session: optionalIfInvalid(z.literal('missing')) }),
    response: z.union([
      z.object({
        ok: z.literal(true),
        user: adminUser,
        session: optionalIfInvalid(dataSession),
        ...above,
      }),
      unauthenticated,
    ]),
  },
  logOut: {
    method: 'POST',
    path: '/api/admin/logout',
    response: z.object({ ok: z.literal(true) }),
  },
} satisfies Record<string, Endpoint>

/** What a new password of the admin must be like. */
export const adminPassword = z
  .string()
  .check(z.minLength(10, 'must have at least 10 characters'), z.maxLength(200))

/** What an admin may be called. */
export const adminUsername = z
  .string()
  .check(z.regex(/^[A-Za-z0-9._-]{1,60}$/, 'must be 1 to 60 letters, digits, dots or dashes'))
