-- One search over people, cars, visits, estimates and invoices, as quick among a hundred thousand appointments as among a
-- hundred: each word is a pattern that the planner sees by itself (20261122170000), and each kind stops at what a list shows.

alter table public.estimates add column search_text text not null generated always as (
  internal.plain(number || ' ' || customer_name || ' ' || vehicle_plate || ' ' || vehicle_vin)
) stored;
comment on column public.estimates.search_text is 'What the search looks through (internal.plain).';
create index estimates_by_search_text on public.estimates
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

create function internal.all_words(words text[]) returns text
  language sql immutable
  set search_path = ''
  return (select string_agg(internal.search_condition(word), ' and ') from unnest(words) word);
comment on function internal.all_words(text[]) is 'SQL that holds where search_text has every word; null without one.';

create function internal.people_words(term text) returns text[]
  language sql immutable
  set search_path = ''
  -- The country code is not in a number that was stored without it.
  return array(select regexp_replace(word, '^1(?=[0-9]{10}$)', '') from unnest(internal.search_words(term)) word);
comment on function internal.people_words(text) is 'What to look for in people: internal.search_words, a number in its one form.';

create function internal.search_people(term text, most integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.people_words(term);
  longest constant integer := (select max(length(word)) from unnest(words) word);
  is_one_word constant boolean := cardinality(words) = 1;
  -- What a name begins with, and so its line to look through.
  beginning constant text := regexp_replace(words[1], '([\\%_])', '\\\1', 'g') || '%';
  latest constant integer := 2000;
  candidates constant integer := 100;
begin
  if longest is null or length(array_to_string(words, '')) < 2 then
    return;
  end if;
  return query execute format(
    'select id from (
       select distinct on (id) id, search_text, created_at from (
         %1$s
         select people.* from %2$s people where merged_into is null and erased_at is null and %3$s
         %4$s
         limit %5$s
       ) found
     ) person
     left join lateral (
       select appointment_date from public.bookings where person_id = person.id order by appointment_date desc limit 1
     ) visit on true
     order by search_text like %6$L desc, appointment_date desc nulls last, created_at desc, id limit %7$s',
    case when is_one_word then format(
      '(select * from public.people where merged_into is null and erased_at is null and search_text like %L limit %s) union all',
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

create function internal.search_cars(term text, most integer) returns setof uuid
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.plain(left(term, 100)), '\s+'), '');
  compact constant text := regexp_replace(internal.plain(left(term, 100)), '[^[:alnum:]]+', '', 'g');
  -- The signs in a number stand in no plate as they do there.
  is_number constant boolean := compact !~ '[^0-9]';
  candidates constant integer := 100;
begin
  if (select max(length(word)) from unnest(words) word) < 3 or length(compact) < 3 then
    return;
  end if;
  return query execute format(
    'select id from (select * from (
       select id, person_id, created_at, plate_key = upper(%1$L) or vin = upper(%1$L) as is_it
       from public.cars where merged_into is null and (%2$s or search_text like %3$L) limit %5$s
     ) found order by is_it desc nulls last, created_at desc, id limit %5$s
     ) ranked where not internal.is_erased(person_id) limit %4$s',
    compact, case when is_number then 'false' else internal.all_words(words) end, '%' || compact || '%', most, candidates);
end
$$;
comment on function internal.search_cars(text, integer) is
  'Cars of which every word is in year, make, model, plate or VIN, whatever signs stand in it; the very plate or VIN first.';

create function internal.search_visits(term text, most integer) returns table (person_id uuid, car_id uuid)
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := internal.people_words(term);
begin
  if cardinality(words) < 2 or (select max(length(word)) from unnest(words) word) < 3 then
    return;
  end if;
  return query execute format(
    'select person_id, car_id from (
       select * from (select person_id, car_id, appointment_date from public.bookings where %1$s limit %3$s) found
       order by appointment_date desc limit %3$s
     ) newest where not internal.is_erased(person_id) limit %2$s', internal.all_words(words), most, 200);
end
$$;
comment on function internal.search_visits(text, integer) is 'Whose visits have all of several words, some of a name and some of a car.';

create function internal.search_documents(term text, people uuid[], most integer)
  returns table (kind text, id text, number text, made_at timestamptz)
  language plpgsql stable
  set search_path = ''
as $$
declare
  words constant text[] := array_remove(regexp_split_to_array(internal.plain(left(term, 100)), '\s+'), '');
  has_text constant boolean := coalesce((select max(length(word)) from unnest(words) word), 0) >= 3;
begin
  return query execute format(
    'select kind, id, number, made_at from (
       (select ''estimate'' as kind, id::text, number, created_at as made_at from public.estimates
        where person_id = any ($1) order by created_at desc limit %1$s)
       union (select ''estimate'', id::text, number, created_at from public.estimates where %2$s limit %1$s)
       union (select ''invoice'', invoice_id, number, made_at from public.invoice_links
              where person_id = any ($1) order by made_at desc limit %1$s)
       union (select ''invoice'', invoice_id, number, made_at from public.invoice_links where %2$s limit %1$s)
     ) found order by internal.plain(number) = %3$L desc, made_at desc, id limit %1$s',
    most, case when has_text then internal.all_words(words) else 'false' end, internal.plain(trim(term)))
  using people;
end
$$;
comment on function internal.search_documents(text, uuid[], integer) is
  'Estimates and invoices of these people, and those with every word in number, name, plate or VIN; the very number first.';

create function internal.describe_found_person(person public.people, today date) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select jsonb_build_object(
      'id', person.id, 'name', person.name, 'phone', person.phone, 'email', person.email,
      'cars', (select count(*) from public.cars where person_id = person.id and merged_into is null),
      'noShows', count(*) filter (where booking.status = 'no_show'),
      'lastVisit', max(booking.appointment_date) filter (where internal.has_come(booking, today)),
      'nextVisit', min(booking.appointment_date) filter (where booking.appointment_date >= today and internal.is_ahead(booking)),
      'askedOn', (select max(created_at) from public.quote_requests where person_id = person.id),
      'maybeSame', internal.maybe_same_people(person) <> '[]')
    from (select * from public.bookings known where known.person_id = person.id order by appointment_date desc limit 200) booking
  );
comment on function internal.describe_found_person(public.people, date) is 'A person in the results of a search.';

create function internal.describe_found_document(kind text, id text) returns jsonb
  language sql stable
  set search_path = ''
  return case kind
    when 'estimate' then (
      select internal.describe_known_estimate(estimate) || jsonb_build_object('kind', 'estimate', 'name', estimate.customer_name)
      from public.estimates estimate where estimate.id = describe_found_document.id::uuid)
    else (
      select internal.describe_known_invoice(links) || jsonb_build_object('kind', 'invoice', 'name', links.customer_name)
      from public.invoice_links links where links.invoice_id = describe_found_document.id)
  end;
comment on function internal.describe_found_document(text, text) is 'An estimate or an invoice in the results of a search.';

create function public.search_everything(term text, most integer default 5) returns jsonb
  language plpgsql stable
  -- As the owner: row-level security lets no index serve `like`.
  security definer
  set search_path = ''
as $$
declare
  at_most constant integer := least(greatest(coalesce(most, 5), 1), 50);
  today constant date := internal.shop_now()::date;
  counted constant integer := 100;
  -- What a visit's own id begins with, as its story and its letters name it.
  named constant text := substring(lower(trim(term)) from '^[0-9a-f]{8}');
  people uuid[];
  cars uuid[];
  visits uuid[];
  documents jsonb;
begin
  perform internal.require_admin();
  people := array(select internal.search_people(term, at_most));
  cars := array(select internal.search_cars(term, at_most));
  if people = '{}' and cars = '{}' then
    select coalesce(array_agg(distinct person_id) filter (where person_id is not null), '{}'),
           coalesce(array_agg(distinct car_id) filter (where car_id is not null), '{}')
    into people, cars from internal.search_visits(term, at_most);
  else
    cars := cars || array(
      select car.id from public.cars car where car.person_id = any (people) and car.merged_into is null and car.id <> all (cars)
      order by car.created_at desc limit greatest(at_most - cardinality(cars), 0));
  end if;
  visits := array(
    select id from (
      (select id, occupied from public.bookings where person_id = any (people) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings where car_id = any (cars) order by appointment_date desc limit counted)
      union (select id, occupied from public.bookings
             where id between (named || '-0000-0000-0000-000000000000')::uuid and (named || '-ffff-ffff-ffff-ffffffffffff')::uuid)
    ) found order by occupied desc, id limit counted);
  select coalesce(jsonb_agg(to_jsonb(hit) order by place), '[]') into documents
  from internal.search_documents(term, people, counted) with ordinality as hit (kind, id, number, made_at, place);
  return jsonb_build_object(
    'people', (
      select coalesce(jsonb_agg(internal.describe_found_person(person, today) order by place), '[]')
      from unnest(people) with ordinality as ranked (id, place) join public.people person on person.id = ranked.id),
    'cars', (
      select coalesce(jsonb_agg(internal.describe_car(car) || jsonb_build_object('personName', person.name) order by place), '[]')
      from unnest(cars) with ordinality as ranked (id, place)
      join public.cars car on car.id = ranked.id join public.people person on person.id = car.person_id),
    'visits', (
      select coalesce(jsonb_agg(internal.describe_visit(booking) || jsonb_build_object(
        'personId', booking.person_id, 'name', booking.customer_name) order by place), '[]')
      from unnest(visits[1:at_most]) with ordinality as ranked (id, place) join public.bookings booking on booking.id = ranked.id),
    'documents', (
      select coalesce(jsonb_agg(internal.describe_found_document(document ->> 'kind', document ->> 'id') order by place), '[]')
      from jsonb_array_elements(documents) with ordinality as ranked (document, place) where place <= at_most),
    'counts', jsonb_build_object('visits', cardinality(visits), 'documents', jsonb_array_length(documents)));
end
$$;
comment on function public.search_everything(text, integer) is
  'What the shop knows of a term of two characters or more, by kind and at most so many of each (5, up to 50): people, cars, '
  'visits, documents, and counts of the latter two up to 100 (contracts/people.ts). A phone number is found by its digits, a plate '
  'and a VIN whatever signs stand in them, a visit by the first eight characters of its id.';
grant execute on function public.search_everything(text, integer) to authenticated;
