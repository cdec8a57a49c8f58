-- An erasure took a number only as it was typed once, a name also out of longer words, and left what no person owned: drafts
-- that name them, private pages of estimates, what the settings were. It could not be done once a car of two merged people
-- was given on, nor where a text was too full for the word that stands there instead.

drop function internal.scrub(text[]);
drop function internal.said_of_person(uuid[]);

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
      '(?<![[:alnum:]])' || regexp_replace(regexp_replace(said, '([[:punct:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]]+', 'g')
      || '(?![[:alnum:]])'
    when 'email' then
      '(?<![[:alnum:]._%+-])' || regexp_replace(said, '([[:punct:]])', '\\\1', 'g') || '(?![[:alnum:]_-]|\.[[:alnum:]])'
    when 'phone' then
      '(?<![0-9])(\+?1[^[:alnum:]]{0,3})?\(?' || internal.spread(said, '[^[:alnum:]]{0,3}') || '(?![0-9])'
      -- As it is dialed next door; not the end of another number.
      || case when length(said) = 10 then
           '|(?<![0-9])(?<![0-9][^[:alnum:]]{1,3})' || internal.spread(right(said, 7), '[^[:alnum:]]{0,3}') || '(?![0-9])'
         else '' end
    when 'plate' then '(?<![[:alnum:]])' || internal.spread(said, '[ .-]?') || '(?![[:alnum:]])'
  end;
comment on function internal.pattern_of(text, text) is
  'Finds a name, an address, a number (in its one form) or a plate (letters and digits alone) in a text, however it is written.';

create function internal.patterns_of_person(whom uuid[]) returns text[]
  language sql stable
  set search_path = ''
  return array(
    select internal.pattern_of(kind, said) as pattern
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
        where service.name collate pg_catalog.pg_c_utf8 ~* internal.pattern_of('name', known.said))
      -- 'MY CAR' is a plate and two words.
      when 'plate' then length(said) >= 5 and said ~ '[0-9]'
      else said <> '' end
    -- The longest first: no part of an address is left standing.
    order by length(said) desc
  );
comment on function internal.patterns_of_person(uuid[]) is
  'Patterns of the names, addresses, numbers, plates and VINs by which texts of others may speak of a person.';

create function internal.scrubbed(words text, pattern text, most integer default null) returns text
  language sql immutable
  set search_path = ''
  return left(regexp_replace(words collate pg_catalog.pg_c_utf8, pattern, '[erased]', 'gi'), coalesce(most, length(words) * 4));
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

create function internal.scrub(patterns text[]) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  place record;
  pattern constant text := array_to_string(patterns, '|');
begin
  if pattern = '' then
    return;
  end if;
  for place in select * from (values
    ('public.bookings', 'notes', 2000), ('public.bookings', 'shop_note', 500), ('public.quote_requests', 'description', 5000),
    ('public.tasks', 'title', 200), ('public.tasks', 'description', 5000), ('public.task_notes', 'note', 2000),
    ('public.task_status_history', 'note', 2000), ('public.person_notes', 'note', 1000), ('public.cars', 'note', 1000),
    ('public.closures', 'reason', 100), ('public.booking_events', 'reason', 300), ('public.estimates', 'internal_note', 2000)
  ) as texts (table_name, column_name, most) loop
    execute format('update %1$s set %2$I = internal.scrubbed(%2$I, $1, $2) where %2$I collate pg_catalog.pg_c_utf8 ~* $1',
                   place.table_name, place.column_name) using pattern, place.most;
  end loop;
  update public.settings_history
  set subject = internal.scrubbed(subject, pattern), before = internal.scrubbed(before, pattern), after = internal.scrubbed(after, pattern)
  where concat_ws(' ', subject, before, after) collate pg_catalog.pg_c_utf8 ~* pattern;
end
$$;
comment on function internal.scrub(text[]) is 'Takes what the patterns find out of what staff and others wrote freely.';

create or replace function internal.refuse_rewriting() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  -- Only what the law asks for: a name leaves the words of a change, the change stays (docs/product.md 16.9).
  if tg_op = 'UPDATE' and tg_table_name in ('booking_events', 'settings_history')
     and current_setting('shop.is_erasing', true) = 'yes' then
    return null;
  end if;
  raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
end
$$;

create function internal.keep_history_but_words() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if to_jsonb(new) - '{subject,before,after}'::text[] <> to_jsonb(old) - '{subject,before,after}'::text[] then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.keep_history_but_words() is
  'What an erasure writes into the history of the settings is its words without the name, and nothing else.';
create trigger keep_history_but_words before update on public.settings_history
  for each row execute function internal.keep_history_but_words();

create function internal.contact_keys_of(whom uuid[]) returns text[]
  language sql stable
  set search_path = ''
  return array(select key from public.person_contacts where person_id = any (whom));
comment on function internal.contact_keys_of(uuid[]) is 'All addresses and numbers by which people are found.';

create function internal.adopt_estimates(person uuid) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  keys constant text[] := internal.contact_keys_of(array[person]);
begin
  update public.estimates estimate set person_id = person
  where person_id is null
    and (lower(customer_email) = any (keys) or internal.canonical_phone(customer_phone) = any (keys))
    and internal.find_person(internal.caller_of_estimate(estimate)) = person;
end
$$;
comment on function internal.adopt_estimates(uuid) is 'Links the estimates that name a person and were written before they were known.';

create function internal.forget_merges(whom uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  with gone as (
    select id from public.record_merges where kept_id = any (whom) or gone_id = any (whom)
  )
  delete from public.record_merges merge using gone where gone.id in (merge.id, merge.part_of);
  delete from public.record_merges merge using public.cars kept, public.cars gone
  where merge.kind = 'car' and merge.part_of is null and kept.id = merge.kept_id and gone.id = merge.gone_id
    and (kept.person_id = any (whom) or gone.person_id = any (whom));
  -- Cars of others that became one before it was given to whom is erased: two of them again, without what stood on it.
  update public.record_merges merge set before = '{}'
  from public.cars kept where kept.id = merge.kept_id and kept.person_id = any (whom);
end
$$;
comment on function internal.forget_merges(uuid[]) is 'Nothing of people is taken apart any more, and what it would take is forgotten.';

create or replace function internal.erase_rows(whom uuid[]) returns void
  language plpgsql
  set search_path = ''
as $$
begin
  delete from internal.form_origins
  where booking_id in (select id from public.bookings where person_id = any (whom))
     or quote_request_id in (select id from public.quote_requests where person_id = any (whom));
  -- With a link that opens nothing any more.
  update public.bookings
  set customer_name = 'Erased', customer_email = null, customer_phone = 'Erased', notes = null, shop_note = null, vehicle_color = null,
      link_version = link_version + 1
  where person_id = any (whom);
  update public.estimates set link_version = link_version + 1 where person_id = any (whom);
  update public.quote_requests
  set name = 'Erased', email = 'erased@erased.invalid', phone = null, description = 'Erased'
  where person_id = any (whom);
  update public.cars set plate = null, vin = null, color = null, note = null where person_id = any (whom);
  delete from public.person_notes where person_id = any (whom);
  delete from public.person_contacts where person_id = any (whom);
  update public.people set name = 'Erased', email = null, phone = null, erased_at = coalesce(erased_at, internal.current_instant())
  where id = any (whom);
  update public.invoice_links set customer_name = 'Erased'
  where person_id = any (whom) and internal.kept_until(made_at) < internal.shop_now()::date;
end
$$;

create or replace function internal.erase_person(person_id uuid, expected_version integer, by_name text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person public.people;
  whom uuid[];
  patterns text[];
  kept jsonb;
  counts jsonb;
  letters uuid[];
begin
  perform internal.lock_calendar();
  whom := internal.merged_into_person(erase_person.person_id);
  -- In the order of those who write records: an estimate, then addresses and numbers, then people.
  perform from public.estimates estimate where estimate.person_id = any (whom) or estimate.person_id is null order by id for update;
  perform internal.lock_people(internal.contact_keys_of(whom));
  person := internal.take_person(erase_person.person_id, expected_version);
  perform internal.adopt_estimates(person.id);
  if internal.open_of_person(person.id) <> '[]' then
    raise exception 'Something of this person is still open.'
      using errcode = 'TT099', hint = 'something_open', detail = internal.open_of_person(person.id)::text;
  end if;
  kept := internal.kept_of_person(person.id);
  counts := internal.counts_of_person(person.id);
  patterns := internal.patterns_of_person(whom);
  perform internal.forget_merges(whom);
  letters := internal.erase_letters(whom);
  perform internal.erase_estimates(whom, internal.shop_now()::date);
  perform internal.erase_rows(whom);
  perform set_config('shop.is_erasing', 'yes', true);
  perform internal.scrub(patterns);
  perform set_config('shop.is_erasing', '', true);
  insert into public.erasures (person_id, erased_by_name, counts, kept, kept_until)
  values (person.id, left(by_name, 100), counts, kept, (select max((record ->> 'keptUntil')::date) from jsonb_array_elements(kept) record));
  return jsonb_build_object('letters', to_jsonb(letters), 'kept', kept, 'counts', counts);
end
$$;
