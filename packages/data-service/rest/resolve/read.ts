import { Refusal, unknownColumn, unsupported } from '../response/refusal.ts'
import type { Catalog, Column, Relation } from '../catalog/catalog.ts'
import type {
  Condition,
  Field,
  Filter,
  Node,
  OrderTerm,
  SelectedColumn,
  SelectedEmbed,
} from '../parse/ast.ts'
import { castType } from './cast-type.ts'
import type { Join, Output, PlannedCondition, PlannedOrder, ReadPlan, Value } from './plan.ts'
import { findRelationship } from './relationship.ts'

/**
 * The source of rows: a relation or the result of a function. `relation` is the relation that determines which embeds
 * are possible.
 */
export type Source = {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  readonly computed: Relation['computed']
  readonly relation: string | null
}

/**
 * Resolves the names of `node` in the catalog. Each node reads at most `maxRows` rows; a higher limit in the request is
 * reduced to `maxRows`.
 */
export function resolveRead(
  catalog: Catalog,
  source: Source,
  node: Node,
  maxRows: number,
): ReadPlan {
  return new Resolver(catalog, maxRows).read(source, node)
}

class Resolver {
  readonly catalog: Catalog
  readonly maxRows: number

  constructor(catalog: Catalog, maxRows: number) {
    this.catalog = catalog
    this.maxRows = maxRows
  }

  read(source: Source, node: Node): ReadPlan {
    const joins = new Map<string, Join>()
    const outputs = node.items.flatMap((item): Output[] => {
      if (item.kind === 'all') {
        for (const column of source.columns.values()) refuseRepresented(column)
        return [{ kind: 'all' }]
      }
      if (item.kind === 'column') return [this.column(source, item)]
      const name = item.alias ?? item.target
      const join = this.join(source, node, item)
      joins.set(name, join)
      // An embed without columns only serves as a filter, as in `select=*,authors()&authors=not.is.null`.
      if (item.items.length === 0) return []
      return [item.spread ? { kind: 'spread', join } : { kind: 'join', join, name }]
    })
    return {
      outputs,
      joins: [...joins.values()],
      conditions: node.conditions.map((condition) => this.condition(source, joins, condition)),
      order: node.order.map((term) => this.order(source, joins, term)),
      limit: Math.min(node.limit ?? this.maxRows, this.maxRows),
      offset: node.offset,
    }
  }

  private join(source: Source, node: Node, item: SelectedEmbed): Join {
    const origin = source.relation ?? source.name
    const relationship = findRelationship(this.catalog, origin, item.target, item.hint)
    const child = node.embeds.get(item.alias ?? item.target)
    if (!child) throw new Error('every embed of a select has its node')
    const { target } = relationship
    const plan = this.read({ ...target, relation: target.name }, child)
    if (item.spread && relationship.toMany) throw notSpreadable(source.name, item.target)
    return { relationship, inner: item.inner, spread: item.spread, plan }
  }

  private column(source: Source, { field, alias, cast: type }: SelectedColumn): Output {
    const cast = type === undefined ? undefined : castType(type)
    if (field.column === 'count' && field.path.length === 0 && !source.columns.has('count')) {
      return { kind: 'count', name: alias ?? 'count', cast }
    }
    const value = this.value(source, field)
    return { kind: 'column', value, name: alias ?? value.column.name, cast }
  }

  private value(source: Source, field: Field): Value {
    const column = source.columns.get(field.column) ?? computedColumn(source, field.column)
    if (!column) throw unknownColumn(source.name, field.column)
    refuseRepresented(column)
    return { column, path: field.path }
  }

  private condition(
    source: Source,
    joins: ReadonlyMap<string, Join>,
    condition: Condition,
  ): PlannedCondition {
    if (condition.kind === 'group') {
      const conditions = condition.conditions.map((one) => this.condition(source, joins, one))
      return { ...condition, conditions }
    }
    const join = condition.field.path.length === 0 && joins.get(condition.field.column)
    if (join && !isOfColumn(source, condition)) return onEmbed(join, condition)
    const value = this.value(source, condition.field)
    return { kind: 'test', value, negated: condition.negated, test: condition.test }
  }

  private order(source: Source, joins: ReadonlyMap<string, Join>, term: OrderTerm): PlannedOrder {
    const { descending, nulls } = term
    if (term.relation === undefined) {
      return { value: this.value(source, term.field), descending, nulls }
    }
    const join = joins.get(term.relation)
    if (!join) throw notEmbedded(term.relation)
    const { target, toMany } = join.relationship
    if (toMany) throw notToOne(source.name, term.relation)
    const value = this.value({ ...target, relation: target.name }, term.field)
    return { value, join, descending, nulls }
  }
}

/** Refuses a column whose domain has casts: PostgREST applies such casts, this REST API does not. */
export function refuseRepresented({ name, represented }: Column): void {
  if (represented) throw unsupported(`Casts that the type of column '${name}' defines`)
}

/**
 * Describes a computed column in the same format as a stored column. A computed column is a function that takes the row
 * and returns a single value.
 */
function computedColumn({ computed }: Source, name: string): Column | undefined {
  const routine = computed.get(name)
  if (routine?.returns !== 'scalar' || routine.returnsSet) return undefined
  const { returnsJson: isJson } = routine
  return { name, type: '', isJson, defaultSql: null, represented: false, computedBy: name }
}

/** When a column and an embed have the same name, only `is.null` refers to the embed. */
function isOfColumn(source: Source, { field, test }: Filter): boolean {
  return source.columns.has(field.column) && !(test.kind === 'is' && test.value === 'null')
}

function onEmbed(join: Join, filter: Filter): PlannedCondition {
  if (filter.test.kind === 'is' && filter.test.value === 'null') {
    return { kind: 'empty', join, negated: filter.negated }
  }
  const name = filter.field.column
  throw new Refusal(400, 'PGRST120', `Bad operator on the '${name}' embedded resource`, {
    details: 'Only is null or not is null filters are allowed on embedded resources',
  })
}

function notEmbedded(name: string): Refusal {
  return new Refusal(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })
}

function notSpreadable(origin: string, target: string): Refusal {
  return new Refusal(400, 'PGRST119', `A spread operation on '${target}' is not possible`, {
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  })
}

function notToOne(origin: string, target: string): Refusal {
  return new Refusal(400, 'PGRST118', `A related order on '${target}' is not possible`, {
    details: `'${origin}' and '${target}' do not form a many-to-one or one-to-one relationship`,
  })
}
