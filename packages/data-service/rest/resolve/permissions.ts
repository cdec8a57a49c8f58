import { permissionDenied, unsupported } from '../response/refusal.ts'
import type { Relation, Permissions, Routine } from '../catalog/catalog.ts'
import type { PlannedCondition, ReadPlan } from './plan.ts'

/**
 * Refuses a read or write if the role has no privilege on the relation, before the service builds a statement. The
 * error has PostgreSQL's message. PostgreSQL checks the privileges on columns and the policies on rows.
 */
export function requirePermission(
  role: string,
  relation: Relation,
  verb: 'select' | 'insert' | 'update' | 'delete',
): void {
  if (lacks(role, relation.permissions, verb))
    throw denied(role, `${relation.kind} ${relation.name}`)
}

/** Checks the privilege to read every relation that `plan` embeds, and every junction table. */
export function requireEmbedPermissions(role: string, plan: ReadPlan): void {
  for (const { relationship, plan: inner } of plan.joins) {
    if (relationship.computed) requireCallPermission(role, relationship.computed.routine)
    else requirePermission(role, relationship.target, 'select')
    if (relationship.junction) requirePermission(role, relationship.junction.table, 'select')
    requireEmbedPermissions(role, inner)
  }
}

/**
 * Refuses regular expressions from visitors, because a single regular expression can occupy the database for seconds.
 */
export function refuseExpressionsOfVisitors(
  role: string,
  plan: Pick<ReadPlan, 'conditions' | 'joins'>,
): void {
  if (role !== 'anon') return
  if (plan.conditions.some(isExpression))
    throw unsupported('Regular expressions in requests of visitors')
  for (const join of plan.joins) refuseExpressionsOfVisitors(role, join.plan)
}

function isExpression(condition: PlannedCondition): boolean {
  if (condition.kind === 'group') return condition.conditions.some(isExpression)
  if (condition.kind !== 'test' || condition.test.kind !== 'compare') return false
  return condition.test.operator === 'match' || condition.test.operator === 'imatch'
}

/** Refuses a call of a function for which the role has no privilege. */
export function requireCallPermission(role: string, routine: Routine): void {
  if (lacks(role, routine.permissions, 'execute')) throw denied(role, `function ${routine.name}`)
}

function lacks<Verb extends string>(
  role: string,
  permissions: Permissions<Verb>,
  verb: Verb,
): boolean {
  return permissions[role] !== undefined && !permissions[role].includes(verb)
}

function denied(role: string, what: string) {
  return permissionDenied(`permission denied for ${what}`, role === 'anon')
}
