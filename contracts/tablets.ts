import * as z from 'zod/mini'
import { adminSessionEndpoints } from '#contracts/admin-session.ts'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'

/** A shared tablet, as the owner's list shows it. */
const tablet = z.object({
  id: z.string(),
  name: z.string(),
  enrolledByName: z.string(),
  /** The time at which an owner enrolled the tablet: ISO 8601. */
  enrolledAt: z.string(),
  lastUsedByName: z.nullable(z.string()),
  /** The time at which a team member last used the tablet: ISO 8601. */
  lastUsedAt: z.nullable(z.string()),
  /** Whether too many wrong PINs locked the tablet. */
  isLocked: z.boolean(),
})

/** A team member who can use a shared tablet. */
const member = z.object({
  id: z.string(),
  name: z.string(),
  hasPin: z.boolean(),
  /** The number of the team member's appointments today. */
  jobs: z.int(),
})

/** The data that a shared tablet shows. The list of team members is empty while the tablet is locked or revoked. */
const tabletState = z.object({
  ok: z.literal(true),
  /** 'none': the browser was never a shared tablet. */
  state: z.enum(['none', 'revoked', 'locked', 'ready']),
  name: z.string(),
  members: z.array(member),
  /** The name of the team member who unlocked the tablet and has not locked it again; otherwise null. */
  openedBy: z.nullable(z.string()),
})

const done = z.object({ ok: z.literal(true) })
const byId = { id: z.uuid() }

/** The endpoints of shared tablets (docs/product.md 6.14). */
export const tabletEndpoints = {
  list: {
    method: 'GET',
    path: '/api/admin/tablets',
    rights: 'owner',
    response: z.object({
      ok: z.literal(true),
      tablets: z.array(tablet),
    }),
  },
  /** Makes the browser of the request a shared tablet and signs the owner out in that browser. */
  enroll: {
    method: 'POST',
    path: '/api/admin/tablets',
    rights: 'owner',
    stepUp: true,
    request: z.object({ name: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) }),
    response: done,
  },
  revoke: {
    method: 'POST',
    path: '/api/admin/tablets/:id/revoke',
    rights: 'owner',
    request: z.object(byId),
    response: done,
  },
  /** Sets the PIN of the signed-in team member. The server refuses a weak PIN with WEAK_PIN. */
  setPin: {
    method: 'POST',
    path: '/api/admin/profile/pin',
    rights: 'staff',
    stepUp: true,
    request: z.object({ pin: z.string().check(z.maxLength(20)) }),
    response: done,
  },
  /** Removes the PIN of a team member. */
  clearPin: {
    method: 'POST',
    path: '/api/admin/accounts/:id/clear-pin',
    rights: 'owner',
    request: z.object(byId),
    response: done,
  },
  /** Reads the state of the tablet that the cookie of the request identifies. */
  read: { method: 'GET', path: '/api/tablet', rights: 'public', response: tabletState },
  /**
   * Unlocks the tablet for a team member. The server refuses the request with WRONG_PIN, TABLET_LOCKED or
   * TABLET_REVOKED.
   */
  open: {
    method: 'POST',
    path: '/api/tablet/open',
    rights: 'own page',
    request: z.object({ accountId: z.uuid(), pin: z.string().check(z.maxLength(20)) }),
    response: adminSessionEndpoints.logIn.response,
  },
  /** Reports that the team member touches the tablet; the server extends the sign-in session by two minutes. */
  touch: {
    method: 'POST',
    path: '/api/tablet/touch',
    rights: 'staff',
    atTablet: true,
    response: done,
  },
} satisfies Record<string, Endpoint>

export type Tablet = ResponseOf<typeof tabletEndpoints.list>['tablets'][number]
export type TabletState = Omit<ResponseOf<typeof tabletEndpoints.read>, 'ok'>
export type TabletMember = TabletState['members'][number]
