import { accepted, refused, type Result } from '#domain/result.ts'

/** The site as browsers name it in passkeys (WebAuthn Level 3, 4, "Relying Party"). */
export type RelyingParty = {
  /** The host of the site, without the port. Browsers offer a passkey at this host only. */
  readonly id: string
  readonly origin: string
}

/** Returns the site to which passkeys belong, or the reason why passkeys cannot work at the site's URL. */
export function relyingPartyOf(publicUrl: string): Result<RelyingParty, string> {
  const { protocol, hostname: id, origin } = new URL(publicUrl)
  if (id === 'localhost') return accepted({ id, origin })
  if (protocol !== 'https:') {
    return refused(
      `Passkeys work only over https. This site is at ${origin}, so the button is not shown.`,
    )
  }
  const isAddress = /^[\d.]+$|:/.test(id)
  if (isAddress)
    return refused(
      `Passkeys need a host name. This site is at ${origin}, so the button is not shown.`,
    )
  return accepted({ id, origin })
}
