import type { ColumnPairs, Join, PlannedOrder, ReadPlan } from '../resolve/plan.ts'
import { conditionSql, valueSql } from './conditions.ts'
import { qualified, quote, type Parameters } from './statement.ts'

/** Gives every table of one statement a name of its own: t0, t1, … */
export class Aliases {
  private next = 0
  take(): string {
    return `t${this.next++}`
  }
}

/**
 * `select … from … where … order by … limit …` of `plan`, reading `from` (a table, or a function
 * call, or the rows that a statement changed).
 */
export function readSql(
  plan: ReadPlan,
  from: string,
  parameters: Parameters,
  aliases: Aliases,
  onOuter: (alias: string) => readonly string[] = () => [],
): string {
  const alias = aliases.take()
  const parts = new ReadParts(plan, alias, parameters, aliases)
  const outputs = parts.outputs()
  const where = [...onOuter(alias), ...parts.where()]
  return [
    `select ${outputs} from ${from} as ${alias}`,
    ...parts.joins,
    where.length > 0 ? `where ${where.join(' and ')}` : '',
    parts.orderBy(),
    plan.limit === undefined ? '' : `limit ${parameters.add(plan.limit)}`,
    plan.offset ? `offset ${parameters.add(plan.offset)}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** `select 1 …` over all rows that the request would read without limit and offset, to be counted. */
export function countedRowsSql(
  plan: ReadPlan,
  from: string,
  parameters: Parameters,
  aliases: Aliases,
): string {
  const alias = aliases.take()
  const tested = plan.conditions.some(function joins(one): boolean {
    return one.kind === 'empty' || (one.kind === 'group' && one.conditions.some(joins))
  })
  const joins = tested ? plan.joins : plan.joins.filter((join) => join.inner)
  const parts = new ReadParts({ ...plan, joins }, alias, parameters, aliases)
  const where = parts.where()
  return [
    `select 1 from ${from} as ${alias}`,
    ...parts.joins,
    where.length > 0 ? `where ${where.join(' and ')}` : '',
  ].join(' ')
}

class ReadParts {
  readonly plan: ReadPlan
  readonly alias: string
  readonly parameters: Parameters
  readonly aliases: Aliases
  readonly joins: string[] = []
  private readonly joined = new Map<Join, string>()

  constructor(plan: ReadPlan, alias: string, parameters: Parameters, aliases: Aliases) {
    this.plan = plan
    this.alias = alias
    this.parameters = parameters
    this.aliases = aliases
    for (const join of plan.joins) this.join(join)
  }

  outputs(): string {
    const outputs = this.plan.outputs.map((output) => {
      if (output.kind === 'all') return `${this.alias}.*`
      if (output.kind === 'column') {
        const value = valueSql(this.alias, output.value, this.parameters)
        const cast = output.cast === undefined ? value : `cast(${value} as ${output.cast})`
        return `${cast} as ${quote(output.name)}`
      }
      const json = `${this.joined.get(output.join)}.json`
      const { toMany } = output.join.relationship
      return `${toMany ? `coalesce(${json}, '[]')` : json} as ${quote(output.name)}`
    })
    return outputs.join(', ')
  }

  where(): string[] {
    return this.plan.conditions.map((condition) =>
      conditionSql(
        this.alias,
        condition,
        this.parameters,
        ({ join }) => `${this.joined.get(join)}.json`,
      ),
    )
  }

  orderBy(): string {
    const terms = this.plan.order.map((term) => this.orderTerm(term))
    return terms.length > 0 ? `order by ${terms.join(', ')}` : ''
  }

  private orderTerm(term: PlannedOrder): string {
    const value = term.join
      ? this.relatedValue(term.join, term)
      : valueSql(this.alias, term.value, this.parameters)
    return [value, term.descending ? 'desc' : 'asc', term.nulls && `nulls ${term.nulls}`]
      .filter(Boolean)
      .join(' ')
  }

  /** A column of a to-one relation, under the same conditions as its embed. */
  private relatedValue(join: Join, { value }: PlannedOrder): string {
    const plan: ReadPlan = {
      ...join.plan,
      outputs: [{ kind: 'column', value, name: value.column.name, cast: undefined }],
    }
    return `(${this.embedded(join, plan)})`
  }

  private join(join: Join): void {
    const alias = this.aliases.take()
    this.joined.set(join, alias)
    const rows = this.embedded(join, join.plan)
    const json = join.relationship.toMany ? 'json_agg(r)' : 'row_to_json(r)'
    const kind = join.inner ? 'inner' : 'left'
    // An inner to-many relation must have a row: json_agg over none is null.
    const on = join.inner && join.relationship.toMany ? `${alias}.json is not null` : 'true'
    this.joins.push(
      `${kind} join lateral (select ${json} as json from (${rows}) as r) as ${alias} on ${on}`,
    )
  }

  private embedded(join: Join, plan: ReadPlan): string {
    const { relationship } = join
    const { junction } = relationship
    const limited = relationship.toMany ? plan : { ...plan, limit: undefined, offset: undefined }
    const shown =
      limited.outputs.length > 0 ? limited : { ...limited, outputs: [{ kind: 'all' } as const] }
    const from = qualified(relationship.target.name)
    return readSql(shown, from, this.parameters, this.aliases, (alias) => {
      if (!junction) return equal(alias, this.alias, relationship.on)
      const middle = this.aliases.take()
      const through = [
        ...equal(middle, this.alias, junction.outer),
        ...equal(alias, middle, relationship.on),
      ]
      const table = qualified(junction.table.name)
      return [`exists (select from ${table} as ${middle} where ${through.join(' and ')})`]
    })
  }
}

function equal(left: string, right: string, pairs: ColumnPairs): string[] {
  return pairs.map(([inner, outer]) => `${left}.${quote(inner)} = ${right}.${quote(outer)}`)
}
