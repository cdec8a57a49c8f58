/** The choices of the audit's filter by what happened, in the order of the list. */
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

/** The choices of the audit's filter by time: the last days, or everything that is kept. */
export const auditPeriods = ['7', '30', 'all'] as const
export type AuditPeriod = (typeof auditPeriods)[number]
