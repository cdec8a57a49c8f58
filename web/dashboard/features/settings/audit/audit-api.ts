import * as z from 'zod/mini'
import { type AuditLine, auditLine, kindsOfGroup } from '#contracts/audit.ts'
import type { AuditGroup } from '#domain/audit/audit-filters.ts'
import { requestData } from '#web/lib/data/request-data.ts'

export type AuditFilter = {
  readonly what?: AuditGroup | undefined
  /** The id of the staff account whose audit lines are listed; undefined for all accounts. */
  readonly who?: string | undefined
  /** The search text: a part of a name, of an invoice number or of an IP address. */
  readonly search?: string | undefined
  /** The maximum age, in days, of the listed audit lines; undefined for all lines. */
  readonly days?: number | undefined
}

/** The maximum number of audit lines that the database returns for one page. */
export const pageSize = 50

/**
 * Reads one page of audit lines, newest first, starting with the newest line that is older than the line `beforeId`.
 */
export async function readAudit(
  { what, who, search, days }: AuditFilter,
  beforeId: number | undefined,
): Promise<AuditLine[]> {
  const since = days && new Date(Date.now() - days * 86_400_000).toISOString()
  const { data } = await requestData((service) =>
    service.rpc('read_audit', {
      ...(what && { kinds: [...kindsOfGroup[what]] }),
      ...(who && { acting_user_id: who }),
      ...(search && { search }),
      ...(since && { since }),
      ...(beforeId !== undefined && { before_id: beforeId }),
    }),
  )
  return z.array(auditLine).parse(data)
}

/** Reads the staff accounts that the filter offers, including accounts that are switched off. */
export async function readStaff(): Promise<readonly { user_id: string; name: string }[]> {
  const { data } = await requestData((service) =>
    service.from('staff_accounts').select('user_id, name').order('name'),
  )
  return data
}
