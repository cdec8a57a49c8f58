-- Of a name that a thousand people have nobody reads more than the first few: a hundred are ranked, those whose name begins so
-- before any other. What fills the hundred spares the looking further: an index of names answers most that is typed.

create index people_by_name on public.people (lower(name) text_pattern_ops) where merged_into is null;

create or replace function internal.search_people(term text, most integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.people_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- What a name begins with.
  beginning constant text := regexp_replace(words[1], '([\\%_])', '\\\1', 'g') || '%';
  latest constant integer := 2000;
  candidates constant integer := 100;
begin
  if longest is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  return query execute format(
    'select id from (
       select distinct on (id) id, name, created_at from (
         %1$s
         select people.* from %2$s people where merged_into is null and erased_at is null and %3$s
         %4$s
         limit %5$s
       ) found
     ) person
     left join lateral (
       select appointment_date from public.bookings where person_id = person.id order by appointment_date desc limit 1
     ) visit on true
     order by lower(name) like %6$L desc, appointment_date desc nulls last, created_at desc, id limit %7$s',
    case when is_one_word then format(
      '(select * from public.people where merged_into is null and erased_at is null and lower(name) like %L limit %s) union all',
      beginning, candidates) else '' end,
    -- No index knows one or two letters within a name: they are looked for among those who came last.
    case when longest < 3 then format('(select * from public.people order by created_at desc limit %s)', latest) else 'public.people' end,
    internal.all_words(words),
    case when is_one_word and longest >= 3 then format(
      'union all select people.* from (select distinct person_id from public.person_contacts where %s limit %s) contact
       join public.people on people.id = contact.person_id and merged_into is null and erased_at is null',
      replace(internal.all_words(words), 'search_text', 'key'), candidates) else '' end,
    candidates, beginning, most);
end
$$;
comment on function internal.search_people(text, integer) is
  'People of whom every word is in name, address or number, or whose other address or number it is; whose name begins so first, '
  'then who was here last. Of more than a hundred, a hundred.';

create or replace function internal.search_cars(term text, most integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(lower(left(term, 100)), '\s+'), '');
  compact constant text := lower(regexp_replace(left(term, 100), '[^[:alnum:]]+', '', 'g'));
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (
       select id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.cars where merged_into is null and (%2$s or search_text like %3$L) limit 100
     ) found order by is_it desc nulls last, created_at desc, id limit %4$s',
    compact, internal.all_words(words), '%' || compact || '%', most);
end
$$;
