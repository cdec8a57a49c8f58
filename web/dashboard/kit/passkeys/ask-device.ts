import { startAuthentication, WebAuthnAbortService, WebAuthnError } from '@simplewebauthn/browser'

/**
 * How the browser asks the user for a passkey: 'autofill' lists passkeys in the username field, 'dialog' opens a
 * separate dialog.
 */
export type Manner = 'autofill' | 'dialog'

/** Cancels the request for a passkey that the browser is showing, if there is one. */
export function stopAsking(): void {
  WebAuthnAbortService.cancelCeremony()
}

/**
 * Asks the device for a passkey. Returns the device's answer; undefined when the user cancelled or the page cancelled
 * the request.
 */
export async function askDevice(options: { readonly challenge: string }, manner: Manner) {
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
