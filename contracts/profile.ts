import * as z from 'zod/mini'
import type { Endpoint, ResponseOf } from '#contracts/api/endpoint.ts'
import { staffRole } from './staff-accounts.ts'

/** A browser in which the staff account is signed in. */
const session = z.object({
  id: z.string(),
  /** The browser and the system of the sign-in: 'Chrome on Windows'. */
  device: z.string(),
  /**
   * The browser's IP address: an IPv4 address, or only the network part of an IPv6 address; null when the server could
   * not determine it.
   */
  networkAddress: z.nullable(z.string()),
  /** The time of the sign-in: ISO 8601. */
  signedInAt: z.string(),
  /** The time of the latest request with the sign-in session: ISO 8601, rounded to the minute. */
  lastUsedAt: z.string(),
  /** Whether the current request was sent with this sign-in session. */
  isCurrent: z.boolean(),
})

const profile = z.object({
  ok: z.literal(true),
  username: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  role: staffRole,
  /** The time (ISO 8601) at which the staff account was created. */
  since: z.string(),
  /** The time (ISO 8601) at which the PIN for shared tablets was set; null without a PIN. */
  pinSince: z.nullable(z.string()),
  /** The sign-in sessions of the account: the current session first, then all others, latest used first. */
  sessions: z.array(session),
})

/**
 * The endpoints with which team members read and change their own staff account (docs/product.md 6.10). Each endpoint
 * returns the new state of the account.
 */
export const profileEndpoints = {
  read: {
    method: 'GET',
    path: '/api/admin/profile',
    rights: 'staff',
    beforeCodeApp: true,
    response: profile,
  },
  /** Changes the name of the account. The server refuses an invalid name with INVALID_NAME. */
  changeName: {
    method: 'POST',
    path: '/api/admin/profile/name',
    rights: 'staff',
    beforeCodeApp: true,
    request: z.object({ name: z.string().check(z.trim(), z.maxLength(200)) }),
    response: profile,
  },
  /**
   * Changes the email address of the account. The server refuses an invalid address with INVALID_ADDRESS, and the
   * address of another account with EMAIL_TAKEN.
   */
  changeEmail: {
    method: 'POST',
    path: '/api/admin/profile/email',
    rights: 'staff',
    stepUp: true,
    request: z.object({ email: z.string().check(z.trim(), z.toLowerCase(), z.maxLength(300)) }),
    response: profile,
  },
  /**
   * Sets a new password and ends all other sign-in sessions. The server refuses a weak password with WEAK_PASSWORD and
   * a message that states why.
   */
  changePassword: {
    method: 'POST',
    path: '/api/admin/profile/password',
    rights: 'staff',
    stepUp: true,
    request: z.object({ password: z.string().check(z.maxLength(1000)) }),
    response: profile,
  },
  /** Signs one browser of the account out. */
  endSession: {
    method: 'POST',
    path: '/api/admin/sessions/end',
    rights: 'staff',
    request: z.object({ id: z.uuid() }),
    response: profile,
  },
  /** Signs every other browser of the account out. */
  endOtherSessions: {
    method: 'POST',
    path: '/api/admin/sessions/end-others',
    rights: 'staff',
    response: profile,
  },
} satisfies Record<string, Endpoint>

export type Profile = Omit<ResponseOf<typeof profileEndpoints.read>, 'ok'>
export type SignedInBrowser = Profile['sessions'][number]
