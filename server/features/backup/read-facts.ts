import { type Query, rowsAs } from '@local/postgres'
import type { Facts, StaffAccount } from '#server/platform/backup/latest-facts.ts'
import type { BackupContext } from '#server/platform/backup/backup-context.ts'

/**
 * Reads the data that must stay current when the shop is restored to an earlier moment, such as staff accounts and
 * passwords, in a stable order. For a hosted Supabase project, the result contains no password hashes, because the
 * backup of such a project contains none.
 */
export async function readFacts(query: Query, backend: BackupContext['backend']): Promise<Facts> {
  const staff = rowsAs<StaffAccount & { passwordHash: string | null; isUser: boolean }>(
    await query(
      `select user_id as "userId", role, is_active as "isActive", encrypted_password as "passwordHash",
         users.id is not null as "isUser"
       from public.staff_accounts left join auth.users on users.id = user_id order by user_id`,
    ),
  )
  const inactive = rowsAs<{ id: string }>(
    await query(`select id from public.employees where not is_active order by id`),
  )
  const passkeys = rowsAs<{ id: string }>(
    await query(`select id from internal.passkeys where is_active order by id`),
  )
  return {
    accounts: staff
      .filter(({ isUser }) => isUser)
      .map(({ userId, passwordHash }) => ({
        userId,
        passwordHash: backend === 'hosted' ? null : passwordHash,
      })),
    staff: staff.map(({ userId, role, isActive }) => ({ userId, role, isActive })),
    inactiveEmployees: inactive.map(({ id }) => id),
    passkeys: passkeys.map(({ id }) => id),
    counts: await readCounts(query),
  }
}

async function readCounts(query: Query): Promise<Facts['counts']> {
  const [last] = rowsAs<{ invoices: number | null; estimates: number | null }>(
    await query(
      `select pg_sequence_last_value('internal.invoice_count')::integer as invoices,
         pg_sequence_last_value('internal.estimate_count')::integer as estimates`,
    ),
  )
  return {
    'internal.invoice_count': last?.invoices ?? 0,
    'internal.estimate_count': last?.estimates ?? 0,
  }
}
