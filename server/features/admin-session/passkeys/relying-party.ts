import { accepted, refused, type Result } from '#domain/result.ts'

/** The site as the relying party of its passkeys (WebAuthn Level 3, section 4). */
export type RelyingParty = {
  /**
   * The host name of the site, without the port. Browsers offer a passkey only at the host for which it was created.
   */
  readonly id: string
  readonly origin: string
}

/** Returns the relying party of the site, or the reason why passkeys cannot work at the site's URL. */
export function relyingPartyOf(publicUrl: string): Result<RelyingParty, string> {
  const { protocol, hostname: id, origin } = new URL(publicUrl)
  if (id === 'localhost') return accepted({ id, origin })
  if (protocol !== 'https:') {
    return refused(
      `Passkeys work only over https. This site is at ${origin}, so the passkey button is not shown.`,
    )
  }
  const isAddress = /^[\d.]+$|:/.test(id)
  if (isAddress)
    return refused(
      `Passkeys need a host name. This site is at ${origin}, so the passkey button is not shown.`,
    )
  return accepted({ id, origin })
}
