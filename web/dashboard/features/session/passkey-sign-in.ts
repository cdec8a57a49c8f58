import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { passkeyEndpoints } from '#contracts/passkeys.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { loginFailed, readLogIn } from './session-api.ts'
import { completeLogIn } from './session-store.ts'

/** Why a sign-in with a passkey did not succeed: the person gave up, or the server refused it. */
export type PasskeyFailure =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly message: string }

/** How the browser asks for the passkey: in the list of the username field, or in a dialog of its own. */
type Manner = 'autofill' | 'dialog'

/**
 * Returns why this page cannot offer passkeys; undefined if it can. An empty reason is that of a browser without
 * passkeys, about which there is nothing to say.
 */
export async function reasonAgainstPasskeys(): Promise<string | undefined> {
  if (!window.isSecureContext) {
    return `Passkeys work only over https. This site is at ${location.origin}, so the button is not shown.`
  }
  if (!browserSupportsWebAuthn()) return ''
  const started = await callApi(passkeyEndpoints.startSignIn)
  if (!started.ok) return undefined
  if ('unavailable' in started.value) return started.value.unavailable
  const host = started.value.options['rpId']
  return host === location.hostname
    ? undefined
    : `Passkeys work at ${String(host)} only. This page is at ${location.hostname}, so the button is not shown.`
}

/** Whether the browser can list passkeys in the username field. */
export const canAutofill = browserSupportsWebAuthnAutofill

/** Ends the request to the device that is open, if there is one. */
export function stopAsking(): void {
  WebAuthnAbortService.cancelCeremony()
}

/**
 * Signs in with a passkey that the person chooses. Returns why not; undefined after the sign-in. After the first answer
 * with an old counter the server asks for another one.
 */
export async function signInWithPasskey(manner: Manner): Promise<PasskeyFailure | undefined> {
  const started = await callApi(passkeyEndpoints.startSignIn)
  if (!started.ok || !('options' in started.value)) return refusal(undefined)
  const answer = await askDevice(started.value.options, manner)
  if (!answer) return { kind: 'cancelled' }
  const result = await callApi(passkeyEndpoints.finishSignIn, { answer })
  if (!result.ok && result.refusal.code === 'PASSKEY_AGAIN') return signInWithPasskey('dialog')
  const failure = await completeLogIn(readLogIn(result))
  return failure && refusal(failure.message)
}

/** The answer of the device; undefined when the person gave up or the page ended the request. */
async function askDevice(options: { readonly challenge: string }, manner: Manner) {
  try {
    const { id, rawId, type, response } = await startAuthentication({
      optionsJSON: options,
      useBrowserAutofill: manner === 'autofill',
    })
    const { userHandle = '', clientDataJSON, authenticatorData, signature } = response
    const clientExtensionResults = {}
    const parts = { clientDataJSON, authenticatorData, signature, userHandle }
    return { id, rawId, type, clientExtensionResults, response: parts }
  } catch (error) {
    if (error instanceof WebAuthnError || error instanceof DOMException) return undefined
    throw error
  }
}

const refusal = (message: string | undefined): PasskeyFailure => ({
  kind: 'refused',
  message: message ?? loginFailed,
})
