import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { type Owner, type OwnerNotice, writeOwnerNotice } from '#emails/setup/owner-notice.ts'

/** A sign-in or a step-up authentication for which a passkey sent an outdated signature counter. */
export type PasskeyAnomaly = {
  readonly passkeyId: string
  readonly passkeyName: string
  readonly staffName: string
  /** The number of times that the passkey sent an outdated counter. */
  readonly count: number
  readonly isSwitchedOff: boolean
}

/** Notifies the owner that somebody may have copied a passkey (docs/product.md 6.9). */
export function writePasskeyNotice(owner: Owner, anomaly: PasskeyAnomaly): OwnerNotice {
  const { passkeyId, passkeyName, staffName, count, isSwitchedOff } = anomaly
  const subject = isSwitchedOff ? 'A passkey was switched off' : 'A passkey may have been copied'
  const text = isSwitchedOff
    ? 'This passkey may have been copied: it sent an outdated signature counter for the second time. The site switched the passkey off. The team member can sign in by another method, remove the passkey and add a new one.'
    : 'A passkey counts its signatures. This passkey sent an outdated count, as a copy of it would. The site refused the attempt and asked for the passkey again. If this happens once more, the site switches the passkey off.'
  return writeOwnerNotice(owner, {
    key: `passkey:${passkeyId}:${count}`,
    line: subject,
    subject,
    preview: 'The passkey sent an outdated signature counter.',
    heading: subject,
    parts: [
      { kind: 'paragraph', text },
      {
        kind: 'facts',
        details: [
          ['Team member', withoutLinks(oneUntrustedLine(staffName, 80))],
          ['Passkey', withoutLinks(oneUntrustedLine(passkeyName, 60))],
        ],
      },
      { kind: 'paragraph', text: 'Settings, Audit in the dashboard shows the event.' },
    ],
    reason: "You're receiving this email as the owner of the shop.",
  })
}
