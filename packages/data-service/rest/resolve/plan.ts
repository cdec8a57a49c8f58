import type { JsonStep, Test } from '../parse/ast.ts'
import type { Column, Relation, Routine } from '../catalog/catalog.ts'

/** What a request asks for, with every name replaced by what the catalog knows under it. */
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
  /** How many rows there are: `count`, where no column is called so. */
  | { readonly kind: 'count'; readonly name: string; readonly cast: string | undefined }
  | { readonly kind: 'join'; readonly join: Join; readonly name: string }
  /** The columns of a to-one relation among those of the row. */
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
  /** Many-to-many: `on` pairs embedded and junction columns, `outer` junction and outer columns. */
  /** Instead of a key, the function of a row of `origin` that finds the embedded rows. */
  readonly computed?: { readonly routine: Routine; readonly origin: Relation } | undefined
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
  | { readonly kind: 'empty'; readonly join: Join; readonly negated: boolean }

export type PlannedOrder = {
  readonly value: Value
  readonly join?: Join | undefined
  readonly descending: boolean
  readonly nulls: 'first' | 'last' | undefined
}
