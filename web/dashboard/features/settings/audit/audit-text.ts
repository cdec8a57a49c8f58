import { capitalized } from '#domain/text/capitalized.ts'
import type { AuditKind, AuditLine } from '#contracts/audit.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { BadgeTone } from '#web/ui/badge/badge.tsx'

type Kind = {
  readonly tone: BadgeTone
  readonly badge: string
  readonly title: (line: AuditLine) => string
}

const subject = ({ subject_name: name }: AuditLine) => name ?? 'an unknown username'
const passkey = (line: AuditLine) => `“${line.detail}” of ${subject(line)}`

const invoice = ({ invoice_number: number, invoice_id: id }: AuditLine) =>
  id === null ? 'a deposit' : (number ?? 'an invoice without a number')

const withSum = (line: AuditLine) =>
  line.amount_cents === null
    ? capitalized(invoice(line))
    : `${formatCents(line.amount_cents)} of ${invoice(line)}`

const setting = ({ detail }: AuditLine) =>
  detail === 'email' ? 'the mail server' : 'the Stripe account'

const kinds: Readonly<Record<AuditKind, Kind>> = {
  signed_in: { tone: 'ok', badge: 'Sign-in', title: () => 'Signed in' },
  wrong_password: {
    tone: 'danger',
    badge: 'Refused',
    title: (line) => `Wrong password for ${subject(line)}`,
  },
  sign_in_blocked: {
    tone: 'danger',
    badge: 'Refused',
    title: (line) => `Sign-in blocked after too many wrong attempts: ${subject(line)}`,
  },
  not_allowed: {
    tone: 'danger',
    badge: 'Refused',
    title: ({ detail }) => `Request not allowed for the role: ${detail}`,
  },
  account_added: {
    tone: 'info',
    badge: 'Team',
    title: (line) => `Account added: ${subject(line)}, ${capitalized(line.detail ?? '')}`,
  },
  role_changed: {
    tone: 'warn',
    badge: 'Role',
    title: (line) => `${subject(line)}: ${capitalized(line.detail ?? '')}`,
  },
  switched_off: {
    tone: 'warn',
    badge: 'Team',
    title: (line) => `Sign-in switched off: ${subject(line)}`,
  },
  switched_on: {
    tone: 'info',
    badge: 'Team',
    title: (line) => `Sign-in switched on: ${subject(line)}`,
  },
  wrong_code: {
    tone: 'danger',
    badge: 'Refused',
    title: (line) => `Wrong sign-in code for ${subject(line)}`,
  },
  wrong_pin: {
    tone: 'danger',
    badge: 'Refused',
    title: (line) => `Wrong PIN of ${subject(line)} on the tablet “${line.detail}”`,
  },
  tablet_locked: {
    tone: 'danger',
    badge: 'Refused',
    title: ({ detail }) => `Tablet locked after too many wrong PINs: “${detail}”`,
  },
  tablet_enrolled: {
    tone: 'info',
    badge: 'Tablet',
    title: ({ detail }) => `Tablet enrolled: “${detail}”`,
  },
  tablet_revoked: {
    tone: 'warn',
    badge: 'Tablet',
    title: ({ detail }) => `Tablet revoked: “${detail}”`,
  },
  pin_set: { tone: 'info', badge: 'PIN', title: () => 'Set their PIN' },
  pin_cleared: { tone: 'warn', badge: 'PIN', title: (line) => `PIN cleared: ${subject(line)}` },
  recovery_code_used: { tone: 'warn', badge: 'Sign-in', title: () => 'Used a recovery code' },
  code_app_set_up: {
    tone: 'info',
    badge: 'Authenticator',
    title: () => 'Authenticator app switched on',
  },
  code_app_ended: {
    tone: 'warn',
    badge: 'Authenticator',
    title: (line) => `Authenticator app switched off: ${subject(line)}`,
  },
  passkey_added: {
    tone: 'info',
    badge: 'Passkey',
    title: ({ detail }) => `Passkey added: “${detail}”`,
  },
  passkey_removed: {
    tone: 'warn',
    badge: 'Passkey',
    title: (line) => `Passkey removed: ${passkey(line)}`,
  },
  passkey_doubted: {
    tone: 'danger',
    badge: 'Passkey',
    title: (line) => `Passkey may have been copied: ${passkey(line)}`,
  },
  passkey_switched_off: {
    tone: 'danger',
    badge: 'Passkey',
    title: (line) => `Passkey switched off because it may have been copied: ${passkey(line)}`,
  },
  password_changed: { tone: 'warn', badge: 'Password', title: () => 'Changed their password' },
  session_ended: {
    tone: 'info',
    badge: 'Session',
    title: ({ detail }) => `Signed out: ${detail}`,
  },
  setting_saved: { tone: 'warn', badge: 'Settings', title: (line) => `Changed: ${setting(line)}` },
  setting_removed: {
    tone: 'warn',
    badge: 'Settings',
    title: (line) => `Removed: ${setting(line)}`,
  },
  invited: {
    tone: 'info',
    badge: 'Invitation',
    title: ({ detail }) => `Invitation sent: ${detail}`,
  },
  invitation_renewed: {
    tone: 'info',
    badge: 'Invitation',
    title: ({ detail }) => `Invitation sent again: ${detail}`,
  },
  invitation_taken_back: {
    tone: 'warn',
    badge: 'Invitation',
    title: ({ detail }) => `Invitation taken back: ${detail}`,
  },
  invitation_used: {
    tone: 'ok',
    badge: 'Invitation',
    title: ({ detail }) => `Invitation used: ${detail}`,
  },
  refunded: { tone: 'warn', badge: 'Refund', title: withSum },
  invoice_cancelled: { tone: 'warn', badge: 'Cancelled', title: withSum },
  invoice_voided: { tone: 'warn', badge: 'Void', title: withSum },
  invoice_written_off: { tone: 'warn', badge: 'Written off', title: withSum },
  customer_exported: {
    tone: 'info',
    badge: 'Export',
    title: () => 'Data of one customer saved as a file',
  },
  files_exported: {
    tone: 'info',
    badge: 'Export',
    title: ({ detail }) =>
      detail === 'audit'
        ? 'Lines of the audit log saved as a file'
        : `File for the accountant: ${detail}`,
  },
  erased: { tone: 'warn', badge: 'Erasure', title: () => 'One customer erased' },
  lines_removed: {
    tone: 'neutral',
    badge: 'Audit',
    title: ({ detail }) => `Audit lines removed after three years: ${detail}`,
  },
}

/** Returns the badge and the sentence that describe an audit line. */
export function auditText(line: AuditLine) {
  const { tone, badge, title } = kinds[line.kind]
  return { tone, badge, title: title(line) }
}

/**
 * Names the actor of an audit line: a team member and the member's role, the server, or a person who was not signed in.
 */
export function auditActor(line: AuditLine): { readonly name: string; readonly role?: string } {
  if (line.user_name !== null) {
    return { name: line.user_name, ...(line.role && { role: capitalized(line.role) }) }
  }
  const isStranger = [
    'wrong_password',
    'wrong_pin',
    'tablet_locked',
    'wrong_code',
    'sign_in_blocked',
  ].includes(line.kind)
  return { name: isStranger ? 'Nobody signed in' : 'The server' }
}
