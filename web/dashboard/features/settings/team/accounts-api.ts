import { type StaffRole, staffRole } from '#contracts/staff-accounts.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** A team member with a sign-in. */
export type StaffAccount = {
  readonly id: string
  readonly username: string
  readonly name: string
  readonly email: string | null
  readonly role: StaffRole
  readonly isActive: boolean
  readonly employeeId: string | null
}

/** An open invitation, which may have expired. */
export type Invitation = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: StaffRole
  /**
   * The staff account for which the invited person creates a new password or passkey; null if the invitation creates a
   * new account.
   */
  readonly accountId: string | null
  /** ISO 8601. */
  readonly expiresAt: string
  /** Whether the invitation had expired when the list was read. */
  readonly isOver: boolean
}

export type TeamAccounts = {
  readonly accounts: readonly StaffAccount[]
  readonly invitations: readonly Invitation[]
}

/** Reads the accounts, active ones first, and the open invitations. */
export async function listAccounts(): Promise<TeamAccounts> {
  const [accounts, invitations] = await Promise.all([
    requestData((service) =>
      service
        .from('staff_accounts')
        .select('user_id, username, name, email, role, is_active, employee_id')
        .order('is_active', { ascending: false })
        .order('name'),
    ),
    requestData((service) =>
      service
        .from('staff_invitations')
        .select('id, name, email, role, account_id, expires_at')
        .is('used_at', null)
        .is('taken_back_at', null)
        .order('created_at'),
    ),
  ])
  return {
    accounts: accounts.data.map((row) => ({
      id: row.user_id,
      username: row.username,
      name: row.name,
      email: row.email,
      role: staffRole.parse(row.role),
      isActive: row.is_active,
      employeeId: row.employee_id,
    })),
    invitations: invitations.data.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: staffRole.parse(row.role),
      accountId: row.account_id,
      expiresAt: row.expires_at,
      isOver: Date.parse(row.expires_at) <= Date.now(),
    })),
  }
}

/** The number of tasks of an employee that are neither completed nor cancelled. */
export async function countOpenTasks(employeeId: string): Promise<number> {
  const { data } = await requestData((service) =>
    service
      .from('tasks')
      .select('id')
      .eq('assigned_to', employeeId)
      .not('status', 'in', '(completed,cancelled)'),
  )
  return data.length
}
