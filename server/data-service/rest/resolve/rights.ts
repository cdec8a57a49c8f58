import { permissionDenied } from '../answer/refusal.ts'
import type { Relation, Rights, Routine } from '../catalog/catalog.ts'
import type { ReadPlan } from './plan.ts'

/**
 * Refuses in PostgreSQL's words what the role has no right to at all, so that nobody makes us build, and
 * the database plan, a statement that it could only refuse. It decides the rest: columns and rows.
 */
export function requireRight(
  role: string,
  relation: Relation,
  verb: 'select' | 'insert' | 'update' | 'delete',
): void {
  if (lacks(role, relation.rights, verb)) throw denied(role, `${relation.kind} ${relation.name}`)
}

/** The same for every relation that `plan` embeds, and for the tables in between. */
export function requireEmbedRights(role: string, plan: ReadPlan): void {
  for (const { relationship, plan: inner } of plan.joins) {
    requireRight(role, relationship.target, 'select')
    if (relationship.junction) requireRight(role, relationship.junction.table, 'select')
    requireEmbedRights(role, inner)
  }
}

/** The same for a function. */
export function requireCallRight(role: string, routine: Routine): void {
  if (lacks(role, routine.rights, 'execute')) throw denied(role, `function ${routine.name}`)
}

function lacks<Verb extends string>(role: string, rights: Rights<Verb>, verb: Verb): boolean {
  return rights[role] !== undefined && !rights[role].includes(verb)
}

function denied(role: string, what: string) {
  return permissionDenied(`permission denied for ${what}`, role === 'anon')
}
