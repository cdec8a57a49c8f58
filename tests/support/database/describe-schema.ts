import type { ClientBase, Pool } from 'pg'

type Owner = Pick<ClientBase | Pool, 'query'>

/** Excludes objects of PostgreSQL, of extensions and of the migration history. */
const ownSchema = (oid: string) =>
  `${oid}::regnamespace::text not in ('pg_catalog', 'information_schema', 'supabase_migrations')
   and ${oid}::regnamespace::text !~ '^pg_'`
const notOfExtension = (oid: string) =>
  `not exists (select from pg_depend where objid = ${oid} and deptype = 'e')`

/**
 * Access control lists have no order, so the description sorts them. A missing list means PostgreSQL's default
 * privileges.
 */
const privileges = (list: string, kind: string, owner: string) =>
  `(select string_agg(item::text, ' ' order by item::text)
    from unnest(coalesce(${list}, acldefault('${kind}', ${owner}))) item)`

const queries = {
  schema: `
    select nspname as name, concat_ws(' | ', ${privileges('nspacl', 'n', 'nspowner')}, obj_description(oid)) as is
    from pg_namespace where ${ownSchema('oid')}`,
  extension: `
    select extname as name, concat(extnamespace::regnamespace, ' ', extversion) as is from pg_extension`,
  role: `
    select rolname as name, concat_ws(' | ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolbypassrls,
      rolconfig, (select string_agg(concat(roleid::regrole, ' ', admin_option, ' ', inherit_option, ' ', set_option), ', '
        order by roleid::regrole::text) from pg_auth_members where member = role.oid)) as is
    from pg_roles role where rolname !~ '^pg_'`,
  'default privileges': `
    select concat_ws(' ', defaclrole::regrole, nullif(defaclnamespace, 0)::regnamespace, defaclobjtype) as name,
      (select string_agg(item::text, ' ' order by item::text) from unnest(defaclacl) item) as is
    from pg_default_acl`,
  relation: `
    select concat(relkind, ' ', oid::regclass) as name, concat_ws(' | ', relpersistence, relrowsecurity,
      relforcerowsecurity, relreplident, reloptions, relowner::regrole,
      ${privileges('relacl', 'r', 'relowner')}, case when relkind in ('v', 'm') then pg_get_viewdef(oid) end,
      obj_description(oid, 'pg_class')) as is
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'f') and ${ownSchema('relnamespace')} and ${notOfExtension('oid')}`,
  column: `
    select concat(attrelid::regclass, '.', attname) as name, concat_ws(' | ', format_type(atttypid, atttypmod),
      attnotnull, nullif(attcollation, 0)::regcollation, attidentity, attgenerated, pg_get_expr(adbin, adrelid),
      attstorage, attcompression, attoptions, attstattarget,
      (select string_agg(item::text, ' ' order by item::text) from unnest(attacl) item),
      col_description(attrelid, attnum)) as is
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v', 'm', 'f', 'c')
      and ${ownSchema('relnamespace')} and ${notOfExtension('attrelid')}`,
  // PostgreSQL 18 has a constraint for each NOT NULL; older versions have none. The query leaves out these constraints,
  // because the description of the column already states NOT NULL.
  constraint: `
    select concat_ws(' ', nullif(conrelid, 0)::regclass, nullif(contypid, 0)::regtype, conname) as name,
      concat_ws(' | ', pg_get_constraintdef(oid), convalidated, condeferrable, condeferred, connoinherit,
        obj_description(oid, 'pg_constraint')) as is
    from pg_constraint where contype not in ('n', 't') and ${ownSchema('connamespace')} and ${notOfExtension('oid')}`,
  index: `
    select indexrelid::regclass::text as name, concat_ws(' | ', pg_get_indexdef(indexrelid), indisvalid, indisclustered,
      indisreplident, obj_description(indexrelid, 'pg_class')) as is
    from pg_index join pg_class on pg_class.oid = indexrelid where ${ownSchema('relnamespace')}`,
  sequence: `
    select seqrelid::regclass::text as name, concat_ws(' | ', seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin,
      seqcache, seqcycle, ${privileges('relacl', 's', 'relowner')},
      (select concat(refobjid::regclass, '.', attname) from pg_depend join pg_attribute
         on attrelid = refobjid and attnum = refobjsubid where objid = seqrelid and deptype in ('a', 'i')),
      obj_description(seqrelid, 'pg_class')) as is
    from pg_sequence join pg_class on pg_class.oid = seqrelid where ${ownSchema('relnamespace')}`,
  type: `
    select oid::regtype::text as name, concat_ws(' | ', typtype, typnotnull, typdefault,
      nullif(typbasetype, 0)::regtype, ${privileges('typacl', 'T', 'typowner')},
      (select string_agg(enumlabel, ', ' order by enumsortorder) from pg_enum where enumtypid = type.oid),
      obj_description(oid, 'pg_type')) as is
    from pg_type type where typtype in ('c', 'd', 'e', 'r', 'm') and ${ownSchema('typnamespace')} and ${notOfExtension('oid')}`,
  function: `
    select oid::regprocedure::text as name, concat_ws(' | ', pg_get_functiondef(oid), prosecdef, provolatile, proisstrict,
      proleakproof, proparallel, procost, prorows, proconfig, proowner::regrole,
      ${privileges('proacl', 'f', 'proowner')}, obj_description(oid, 'pg_proc')) as is
    from pg_proc where prokind in ('f', 'p') and ${ownSchema('pronamespace')} and ${notOfExtension('oid')}`,
  trigger: `
    select concat(tgrelid::regclass, ' ', tgname) as name, concat_ws(' | ', pg_get_triggerdef(oid), tgenabled,
      obj_description(oid, 'pg_trigger')) as is
    from pg_trigger where not tgisinternal`,
  policy: `
    select concat(polrelid::regclass, ' ', polname) as name, concat_ws(' | ', polpermissive, polcmd,
      (select string_agg(case role when 0 then 'public' else role::regrole::text end, ', ' order by role)
         from unnest(polroles) role),
      pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid), obj_description(oid, 'pg_policy')) as is
    from pg_policy`,
  // Kinds of objects that the schema does not use yet, and that this list therefore does not describe. A developer who
  // adds an object of such a kind must add a query that describes the kind.
  'unknown kind': `
    select evtname as name, 'event trigger' as is from pg_event_trigger
    union all select pubname, 'publication' from pg_publication
    union all select stxname, 'statistics' from pg_statistic_ext
    union all select rulename, 'rule' from pg_rewrite where rulename <> '_RETURN' and ev_class >= 16384
    union all select proname, 'aggregate' from pg_proc
      where prokind not in ('f', 'p') and ${ownSchema('pronamespace')} and ${notOfExtension('oid')}`,
}

/** Describes every object of the database of `owner`, and every row of its tables, in sorted lines. */
export async function describeSchema(owner: Owner): Promise<string[]> {
  const lines: string[] = []
  for (const [kind, sql] of Object.entries(queries)) {
    const { rows } = await owner.query<{ name: string; is: string }>(sql)
    lines.push(...rows.map(({ name, is }) => `${kind} ${name}: ${is}`))
  }
  return lines.concat(await describeRows(owner)).sort()
}

/** Reads the rows, without values that differ in every database: generated ids and times. */
async function describeRows(owner: Owner): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string; columns: string | null }>(`
    select attrelid::regclass::text as name, string_agg(quote_ident(attname), ', ' order by attname) as columns
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped and relkind = 'r' and attidentity = '' and atttypid <> 'uuid'::regtype
      and coalesce(pg_get_expr(adbin, adrelid), '') !~ 'now\\(\\)'
      and ${ownSchema('relnamespace')} and ${notOfExtension('attrelid')}
    group by attrelid`)
  const lines: string[] = []
  for (const { name, columns } of tables) {
    const { rows } = await owner.query<{ row: string }>(
      `select to_jsonb(kept)::text as row from (select ${columns} from ${name}) kept`,
    )
    lines.push(...rows.map(({ row }) => `row of ${name}: ${row}`))
  }
  return lines
}
