/** The groups of actions by which the audit page filters its lines, in the order of the menu. */
export const auditGroups = [
  'sign-ins',
  'refused',
  'team',
  'passkeys',
  'money',
  'settings',
  'exports',
] as const
export type AuditGroup = (typeof auditGroups)[number]

/** The values of the audit log's filter by age in days; 'all' shows every line that the shop retains. */
export const auditPeriods = ['7', '30', 'all'] as const
export type AuditPeriod = (typeof auditPeriods)[number]
