// The queries that read the catalog. The queries read only pg_catalog, which needs no privilege on the tables.

const columnJson = `json_build_object(
  'name', a.attname,
  'type', format_type(a.atttypid, a.atttypmod),
  'isJson', coalesce(nullif(t.typbasetype, 0), a.atttypid) in ('json'::regtype, 'jsonb'::regtype),
  'defaultSql', case
    when a.attidentity = 'd' then format('nextval(%L)', pg_get_serial_sequence(a.attrelid::regclass::text, a.attname))
    when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0)) end,
  'represented', exists (select from pg_cast k where k.castmethod = 'f' and t.typtype = 'd'
    and (k.castsource = t.oid and k.casttarget = 'json'::regtype
      or k.casttarget = t.oid and k.castsource in ('json'::regtype, 'text'::regtype)))
)`

const names = (keys: string, relation: string) => `(
  select coalesce(json_agg(k.attname order by o.place), '[]')
  from unnest(${keys}) with ordinality o(num, place)
  join pg_attribute k on k.attrelid = ${relation} and k.attnum = o.num)`

// The catalog contains the privileges only of the roles that the service can assume. PostgreSQL alone checks the
// privileges of other roles.
const roles = `pg_roles r where r.rolname in (
  select granted.rolname from pg_auth_members m join pg_roles granted on granted.oid = m.roleid
  where m.member = 'authenticator'::regrole)`

// A privilege on a single column counts as a privilege on the relation; PostgreSQL then checks the columns.
const relationPermissions = `(
  select coalesce(json_object_agg(r.rolname, array_remove(array[
    case when has_any_column_privilege(r.oid, c.oid, 'select') then 'select' end,
    case when has_any_column_privilege(r.oid, c.oid, 'insert') then 'insert' end,
    case when has_any_column_privilege(r.oid, c.oid, 'update') then 'update' end,
    case when has_table_privilege(r.oid, c.oid, 'delete') then 'delete' end], null)), '{}')
  from ${roles})`

const routinePermissions = `(
  select coalesce(json_object_agg(r.rolname, case
    when has_function_privilege(r.oid, p.oid, 'execute') then array['execute'] else '{}'::text[] end), '{}')
  from ${roles})`

export const relationsQuery = `
  select c.relname as name, ${relationPermissions} as permissions,
    case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
      else 'table' end as kind,
    (select coalesce(json_agg(m.typname), '[]') from pg_proc h join pg_type m on m.oid = h.prorettype
     where h.pronamespace = 'public'::regnamespace and h.prokind = 'a' and m.typname like '%/%'
       and h.proargtypes[0] = c.reltype) as media,
    (select coalesce(json_agg(${columnJson} order by a.attnum), '[]')
     from pg_attribute a
     join pg_type t on t.oid = a.atttypid
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select ${names('p.conkey', 'c.oid')} from pg_constraint p
     where p.conrelid = c.oid and p.contype = 'p') as "primaryKey",
    (select coalesce(json_agg(${names('i.indkey::int2[]', 'c.oid')}), '[]') from pg_index i
     where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indexprs is null) as uniques
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f')
    and not c.relispartition`

const exposed = (relation: string) =>
  `case when ${relation}.relnamespace = 'public'::regnamespace and not ${relation}.relispartition then ${relation}.relname end`

// The query includes foreign keys of tables that are not exposed, because exposed views may show the columns of these
// tables.
export const foreignKeysQuery = `
  select f.conname as name,
    json_build_object('id', r.oid::bigint, 'name', ${exposed('r')}, 'places', f.conkey,
      'columns', ${names('f.conkey', 'f.conrelid')}) as "from",
    json_build_object('id', s.oid::bigint, 'name', ${exposed('s')}, 'places', f.confkey,
      'columns', ${names('f.confkey', 'f.confrelid')}) as "to",
    exists (
      select from pg_index i where i.indrelid = f.conrelid and i.indisunique and i.indpred is null
        and i.indkey::int2[] @> f.conkey and f.conkey @> i.indkey::int2[]) as "oneToOne"
  from pg_constraint f
  join pg_class r on r.oid = f.conrelid
  join pg_class s on s.oid = f.confrelid
  where f.contype = 'f' and f.conparentid = 0
  order by f.conname, r.relname`

export const primaryKeysQuery = `
  select p.conrelid::int as id, p.conkey as places from pg_constraint p where p.contype = 'p' order by p.conrelid`

export const viewsQuery = `
  select c.oid::int as id, c.relname as name, w.ev_action::text as tree,
    (select json_object_agg(a.attnum, a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0) as columns
  from pg_class c
  join pg_rewrite w on w.ev_class = c.oid and w.rulename = '_RETURN'
  where c.relkind in ('v', 'm') and c.relnamespace = 'public'::regnamespace
  order by c.relname`

// The type modifier -1 makes format_type print `bpchar` for a `char` without a length; the usual name `character`
// would mean a single character.
export const routinesQuery = `
  select p.proname as name, ${routinePermissions} as permissions, p.provolatile = 'v' as volatile, p.proretset as "returnsSet",
    declared.typname like '%/%' as "ownMedia",
    p.proretset and p.prorows <> 1 as "returnsMany",
    (p.prorettype in ('json'::regtype, 'jsonb'::regtype)) as "returnsJson",
    (select coalesce(json_agg(json_build_object(
        'name', coalesce(p.proargnames[g.place], ''),
        'rowOf', (select c.relname from pg_class c join pg_type y on y.typrelid = c.oid
          where y.oid = g.type and c.relnamespace = 'public'::regnamespace),
        'type', format_type(g.type, -1),
        'hasDefault', g.rank > p.pronargs - p.pronargdefaults,
        'variadic', coalesce(p.proargmodes[g.place] = 'v', false)) order by g.place), '[]')
     from (
       select u.type, u.place, row_number() over (order by u.place) as rank
       from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality u(type, place)
       where p.proargmodes is null or p.proargmodes[u.place] in ('i', 'b', 'v')) g) as args,
    case
      when p.prorettype = 'void'::regtype then 'void'
      when base.typtype = 'c' or p.proargmodes && '{o,b,t}' then 'rows'
      else 'scalar' end as returns,
    (select c.relname from pg_class c where c.oid = base.typrelid
      and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f')) as relation,
    coalesce(
      (select json_agg(${columnJson} order by a.attnum) from pg_attribute a
       join pg_type t on t.oid = a.atttypid
       left join pg_attrdef d on false
       where a.attrelid = nullif(base.typrelid, 0)
         and a.attnum > 0 and not a.attisdropped),
      (select json_agg(json_build_object(
         'name', p.proargnames[u.place], 'type', format_type(u.type, null),
         'isJson', u.type in ('json'::regtype, 'jsonb'::regtype), 'defaultSql', null, 'represented', false) order by u.place)
       from unnest(p.proallargtypes) with ordinality u(type, place)
       where p.proargmodes[u.place] in ('o', 'b', 't')),
      '[]') as columns
  from pg_proc p
  join pg_type declared on declared.oid = p.prorettype
  join pg_type base on base.oid = coalesce(nullif(declared.typbasetype, 0), declared.oid)
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and not exists (select from pg_depend e where e.classid = 'pg_proc'::regclass
      and e.objid = p.oid and e.deptype = 'e')
  order by p.proname, p.oid`
