import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { passkeyName, passkeyOptions, registrationAnswer } from '#contracts/passkeys.ts'

/** The secret token of the invitation link. The request body contains the token, so that no log contains it. */
const token = z.string().check(z.regex(/^[\w-]{43}$/))

/**
 * The endpoints with which a person accepts an invitation by creating a passkey (docs/product.md 6.11). The server
 * refuses a request with INVITATION_INVALID when the invitation cannot be accepted, and with PASSKEY_REFUSED when the
 * response of the device is invalid.
 */
export const joinEndpoints = {
  start: {
    method: 'POST',
    path: '/api/admin/join/options',
    rights: 'own page',
    request: z.object({ token }),
    response: z.object({ ok: z.literal(true), options: passkeyOptions }),
  },
  /** Creates the account with the passkey, and signs the person in. */
  finish: {
    method: 'POST',
    path: '/api/admin/join',
    rights: 'own page',
    request: z.object({ token, name: passkeyName, answer: registrationAnswer }),
    response: z.object({ ok: z.literal(true) }),
  },
} satisfies Record<string, Endpoint>
