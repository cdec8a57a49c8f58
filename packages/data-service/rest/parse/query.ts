import { Refusal, unparsable } from '../response/refusal.ts'
import type { Condition, OrderTerm, Query, SelectItem } from './ast.ts'
import { Cursor } from './cursor.ts'
import { parsePath } from './field.ts'
import { isFilter, parseFilter, parseLogic } from './filter.ts'
import { parseOrder } from './order.ts'
import { outOfRange } from './range.ts'
import { parseSelect } from './select.ts'

type Draft = {
  items: readonly SelectItem[]
  conditions: Condition[]
  order: readonly OrderTerm[]
  limit?: number
  offset?: number
  embeds: Map<string, Draft>
}

// Matches a name in the key of a query parameter: a quoted name, or all characters before a dot or an arrow.
const keyPart = /"(?:[^"\\]|\\.)*"|(?:[^."-]|-(?!>))*/sy
const logicKey = /^(?:not\.)?(?:and|or)$/

// The maximum length of the key of a query parameter, in characters. The time for splitting a key grows with the square
// of its length.
const maxKeyLength = 500

/**
 * Parses the query string (without `?`) to a tree of nodes, one for each table. If `call` is true, parameters without
 * an operator are arguments of the called function.
 */
export function parseQuery(search: string, call = false): Query {
  const pairs = [...new URLSearchParams(search)]
  if (pairs.length > 200) throw new Refusal(400, 'PGRST100', 'Too many query parameters')
  if (pairs.some(([key]) => key.length > maxKeyLength)) {
    throw new Refusal(400, 'PGRST100', 'The name of a query parameter is too long')
  }
  // Refuses a zero byte: the wire protocol of PostgreSQL ends a name at a zero byte and would read the rest of the
  // name as protocol data.
  if (pairs.some((pair) => pair.join('').includes('\0'))) {
    throw new Refusal(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00')
  }
  const select = pairs.findLast(([key]) => key === 'select')?.[1]
  const root = draftOf(select?.trim() ? parseSelect(select) : [{ kind: 'all' }])
  const args = new Map<string, string>()
  const lists = new Map<string, string[]>()
  for (const [key, value] of pairs) {
    if (key === 'select' || key === 'apikey') continue
    if (key === 'columns' || key === 'on_conflict') lists.set(key, parseNames(key, value))
    else if (call && !isReserved(key) && !isFilter(value)) args.set(key, value)
    else apply(root, key, value)
  }
  return { root, args, columns: lists.get('columns'), onConflict: lists.get('on_conflict') }
}

/**
 * Returns whether a parameter of a function call with GET cannot be an argument. This applies to `order`, `limit`,
 * `offset`, logic trees, and all parameters of embeds.
 */
function isReserved(key: string): boolean {
  const { keyword, path } = splitKey(key)
  return /^(?:order|limit|offset)$/.test(keyword) || logicKey.test(keyword) || path.length > 0
}

function draftOf(items: readonly SelectItem[]): Draft {
  const embeds = new Map<string, Draft>()
  for (const item of items) {
    if (item.kind !== 'embed') continue
    const name = item.alias ?? item.target
    if (embeds.has(name)) throw embeddedTwice(name)
    embeds.set(name, draftOf(item.items))
  }
  return { items, conditions: [], order: [], embeds }
}

function apply(root: Draft, key: string, value: string): void {
  const { path, keyword } = splitKey(key)
  const node = path.reduce<Draft>((parent, name) => embedOf(parent, name), root)
  if (keyword === 'order') node.order = parseOrder(value)
  else if (keyword === 'limit') node.limit = limitOf(key, value)
  else if (keyword === 'offset') node.offset = Math.max(0, wholeNumber(key, value))
  else if (logicKey.test(keyword)) node.conditions.push(parseLogic(keyword, value))
  else node.conditions.push(parseFilter(fieldOf(keyword), value))
}

/**
 * Splits the key of a query parameter: `authors.books.title` is the column `title` of the embed `books` of the embed
 * `authors`.
 */
function splitKey(key: string): { path: string[]; keyword: string } {
  const parts: string[] = []
  let at = 0
  do {
    keyPart.lastIndex = at
    const part = keyPart.exec(key)?.[0] ?? ''
    parts.push(part)
    at += part.length + 1
  } while (key[at - 1] === '.')
  const logic = logicKey.test(parts.slice(-2).join('.')) && parts.at(-2) === 'not'
  const keyword = parts.splice(logic ? -2 : -1).join('.') + key.slice(at - 1)
  return { path: parts.map(unquoted), keyword }
}

function unquoted(name: string): string {
  return new Cursor('tree path', name).quoted() ?? name
}

function fieldOf(text: string) {
  const cursor = new Cursor('tree path', text)
  const field = { column: cursor.name('field name'), path: parsePath(cursor) }
  cursor.end()
  return field
}

function embedOf(parent: Draft, name: string): Draft {
  const child = parent.embeds.get(name) ?? parent.embeds.get(aliasOf(parent, name))
  if (child) return child
  throw new Refusal(400, 'PGRST108', `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  })
}

/**
 * Returns the alias of the embed whose table is `target`, because a filter may name the table instead of the alias.
 * Returns `target` itself for any other name.
 */
function aliasOf(parent: Draft, target: string): string {
  const found = parent.items.find((item) => item.kind === 'embed' && item.target === target)
  return (found?.kind === 'embed' && found.alias) || target
}

function limitOf(key: string, value: string): number {
  const limit = wholeNumber(key, value)
  if (limit < 0) throw outOfRange('Limit should be greater than or equal to zero.')
  return limit
}

function wholeNumber(key: string, value: string): number {
  const number = Number(value)
  if (!/^-?\d{1,15}$/.test(value)) throw unparsable(`${key} parameter`, value, 1, 'an integer')
  return number
}

function parseNames(what: string, value: string): string[] {
  if (value === '') return []
  const cursor = new Cursor(`${what} parameter`, value)
  const names: string[] = []
  do names.push(cursor.name('a column name'))
  while (cursor.consume(','))
  cursor.end()
  return names
}

/** Refuses two embeds with the same name, because filters refer to an embed by its name. */
function embeddedTwice(name: string): Refusal {
  return new Refusal(400, '42712', `table name "${name}" specified more than once`, {
    hint: 'Give each embedded resource an alias of its own.',
  })
}
