-- Where a text that is somebody else's speaks of a person, however it is written, and how that is taken out of it.

create function internal.spread(said text, between_two text) returns text
  language sql immutable
  set search_path = ''
  return array_to_string(regexp_split_to_array(said, ''), between_two);
comment on function internal.spread(text, text) is 'The characters of a text with a pattern between each two.';

create function internal.pattern_of(kind text, said text) returns text
  language sql immutable
  set search_path = ''
  return case kind
    when 'name' then
      '(?<![[:alnum:]])' || regexp_replace(regexp_replace(normalize(said, nfd), '([[:punct:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]]+', 'g')
      || '(?![[:alnum:]])'
    when 'email' then
      '(?<![[:alnum:]._%+-])' || regexp_replace(normalize(said, nfd), '([[:punct:]])', '\\\1', 'g') || '(?![[:alnum:]_-]|\.[[:alnum:]])'
    when 'phone' then
      '(?<![0-9])(\+?1[^[:alnum:]]{0,3})?\(?' || internal.spread(left(said, -3), '[^[:alnum:]]{0,3}') || right(said, 3) || '(?![0-9])'
      -- As it is dialed next door; not the end of another number.
      || case when length(said) = 10 then
           '|(?<![0-9])(?<![0-9][^[:alnum:]]{1,3})' || internal.spread(substr(said, 4, 4), '[^[:alnum:]]{0,3}') || right(said, 3)
           || '(?![0-9])'
         else '' end
    when 'plate' then '(?<![[:alnum:]])' || internal.spread(left(said, -2), '[ .-]?') || right(said, 2) || '(?![[:alnum:]])'
  end;
comment on function internal.pattern_of(text, text) is
  'Finds a name, an address, a number (in its one form) or a plate (letters and digits alone) in a text, however it is written. '
  'The text has to have its accents apart (nfd): then a letter has its case also where the database knows plain ones alone.';

create function internal.scrubbed(words text, pattern text, most integer default null) returns text
  language sql immutable
  set search_path = ''
  return left(normalize(regexp_replace(normalize(words, nfd), pattern, '[erased]', 'gi'), nfc), coalesce(most, length(words) * 4));
comment on function internal.scrubbed(text, text, integer) is 'A text of at most so many characters with [erased] wherever the pattern is.';

create function internal.scrubbed(settings jsonb, pattern text) returns jsonb
  language sql immutable
  set search_path = ''
  return (
    select jsonb_object_agg(key, case jsonb_typeof(value)
      when 'string' then to_jsonb(internal.scrubbed(value #>> '{}', pattern)) else value end)
    from jsonb_each(settings)
  );
comment on function internal.scrubbed(jsonb, text) is 'The columns of a row with [erased] wherever the pattern is.';

create type internal.said as (kind text, words text);
comment on type internal.said is 'By what a text may speak of somebody: a name, an address, a number (in its one form), a plate or a VIN.';

create function internal.needle_of(kind text, said text) returns text
  language sql immutable
  set search_path = ''
  return '%' || regexp_replace(
    case kind
      when 'name' then internal.plain(substring(said from '[^[:space:]]+$'))
      when 'email' then internal.plain(said)
      when 'phone' then right(said, 4)
      when 'plate' then lower(right(said, 3))
    end, '([\\%_])', '\\\1', 'g') || '%';
comment on function internal.needle_of(text, text) is
  'What any text that internal.pattern_of finds something in is like, as it is compared: much quicker to look for.';

create function internal.said_of_person(whom uuid[]) returns internal.said[]
  language sql stable
  set search_path = ''
  return array(
    select row(kind, said)::internal.said
    from (
      select 'name' as kind, trim(name) as said from public.people where id = any (whom)
      union select 'name', trim(customer_name) from public.bookings where person_id = any (whom)
      union select 'name', trim(name) from public.quote_requests where person_id = any (whom)
      union select 'name', trim(customer_name) from public.estimates where person_id = any (whom)
      union select kind, key from public.person_contacts where person_id = any (whom)
      union select 'email', lower(trim(customer_email)) from public.bookings where person_id = any (whom)
      union select 'email', lower(trim(email)) from public.quote_requests where person_id = any (whom)
      union select 'email', lower(customer_email) from public.estimates where person_id = any (whom)
      union select 'phone', internal.canonical_phone(customer_phone) from public.bookings where person_id = any (whom)
      union select 'phone', internal.canonical_phone(phone) from public.quote_requests where person_id = any (whom)
      union select 'phone', internal.canonical_phone(customer_phone) from public.estimates where person_id = any (whom)
      union select 'plate', plate_key from public.cars where person_id = any (whom)
      union select 'plate', vin from public.cars where person_id = any (whom)
    ) known
    where case kind
      -- A first name alone is many a person's, and what the shop sells is nobody's.
      when 'name' then said ~ '[^[:space:]]{2,}[[:space:]]' and length(said) >= 5 and not exists (
        select from public.services service
        where normalize(service.name, nfd) ~* internal.pattern_of('name', known.said))
      -- 'MY CAR' is a plate and two words.
      when 'plate' then length(said) >= 5 and said ~ '[0-9]'
      else said <> '' end
    -- The longest first: no part of an address is left standing.
    order by length(said) desc
  );
comment on function internal.said_of_person(uuid[]) is
  'The names, addresses, numbers, plates and VINs by which texts of others may speak of a person.';

create function internal.may_say(words text, needles text[]) returns boolean
  language sql immutable
  set search_path = ''
  return internal.plain(words) like any (needles);
comment on function internal.may_say(text, text[]) is 'Whether it is worth looking closer at a text.';

create function internal.scrub(said internal.said[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  place record;
  pattern constant text := (select string_agg(internal.pattern_of(kind, words), '|') from unnest(said));
  needles constant text[] := array(select internal.needle_of(kind, words) from unnest(said));
begin
  if pattern is null then
    return;
  end if;
  for place in select * from (values
    ('public.bookings', 'notes', 2000), ('public.bookings', 'shop_note', 500), ('public.quote_requests', 'description', 5000),
    ('public.tasks', 'title', 200), ('public.tasks', 'description', 5000), ('public.task_notes', 'note', 2000),
    ('public.task_status_history', 'note', 2000), ('public.person_notes', 'note', 1000), ('public.cars', 'note', 1000),
    ('public.closures', 'reason', 100), ('public.booking_events', 'reason', 300), ('public.estimates', 'internal_note', 2000)
  ) as texts (table_name, column_name, most) loop
    execute format(
      'update %1$s set %2$I = internal.scrubbed(%2$I, $1, $2)
       where case when internal.may_say(%2$I, $3) then normalize(%2$I, nfd) ~* $1 end',
      place.table_name, place.column_name) using pattern, place.most, needles;
  end loop;
  update public.settings_history
  set subject = internal.scrubbed(subject, pattern), before = internal.scrubbed(before, pattern), after = internal.scrubbed(after, pattern)
  where case when internal.may_say(concat_ws(' ', subject, before, after), needles)
    then normalize(concat_ws(' ', subject, before, after), nfd) ~* pattern end;
end
$$;
comment on function internal.scrub(internal.said[]) is 'Takes what speaks of somebody out of what staff and others wrote freely.';
