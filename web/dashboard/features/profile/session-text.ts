import type { SignedInBrowser } from '#contracts/profile.ts'
import { formatShortStamp } from '#domain/calendar/shop-time.ts'

/**
 * States when a browser was last used, and when and from which IP address the user signed in: 'Used Nov 21, 9:14 AM.
 * Signed in Nov 18, 8:02 AM from 192.0.2.1.'
 */
export function sessionText(session: SignedInBrowser): string {
  const { networkAddress, signedInAt, lastUsedAt, isCurrent } = session
  const use = isCurrent ? 'This session.' : `Used ${formatShortStamp(lastUsedAt)}.`
  const from = networkAddress === null ? '' : ` from ${networkAddress}`
  return `${use} Signed in ${formatShortStamp(signedInAt)}${from}.`
}
