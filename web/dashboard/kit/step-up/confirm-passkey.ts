import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { passkeyEndpoints } from '#contracts/passkeys.ts'
import { askDevice } from '#web/dashboard/kit/passkeys/ask-device.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'

/** The message if the user cancelled the passkey request or the device did not respond. */
export const noPasskeyUsed = 'No passkey was used. Try again.'

/** The methods with which the signed-in person can confirm their identity. */
export type Ways = { readonly passkey: boolean; readonly password: boolean }

/**
 * Returns the methods with which the signed-in person can confirm their identity. If the server does not respond,
 * returns only the password.
 */
export async function readWays(): Promise<Ways> {
  const started = await callAsAdmin(passkeyEndpoints.startConfirmation)
  if (!started.ok) return { passkey: false, password: true }
  const { options, hasPassword } = started.value
  const isOfThisHost = options?.['rpId'] === location.hostname
  const passkey = isOfThisHost && browserSupportsWebAuthn()
  return { passkey, password: hasPassword || !passkey }
}

/**
 * Confirms the user's identity with a passkey (docs/product.md 6.8). Returns the error message of a failed
 * confirmation; undefined after success. If the signature counter of the passkey is not higher than before, the server
 * asks the device once for another signature.
 */
export async function confirmPasskey(): Promise<string | undefined> {
  const noAnswer = 'The server did not respond. Try again.'
  const started = await callAsAdmin(passkeyEndpoints.startConfirmation)
  if (!started.ok) return started.refusal.message || noAnswer
  const { options } = started.value
  const answer = options && (await askDevice(options, 'dialog'))
  if (!answer) return noPasskeyUsed
  const result = await callAsAdmin(passkeyEndpoints.finishConfirmation, { answer })
  if (result.ok) return undefined
  if (result.refusal.code === 'PASSKEY_AGAIN') return confirmPasskey()
  return result.refusal.message || noAnswer
}
