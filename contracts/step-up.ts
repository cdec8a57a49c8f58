import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/**
 * The endpoint for step-up authentication: confirms the password of the signed-in staff account. For five minutes, the
 * same sign-in session may then use the endpoints with `stepUp` (docs/product.md 6.8). The server refuses a wrong
 * password with WRONG_PASSWORD. After five wrong passwords the server delays further attempts for the account.
 */
export const confirmPasswordEndpoint = {
  method: 'POST',
  path: '/api/admin/confirm-password',
  rights: 'staff',
  beforeCodeApp: true,
  request: z.object({ password: z.string().check(z.minLength(1), z.maxLength(200)) }),
  response: z.object({
    ok: z.literal(true),
    /** The time (ISO 8601) at which the step-up authentication expires. */
    confirmedUntil: z.string(),
  }),
} satisfies Endpoint
