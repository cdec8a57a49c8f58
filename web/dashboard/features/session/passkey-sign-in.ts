import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { passkeyEndpoints } from '#contracts/passkeys.ts'
import { askDevice, type Manner } from '#web/dashboard/kit/passkeys/ask-device.ts'
import { callApi } from '#web/lib/data/call-api.ts'
import { loginFailed, readLogIn } from './session-api.ts'
import { completeLogIn } from './session-store.ts'

/** The reason why a sign-in with a passkey failed: the person cancelled the sign-in, or the server refused it. */
export type PasskeyFailure =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly message: string }

export type PasskeySupport = {
  /**
   * The reason why this page cannot offer passkeys; undefined if the page can offer them. The reason is an empty string
   * if the browser does not support passkeys; the page then shows no message.
   */
  readonly against?: string
  /**
   * The former hosts of the site at which users of this browser created their passkeys, if none of these passkeys works
   * at the current host.
   */
  readonly formerHosts?: readonly string[]
}

/** Asks the server whether this page can offer passkeys. */
export async function readPasskeySupport(): Promise<PasskeySupport> {
  if (!window.isSecureContext) {
    return {
      against: `Passkeys work only over https. This site is at ${location.origin}, so the passkey button is not shown.`,
    }
  }
  if (!browserSupportsWebAuthn()) return { against: '' }
  const started = await callApi(passkeyEndpoints.startSignIn)
  if (!started.ok) return {}
  if ('unavailable' in started.value) return { against: started.value.unavailable }
  const host = started.value.options['rpId']
  if (host !== location.hostname) {
    return {
      against: `Passkeys work at ${String(host)} only. This page is at ${location.hostname}, so the passkey button is not shown.`,
    }
  }
  const former = await callApi(passkeyEndpoints.formerHosts)
  return former.ok ? { formerHosts: former.value.hosts } : {}
}

/** Whether the browser can list passkeys in the username field. */
export const canAutofill = browserSupportsWebAuthnAutofill

/**
 * Signs in with a passkey that the person chooses. Returns the reason of a failure; undefined after success. If the
 * signature counter of the passkey has not increased since the last sign-in, the server asks the device once for
 * another signature.
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

const refusal = (message: string | undefined): PasskeyFailure => ({
  kind: 'refused',
  message: message ?? loginFailed,
})
