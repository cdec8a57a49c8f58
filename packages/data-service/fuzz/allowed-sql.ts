import type { Catalog } from '../rest/catalog/catalog.ts'

const words = new Set(
  `select from as where and or not is null true false unknown any in like ilike distinct order by asc desc nulls
  first last limit offset count total page body extra coalesce json_agg row_to_json to_jsonb cast lateral
  left inner cross join on with changed result sent insert into default values conflict do nothing update set
  excluded returning delete case when then end xmax is_new exists json json_build_array explain format
  json_to_record json_to_recordset jsonb_to_recordset jsonb_agg jsonb_build_object jsonb_build_array
  jsonb_array_elements jsonb text int call value r c e one set_config current_setting nullif all regconfig
  to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery json_strip_nulls string_agg substring length chr row status headers
  varchar char citext uuid bool boolean int2 int4 int8 smallint integer bigint numeric decimal float4
  float8 real money bytea interval date time timetz timestamp timestamptz`.split(/\s+/),
)

/**
 * Checks that a statement consists only of the SQL words in `words`, table aliases such as `t0`, parameters such as
 * `$1`, and quoted names of the catalog. The aliases of output columns may be any text. Returns the first token that is
 * not allowed; undefined when all tokens are allowed.
 */
export function findDisallowedSql(catalog: Catalog, sql: string): string | undefined {
  const names = knownNames(catalog)
  const types = knownTypes(catalog)
  let rest = sql
  for (const value of knownDefaults(catalog)) rest = rest.replaceAll(value, ' ')
  rest = rest
    .replaceAll(/ as "(?:[^"]|"")*"/g, ' ')
    .replaceAll(
      /'\[\]'|'statement_timeout'|'rest.updated'|'response\.(?:status|headers)'|'timezone'|'0'|''/g,
      ' ',
    )
  const tokens = rest.matchAll(/"((?:[^"]|"")*)"|\$\d+|[a-z_][a-z0-9_]*|[^\s]/gi)
  for (const [token, quoted] of tokens) {
    if (quoted !== undefined) {
      if (!names.has(quoted.replaceAll('""', '"'))) return token
    } else if (/^[a-z_]/i.test(token)) {
      if (!words.has(token) && !types.has(token) && !/^t\d+$/.test(token)) return token
    } else if (!/^(?:\$\d+|[\d(),.=<>~*@&|:![\]+-])$/.test(token)) return token
  }
  return undefined
}

function knownNames(catalog: Catalog): Set<string> {
  const names = new Set(['public'])
  for (const relation of catalog.relations.values()) {
    names.add(relation.name)
    for (const column of relation.columns.keys()) names.add(column)
  }
  for (const routine of [...catalog.routines.values()].flat()) {
    names.add(routine.name)
    for (const { name } of routine.args) names.add(name)
    for (const column of routine.columns.keys()) names.add(column)
  }
  return names
}

/** Returns the column defaults as statements contain them: the name of the column and its default expression. */
function knownDefaults(catalog: Catalog): string[] {
  return [...catalog.relations.values()].flatMap(({ columns }) =>
    [...columns.values()]
      .filter(({ defaultSql }) => defaultSql !== null)
      .map(({ name, defaultSql }) => `'${name}', ${defaultSql}`),
  )
}

/** Returns the words that occur in the types of all columns and arguments. */
function knownTypes(catalog: Catalog): Set<string> {
  const types = [...catalog.relations.values()].flatMap(({ columns }) =>
    [...columns.values()].map((column) => column.type),
  )
  for (const { args } of [...catalog.routines.values()].flat()) {
    for (const { type } of args) types.push(type)
  }
  return new Set(types.flatMap((type) => type.match(/[a-z_][a-z0-9_]*/g) ?? []))
}
