-- A person's data is handed over as one archive, or erased: what the law keeps stays, and a line says what and until when.

create table public.erasures (
  id uuid primary key default gen_random_uuid(),
  person_id uuid not null,
  erased_at timestamptz not null default internal.current_instant(),
  erased_by_name text not null check (length(erased_by_name) <= 100),
  counts jsonb not null,
  kept jsonb not null,
  kept_until date
);
comment on table public.erasures is
  'Whose data was erased, by whom, and which records of transactions stayed until when (BPC 9884.11). It names nobody, and nobody '
  'takes a line back.';
comment on column public.erasures.person_id is 'The row of people that says nothing of them any more.';
comment on column public.erasures.counts is 'How many of each were erased: {visits, quotes, cars, emails, notes}.';
comment on column public.erasures.kept is 'What stays, with the name in it: [{kind, id, number, keptUntil}].';
comment on column public.erasures.kept_until is 'The last day on which any of it stays; null when nothing did.';
create index erasures_latest_first on public.erasures (erased_at desc);
create trigger refuse_rewriting before update or delete or truncate on public.erasures
  for each statement execute function internal.refuse_rewriting();
alter table public.erasures enable row level security;
grant select on public.erasures to authenticated;
create policy "the admin reads what was erased" on public.erasures for select to authenticated using ((select internal.is_admin()));

create function internal.open_of_person(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(standing) order by standing.kind, standing.at), '[]')
    from (
      select 'visit' as kind, booking.id::text, booking.service_name as title, lower(booking.occupied)::text as at
      from public.bookings booking where booking.person_id = person and internal.is_ahead(booking)
      union all
      select 'estimate', estimate.id::text, estimate.number, estimate.created_at::text
      from public.estimates estimate where estimate.person_id = person and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')
      union all
      select 'invoice', links.invoice_id, links.number, links.made_at::text
      from public.invoice_links links where links.person_id = person and links.status in ('open', 'draft')
    ) standing
  );
comment on function internal.open_of_person(uuid) is 'What has to end before a person is erased: [{kind, id, title, at}].';

create function internal.handed_over_at(estimate uuid) returns timestamptz
  language sql stable
  set search_path = ''
  return (select max(frozen_at) from public.estimate_revisions where estimate_id = estimate);
comment on function internal.handed_over_at(uuid) is 'When the last revision of an estimate was handed over; null for a draft.';

create function internal.kept_of_person(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return (
    select coalesce(jsonb_agg(to_jsonb(record) order by record."keptUntil", record.kind, record.id), '[]')
    from (
      select 'invoice' as kind, invoice_id as id, number, internal.kept_until(made_at) as "keptUntil"
      from public.invoice_links where person_id = person
      union all
      select 'estimate', id::text, number, internal.kept_until(internal.handed_over_at(id))
      from public.estimates where person_id = person
    ) record
    where record."keptUntil" >= internal.shop_now()::date
  );
comment on function internal.kept_of_person(uuid) is
  'The records of transactions that stay with the name when a person is erased: [{kind, id, number, keptUntil}].';

create function public.read_erasure(person_id uuid) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  person constant public.people := internal.read_known_person(read_erasure.person_id);
  kept constant jsonb := internal.kept_of_person(person.id);
begin
  return jsonb_build_object(
    'id', person.id, 'version', person.version, 'name', person.name, 'open', internal.open_of_person(person.id), 'kept', kept,
    'keptUntil', (select max(record ->> 'keptUntil') from jsonb_array_elements(kept) record),
    'counts', internal.counts_of_person(person.id));
end
$$;
comment on function public.read_erasure(uuid) is
  'What erasing a person would do (contracts/people.ts): what stands in the way, what stays and until when, how much goes.';
grant execute on function public.read_erasure(uuid) to authenticated;

create function internal.counts_of_person(person uuid) returns jsonb
  language sql stable
  set search_path = ''
  return jsonb_build_object(
    'visits', (select count(*) from public.bookings where person_id = person),
    'quotes', (select count(*) from public.quote_requests where person_id = person),
    'estimates', (select count(*) from public.estimates where person_id = person),
    'invoices', (select count(*) from public.invoice_links where person_id = person),
    'cars', (select count(*) from public.cars where person_id = person and merged_into is null),
    'emails', (select count(*) from internal.emails_of_person(person)),
    'notes', (select count(*) from public.person_notes where person_id = person));
comment on function internal.counts_of_person(uuid) is 'How much is held about a person, by kind.';

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

create function internal.keep_events_but_reason() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if to_jsonb(new) - 'reason' <> to_jsonb(old) - 'reason' then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.keep_events_but_reason() is 'What an erasure writes into the story of an appointment is its reason without the name, and nothing else.';
create trigger keep_events_but_reason before update on public.booking_events
  for each row execute function internal.keep_events_but_reason();

create function internal.erase_letters(whom uuid[]) returns uuid[]
  language plpgsql
  set search_path = ''
as $$
declare
  person uuid;
  gone uuid[] := '{}';
begin
  foreach person in array whom loop
    gone := gone || array(select id from internal.emails_of_person(person));
  end loop;
  gone := gone || array(select internal.notices_of_letters(gone));
  delete from public.quote_email_logs
  where email_id = any (gone) or quote_request_id in (select id from public.quote_requests where person_id = any (whom));
  delete from internal.visitor_letters where dedupe_key in (select dedupe_key from public.emails where id = any (gone));
  delete from internal.link_requests request
  using public.person_contacts contact
  where contact.person_id = any (whom) and contact.kind = 'email' and request.mailbox = internal.mailbox_of(contact.value);
  -- One that waits is not sent any more.
  delete from public.emails where id = any (gone);
  return gone;
end
$$;
comment on function internal.erase_letters(uuid[]) is 'Deletes every letter about people, also those that wait; returns which.';

create function internal.erase_estimates(whom uuid[], until date) returns void
  language plpgsql
  set search_path = ''
as $$
declare
  gone constant uuid[] := array(
    select id from public.estimates
    where person_id = any (whom) and coalesce(internal.kept_until(internal.handed_over_at(id)), '-infinity') < until);
begin
  update public.tasks set estimate_id = null, estimate_job_key = null where estimate_id = any (gone);
  delete from public.authorizations where estimate_id = any (gone);
  delete from public.estimate_invoices where estimate_id = any (gone);
  delete from public.estimates where id = any (gone);
end
$$;
comment on function internal.erase_estimates(uuid[], date) is 'Deletes drafts, and estimates whose three years have passed.';

create function internal.erase_rows(whom uuid[]) returns void
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
comment on function internal.erase_rows(uuid[]) is
  'Leaves of people''s records that something was, and when: nothing that says whose. Invoices of the last three years keep the name.';

create function internal.merged_into_person(person uuid) returns uuid[]
  language sql stable
  set search_path = ''
as $$
  with recursive cluster as (
    select id from public.people where id = person
    union
    select merged.id from cluster join public.people merged on merged.merged_into = cluster.id
  )
  select array_agg(id) from cluster
$$;
comment on function internal.merged_into_person(uuid) is 'A person and all who turned out to be them.';

create function internal.erase_person(person_id uuid, expected_version integer, by_name text) returns jsonb
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  person public.people;
  whom uuid[];
  said internal.said[];
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
  said := internal.said_of_person(whom);
  perform internal.forget_merges(whom);
  letters := internal.erase_letters(whom);
  perform internal.erase_estimates(whom, internal.shop_now()::date);
  perform internal.erase_rows(whom);
  perform set_config('shop.is_erasing', 'yes', true);
  perform internal.scrub(said);
  perform set_config('shop.is_erasing', '', true);
  insert into public.erasures (person_id, erased_by_name, counts, kept, kept_until)
  values (person.id, left(by_name, 100), counts, kept, (select max((record ->> 'keptUntil')::date) from jsonb_array_elements(kept) record));
  return jsonb_build_object('letters', to_jsonb(letters), 'kept', kept, 'counts', counts);
end
$$;
comment on function internal.erase_person(uuid, integer, text) is
  'Erases a person of the expected version for good, in the name of an admin; refused (TT099, the detail says what) while a visit, '
  'an estimate or an invoice is open. Returns {letters, kept, counts}: letters are the ids of those that were deleted.';
grant execute on function internal.erase_person(uuid, integer, text) to shop_server;

create function internal.end_retention() returns integer
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  today constant date := internal.shop_now()::date;
  whom constant uuid[] := array(
    select distinct erasure.person_id from public.erasures erasure
    where erasure.kept_until between today - 400 and today - 1
      or exists (select from jsonb_array_elements(erasure.kept) record
                 where (record ->> 'keptUntil')::date between today - 400 and today - 1));
  renamed integer;
begin
  perform internal.erase_estimates(whom, today);
  update public.invoice_links set customer_name = 'Erased'
  where person_id = any (whom) and customer_name <> 'Erased' and internal.kept_until(made_at) < today;
  get diagnostics renamed = row_count;
  -- A receipt of what was paid meanwhile is still sent, and is then nobody's either.
  delete from public.emails
  where id in (
    select letter.id from (select distinct person_id from public.erasures) erased
    cross join lateral internal.emails_of_person(erased.person_id) letter
    where letter.status not in ('queued', 'retrying'));
  return renamed;
end
$$;
comment on function internal.end_retention() is
  'Takes the name out of what was kept of erased people once its three years have passed; returns how many invoices lost it.';
grant execute on function internal.end_retention() to shop_server;

create function internal.read_person_export(person_id uuid) returns jsonb
  language plpgsql stable
  security definer
  set search_path = ''
as $$
declare
  person public.people;
  whom uuid[];
begin
  select * into person from public.people where id = internal.person_now(read_person_export.person_id) and erased_at is null;
  if person.id is null then
    raise exception 'There is no such person.' using errcode = 'TT090', hint = 'person_not_found';
  end if;
  whom := internal.merged_into_person(person.id);
  return jsonb_build_object(
    'person', to_jsonb(person) - '{search_text,phone_key,merged_into,is_sample,erased_at}'::text[],
    'contacts', internal.rows_as_json('select kind, value, created_at from public.person_contacts where person_id = any ($1) order by id', whom),
    'notes', internal.rows_as_json('select note, written_by_name, created_at from public.person_notes where person_id = any ($1) order by created_at', whom),
    'cars', internal.rows_as_json('select id, year, make, model, color, plate, vin, note, created_at from public.cars where person_id = any ($1) order by created_at', whom),
    'odometer', internal.rows_as_json('select reading.car_id, reading.booking_id, miles, read_on, recorded_by_name from public.odometer_readings reading
      join public.cars car on car.id = reading.car_id where car.person_id = any ($1) order by read_on', whom),
    'visits', internal.rows_as_json('select id, appointment_date, appointment_time, duration_minutes, service_name, service_price_cents, status, completed_at,
      customer_name, customer_email, customer_phone, notes, shop_note, vehicle_year, vehicle_make, vehicle_model, vehicle_color, flagged_reasons,
      car_id, created_at from public.bookings where person_id = any ($1) order by appointment_date, appointment_time', whom),
    'visit_story', internal.rows_as_json('select event.booking_id, event.kind, source, changed_by_name, reason, before, after, happened_at
      from public.booking_events event join public.bookings booking on booking.id = event.booking_id
      where booking.person_id = any ($1) order by event.id', whom),
    'quotes', internal.rows_as_json('select id, name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status, flagged_reasons, created_at
      from public.quote_requests where person_id = any ($1) order by created_at', whom),
    'quote_replies', internal.rows_as_json('select quote_request_id, recipient_email, subject, final_body, sent_at from public.quote_email_logs
      where quote_request_id in (select id from public.quote_requests where person_id = any ($1)) order by created_at', whom),
    'estimates', internal.rows_as_json('select id, number, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model, vehicle_plate,
      vehicle_vin, odometer_miles, internal_note, created_at from public.estimates where person_id = any ($1) order by created_at', whom),
    'estimate_revisions', internal.rows_as_json('select revision.* from public.estimate_revisions revision
      join public.estimates estimate on estimate.id = revision.estimate_id where estimate.person_id = any ($1) order by estimate_id, revision', whom),
    'authorizations', internal.rows_as_json('select said.* from public.authorizations said
      join public.estimates estimate on estimate.id = said.estimate_id where estimate.person_id = any ($1) order by said.id', whom),
    'tasks', internal.rows_as_json('select id, title, description, status, booking_id, created_at, completed_at from public.tasks
      where booking_id in (select id from public.bookings where person_id = any ($1))
         or estimate_id in (select id from public.estimates where person_id = any ($1)) order by created_at', whom),
    'task_notes', internal.rows_as_json('select note.task_id, note.note, note.created_by_name, note.created_at from public.task_notes note
      join public.tasks task on task.id = note.task_id
      where task.booking_id in (select id from public.bookings where person_id = any ($1))
         or task.estimate_id in (select id from public.estimates where person_id = any ($1)) order by note.created_at', whom),
    'invoices', internal.rows_as_json('select invoice_id, number, customer_name, total_cents, currency, status, made_at from public.invoice_links
      where person_id = any ($1) order by made_at', whom),
    'payments', internal.rows_as_json('select invoice_id, invoice_number, amount_cents, overpaid_cents, currency, outcome, paid_at from public.payments
      where invoice_id in (select invoice_id from public.invoice_links where person_id = any ($1)) order by paid_at', whom),
    'letters', internal.rows_as_json('select id, kind, recipient_email, recipient_name, subject, text_body, html_body, attachments, status, created_at, sent_at
      from unnest($1) person, internal.emails_of_person(person) order by created_at', whom));
end
$$;
comment on function internal.read_person_export(uuid) is 'All that is held about a person, by kind: rows as they are, letters with their files.';

create function internal.rows_as_json(statement text, whom uuid[]) returns jsonb
  language plpgsql stable
  set search_path = ''
as $$
declare
  rows jsonb;
begin
  execute format('select coalesce(jsonb_agg(to_jsonb(one)), ''[]'') from (%s) one', statement) into rows using whom;
  return rows;
end
$$;
comment on function internal.rows_as_json(text, uuid[]) is 'The rows of a statement of ours about people ($1).';
grant execute on function internal.read_person_export(uuid) to shop_server;

create function internal.open_invoices_of(person_id uuid) returns setof text
  language sql stable
  security definer
  set search_path = ''
as $$
  select invoice_id from public.invoice_links links where links.person_id = open_invoices_of.person_id and status in ('open', 'draft')
$$;
comment on function internal.open_invoices_of(uuid) is 'The invoices of a person that were open when they were last heard of.';
grant execute on function internal.open_invoices_of(uuid) to shop_server;

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

create function internal.notices_of_letters(letters uuid[]) returns setof uuid
  language sql stable
  set search_path = ''
  begin atomic
    select notice.id
    from unnest(letters) letter
    -- 'undelivered:<', the letter's id, '.'
    join public.emails notice
      on notice.dedupe_key >= 'undelivered:<' || letter || '.' and notice.dedupe_key < 'undelivered:<' || letter || '/';
  end;
comment on function internal.notices_of_letters(uuid[]) is 'What the owner was told of letters that could not be delivered.';

create function internal.note_missing_invoice(invoice_id text) returns void
  language sql
  security definer
  set search_path = ''
begin atomic
  update public.invoice_links links set status = 'void' where links.invoice_id = note_missing_invoice.invoice_id;
end;
comment on function internal.note_missing_invoice(text) is 'Notes that the processor knows an invoice no more: nobody can pay it.';
grant execute on function internal.note_missing_invoice(text) to shop_server;

create function internal.has_erased() returns boolean
  language sql stable
  security definer
  set search_path = ''
begin atomic
  select exists (select from public.erasures);
end;
comment on function internal.has_erased() is 'Whether anybody was erased.';
grant execute on function internal.has_erased() to shop_server;
