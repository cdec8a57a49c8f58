-- Append-only tables refuse UPDATE, DELETE and TRUNCATE, also by cascade and by the owner of the tables. Two exceptions have a
-- name, and the functions that may use one are named here: the removal of the sample week, and the erasure of a customer.

create or replace function internal.refuse_rewriting() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if concat_ws(' ', current_setting('shop.ledger_exception', true), tg_op) = any (tg_argv) then
    -- The row triggers of the table decide about each line.
    return null;
  end if;
  raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
end
$$;
comment on function internal.refuse_rewriting() is
  'Refuses (TT055) every UPDATE, DELETE and TRUNCATE of an append-only table. Its arguments are what an exception allows there: '
  '''erasure UPDATE'', ''erasure DELETE'' or ''sample_week_removal DELETE''.';

create or replace function internal.remove_sample_week() returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  ids constant text[] := array(select invoice_id from internal.sample_invoices() where invoice_id is not null);
  numbers constant text[] := array(select number from internal.sample_invoices());
  forgotten_events text[];
begin
  perform pg_advisory_xact_lock(hashtextextended('shop calendar', 0));
  perform set_config('shop.ledger_exception', 'sample_week_removal', true);
  delete from public.emails where invoice_id = any (ids);
  delete from public.payments where invoice_id = any (ids);
  -- What was made of a sample appointment is about somebody who does not exist.
  delete from public.tasks where is_sample or booking_id in (select id from public.bookings where is_sample)
    or internal.is_sample_estimate(estimate_id);
  delete from public.authorizations where internal.is_sample_estimate(estimate_id);
  delete from public.estimate_invoices where internal.is_sample_estimate(estimate_id);
  delete from public.estimates where is_sample;
  delete from public.kept_jobs where is_sample;
  delete from public.bookings where is_sample;
  delete from public.quote_requests where is_sample;
  perform set_config('shop.ledger_exception', '', true);
  perform internal.remove_sample_people();
  forgotten_events := stripe_sandbox.forget_invoices(numbers);
  delete from internal.stripe_events where id = any (forgotten_events);
  delete from internal.invoice_numbers where number = any (numbers);
  delete from internal.assigned_invoice_numbers where number = any (numbers);
  update internal.shop_setup set sample_week_id = null, sample_filled_at = null;
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
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.forget_merges(whom);
  letters := internal.erase_letters(whom);
  perform internal.erase_estimates(whom, internal.shop_now()::date);
  perform internal.erase_rows(whom);
  perform internal.scrub(said);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (person_id, erased_by_name, counts, kept, kept_until)
  values (person.id, left(by_name, 100), counts, kept, (select max((record ->> 'keptUntil')::date) from jsonb_array_elements(kept) record));
  return jsonb_build_object('letters', to_jsonb(letters), 'kept', kept, 'counts', counts);
end
$$;

create or replace function internal.end_retention() returns integer
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
  perform set_config('shop.ledger_exception', 'erasure', true);
  perform internal.erase_estimates(whom, today);
  perform set_config('shop.ledger_exception', '', true);
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

drop trigger refuse_rewriting on public.booking_events;
create trigger refuse_rewriting before update or delete or truncate on public.booking_events
  for each statement execute function internal.refuse_rewriting('erasure UPDATE');

drop trigger refuse_rewriting on public.settings_history;
create trigger refuse_rewriting before update or delete or truncate on public.settings_history
  for each statement execute function internal.refuse_rewriting('erasure UPDATE');

drop trigger refuse_rewriting on public.authorizations;
drop trigger keep_authorizations on public.authorizations;
create trigger refuse_rewriting before update or delete or truncate on public.authorizations
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');

create or replace function internal.keep_authorization() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if not internal.is_sample_estimate(old.estimate_id) then
    perform internal.refuse_losing_records(old.recorded_at);
  end if;
  return old;
end
$$;

create function internal.keep_payment() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if not exists (select from internal.sample_invoices() sample where sample.invoice_id = old.invoice_id) then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return old;
end
$$;
comment on function internal.keep_payment() is 'Lets the removal of the sample week delete payments of sample invoices only.';
create trigger keep_payment before delete on public.payments for each row execute function internal.keep_payment();
create trigger refuse_rewriting before update or delete or truncate on public.payments
  for each statement execute function internal.refuse_rewriting('sample_week_removal DELETE');

-- A claim is one line whose state moves forward; a BEFORE UPDATE row trigger refuses every other update.
create trigger refuse_rewriting before delete or truncate on public.estimate_invoices
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');

create or replace function internal.keep_claim() returns trigger
  language plpgsql
  set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    if not internal.is_sample_estimate(old.estimate_id) then
      perform internal.refuse_losing_records(old.claimed_at);
    end if;
    return old;
  end if;
  if to_jsonb(new) - '{state,invoice_id,number,settled_at}'::text[] <> to_jsonb(old) - '{state,invoice_id,number,settled_at}'::text[] then
    raise exception 'What was billed is not changed any more.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if (old.state, new.state) not in (('claimed', 'made'), ('claimed', 'failed'), ('made', 'voided'))
     or new.invoice_id is distinct from coalesce(old.invoice_id, new.invoice_id)
     or new.number is distinct from coalesce(old.number, new.number) then
    raise exception 'History is only added to.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.keep_claim() is
  'Of a claim only the state is written: claimed becomes made or failed, made becomes voided, with the invoice that the payment '
  'processor made. Every other update is refused.';

create trigger refuse_rewriting before update or delete or truncate on public.estimate_invoice_jobs
  for each statement execute function internal.refuse_rewriting('erasure DELETE', 'sample_week_removal DELETE');

do $$
declare
  ledger regclass;
begin
  foreach ledger in array '{public.booking_events,public.settings_history,public.authorizations,public.payments,
    public.estimate_invoices,public.estimate_invoice_jobs,public.erasures}'::regclass[] loop
    execute format('comment on table %s is %L', ledger, obj_description(ledger, 'pg_class') || ' [append-only]');
  end loop;
end
$$;
