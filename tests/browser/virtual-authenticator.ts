import type { Page } from '@playwright/test'

/** A device with passkeys that the browser simulates (Chrome DevTools Protocol, domain WebAuthn). */
export type VirtualAuthenticator = {
  /** Sets whether the device responds automatically, as if a person touched it. */
  setPresent(isPresent: boolean): Promise<void>
  /** Sets whether the device verifies its user. */
  setVerified(isVerified: boolean): Promise<void>
  /** Makes the next responses of the device wrong: with an invalid signature, or without user verification. */
  setWrong(wrong: { signature?: boolean; verification?: boolean }): Promise<void>
  /** The number of passkeys on the device. */
  count(): Promise<number>
  remove(): Promise<void>
}

/** Connects a simulated device to the page's browser. The device responds only after `setPresent`. */
export async function addVirtualAuthenticator(
  page: Page,
  { transport = 'internal' }: { transport?: 'internal' | 'usb' } = {},
): Promise<VirtualAuthenticator> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  return {
    setPresent: async (enabled) => {
      await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    setVerified: async (isUserVerified) => {
      await client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
    setWrong: async ({ signature = false, verification = false }) => {
      await client.send('WebAuthn.setResponseOverrideBits', {
        authenticatorId,
        isBogusSignature: signature,
        isBadUV: verification,
      })
    },
    async count() {
      const { credentials } = await client.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    remove: async () => {
      await client.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
