import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/api/endpoint.ts'
import { type AuditGroup, auditGroups } from '#domain/audit/audit-filters.ts'

/** The kinds of actions that the audit log records (docs/product.md 6.12). */
const auditKinds = [
  'signed_in',
  'wrong_password',
  'sign_in_blocked',
  'not_allowed',
  'account_added',
  'role_changed',
  'switched_off',
  'switched_on',
  'invited',
  'invitation_renewed',
  'invitation_taken_back',
  'invitation_used',
  'refunded',
  'invoice_cancelled',
  'invoice_voided',
  'invoice_written_off',
  'customer_exported',
  'files_exported',
  'erased',
  'tablet_enrolled',
  'tablet_revoked',
  'tablet_locked',
  'pin_set',
  'pin_cleared',
  'wrong_pin',
  'lines_removed',
  'wrong_code',
  'code_app_set_up',
  'code_app_ended',
  'recovery_code_used',
  'passkey_added',
  'passkey_removed',
  'passkey_doubted',
  'passkey_switched_off',
  'password_changed',
  'session_ended',
  'setting_saved',
  'setting_removed',
] as const
export type AuditKind = (typeof auditKinds)[number]

/**
 * One line of the audit log, as the database function `read_audit` returns it. The names of staff accounts are the
 * current names, not the names at the time of the action.
 */
export const auditLine = z.object({
  id: z.int(),
  kind: z.enum(auditKinds),
  /** The time of the action: ISO 8601. */
  happened_at: z.string(),
  /**
   * The staff account that performed the action; null for an action on the server's command line and for a person who
   * was not signed in.
   */
  user_name: z.nullable(z.string()),
  role: z.nullable(z.enum(['owner', 'advisor', 'technician'])),
  /**
   * The staff account that the action changed, or the staff account whose username a person entered in a failed
   * sign-in.
   */
  subject_name: z.nullable(z.string()),
  invoice_id: z.nullable(z.string()),
  invoice_number: z.nullable(z.string()),
  customer_id: z.nullable(z.string()),
  amount_cents: z.nullable(z.int()),
  detail: z.nullable(z.string()),
  device: z.nullable(z.string()),
  network_address: z.nullable(z.string()),
  /**
   * The means by which the team member confirmed the action (step-up authentication); null for an action without
   * step-up authentication.
   */
  confirmed_with: z.nullable(z.enum(['passkey', 'password'])),
})
export type AuditLine = z.output<typeof auditLine>

/** The kinds of actions in each group of the audit log's filter. */
export const kindsOfGroup = {
  'sign-ins': ['signed_in', 'recovery_code_used'],
  refused: [
    'wrong_password',
    'wrong_pin',
    'tablet_locked',
    'wrong_code',
    'sign_in_blocked',
    'not_allowed',
  ],
  team: [
    'account_added',
    'role_changed',
    'switched_off',
    'switched_on',
    'invited',
    'invitation_renewed',
    'invitation_taken_back',
    'invitation_used',
  ],
  passkeys: [
    'tablet_enrolled',
    'tablet_revoked',
    'pin_set',
    'pin_cleared',
    'code_app_set_up',
    'code_app_ended',
    'passkey_added',
    'passkey_removed',
    'passkey_doubted',
    'passkey_switched_off',
    'password_changed',
    'session_ended',
  ],
  money: ['refunded', 'invoice_cancelled', 'invoice_voided', 'invoice_written_off'],
  settings: ['setting_saved', 'setting_removed'],
  exports: ['customer_exported', 'files_exported', 'erased', 'lines_removed'],
} as const satisfies Readonly<Record<AuditGroup, readonly AuditKind[]>>

/**
 * Downloads the lines of the audit log that match the filters of the audit page (group of actions, account, number of
 * days) as a CSV file. The server adds a line about the download to the audit log.
 */
export const auditFileEndpoint = {
  method: 'POST',
  path: '/api/audit/file',
  rights: 'owner',
  stepUp: true,
  request: z.object({
    what: z.optional(z.enum(auditGroups)),
    who: z.optional(z.uuid()),
    days: z.optional(z.int().check(z.minimum(1), z.maximum(1200))),
  }),
} satisfies Endpoint
