import * as z from 'zod/mini'

/**
 * The roles of staff accounts, which decide the rights of an account. Each role has a database role with the name
 * `shop_` plus the role.
 */
export const staffRole = z.enum(['owner', 'advisor', 'technician'])
export type StaffRole = z.infer<typeof staffRole>

/** The name of each role as pages and emails show it. */
export const roleNames: Readonly<Record<StaffRole, string>> = {
  owner: 'Owner',
  advisor: 'Advisor',
  technician: 'Technician',
}

/** The database roles of owners and advisors, who serve customers at the shop's counter. */
export const counterRoles: readonly string[] = ['shop_owner', 'shop_advisor']
