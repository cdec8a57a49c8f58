import * as z from 'zod/mini'

/** What a staff account may do; each role is also a role of the database, `shop_` and its name. */
export const staffRole = z.enum(['owner', 'advisor', 'technician'])
export type StaffRole = z.infer<typeof staffRole>

/** The name of each role in texts. */
export const roleNames: Readonly<Record<StaffRole, string>> = {
  owner: 'Owner',
  advisor: 'Advisor',
  technician: 'Technician',
}

/** The database roles of owners and advisors, who do the work of the counter. */
export const counterRoles: readonly string[] = ['shop_owner', 'shop_advisor']
