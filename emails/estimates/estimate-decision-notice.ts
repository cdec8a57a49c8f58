import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { formatAuthorization } from '#domain/estimates/authorization-text.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { AuthorizationBatch } from './estimate-approved.ts'
import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { type Owner, type OwnerNotice, writeOwnerNotice } from '#emails/setup/owner-notice.ts'

/**
 * Notifies the owner of a customer's decision on the estimate page. The shop's settings determine whether this email
 * is sent (docs/product.md 14.6).
 */
export function writeEstimateDecisionNotice(
  sentRevision: SentRevision,
  batch: AuthorizationBatch,
  owner: Owner,
): OwnerNotice {
  const approved = batch.filter(({ decision }) => decision === 'approved').length
  const what = approved > 0 ? `approved ${approved} of ${batch.length} jobs` : 'declined'
  const decidedBy = withoutLinks(oneUntrustedLine(batch[0].decidedByName, 80))
  const total = formatCents(sentRevision.authorizedCents)
  return writeOwnerNotice(owner, {
    key: `estimate:${sentRevision.estimateId}:answer:${batch[0].batchId}`,
    line: `A customer ${what}: estimate ${sentRevision.number}`,
    subject: `${decidedBy} ${what}: estimate ${sentRevision.number}`,
    preview: `Approved total: ${total}.`,
    heading: `${decidedBy} ${what}`,
    parts: [
      {
        kind: 'facts',
        details: [
          ['Estimate', sentRevision.number],
          ...batch.map(
            ({ jobTitle, decision, amountCents }) =>
              [
                oneUntrustedLine(jobTitle),
                decision === 'approved' ? formatCents(amountCents) : 'not now',
              ] as const,
          ),
          ['Approved total', total],
          ['By', withoutLinks(oneUntrustedLine(formatAuthorization(batch[0]), 300))],
        ],
      },
      { kind: 'paragraph', text: 'The dashboard shows the decision.' },
    ],
    reason: "You're receiving this email because notifications are on in Settings, Booking rules.",
    estimateId: sentRevision.estimateId,
  })
}
