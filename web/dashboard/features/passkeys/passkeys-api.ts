import { startRegistration, WebAuthnError } from '@simplewebauthn/browser'
import { passkeyEndpoints, type RegistrationOptions } from '#contracts/passkeys.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'

export const passkeysKey = ['passkeys']

/** The passkeys of the signed-in team member. */
export const readPasskeys = async () => orThrow(await callAsAdmin(passkeyEndpoints.list))

export const askForRegistration = () => callAsAdmin(passkeyEndpoints.startRegistration)

export const renamePasskey = (id: string, name: string) =>
  callAsAdmin(passkeyEndpoints.rename, { id, name })

export const removePasskey = (id: string) => callAsAdmin(passkeyEndpoints.remove, { id })

/**
 * Creates a passkey on the device and stores it under a name. Returns the reason of a failure; undefined after success.
 */
export async function makePasskey(
  options: RegistrationOptions,
  name: string,
): Promise<string | undefined> {
  const answer = await askDevice(options)
  if (typeof answer === 'string') return answer
  const result = await callAsAdmin(passkeyEndpoints.finishRegistration, { name, answer })
  return result.ok ? undefined : result.refusal.message || 'The server did not respond. Try again.'
}

async function askDevice(optionsJSON: RegistrationOptions) {
  try {
    const { id, rawId, type, response } = await startRegistration({ optionsJSON })
    const { clientDataJSON, attestationObject, transports = [] } = response
    return {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject, transports },
    }
  } catch (error) {
    const isKnown =
      error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    return isKnown ? 'This device has a passkey already.' : 'No passkey was created. Try again.'
  }
}
