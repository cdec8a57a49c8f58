import type { Field, JsonStep } from './ast.ts'
import type { Cursor } from './cursor.ts'

const arrayIndex = /-?\d+(?=->|::|[.,)]|$)/y
// Matches a key of a JSON path: words with single dashes between them. A key cannot begin with a dash, which is the
// sign of a negative index.
const jsonKey = /[^-(:.,>)"]+(?:-(?!>)[^-(:.,>)]+)*/y

/** Parses a field such as `column` or `column->key->0->>key`. */
export function parseField(cursor: Cursor): Field {
  return { column: cursor.name('field name'), path: parsePath(cursor) }
}

export function parsePath(cursor: Cursor): JsonStep[] {
  const path: JsonStep[] = []
  while (cursor.peek('->')) {
    const arrow = cursor.consume('->>') ? '->>' : '->'
    if (arrow === '->') cursor.consume('->')
    const index = cursor.match(arrayIndex)
    if (index) {
      path.push({ arrow, key: Number(index[0]) })
      continue
    }
    const key = cursor.quoted() ?? cursor.match(jsonKey)?.[0].trim()
    if (!key) throw cursor.fail('a JSON key')
    path.push({ arrow, key })
  }
  return path
}
