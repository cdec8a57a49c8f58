import * as z from 'zod/mini'
import { type AuditLine, auditLine, kindsOfGroup } from '#contracts/audit.ts'
import type { AuditGroup } from '#domain/audit/audit-filters.ts'
import { requestData } from '#web/lib/data/request-data.ts'

export type AuditFilter = {
  readonly what?: AuditGroup | undefined
  /** Only lines of the last days; all lines without it. */
  readonly days?: number | undefined
}

/** The number of lines of one page; the database returns no more. */
export const pageSize = 50

/** One page of the audit, newest first, before the line `beforeId`. */
export async function readAudit(
  { what, days }: AuditFilter,
  beforeId: number | undefined,
): Promise<AuditLine[]> {
  const since = days && new Date(Date.now() - days * 86_400_000).toISOString()
  const { data } = await requestData((service) =>
    service.rpc('read_audit', {
      ...(what && { kinds: [...kindsOfGroup[what]] }),
      ...(since && { since }),
      ...(beforeId !== undefined && { before_id: beforeId }),
    }),
  )
  return z.array(auditLine).parse(data)
}
