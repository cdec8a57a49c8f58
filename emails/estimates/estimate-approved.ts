import type { Authorization, SentRevision } from '#contracts/estimates/estimates.ts'
import { formatAuthorization } from '#domain/estimates/authorization-text.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { Shop } from '#domain/shop/shop.ts'
import { layOutEmail } from '#emails/layout/email-layout.ts'
import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { greeting } from '#emails/layout/recipient.ts'
import type { ShopEmail } from '#emails/layout/shop-email.ts'

/** The authorizations of one batch: the customer's decisions that were recorded together, at least one. */
export type AuthorizationBatch = readonly [Authorization, ...Authorization[]]

/**
 * Confirms to the customer which jobs were approved, by whom, how and when. The shop sends one such email for each
 * batch of authorizations (16 CCR 3354).
 */
export function writeEstimateApproved(
  shop: Shop,
  sentRevision: SentRevision,
  batch: AuthorizationBatch,
  url: string,
): ShopEmail {
  const [first] = batch
  const last = batch.at(-1) ?? first
  const total = formatCents(last.runningTotalCents)
  const number = `${sentRevision.number}, revision ${first.revision}`
  const jobs = batch.map(
    ({ jobTitle, decision, amountCents }) =>
      [
        oneUntrustedLine(jobTitle),
        decision === 'approved' ? formatCents(amountCents) : 'not now',
      ] as const,
  )
  return {
    kind: 'estimate_approved',
    dedupeKey: `estimate:${sentRevision.estimateId}:act:${first.batchId}`,
    to: { email: sentRevision.customerEmail, name: oneUntrustedLine(sentRevision.customerName) },
    ...layOutEmail(shop, {
      subject: `You approved up to ${total}: estimate ${sentRevision.number}`,
      preview: `Approved total: ${total}. We ask again before we go over it.`,
      heading: `Approved total: ${total}`,
      parts: [
        { kind: 'paragraph', text: greeting(sentRevision.customerName) },
        { kind: 'paragraph', text: `You approved these jobs of estimate ${number}.` },
        {
          kind: 'facts',
          details: [
            ...jobs,
            ['Approved total', `${total}, tax included`],
            ['By', withoutLinks(oneUntrustedLine(formatAuthorization(first), 300))],
            ...(batch.some(({ wantsPartsBack }) => wantsPartsBack)
              ? [['Replaced parts', 'You asked us to return the replaced parts to you.'] as const]
              : []),
          ],
        },
        {
          kind: 'paragraph',
          text: 'You approved up to this amount. We ask again before we go over it.',
        },
        { kind: 'button', label: 'View what you approved', url },
        {
          kind: 'paragraph',
          text: `If anything is wrong, please call ${shop.phone.display} right away.`,
        },
      ],
      reason: "You're receiving this email because work on your car was approved.",
    }),
    attachments: [],
    bookingId: sentRevision.bookingId,
    estimateId: sentRevision.estimateId,
  }
}
