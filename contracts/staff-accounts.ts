/** What a staff account may do; each role is also a role of the database, `shop_` and its name. */
export type StaffRole = 'owner' | 'advisor' | 'technician'

/** The database roles of owners and advisors, who do the work of the counter. */
export const counterRoles: readonly string[] = ['shop_owner', 'shop_advisor']
