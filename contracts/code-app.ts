import * as z from 'zod/mini'
import { adminSessionEndpoints } from '#contracts/admin-session.ts'
import type { Endpoint } from '#contracts/api/endpoint.ts'

/**
 * A code as the team member enters it: six digits of the authenticator app, or a recovery code. The server ignores
 * spaces and letter case.
 */
const code = z.string().check(z.minLength(1), z.maxLength(40))

const state = z.object({
  ok: z.literal(true),
  /**
   * The time (ISO 8601) at which the team member switched the authenticator app on; null while the app is switched off.
   */
  since: z.nullable(z.string()),
  recoveryCodesLeft: z.int(),
})

const recoveryCodes = z.object({ ok: z.literal(true), recoveryCodes: z.array(z.string()) })

/**
 * The endpoints of the authenticator app of the signed-in team member, and the second step of a sign-in
 * (docs/product.md 6.13).
 */
export const codeAppEndpoints = {
  read: {
    method: 'GET',
    path: '/api/admin/code-app',
    rights: 'staff',
    beforeCodeApp: true,
    response: state,
  },
  /**
   * Creates a secret for the authenticator app. Sign-ins need no code before `confirm` has succeeded. The server
   * refuses the request with CODE_APP_ON if the account already has an authenticator app.
   */
  start: {
    method: 'POST',
    path: '/api/admin/code-app/start',
    rights: 'staff',
    beforeCodeApp: true,
    stepUp: true,
    response: z.object({
      ok: z.literal(true),
      /** The secret in base32, which the team member can type into the authenticator app. */
      secret: z.string(),
      /** The `otpauth:` URL in the QR code. */
      address: z.string(),
    }),
  },
  /**
   * Switches the authenticator app on and returns the recovery codes, which no later response contains. The server
   * refuses a wrong code with WRONG_CODE.
   */
  confirm: {
    method: 'POST',
    path: '/api/admin/code-app/confirm',
    rights: 'staff',
    beforeCodeApp: true,
    stepUp: true,
    request: z.object({ code }),
    response: recoveryCodes,
  },
  /**
   * Replaces the recovery codes. The server refuses the request with CODE_APP_OFF if the account has no authenticator
   * app.
   */
  renewRecoveryCodes: {
    method: 'POST',
    path: '/api/admin/code-app/recovery-codes',
    rights: 'staff',
    stepUp: true,
    response: recoveryCodes,
  },
  switchOff: {
    method: 'POST',
    path: '/api/admin/code-app/switch-off',
    rights: 'staff',
    stepUp: true,
    response: z.object({ ok: z.literal(true) }),
  },
  /**
   * The second step of a sign-in: checks the code. The request must come from the browser that sent the password. The
   * server refuses a wrong code with WRONG_CODE. SIGN_IN_EXPIRED means that the team member has to enter the password
   * again.
   */
  finishSignIn: {
    method: 'POST',
    path: '/api/admin/login/code',
    rights: 'own page',
    request: z.object({ code }),
    response: adminSessionEndpoints.logIn.response,
  },
} satisfies Record<string, Endpoint>
