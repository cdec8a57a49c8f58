import type { Relation } from '../catalog/catalog.ts'
import type {
  ColumnPairs,
  Join,
  Output,
  PlannedCondition,
  PlannedOrder,
  ReadPlan,
} from '../resolve/plan.ts'
import { outputNames } from '../resolve/output-names.ts'
import { conditionSql, valueSql, type Row } from './conditions.ts'
import { qualified, quote, type Parameters } from './statement.ts'

/** Returns the aliases of the tables in one statement: t0, t1, … */
export class Aliases {
  private next = 0
  consume(): string {
    return `t${this.next++}`
  }

  /**
   * Returns a column name that differs from all column names of a spread embed (an embed whose columns become columns
   * of the outer row).
   */
  nextBeside({ relationship, plan }: Join): string {
    const names = outputNames(relationship.target.columns, plan)
    let name = this.consume()
    while (names.includes(name)) name = this.consume()
    return name
  }
}

/**
 * Writes `select … from … where … order by … limit …` for `plan`. `from` is a table, or the result of a function or of
 * a write in the same statement. `stored` is true for such a result, which already contains the computed columns.
 */
export function readSql(
  plan: ReadPlan,
  from: string,
  parameters: Parameters,
  aliases: Aliases,
  stored = false,
): string {
  return new Rows(plan, from, parameters, aliases, stored).page()
}

/**
 * Writes `select 1 …` over all rows that match the request, without limit and offset, for a count. Embeds become
 * `exists` conditions.
 */
export function countedRowsSql(
  plan: ReadPlan,
  from: string,
  parameters: Parameters,
  aliases: Aliases,
  stored = false,
): string {
  return new CountedRows({ ...plan, order: [] }, from, parameters, aliases, stored).all()
}

/** The alias of a joined embed, and the aliases of those columns of the embed by which the outer rows are ordered. */
type Joined = { readonly alias: string; readonly columns: ReadonlyMap<string, string> }

/**
 * Writes the SQL of one table of a statement. Each embed is joined only once, even when order and filters refer to
 * it.
 */
class Rows implements Row {
  readonly alias: string
  readonly stored: boolean
  protected readonly plan: ReadPlan
  private readonly from: string
  protected readonly parameters: Parameters
  protected readonly aliases: Aliases
  private readonly joins: readonly string[]
  private readonly joined = new Map<Join, Joined>()

  constructor(
    plan: ReadPlan,
    from: string,
    parameters: Parameters,
    aliases: Aliases,
    stored = false,
  ) {
    this.alias = aliases.consume()
    this.stored = stored
    this.plan = plan
    this.from = from
    this.parameters = parameters
    this.aliases = aliases
    this.joins = this.joinsOf(plan)
  }

  protected joinsOf({ joins }: ReadPlan): readonly string[] {
    return joins.map((join) => this.join(join))
  }

  /** Returns the SQL of the complete `select` statement of a parsed request, with order, limit and offset. */
  page(onOuter: readonly string[] = []): string {
    const { limit, offset } = this.plan
    return spaced(
      `select ${this.outputs()} ${this.source(onOuter)}`,
      this.orderBy(),
      limit === undefined ? '' : `limit ${this.parameters.add(limit)}`,
      offset ? `offset ${this.parameters.add(offset)}` : '',
    )
  }

  /**
   * Writes `from … where …`. The function writes the join `beside` last, so that this join may refer to all other
   * tables.
   */
  source(onOuter: readonly string[] = [], beside = ''): string {
    const where = [...onOuter, ...this.plan.conditions.map((one) => this.condition(one))]
    return spaced(
      `from ${this.from} as ${this.alias}`,
      ...this.joins,
      beside,
      where.length > 0 ? `where ${where.join(' and ')}` : '',
    )
  }

  outputs(): string {
    const outputs = this.plan.outputs.map((output) => {
      if (output.kind === 'all') return `${this.alias}.*`
      if (output.kind === 'spread') return this.spread(output.join)
      return `${this.output(output)} as ${quote(output.name)}`
    })
    return outputs.join(', ')
  }

  private output(output: Exclude<Output, { kind: 'all' | 'spread' }>): string {
    if (output.kind === 'join') {
      const json = this.jsonOf(output.join)
      return output.join.relationship.toMany ? `coalesce(${json}, '[]')` : json
    }
    const value =
      output.kind === 'count'
        ? `count(${this.alias}.*)`
        : valueSql(this, output.value, this.parameters)
    return output.cast === undefined ? value : `cast(${value} as ${output.cast})`
  }

  private spread(join: Join): string {
    const alias = this.joined.get(join)?.alias
    const names = outputNames(join.relationship.target.columns, join.plan)
    return names.map((name) => `${alias}.${quote(name)} as ${quote(name)}`).join(', ')
  }

  private condition(condition: PlannedCondition): string {
    return conditionSql(this, condition, this.parameters, (empty) => this.emptySql(empty))
  }

  // `is distinct from null` compares the row as a whole. `is null` would also be true for a row whose columns are all
  // null.
  protected emptySql({ join, negated }: PlannedCondition & { kind: 'empty' }): string {
    return `${this.jsonOf(join)} is ${negated ? '' : 'not '}distinct from null`
  }

  private orderBy(): string {
    const terms = this.plan.order.map((term) => this.orderTerm(term))
    return terms.length > 0 ? `order by ${terms.join(', ')}` : ''
  }

  private orderTerm({ value, join, descending, nulls }: PlannedOrder): string {
    const joined = join && this.joined.get(join)
    const sorted = joined
      ? `${joined.alias}.${joined.columns.get(value.column.name)}`
      : valueSql(this, value, this.parameters)
    return spaced(sorted, descending ? 'desc' : 'asc', nulls ? `nulls ${nulls}` : '')
  }

  private jsonOf(join: Join): string {
    return `${this.joined.get(join)?.alias}.${join.spread ? '*' : 'json'}`
  }

  /**
   * Writes the SQL that joins an embed. The rows of the embed become one column `json`; for a to-one relation, further
   * columns order the outer rows.
   */
  private join(join: Join): string {
    const alias = this.aliases.consume()
    const columns = new Map(
      this.plan.order
        .filter((term) => term.join === join)
        .map(({ value }) => [value.column.name, this.aliases.nextBeside(join)]),
    )
    this.joined.set(join, { alias, columns })
    const { toMany } = join.relationship
    const value = toMany ? this.manyRows(join) : this.oneRow(join, columns)
    // An inner join needs at least one related row; without related rows, json_agg returns null.
    const on = join.inner && toMany ? `${alias}.json is not null` : 'true'
    return `${join.inner ? 'inner' : 'left'} join lateral (${value}) as ${alias} on ${on}`
  }

  private manyRows(join: Join): string {
    const rows = this.rowsOf(join, join.plan)
    return `select json_agg(r.*) as json from (${rows.page(this.onOuter(join, rows))}) as r`
  }

  private oneRow(join: Join, columns: ReadonlyMap<string, string>): string {
    // SQL cannot select a count together with single rows of the same table.
    if (join.plan.outputs.some(({ kind }) => kind === 'count')) return this.countOfOne(join)
    const rows = this.rowsOf(join, { ...join.plan, order: [] })
    const sorted = [...columns].map(([name, as]) => `${rows.alias}.${quote(name)} as ${as}`)
    const shown = join.spread ? '' : `cross join lateral (select ${rows.outputs()}) as r`
    const value = join.spread ? rows.outputs() : 'row_to_json(r.*) as json'
    const values = [value, ...sorted].join(', ')
    const { offset, limit } = join.plan
    return spaced(
      `select ${values} ${rows.source(this.onOuter(join, rows), shown)}`,
      offset ? `offset ${this.parameters.add(offset)}` : '',
      limit === 0 ? 'limit 0' : '',
    )
  }

  private countOfOne(join: Join): string {
    const rows = this.rowsOf(join, join.plan)
    const page = rows.page(this.onOuter(join, rows))
    return join.spread ? page : `select row_to_json(r.*) as json from (${page}) as r`
  }

  private rowsOf(join: Join, plan: ReadPlan): Rows {
    const shown: ReadPlan = plan.outputs.length > 0 ? plan : { ...plan, outputs: [{ kind: 'all' }] }
    return new Rows(shown, this.fromOf(join), this.parameters, this.aliases)
  }

  protected fromOf({ relationship: { target, computed } }: Join): string {
    return computed
      ? `${qualified(computed.routine.name)}(${this.rowOf(computed.origin)})`
      : qualified(target.name)
  }

  /** Writes the whole row as a value of the table's row type. */
  private rowOf({ name, columns }: Relation): string {
    if (!this.stored) return `${this.alias}.*`
    const values = [...columns.keys()].map((column) => `${this.alias}.${quote(column)}`)
    return `row(${values.join(', ')})::${qualified(name)}`
  }

  protected onOuter({ relationship }: Join, { alias }: Rows): string[] {
    const { junction, on } = relationship
    if (!junction) return equal(alias, this.alias, on)
    const middle = this.aliases.consume()
    const through = [...equal(middle, this.alias, junction.outer), ...equal(alias, middle, on)]
    const table = qualified(junction.table.name)
    return [`exists (select from ${table} as ${middle} where ${through.join(' and ')})`]
  }
}

/** Writes the rows of a plan as `select 1 …` for a count, with `exists` conditions instead of joins for embeds. */
class CountedRows extends Rows {
  all(onOuter: readonly string[] = []): string {
    const inner = this.plan.joins.filter((join) => join.inner).map((join) => this.exists(join))
    return `select 1 ${this.source([...onOuter, ...inner])}`
  }

  protected override joinsOf(): readonly string[] {
    return []
  }

  protected override emptySql({ join, negated }: PlannedCondition & { kind: 'empty' }): string {
    return `${negated ? '' : 'not '}${this.exists(join)}`
  }

  private exists(join: Join): string {
    const plan = { ...join.plan, order: [] }
    const rows = new CountedRows(plan, this.fromOf(join), this.parameters, this.aliases)
    return `exists (${rows.all(this.onOuter(join, rows))})`
  }
}

function equal(left: string, right: string, pairs: ColumnPairs): string[] {
  return pairs.map(([inner, outer]) => `${left}.${quote(inner)} = ${right}.${quote(outer)}`)
}

function spaced(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}
