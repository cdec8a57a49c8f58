import { Refusal, unsupported } from '../response/refusal.ts'
import type { Catalog, Column, Routine } from '../catalog/catalog.ts'
import type { Node } from '../parse/ast.ts'
import { expandComputed } from './computed.ts'
import type { ReadPlan } from './plan.ts'
import { resolveRead } from './read.ts'

/** The column name that the statement uses for the single value that a function returns. */
export const scalarColumn = 'value'

/** Finds the overload of the function `name` whose arguments have the names in `given`. */
export function findRoutine(
  catalog: Catalog,
  name: string,
  given: readonly string[],
  byPost: boolean,
): Routine {
  const fitting = (catalog.routines.get(name) ?? []).filter(({ args }) => {
    const required = args.filter((arg) => !arg.hasDefault)
    return (
      given.every((key) => key !== '' && args.some((arg) => arg.name === key)) &&
      required.every((arg) => given.includes(arg.name))
    )
  })
  const [routine] = fitting
  if (!routine) throw unknownRoutine(name, given, byPost)
  if (fitting.length > 1) throw ambiguous(fitting)
  if (routine.args.some((arg) => arg.variadic)) throw unsupported('Variadic functions')
  if (routine.ownMedia) throw unsupported('Functions that return a media type of their own')
  return routine
}

/** Resolves the names of a request that reads the result of a function. */
export function resolveCall(
  catalog: Catalog,
  routine: Routine,
  node: Node,
  maxRows: number,
): ReadPlan {
  const scalar: Column = {
    name: scalarColumn,
    type: '',
    isJson: false,
    defaultSql: null,
    represented: false,
  }
  const source = {
    name: routine.name,
    columns: routine.returns === 'rows' ? routine.columns : new Map([[routine.name, scalar]]),
    computed: catalog.relations.get(routine.relation ?? '')?.computed ?? new Map(),
    relation: routine.relation,
  }
  const plan = resolveRead(catalog, source, node, maxRows)
  return { ...plan, outputs: expandComputed(source.columns, plan) }
}

function unknownRoutine(name: string, given: readonly string[], byPost: boolean): Refusal {
  const names = given.toSorted().join(', ')
  const called = given.length > 0 ? `(${names})` : ' without parameters'
  const plural = given.length > 1 ? 'parameters' : 'parameter'
  const searched = given.length > 0 ? ` with ${plural} ${names}` : called
  const json = byPost ? ' or with a single unnamed json/jsonb parameter' : ''
  return new Refusal(
    404,
    'PGRST202',
    `Could not find the function public.${name}${called} in the schema cache`,
    {
      details: `Searched for the function public.${name}${searched}${json}, but no matches were found in the schema cache.`,
    },
  )
}

function ambiguous(routines: readonly Routine[]): Refusal {
  const signatures = routines.map(
    ({ name, args }) =>
      `public.${name}(${args.map((arg) => `${arg.name} => ${arg.type}`).join(', ')})`,
  )
  return new Refusal(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  )
}
