import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { onboarding } from './onboarding.ts'
import { staffRole } from './staff-accounts.ts'
import { optionalIfInvalid } from '#contracts/api/optional-if-invalid.ts'

const adminUser = z.object({ username: z.string() })

/** The tokens of a Supabase session, as `supabase.auth.setSession` requires them. The REST API needs this session. */
export const dataSession = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  /**
   * `expires_in` is the number of seconds until the access token expires; `expires_at` is the time of expiry in
   * seconds since 1970.
   */
  expires_in: z.int(),
  expires_at: z.int(),
})
export type DataSession = z.infer<typeof dataSession>

/**
 * The setup steps of a new shop, which a banner above the dashboard's pages lists. The responses of `logIn` and
 * `whoAmI` include the steps, so that the page layout does not shift when the banner appears.
 */
const above = { onboarding: optionalIfInvalid(onboarding) }

/**
 * Whether the person must still set up an authenticator app; until then the server refuses all requests with
 * CODE_APP_REQUIRED, except those to endpoints that allow it (`beforeCodeApp`).
 */
const codeApp = { needsCodeApp: optionalIfInvalid(z.literal(true)) }

const unauthenticated = z.object({
  ok: z.literal(false),
  code: z.literal('UNAUTHENTICATED'),
  message: z.string(),
})

/** The endpoints for signing in to the dashboard and signing out (docs/product.md 7.1). */
export const adminSessionEndpoints = {
  logIn: {
    method: 'POST',
    path: '/api/admin/login',
    rights: 'own page',
    request: z.object({
      username: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
      password: z.string().check(z.minLength(1), z.maxLength(200)),
    }),
    response: z.object({
      ok: z.literal(true),
      message: optionalIfInvalid(z.string()),
      user: adminUser,
      name: optionalIfInvalid(z.string()),
      role: optionalIfInvalid(staffRole),
      session: optionalIfInvalid(dataSession),
      /**
       * The site's former host names for which the person created passkeys. Set only if none of the person's passkeys
       * works at the current host name.
       */
      formerPasskeyHosts: optionalIfInvalid(z.array(z.string())),
      ...codeApp,
      ...above,
    }),
  },
  /**
   * Returns the signed-in staff account, or null for a visitor who is not signed in; the status is 200 in both cases. A
   * browser without a Supabase session (for the REST API) sends `session: 'missing'` to get a new Supabase session.
   */
  whoAmI: {
    method: 'GET',
    path: '/api/admin/me',
    rights: 'public',
    request: z.object({ session: optionalIfInvalid(z.literal('missing')) }),
    response: z.union([
      z.object({
        ok: z.literal(true),
        user: adminUser,
        name: optionalIfInvalid(z.string()),
        role: optionalIfInvalid(staffRole),
        session: optionalIfInvalid(dataSession),
        ...codeApp,
        ...above,
      }),
      unauthenticated,
    ]),
  },
  logOut: {
    method: 'POST',
    path: '/api/admin/logout',
    rights: 'own page',
    response: z.object({ ok: z.literal(true) }),
  },
} satisfies Record<string, Endpoint>
