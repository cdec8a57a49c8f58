import { Refusal } from '../response/refusal.ts'

const types = new Set(
  `text varchar char citext uuid json jsonb bool boolean int2 int4 int8 smallint int integer bigint
  numeric decimal float4 float8 real money bytea interval date time timetz timestamp
  timestamptz`.split(/\s+/),
)

/**
 * Returns the built-in type of a cast. The statement contains a type from the list `types`, never text from the URL.
 */
export function castType(name: string): string {
  const type = name.toLowerCase()
  if (types.has(type)) return type
  // `_text` is PostgreSQL's internal name of the type `text[]`, which the syntax of `select` does not allow.
  if (type.startsWith('_') && types.has(type.slice(1))) return `${type.slice(1)}[]`
  throw new Refusal(400, '42704', `type "${name}" does not exist`)
}
