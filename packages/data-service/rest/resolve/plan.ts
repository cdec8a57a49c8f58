import type { JsonStep, Test } from '../parse/ast.ts'
import type { Column, Relation, Routine } from '../catalog/catalog.ts'

/** The part of a request about one relation. Every name is replaced by its entry in the catalog. */
export type ReadPlan = {
  readonly outputs: readonly Output[]
  readonly joins: readonly Join[]
  readonly conditions: readonly PlannedCondition[]
  readonly order: readonly PlannedOrder[]
  readonly limit: number | undefined
  readonly offset: number | undefined
}

export type Value = { readonly column: Column; readonly path: readonly JsonStep[] }

export type Output =
  | { readonly kind: 'all' }
  | {
      readonly kind: 'column'
      readonly value: Value
      readonly name: string
      readonly cast: string | undefined
    }
  /** The output `count`: the number of rows, unless the relation has a column of that name. */
  | { readonly kind: 'count'; readonly name: string; readonly cast: string | undefined }
  | { readonly kind: 'join'; readonly join: Join; readonly name: string }
  /** A spread embed: the columns of a to-one relation become columns of the outer row. */
  | { readonly kind: 'spread'; readonly join: Join }

export type Join = {
  readonly relationship: Relationship
  readonly inner: boolean
  readonly spread: boolean
  readonly plan: ReadPlan
}

/** Pairs of columns that must be equal: `[column of the embedded side, column of the outer side]`. */
export type ColumnPairs = readonly (readonly [string, string])[]
export type Relationship = {
  readonly name: string
  readonly target: Relation
  readonly toMany: boolean
  readonly on: ColumnPairs
  /**
   * The function that returns the embedded rows for a row of `origin`; undefined when a foreign key determines the
   * embedded rows.
   */
  readonly computed?: { readonly routine: Routine; readonly origin: Relation } | undefined
  /**
   * The junction of a many-to-many relationship: `on` pairs columns of the target with columns of the junction,
   * `outer` pairs columns of the junction with columns of the outer table.
   */
  readonly junction?: { readonly table: Relation; readonly outer: ColumnPairs } | undefined
}

export type PlannedCondition =
  | {
      readonly kind: 'group'
      readonly operator: 'and' | 'or'
      readonly negated: boolean
      readonly conditions: readonly PlannedCondition[]
    }
  | {
      readonly kind: 'test'
      readonly value: Value
      readonly negated: boolean
      readonly test: Test
    }
  /** The condition that an embed has no rows, as in `authors=is.null`. */
  | { readonly kind: 'empty'; readonly join: Join; readonly negated: boolean }

export type PlannedOrder = {
  readonly value: Value
  readonly join?: Join | undefined
  readonly descending: boolean
  readonly nulls: 'first' | 'last' | undefined
}
