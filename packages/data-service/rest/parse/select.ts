import { Refusal } from '../response/refusal.ts'
import type { SelectItem } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parsePath } from './field.ts'

const typeName = /[a-z0-9_ $]+/iy

/** Parses a select such as `select=id,total:price::text,city:data->>city,author:authors!author_id!inner(name)`. */
export function parseSelect(text: string): SelectItem[] {
  if (text.trim() === '') return []
  const cursor = new Cursor('select parameter', text)
  const items = parseItems(cursor)
  cursor.end()
  return items
}

function parseItems(cursor: Cursor): SelectItem[] {
  const items: SelectItem[] = []
  do items.push(parseItem(cursor))
  while (cursor.consumeSpaced(','))
  return items
}

function parseItem(cursor: Cursor): SelectItem {
  cursor.skipSpaces()
  if (cursor.consume('*')) return { kind: 'all' }
  if (cursor.consume('...')) return parseEmbed(cursor, cursor.name('a relation'), undefined, true)
  const first = cursor.name('field name or * or relation')
  const alias = cursor.peek(':') && !cursor.peek('::') && cursor.consume(':') ? first : undefined
  const name = alias === undefined ? first : cursor.name('field name')
  if (name === 'count' && cursor.peek('()')) throw aggregatesNotAllowed()
  if (cursor.peek('(') || cursor.peek('!')) return parseEmbed(cursor, name, alias)
  const path = parsePath(cursor)
  if (cursor.peek('.')) throw aggregatesNotAllowed()
  const cast = cursor.consume('::') ? cursor.match(typeName)?.[0].trim() : undefined
  if (cursor.peek('.')) throw aggregatesNotAllowed()
  return { kind: 'column', field: { column: name, path }, alias: alias ?? lastKey(path), cast }
}

/** The default alias of a JSON value is the last text key of its path. */
function lastKey(path: { readonly key: string | number }[]): string | undefined {
  return path.findLast((step) => typeof step.key === 'string')?.key as string | undefined
}

function parseEmbed(
  cursor: Cursor,
  target: string,
  alias: string | undefined,
  spread = false,
): SelectItem {
  let hint: string | undefined
  let inner = false
  while (cursor.consume('!')) {
    const word = cursor.name('a relationship hint')
    if (word === 'inner') inner = true
    else if (word !== 'left') hint = word
  }
  cursor.expect('(')
  const items = cursor.deeper(() => (cursor.peek(')') ? [] : parseItems(cursor)))
  cursor.expect(')')
  return { kind: 'embed', target, alias, hint, inner, spread, items }
}

function aggregatesNotAllowed(): Refusal {
  return new Refusal(400, 'PGRST123', 'Use of aggregate functions is not allowed')
}
