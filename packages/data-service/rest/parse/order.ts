import type { OrderTerm } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parseField, parsePath } from './field.ts'

/** Parses an order such as `order=name.desc.nullslast,data->>age,authors(born).desc`. */
export function parseOrder(text: string): OrderTerm[] {
  const cursor = new Cursor('order', text)
  const terms: OrderTerm[] = []
  do terms.push(parseTerm(cursor))
  while (cursor.consume(','))
  cursor.end()
  return terms
}

function parseTerm(cursor: Cursor): OrderTerm {
  cursor.skipSpaces()
  const name = cursor.name('field name')
  let relation: string | undefined
  let field = { column: name, path: parsePath(cursor) }
  if (cursor.consume('(')) {
    relation = name
    field = { ...parseField(cursor), path: [] }
    cursor.expect(')')
  }
  const descending = cursor.consume('.desc') || (cursor.consume('.asc'), false)
  const nulls = cursor.consume('.nullsfirst')
    ? ('first' as const)
    : cursor.consume('.nullslast')
      ? ('last' as const)
      : undefined
  return { field, relation, descending, nulls }
}
