import { startAuthentication, WebAuthnAbortService, WebAuthnError } from '@simplewebauthn/browser'

/** How the browser asks for the passkey: in the list of the username field, or in a dialog of its own. */
export type Manner = 'autofill' | 'dialog'

/** Ends the request to the device that is open, if there is one. */
export function stopAsking(): void {
  WebAuthnAbortService.cancelCeremony()
}

/** Asks the device for a passkey. Returns its answer; undefined when the person gave up or the page ended the request. */
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
