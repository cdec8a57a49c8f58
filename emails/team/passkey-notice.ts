import { oneUntrustedLine, withoutLinks } from '#domain/text/untrusted-text.ts'
import { type Owner, type OwnerNotice, writeOwnerNotice } from '#emails/setup/owner-notice.ts'

/** An answer of a passkey with an old counter. */
export type PasskeyAnomaly = {
  readonly passkeyId: string
  readonly passkeyName: string
  readonly staffName: string
  /** How often the passkey answered with an old counter. */
  readonly count: number
  readonly isSwitchedOff: boolean
}

/** Tells the owner that somebody may have copied a passkey (docs/product.md 6.9). */
export function writePasskeyNotice(owner: Owner, anomaly: PasskeyAnomaly): OwnerNotice {
  const { passkeyId, passkeyName, staffName, count, isSwitchedOff } = anomaly
  const subject = isSwitchedOff ? 'A passkey was switched off' : 'A passkey may have been copied'
  const text = isSwitchedOff
    ? 'A passkey answered with an old counter for the second time and signs nobody in any more. Its owner can sign in in another way, remove it and add a new one.'
    : 'A passkey answered with an old counter, as a copy of it does. The answer was not accepted, and the passkey had to answer again. A second old counter switches it off.'
  return writeOwnerNotice(owner, {
    key: `passkey:${passkeyId}:${count}`,
    line: subject,
    subject,
    preview: 'It answered with an old counter.',
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
      { kind: 'paragraph', text: 'The dashboard shows it: Settings, Audit.' },
    ],
    reason: "You're receiving this email as the owner of the shop.",
  })
}
