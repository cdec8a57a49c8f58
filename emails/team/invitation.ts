import { roleNames } from '#contracts/staff-accounts.ts'
import type { OpenInvitation } from '#contracts/team.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { shopClock } from '#domain/calendar/shop-time.ts'
import { formatLongDate } from '#domain/calendar/calendar-date.ts'
import { formatTime } from '#domain/calendar/clock-time.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { greeting } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

type SentInvitation = OpenInvitation & {
  readonly email: string
  readonly url: string
  /** Identifies the invitation link for deduplication, without containing the link's secret. */
  readonly dedupeKey: string
}

/**
 * Writes the email that invites a person to the dashboard. The link works once and opens only the page on which the
 * person creates a staff account.
 */
export function writeInvitation(shop: Shop, invitation: SentInvitation): ShopEmail {
  const { name, email, role, username, url, dedupeKey } = invitation
  const inviter = oneUntrustedLine(invitation.inviterName)
  const { date, time } = shopClock(new Date(invitation.expiresAt))
  const rendered = layOutEmail(shop, {
    subject: `${inviter} invites you to ${shop.name}`,
    preview: 'The link works once and expires after 72 hours.',
    heading: `Your sign-in at ${shop.name}`,
    parts: [
      { kind: 'paragraph', text: greeting(name) },
      {
        kind: 'paragraph',
        text: `${inviter} invites you to the dashboard of ${shop.name}. Open the link and choose a password.`,
      },
      {
        kind: 'facts',
        details: [
          ['Role', roleNames[role]],
          ['Username', username],
          ['Works until', `${formatLongDate(date)}, ${formatTime(time)}`],
        ],
      },
      { kind: 'button', label: 'Open the invitation', url },
      { kind: 'paragraph', text: 'The link works once. Do not forward this email.' },
    ],
    reason: "You're receiving this email because the owner of the shop invited you to its team.",
  })
  return {
    kind: 'invitation',
    dedupeKey,
    to: { email, name: oneUntrustedLine(name) },
    ...rendered,
    attachments: [],
  }
}
