import { type auditFileEndpoint, kindsOfGroup } from '#contracts/audit.ts'
import type { RequestOf } from '#contracts/api/endpoint.ts'
import { money, toCsv } from '#domain/text/csv.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'

/** A row of the CSV file of the audit log. Amounts are text, because PostgreSQL returns a bigint as text. */
type Line = {
  readonly kind: string
  readonly happened_at: string
  readonly user_name: string | null
  readonly role: string | null
  readonly subject_name: string | null
  readonly invoice_number: string | null
  readonly amount_cents: string | null
  readonly detail: string | null
  readonly device: string | null
  readonly network_address: string | null
  readonly confirmed_with: string | null
}

const cellsOf = (line: Line) => ({
  'Time (UTC)': line.happened_at,
  What: line.kind.replaceAll('_', ' '),
  Who: line.user_name,
  Role: line.role,
  Account: line.subject_name,
  Invoice: line.invoice_number,
  'Sum (USD)': line.amount_cents === null ? null : money(Number(line.amount_cents)),
  Detail: line.detail,
  Device: line.device,
  'Network address': line.network_address,
  'Confirmed with': line.confirmed_with,
})

/**
 * Adds an audit entry for the export. Returns a CSV file with the audit entries that match the filter, oldest first.
 */
export async function writeAuditFile(
  database: Database,
  username: string,
  { what, who = '', days }: RequestOf<typeof auditFileEndpoint>,
): Promise<string> {
  const lines = await database.transaction(asServer, async (query) =>
    rowsAs<Line>(
      await query(
        `select * from internal.export_audit(
           $1, $2::text[], nullif($3, '')::uuid, now() - nullif($4::int, 0) * interval '1 day')`,
        [username, what ? [...kindsOfGroup[what]] : null, who, days ?? 0],
      ),
    ),
  )
  return toCsv(lines.map((line) => cellsOf(line)))
}
