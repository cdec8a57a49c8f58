import * as z from 'zod/mini'
import { adminSessionEndpoints } from '#contracts/admin-session.ts'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { confirmPasswordEndpoint } from '#contracts/step-up.ts'

/** Bytes as base64url text, at most `longest` characters. */
const base64Url = (longest: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(longest))

/**
 * The fields that a device sends both when it creates a passkey and when it signs in (WebAuthn Level 3, 5.1.7 and
 * 5.1.8).
 */
const answer = {
  id: base64Url(1_400),
  rawId: base64Url(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.looseObject({}), {}),
}

/** The response of a device that creates a passkey. */
export const registrationAnswer = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: base64Url(4_000),
    attestationObject: base64Url(20_000),
    transports: z._default(
      z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(8)),
      [],
    ),
  }),
})
export type RegistrationAnswer = z.infer<typeof registrationAnswer>

/** The response of a device that signs in with a passkey. */
const signInAnswer = z.object({
  ...answer,
  response: z.object({
    clientDataJSON: base64Url(4_000),
    authenticatorData: base64Url(4_000),
    signature: base64Url(10_000),
    /** The id of the team member to whom the passkey belongs; a device that stores the passkey always sends this id. */
    userHandle: base64Url(100),
  }),
})
export type SignInAnswer = z.infer<typeof signInAnswer>

/** The name that a team member gives a passkey. */
export const passkeyName = z.string().check(z.trim(), z.minLength(1), z.maxLength(60))

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** The time at which the team member created the passkey: ISO 8601. */
  createdAt: z.string(),
  lastUsedAt: z.nullable(z.string()),
  /** Whether the passkey was switched off because somebody may have copied the passkey. */
  isSwitchedOff: z.boolean(),
  /**
   * Whether the passkey still works although it once sent an outdated signature counter, which a copied passkey also
   * sends.
   */
  isSuspicious: z.boolean(),
  /**
   * The former host of the site at which the team member created the passkey; the passkey does not work at the current
   * host. Null when the host has not changed.
   */
  formerHost: z.nullable(z.string()),
})
export type Passkey = z.infer<typeof passkey>

/**
 * The options for the browser's request to the device: the JSON of `PublicKeyCredentialCreationOptions` or
 * `PublicKeyCredentialRequestOptions`. Only the WebAuthn library reads the fields.
 */
export const passkeyOptions = z.looseObject({ challenge: z.string() })

/** The fields that a device requires to create a passkey (WebAuthn Level 3, 5.4). */
const registrationOptions = z.looseObject({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.exactOptional(z.string()) }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
})
export type RegistrationOptions = z.infer<typeof registrationOptions>

/**
 * The response of a device to a request that lists the allowed passkeys. The device may then omit the id of the team
 * member to whom the passkey belongs.
 */
const confirmationAnswer = z.object({
  ...signInAnswer.shape,
  response: z.object({
    ...signInAnswer.shape.response.shape,
    userHandle: z._default(z.string().check(z.regex(/^[\w-]*$/), z.maxLength(100)), ''),
  }),
})

const byId = { id: z.uuid() }
const done = z.object({ ok: z.literal(true) })

/** The endpoints of passkeys (docs/product.md 6.9). */
export const passkeyEndpoints = {
  /** Lists the passkeys of the signed-in team member. */
  list: {
    method: 'GET',
    path: '/api/admin/passkeys',
    rights: 'staff',
    response: z.object({
      ok: z.literal(true),
      passkeys: z.array(passkey),
      /** The URL of the site if its host does not allow passkeys; otherwise null. */
      unavailableAt: z.nullable(z.string()),
      /** The browser and the operating system of the request: the suggested name of a new passkey. */
      device: z.string(),
    }),
  },
  startRegistration: {
    method: 'POST',
    path: '/api/admin/passkeys/options',
    rights: 'staff',
    stepUp: true,
    response: z.object({ ok: z.literal(true), options: registrationOptions }),
  },
  finishRegistration: {
    method: 'POST',
    path: '/api/admin/passkeys',
    rights: 'staff',
    stepUp: true,
    request: z.object({ name: passkeyName, answer: registrationAnswer }),
    response: done,
  },
  rename: {
    method: 'POST',
    path: '/api/admin/passkeys/:id/rename',
    rights: 'staff',
    request: z.object({ ...byId, name: passkeyName }),
    response: done,
  },
  remove: {
    method: 'POST',
    path: '/api/admin/passkeys/:id/remove',
    rights: 'staff',
    stepUp: true,
    request: z.object(byId),
    response: done,
  },
  /**
   * Returns a challenge for a sign-in with a passkey of any team member, or the reason why the site offers no passkeys.
   */
  startSignIn: {
    method: 'POST',
    path: '/api/admin/passkey-sign-in/options',
    rights: 'own page',
    response: z.union([
      z.object({ ok: z.literal(true), options: passkeyOptions }),
      z.object({ ok: z.literal(true), unavailable: z.string() }),
    ]),
  },
  /**
   * Returns the site's former host names for which team members registered passkeys. Considers only team members who
   * have signed in with this browser and have no passkey for the current host. The path begins with the path of the
   * sign-in, because browsers send the cookie of a known browser only to that path.
   */
  formerHosts: {
    method: 'POST',
    path: '/api/admin/login/former-passkeys',
    rights: 'own page',
    response: z.object({ ok: z.literal(true), hosts: z.array(z.string()) }),
  },
  /** Signs in with a passkey. The response is the same as for a sign-in with a password. */
  finishSignIn: {
    method: 'POST',
    path: '/api/admin/passkey-sign-in',
    rights: 'own page',
    request: z.object({ answer: signInAnswer }),
    response: adminSessionEndpoints.logIn.response,
  },
  /**
   * Returns a challenge for step-up authentication (docs/product.md 6.8); null when the team member has no passkey of
   * this site.
   */
  startConfirmation: {
    method: 'POST',
    path: '/api/admin/confirm-passkey/options',
    rights: 'staff',
    beforeCodeApp: true,
    response: z.object({
      ok: z.literal(true),
      options: z.nullable(passkeyOptions),
      /** Whether the team member can use a password for the step-up authentication. */
      hasPassword: z.boolean(),
    }),
  },
  /**
   * Confirms a sign-in session with a passkey, as `confirmPasswordEndpoint` does with the password (step-up
   * authentication).
   */
  finishConfirmation: {
    method: 'POST',
    path: '/api/admin/confirm-passkey',
    rights: 'staff',
    beforeCodeApp: true,
    request: z.object({ answer: confirmationAnswer }),
    response: confirmPasswordEndpoint.response,
  },
} satisfies Record<string, Endpoint>
