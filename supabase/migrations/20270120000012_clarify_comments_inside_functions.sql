-- Clarifies comments inside functions. No function behaves differently.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.accept_booking() returns trigger
  -- Runs with the owner's rights, because the role that fires the trigger has no right to read bookings.
  language plpgsql security definer set search_path = ''
  -- With `force_generic_plan`, each connection plans the statements of the function once instead of at every call. With
  -- `enable_seqscan = off`, a plan that was made while a table was small does not read the whole table after the table
  -- has grown.
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  is_admin constant boolean := tg_nargs = 0 and internal.is_admin();
  mailbox constant text := internal.normalize_mailbox(new.customer_email);
  phone_key constant text := internal.normalize_phone(new.customer_phone);
  refusal text;
  open_bookings integer;
  has_expired_holds boolean;
begin
  -- A visitor must not lock several days in one transaction, because two such transactions could deadlock.
  if not is_admin and current_setting('shop.has_booked', true) = 'yes' then
    raise exception 'One appointment at a time, please.' using errcode = 'TT004', hint = 'one_booking_per_request';
  end if;
  if new.status <> 'confirmed' or new.customer_email is null
     or (trim(new.vehicle_year) <> '' and trim(new.vehicle_make) <> '' and trim(new.vehicle_model) <> '') is not true then
    perform internal.refuse_incomplete_booking(new);
  end if;
  -- Without the lock of the day, concurrent inserts for overlapping times deadlock instead of failing with a conflict.
  perform internal.lock_booking_day(new.appointment_date),
          case when not is_admin then internal.lock_booking_contact(mailbox, phone_key) end,
          case when not is_admin then set_config('shop.has_booked', 'yes', true) end;
  -- For speed, one statement reads all data that the checks need; it runs after the locks, so the data are current.
  select service.duration_minutes, service.name, service.price_from_cents, new.appointment_date + new.appointment_time,
         internal.start_time_refusal(new.appointment_date, new.appointment_time, internal.current_instant(), shop.time_zone,
                                    rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused),
         (select bay_id from internal.free_bays(new.appointment_date, new.appointment_time, service.duration_minutes, service.id,
                                                rules.slot_interval_minutes) order by bay_rank limit 1),
         greatest((select count(*) from internal.open_bookings_of_mailbox(mailbox, clock.now)),
                  (select count(*) from internal.open_bookings_of_phone(phone_key, clock.now))),
         exists (
           select from public.bookings where held_until <= internal.current_instant() and appointment_date = new.appointment_date)
  into new.duration_minutes, new.service_name, new.service_price_cents, new.notified_starts_at,
       refusal, new.bay_id, open_bookings, has_expired_holds
  from public.shop cross join lateral (select internal.current_instant() at time zone shop.time_zone as now) clock
  cross join public.booking_rules rules left join public.services service on service.id = new.service_id and service.is_active;
  if refusal is not null or new.bay_id is null then
    new.bay_id := internal.find_bay_or_refuse(new, refusal);
  end if;
  if tg_argv[0] = 'visitor' then
    -- If the booking is linked to its customer later, the linking job also writes the booking's search text.
    new.search_text := case when headers ->> 'x-links-later' = 'yes' then '' else internal.search_text_of(new) end;
  end if;
  if has_expired_holds then
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  -- The limits on automated bookings do not apply to bookings by staff.
  if not is_admin then
    new.flagged_reasons := internal.reasons_to_hold(case tg_argv[0] when 'visitor' then new.id end, open_bookings, headers);
    new.held_until := case when new.flagged_reasons <> '{}' then internal.begin_hold(new, headers) end;
  end if;
  return new;
end
$$;

create or replace function internal.audit_passkey() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  passkey constant internal.passkeys := case tg_op when 'DELETE' then old else new end;
  -- In the dashboard (role shop_server), only the user of a passkey can add or remove it. A restore, which also removes
  -- passkeys, runs as another role, so the line then names no author.
  actor constant uuid := case when tg_op <> 'UPDATE' and current_setting('role') = 'shop_server' then passkey.user_id end;
begin
  if tg_op = 'UPDATE' and not (old.is_active and new.anomaly_count > old.anomaly_count) then
    return null;
  end if;
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
    'kind', case tg_op when 'INSERT' then 'passkey_added' when 'DELETE' then 'passkey_removed'
                       else case when new.is_active then 'passkey_doubted' else 'passkey_switched_off' end end,
    'user_id', actor, 'subject_user_id', passkey.user_id,
    'detail', case when internal.is_single_line_text(passkey.name, 1, 100) then passkey.name else 'without a name' end)));
  return null;
end
$$;

create or replace function internal.delete_merges(customer_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
begin
  with deleted as (
    select id from public.merges where survivor_id = any (customer_ids) or duplicate_id = any (customer_ids)
  )
  delete from public.merges merge using deleted where deleted.id in (merge.id, merge.parent_merge_id);
  delete from public.merges merge using public.vehicles survivor, public.vehicles duplicate
  where merge.kind = 'vehicle' and merge.parent_merge_id is null and survivor.id = merge.survivor_id and duplicate.id = merge.duplicate_id
    and (survivor.customer_id = any (customer_ids) or duplicate.customer_id = any (customer_ids));
  -- A merge of two other customers may have merged a vehicle that the erased customer owns now. That merge can still be
  -- undone, but then restores no values of this vehicle.
  update public.merges merge set survivor_changes = '{}'
  from public.vehicles survivor where survivor.id = merge.survivor_id and survivor.customer_id = any (customer_ids);
end
$$;

create or replace function internal.erase_customer(
  customer_id uuid, seen_version integer, changed_by_name text, left_out text[] default '{}'
) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to write erasures.
  language plpgsql security definer set search_path = '' as $$
declare
  customer public.customers;
  merged_ids uuid[];
  retained_records jsonb;
  counts jsonb;
  changed_texts integer;
  email_ids uuid[];
begin
  perform internal.lock_calendar();
  merged_ids := internal.list_merged_customers(erase_customer.customer_id);
  -- Every function that locks estimates, bookings without a customer, contact keys or customers locks them in this
  -- order, so that no two transactions deadlock.
  perform from public.estimates estimate where estimate.customer_id = any (merged_ids) or estimate.customer_id is null order by id for update;
  perform from public.bookings where bookings.customer_id is null order by id for update;
  perform internal.lock_contact_keys(internal.list_contact_keys(merged_ids) || internal.list_contact_keys_to_link());
  -- While the calendar is locked, no other transaction adds or links a booking. The next statement therefore links
  -- every booking that has no customer yet.
  if exists (select from internal.link_new_bookings(1000, '{}') where problem is not null) then
    raise exception 'A booking cannot be linked to its customer, so the erasure could miss its data.';
  end if;
  customer := internal.lock_customer(erase_customer.customer_id, seen_version);
  perform internal.link_customer_estimates(customer.id);
  if internal.list_open_records(customer.id) <> '[]' then
    raise exception 'This customer has open records.'
      using errcode = 'TT099', hint = 'open_records', detail = internal.list_open_records(customer.id)::text;
  end if;
  retained_records := internal.list_retained_records(customer.id);
  counts := internal.count_customer_records(customer.id);
  perform set_config('shop.ledger_exception', 'erasure', true);
  -- The texts are redacted before the customers' records are changed, because these records contain the names and
  -- contacts that the function erase_texts searches for.
  changed_texts := internal.erase_texts(merged_ids, left_out);
  -- Redacting a setting adds a row to the history of settings, so the history is redacted afterwards.
  perform internal.erase_texts(merged_ids, left_out, 'public.settings_history');
  perform internal.delete_merges(merged_ids);
  email_ids := internal.erase_customer_emails(merged_ids);
  perform internal.erase_customer_estimates(merged_ids, internal.shop_now()::date);
  perform internal.erase_customer_rows(merged_ids);
  perform set_config('shop.ledger_exception', '', true);
  insert into public.erasures (customer_id, erased_by_name, counts, retained, retained_until)
  values (
    customer.id, left(changed_by_name, 100), counts || jsonb_build_object('otherTexts', changed_texts, 'leftOut', cardinality(left_out)), retained_records,
    (select max((record ->> 'retainedUntil')::date) from jsonb_array_elements(retained_records) record));
  return jsonb_build_object('emails', to_jsonb(email_ids), 'retained', retained_records, 'counts', counts);
end
$$;

create or replace function internal.erase_customer_rows(customer_ids uuid[]) returns void
  language plpgsql set search_path = '' as $$
begin
  perform internal.forget_form_origins(array(
    select id from public.bookings where customer_id = any (customer_ids)
    union all select id from public.quote_requests where customer_id = any (customer_ids)));
  -- The new link_version makes earlier links to the visit page invalid.
  update public.bookings
  set customer_name = 'Erased', customer_email = null, customer_phone = 'Erased', notes = null, internal_note = null, vehicle_color = null,
      link_version = link_version + 1
  where customer_id = any (customer_ids);
  update public.estimates set link_version = link_version + 1 where customer_id = any (customer_ids);
  update public.quote_requests
  set name = 'Erased', email = 'erased@erased.invalid', phone = null, description = 'Erased'
  where customer_id = any (customer_ids);
  update public.vehicles set plate = null, vin = null, color = null, internal_note = null where customer_id = any (customer_ids);
  delete from public.customer_notes where customer_id = any (customer_ids);
  delete from public.customer_contact_methods where customer_id = any (customer_ids);
  update public.customers set name = 'Erased', email = null, phone = null, erased_at = coalesce(erased_at, internal.current_instant())
  where id = any (customer_ids);
  update public.payments set note = null
  where note is not null and (invoice_id in (select invoice_id from public.invoices where customer_id = any (customer_ids))
    or estimate_id in (select id from public.estimates where customer_id = any (customer_ids)));
  update public.invoices set customer_name = 'Erased'
  where customer_id = any (customer_ids) and internal.retained_until(created_at) < internal.shop_now()::date;
end
$$;

create or replace function internal.erase_texts(customer_ids uuid[], left_out text[], only_table text default null) returns integer
  language plpgsql set search_path = '' as $$
declare
  found record;
  statement text;
  erased jsonb;
  changed integer := 0;
begin
  for found in
    select * from internal.find_texts(customer_ids, only_table) text_found where text_found.is_own or text_found.text_key <> all (left_out)
  loop
    statement := format('update %s one set %I = %s where (%s) = $2', (found.rule).table_name, (found.rule).column_name,
      case when (select atttypid from pg_catalog.pg_attribute
                 where attrelid = (found.rule).table_name::regclass and attname = (found.rule).column_name) = 'jsonb'::regtype
        then '$1' else '$1 #>> ''{}''' end,
      (found.rule).row_key);
    erased := internal.redact(found.content, found.pattern, (found.rule).longest);
    begin
      execute statement using erased, found.row_id;
    exception when unique_violation then
      -- The column has a unique constraint. If two values differed only in the erased name, a suffix keeps the second
      -- value unique.
      execute statement using to_jsonb(left(erased #>> '{}', (found.rule).longest - 9) || ' ' || left(gen_random_uuid()::text, 8)), found.row_id;
    end;
    changed := changed + (not found.is_own)::integer;
  end loop;
  return changed;
end
$$;

create or replace function internal.increment_booking_version() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- booking_state.
  language plpgsql security definer set search_path = '' as $$
declare
  -- An update that changes only internal_note, notified_starts_at or notified_cancelled does not increment the version.
  -- The list also contains the columns whose values are computed after this trigger: search_text, generated columns.
  apart constant text[] := array[
    'internal_note', 'notified_starts_at', 'notified_cancelled', 'is_notification_outdated', 'occupied', 'search_text', 'looks_automated'];
begin
  if (new.internal_note, new.notified_starts_at, new.notified_cancelled)
       is not distinct from (old.internal_note, old.notified_starts_at, old.notified_cancelled)
     or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_changed_at := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$$;

create or replace function internal.is_bay_taken(bay uuid, wanted tsrange, ignored_booking_id uuid default null) returns boolean
  language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from public.bookings booking
    where booking.bay_id = bay and booking.occupied && wanted
      and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
      -- The time of an expired hold counts as free, even before end_expired_holds has ended the hold.
      and (booking.held_until is null or booking.held_until > internal.current_instant())
      and booking.id is distinct from ignored_booking_id
  );
end
$$;

create or replace function internal.link_new_bookings(max_rows integer, ignored_booking_ids uuid[]) returns table (booking_id uuid, problem text)
  -- Runs with the rights of the function's owner, because the server has no right to write bookings.
  language plpgsql security definer set search_path = '' as $$
declare
  batch public.bookings[];
  booking public.bookings;
begin
  if not exists (select from public.bookings where customer_id is null) then
    return;
  end if;
  -- This lock waits for an erasure, which locks the calendar exclusively while it searches all bookings.
  perform pg_advisory_xact_lock_shared(hashtextextended('shop calendar', 0));
  batch := array(
    -- Skips a booking that another transaction has locked; the next run of the job links it.
    select waiting from public.bookings waiting where customer_id is null and id <> all (ignored_booking_ids)
    order by created_at, id limit max_rows for update skip locked);
  perform internal.lock_contact_keys(array(
    select unnest(array[lower(trim(customer_email)), internal.normalize_phone(customer_phone)]) from unnest(batch)));
  foreach booking in array batch loop
    booking_id := booking.id;
    problem := null;
    begin
      perform internal.link_booking_now(booking);
    exception when data_exception or integrity_constraint_violation or raise_exception then
      problem := sqlerrm;
    end;
    return next;
  end loop;
end
$$;

create or replace function internal.list_undelivered_emails() returns setof public.emails
  -- The expected number of rows (`rows 10`) lets the planner use indexes for joins.
  language sql stable rows 10 set search_path = '' as $$
  select failed.*
  from public.emails failed
  left join public.bookings booking on booking.id = failed.booking_id
  left join public.quote_requests quote on quote.id = failed.quote_request_id
  where failed.status = 'failed' and failed.kind not in ('owner_notice', 'test_message')
    and failed.created_at > internal.current_instant() - interval '60 days'
    and (failed.booking_id is not null or failed.created_at > internal.current_instant() - interval '14 days')
    and coalesce(upper(booking.occupied) > internal.shop_now(), true)
    and internal.email_outdated_reason(failed) is null
    and not (failed.kind = 'quote_confirmation' and quote.status = 'completed')
    -- Each condition uses its own index. One condition that combines them by `or` would read all later emails.
    and not exists (select from public.emails later where later.booking_id = failed.booking_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = failed.quote_request_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = failed.invoice_id
                    and later.kind = failed.kind and later.created_at > failed.created_at and later.status <> 'failed')
  order by failed.created_at, failed.id limit 50
$$;

create or replace function internal.move_payment(
  wrong public.payments, invoice public.invoices, target public.invoices, method text, amount integer, reference text, reason text
) returns void
  language plpgsql set search_path = '' as $$
declare
  former_cents constant bigint := internal.exact_cents(wrong);
  reversal_id constant uuid := internal.reverse_payment(wrong, 'recorded_wrongly',
    'Belongs to invoice ' || coalesce(target.number, target.invoice_id) || ': ' || reason);
begin
  -- Stripe still counts the amount as paid on the wrong invoice, so the amount is due on a replacement invoice.
  if not internal.withdraw_report(wrong) then
    perform internal.replace_invoice(invoice, reversal_id, former_cents);
  end if;
  perform internal.refuse_payment(target, amount);
  perform internal.record_counter_payment(target, move_payment.method, amount, move_payment.reference,
    'First recorded on invoice ' || coalesce(invoice.number, invoice.invoice_id));
end
$$;

create or replace function internal.record_booking_of_visitor() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to write
  -- booking_events.
  language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan as $$
declare
  recorded_id bigint;
begin
  insert into public.booking_events (booking_id, kind, source, changed_by_name, after)
  values (new.id, 'booked', 'visitor', 'visitor',
          internal.booking_snapshot(new, (select name from public.bays where id = new.bay_id)))
  returning id into recorded_id;
  -- PostgreSQL commits transactions with notifications one after the other, which would slow down visitors. Therefore
  -- the job that links the booking to its customer sends the notification.
  if new.customer_id is not null then
    perform internal.announce_booking(new.id, recorded_id);
  end if;
  return null;
end
$$;

create or replace function internal.vehicles_of_other_days(today date) returns setof public.bookings
  language sql stable set search_path = '' as $$
  select booking.* from public.bookings booking
  -- A booking lasts at most 14 days, so this condition omits no booking; it makes the index by date usable.
  where appointment_date >= today - 28 and upper(occupied) > today - 14
    and not occupied && tsrange(today, today + 1)
    and completed_at is null
    and (status in ('arrived', 'in_work')
      or exists (select from public.tasks task
        where task.booking_id = booking.id and (task.status = 'in_progress' or task.ready_for_pickup_at is not null)))
    and internal.is_at_shop(internal.vehicle_state(internal.vehicle_facts(booking)))
  order by occupied, id limit 50
$$;

create or replace function public.edit_booking(
  booking_id uuid, seen_version integer, service_id uuid, appointment_date date, appointment_time time,
  customer_name text, customer_phone text, customer_email text, vehicle_year text, vehicle_make text, vehicle_model text,
  vehicle_color text, vehicle_plate text default null, contact_change text default null
) returns public.bookings
  -- Runs with the rights of the function's owner, because the admin has no right to write bookings and customers.
  -- lock_booking() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(edit_booking.booking_id);
  edited public.bookings;
  fields text[];
begin
  perform internal.raise_version_conflict(booking, seen_version);
  if internal.booking_state(booking) not in ('confirmed', 'pending', 'arrived', 'in_work') then
    raise exception 'Only an open appointment can be edited.' using errcode = 'TT067', hint = 'not_open', detail = internal.booking_state(booking);
  end if;
  -- Locks the estimates before their customers, in the same order as the function that saves an estimate.
  perform from public.estimates where repair_id = booking.repair_id or customer_id = booking.customer_id order by id for update;
  perform internal.link_waiting_booking(booking.id);
  select * into booking from public.bookings where id = booking.id;
  edited := internal.take_service(booking, edit_booking.service_id);
  edited.appointment_date := edit_booking.appointment_date;
  edited.appointment_time := edit_booking.appointment_time;
  edited.customer_name := trim(edit_booking.customer_name);
  edited.customer_phone := trim(edit_booking.customer_phone);
  edited.customer_email := nullif(trim(edit_booking.customer_email), '');
  edited := internal.take_vehicle(edited, row(edit_booking.vehicle_year, edit_booking.vehicle_make, edit_booking.vehicle_model,
    edit_booking.vehicle_color, nullif(trim(vehicle_plate), ''), null));
  fields := internal.edited_fields(booking, edited);
  if fields && array['name', 'phone', 'email'] and coalesce(contact_change, '') not in ('correction', 'other_customer') then
    raise exception 'Is this a correction, or is it somebody else?' using errcode = '22023', hint = 'contact_change_required';
  end if;
  edited := internal.place_edited_booking(booking, edited);
  if edited is distinct from booking then
    edited := internal.save_edited_booking(edited);
  end if;
  if fields && array['name', 'phone', 'email'] then
    perform case contact_change when 'correction' then internal.correct_customer(booking, edited)
                                else internal.hand_over_booking(edited) end;
    select * into edited from public.bookings where id = booking.id;
  end if;
  if edited.customer_id is not null and ('vehicle' = any (fields) or vehicle_plate is not null) then
    perform internal.link_described_vehicle(booking, edited, nullif(trim(vehicle_plate), ''));
    select * into edited from public.bookings where id = booking.id;
  end if;
  perform internal.set_booking_change_context(null);
  return edited;
end
$$;

create or replace function public.is_time_slot_available(
  service_duration integer, booking_date date, booking_time time, service uuid default null
) returns boolean
  -- Runs with the rights of the function's owner, because the function reads all bookings: a visitor may know that a
  -- time is occupied, but not by which booking.
  language plpgsql stable security definer set search_path = ''
  set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  is_start_allowed boolean;
  has_free_bay boolean;
begin
  if service_duration is null or booking_date is null or booking_time is null
     or service_duration not between 5 and 720 then
    raise exception 'service_duration must be 5 to 720 minutes, with a date and a time.'
      using errcode = '22023', hint = 'invalid_slot';
  end if;
  -- For speed, one statement reads all data, because pages call this function for each time of a date.
  select internal.start_time_refusal(booking_date, booking_time, internal.current_instant(), shop.time_zone,
                                    rules.notice_minutes, rules.booking_window_days, rules.online_booking_paused) is null,
         exists (select from internal.free_bays(booking_date, booking_time, service_duration, service, rules.slot_interval_minutes))
  into is_start_allowed, has_free_bay
  from public.shop, public.booking_rules rules;
  if has_free_bay or not is_start_allowed then
    return is_start_allowed;
  end if;
  return not exists (select from internal.bay_hours where day = booking_date)
    and internal.find_free_bay(booking_date, booking_time, service_duration, service) is not null;
end
$$;

create or replace function public.list_invoices(filter text default 'open', max_rows integer default 50) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call describe_listed_invoice,
  -- unpaid_invoices and other functions.
  language plpgsql stable security definer set search_path = '' as $$
declare
  today constant date := internal.shop_now()::date;
begin
  perform internal.require_admin();
  return jsonb_build_object(
    'today', today,
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_listed_invoice(invoice) order by invoice.created_at desc, invoice.invoice_id), '[]')
      from (
        select * from public.invoices listed
        where case filter
            when 'open' then listed.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid)
            when 'past_due' then listed.due_date < today
              and listed.invoice_id in (select unpaid.invoice_id from internal.unpaid_invoices() unpaid)
            when 'written_off' then listed.status = 'uncollectible' or listed.written_off_at is not null
            when 'void' then listed.status = 'void' or listed.voided_at is not null
            else true end
          -- The balance is computed only for the rows that satisfy the previous condition.
          and case filter
            when 'paid' then internal.is_paid_off(listed)
            when 'written_off' then internal.invoice_state(listed) = 'written_off'
            else true end
        order by listed.created_at desc, listed.invoice_id limit least(greatest(max_rows, 1), 500)
      ) invoice),
    'counts', (
      select jsonb_build_object(
        'open', count(*), 'openCents', coalesce(sum(balance_cents), 0),
        'pastDue', count(*) filter (where due_date < today),
        'pastDueCents', coalesce(sum(balance_cents) filter (where due_date < today), 0),
        'partPaid', count(*) filter (where paid_cents > 0), 'partPaidCents', coalesce(sum(paid_cents) filter (where paid_cents > 0), 0))
      from internal.unpaid_invoices() where currency = 'usd'),
    'received', internal.payments_of_day(today));
end
$$;

create or replace function public.merge_customers(
  survivor_id uuid, duplicate_id uuid, seen_survivor_version integer, seen_duplicate_version integer,
  fields_from_duplicate text[] default '{}'
) returns uuid
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to write customers and
  -- merges. require_owner() checks that the caller is an owner.
  language plpgsql security definer set search_path = '' as $$
declare
  survivor public.customers;
  duplicate public.customers;
  pair record;
  merge uuid;
begin
  perform internal.require_owner();
  perform internal.refuse_self_merge(survivor_id, duplicate_id);
  perform internal.lock_calendar();
  -- Locks the estimates before their customers, in the same order as the function that saves an estimate.
  perform from public.estimates where customer_id in (survivor_id, duplicate_id) order by id for update;
  perform from public.customers where id in (survivor_id, duplicate_id) order by id for update;
  survivor := internal.lock_customer(survivor_id, seen_survivor_version);
  duplicate := internal.lock_customer(duplicate_id, seen_duplicate_version);
  update public.customers set merged_into = survivor.id where id = duplicate.id;
  update public.customers
  set name = case when 'name' = any (fields_from_duplicate) then duplicate.name else name end,
      email = internal.merged_email(survivor, duplicate, 'email' = any (fields_from_duplicate)),
      phone = case when 'phone' = any (fields_from_duplicate) then coalesce(duplicate.phone, phone) else coalesce(phone, duplicate.phone) end,
      created_at = least(created_at, duplicate.created_at)
  where id = survivor.id;
  insert into public.merges (kind, survivor_id, duplicate_id, moved_rows, survivor_changes, merged_by_name)
  select 'customer', survivor.id, duplicate.id, internal.move_references('customer', duplicate.id, survivor.id),
         internal.survivor_changes(to_jsonb(survivor), to_jsonb(customer)), internal.author_name(null)
  from public.customers customer where id = survivor.id
  returning id into merge;
  for pair in
    select own as survivor, other as duplicate from public.vehicles other
    join public.vehicles own on own.id = internal.find_same_vehicle(survivor.id, other)
    join public.merges done on done.id = merge
    where done.moved_rows -> 'public.vehicles.customer_id' ? other.id::text and other.merged_into is null
      and not done.moved_rows -> 'public.vehicles.customer_id' ? own.id::text
    for update of own, other
  loop
    perform internal.merge_vehicle_rows(pair.survivor, pair.duplicate, merge);
  end loop;
  return merge;
end
$$;

create or replace function public.read_day(day date) returns jsonb
  -- Runs with the rights of the function's owner, because otherwise row-level security would check in each query of the
  -- function again that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  longest_days constant integer := 14;
  max_rows constant integer := 1000;
begin
  perform internal.require_admin();
  if day is null or day not between '2000-01-01' and '2100-01-01' then
    raise exception 'day is a date.' using errcode = '22023', hint = 'invalid_date';
  end if;
  return jsonb_build_object(
    'day', day, 'now', date_trunc('second', internal.shop_now()),
    'last_event_id', (select coalesce(max(id), 0) from public.booking_events),
    'open', internal.minutes_of_day(day, internal.open_spans(day)),
    'bays', internal.bays_of_day(day),
    'closures', internal.special_hours_of_day(day),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_booking(booking) order by booking.occupied, booking.id), '[]')
      from (
        select * from public.bookings
        -- A booking lasts at most 14 days, so this condition omits no booking; it makes the index by date usable.
        where appointment_date between day - longest_days and day and occupied && tsrange(day, day + 1)
        order by occupied, id limit max_rows
      ) booking
    )
  );
end
$$;

create or replace function public.split_booking(booking_id uuid) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates, odometer_readings
  -- and invoices.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings := internal.lock_booking(split_booking.booking_id);
  former_customer_id constant uuid := booking.customer_id;
  new_customer_id uuid;
begin
  if internal.is_erased(former_customer_id) then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  perform internal.lock_contact_keys(array[lower(booking.customer_email), internal.normalize_phone(booking.customer_phone)]);
  perform from public.customers where id = former_customer_id for update;
  new_customer_id := internal.create_customer_from_booking(booking);
  update public.bookings
  set customer_id = new_customer_id,
      vehicle_id = internal.find_or_create_vehicle(new_customer_id, row(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model,
        booking.vehicle_color, null, null), booking.created_at, booking.is_sample)
  where id = booking.id returning * into booking;
  update public.estimates estimate set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where estimate.booking_id = booking.id;
  update public.odometer_readings reading set vehicle_id = booking.vehicle_id where reading.booking_id = booking.id and booking.vehicle_id is not null;
  update public.invoices invoice set customer_id = new_customer_id, vehicle_id = booking.vehicle_id where invoice.booking_id = booking.id;
  perform internal.delete_split_contact_methods(former_customer_id, new_customer_id);
  if former_customer_id is null then
    -- Notifies the dashboards of the booking, because link_booking_now, which usually does so, does not run for a
    -- booking that already has a customer.
    perform internal.announce_booking(booking.id, (
      select min(event.id) from public.booking_events event where event.booking_id = booking.id and event.kind = 'booked'));
  end if;
  return new_customer_id;
end
$$;

create or replace function public.split_vehicle(vehicle_id uuid, seen_version integer) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write vehicles, estimates and
  -- invoices. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  vehicle public.vehicles;
  latest public.bookings;
  new_customer_id uuid;
begin
  perform internal.require_admin();
  perform internal.lock_calendar();
  vehicle := internal.lock_vehicle(split_vehicle.vehicle_id, seen_version);
  select * into latest from public.bookings booking
  where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id)
  order by appointment_date desc, created_at desc limit 1;
  if latest.id is null then
    raise exception 'No appointment names the customer of this vehicle.' using errcode = 'TT090', hint = 'vehicle_without_booking';
  end if;
  -- The new customer gets all records of the vehicle. An unconfirmed email address of the booking is not copied,
  -- because it may belong to somebody else.
  latest.customer_email := internal.own_email(latest);
  perform internal.lock_contact_keys(array[lower(latest.customer_email), internal.normalize_phone(latest.customer_phone)]);
  perform from public.customers where id = vehicle.customer_id for update;
  new_customer_id := internal.create_customer_from_booking(latest);
  update public.vehicles set customer_id = new_customer_id where id = vehicle.id;
  update public.bookings booking set customer_id = new_customer_id where booking.vehicle_id = vehicle.id and not internal.is_erased(booking.customer_id);
  update public.quote_requests quote set customer_id = new_customer_id where quote.vehicle_id = vehicle.id and not internal.is_erased(quote.customer_id);
  update public.estimates estimate set customer_id = new_customer_id where estimate.vehicle_id = vehicle.id and not internal.is_erased(estimate.customer_id);
  update public.invoices invoice set customer_id = new_customer_id where invoice.vehicle_id = vehicle.id and not internal.is_erased(invoice.customer_id);
  perform internal.delete_split_contact_methods(vehicle.customer_id, new_customer_id);
  return new_customer_id;
end
$$;

COMMENT ON COLUMN "internal"."form_origins"."is_of_known_customer" IS 'Whether the booking is held without counting toward the maximum number of held bookings, because its customer is known.';

COMMENT ON COLUMN "internal"."form_origins"."quote_request_id" IS 'The quote request that the form created. The column has no foreign key, because the same transaction inserts this row first and the quote request later.';

COMMENT ON COLUMN "internal"."onboarding"."confirmed_steps" IS 'The setup steps whose default settings the owner confirmed without changing them.';

COMMENT ON COLUMN "internal"."onboarding"."sample_week_id" IS 'The id of the current sample week. The id is kept until all rows of the sample week are deleted; null without a sample week.';

COMMENT ON COLUMN "internal"."secrets"."inner_key" IS 'The inner key of HMAC (RFC 2104), computed from the column `value` when the row is written.';

COMMENT ON COLUMN "internal"."secrets"."outer_key" IS 'The outer key of HMAC (RFC 2104), computed from the column `value` when the row is written.';

COMMENT ON COLUMN "public"."authorizations"."decision" IS 'The decision on the job: approved, declined (an earlier approval stays valid at its price), or withdrawn (the row revokes the earlier decision withdraws_id).';

COMMENT ON COLUMN "public"."authorizations"."vehicle_id" IS 'The vehicle of the estimate at the time of the decision; null without a vehicle. The column has no foreign key, because the row remains when the vehicle is deleted.';

COMMENT ON COLUMN "public"."bays"."is_sample" IS 'Whether the bay is sample data. Such a bay is deleted together with the sample week.';

COMMENT ON COLUMN "public"."bays"."position" IS 'The position of the bay in the order that the owner chose. The position is a part of the rank by which a booking gets its bay (internal.bay_rank).';

COMMENT ON COLUMN "public"."booking_rules"."counts_cash_before_expected" IS 'Whether the page for the day close (the daily count of the cash drawer) shows the expected amount of cash only after staff have counted the cash.';

COMMENT ON COLUMN "public"."bookings"."flagged_reasons" IS 'The reasons why the booking is held until it is confirmed: signs that an automated program sent the form of the booking, many_open_bookings, or the limit that was reached (45_holds.sql). Empty for an ordinary booking.';

COMMENT ON COLUMN "public"."merges"."parent_merge_id" IS 'The merge of two customers that also caused this merge of their vehicles; null for every other merge.';

COMMENT ON COLUMN "public"."special_hours"."span" IS 'The time range of the exception in wall-clock time. The range includes its start and excludes its end.';

COMMENT ON DOMAIN "internal"."action_outcome" IS 'The result of a customer''s action. The field done contains the name of the change, or ''unchanged''; the field refused contains the reason of a refusal. One of the two fields is null.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) IS 'Adds a credit note and divides its amount between the parts of the invoice and their sales tax. Also adds the row from which a job reports the credit note to Stripe. Refuses (TT103) a credit note that exceeds the invoice.';

COMMENT ON FUNCTION "internal"."add_sample_booking"(jsonb) IS 'Adds a booking to the sample week at the free time nearest to the requested time. A past booking is completed. With the status ''here'', the vehicle has arrived in the hour before the start, and is in work between the start and the end. Returns no row when the date is full.';

COMMENT ON FUNCTION "internal"."add_sample_estimate"(jsonb) IS 'Adds an estimate to the sample week and saves its jobs as canned jobs. The estimate is sent, or has the given state: draft, seen, expired or invoiced. If approved jobs are given, the customer has decided.';

COMMENT ON FUNCTION "internal"."answer_address_question"(uuid) IS 'Records, at most once, that the customer confirmed the email address of a booking. Returns ''confirmed'', or otherwise the state of the question (address_question_state).';

COMMENT ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) IS 'Whether the texts of a booking have permitted lengths and contain only permitted characters. Notes may contain line ends and tabs. If a text is null and all others are valid, the result is null, which a check constraint accepts.';

COMMENT ON FUNCTION "internal"."bay_rank"(uuid, integer) IS 'The rank of a bay: a booking gets the free bay with the lowest rank. Bays that can do only a few services have a lower rank, so that bays that can do every service stay free. Between bays with the same number of services, the order that the owner chose decides.';

COMMENT ON FUNCTION "internal"."bays_of_day"(date) IS 'All bays in the order of their positions, each with its services (null means all services) and its open times in minutes after midnight.';

COMMENT ON FUNCTION "internal"."booking_range"(date, time without time zone, integer) IS 'The time range that a booking would occupy (the value of bookings.occupied). Refuses an invalid date, time or duration (SQLSTATE 22023).';

COMMENT ON FUNCTION "internal"."cancel_booking_by_customer"(uuid, integer) IS 'Cancels a booking for its customer, who uses the visit page. The time becomes free, booking_events records the customer as the source, and the customer counts as notified (reset_notification). The result contains either done (cancelled, or unchanged if the booking was already cancelled) or refused (a code of customer_change_refusal, such as too_close).';

COMMENT ON FUNCTION "internal"."check_no_show"() IS 'Refuses to mark a booking as a no-show too early (refuse_early_no_show), also if the admin writes the column status directly.';

COMMENT ON FUNCTION "internal"."clear_attendance_confirmation"() IS 'Clears the customer''s confirmation that they will come when a booking is moved, because the customer confirmed the earlier time. Also clears it when the status becomes cancelled, no_show or not_confirmed.';

COMMENT ON FUNCTION "internal"."confirm_attendance"(uuid, integer) IS 'Records that the customer confirmed that they will come. The result contains either done (attendance_confirmed, or unchanged if the customer confirmed before) or refused (a code of customer_change_refusal, but never too_close, because no cut-off applies).';

COMMENT ON FUNCTION "internal"."correct_customer"(public.bookings, public.bookings) IS 'Copies each edited field of a booking''s contact (name, email, phone) to the record of its customer. Also copies it to the customer''s other open bookings and unsent estimates in which the field has the value from before the edit.';

COMMENT ON FUNCTION "internal"."correct_drafts"(public.bookings, public.bookings) IS 'Copies each edited field of a booking''s contact (name, email, phone) to the unsent estimates of its customer in which the field has the value from before the edit.';

COMMENT ON FUNCTION "internal"."delete_split_contact_methods"(uuid, uuid) IS 'After a split, deletes the contact methods of the original customer that the new customer also has. Keeps a contact method that appears in the row of the original customer, or in a booking, quote request or estimate that remains with this customer.';

COMMENT ON FUNCTION "internal"."deposit_state"(uuid) IS 'The state of a deposit: none (not requested, or the estimate was invoiced without it); asked (no job is approved yet); open (to be paid); paid (held by the shop); applied (to the invoice); refunded.';

COMMENT ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) IS 'The data for an email about a deposit: the id and number of the estimate, the currency, and the name and email address of the customer.';

COMMENT ON FUNCTION "internal"."describe_recipient"(public.invoices) IS 'The data for an email about an invoice: the id, number and currency of the invoice, and the name and email address of the customer.';

COMMENT ON FUNCTION "internal"."drawer_expects_cents"(date) IS 'The cash that should be in the drawer now. Null in four cases: no day was closed yet, an earlier day is not closed, today is closed, or the settings of the shop show the expected cash only after the count.';

COMMENT ON FUNCTION "internal"."find_bay_or_refuse"(public.bookings, text) IS 'Returns the bay of a new booking: the bay in the booking or, if it has none, the first free bay. Also finds a bay for a date without rows in bay_hours. Raises the error of the rule that the booking breaks. The argument refusal is the result of start_time_refusal.';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. A booking, quote request or estimate without an email address also matches the only customer with the number, under any name. A record with an email address that no customer has matches a customer with another email address only if no other customer with the number has a matching name.';

COMMENT ON FUNCTION "internal"."fits_hours"(tsrange, tsmultirange, uuid) IS 'Whether a booking fits the hours of a bay. The argument open contains the open ranges of the booking''s first date. A booking fits if the bay is open for its whole time. A booking that ends on a later date also fits if it starts while the bay is open and is longer than every open range of its first date: the vehicle then stays overnight.';

COMMENT ON FUNCTION "internal"."grant_role_after_code_app"() IS 'When a first code confirms the authenticator app, grants an account whose invitation was accepted with a password the role of that invitation.';

COMMENT ON FUNCTION "internal"."hand_over_booking"(public.bookings) IS 'Links a booking whose contact was edited, and its draft estimates, to the customer with the new contact. Makes the links invalid that the previous customer of the booking received. Refused (TT076) once an estimate of the booking was sent or decided.';

COMMENT ON FUNCTION "internal"."hand_over_drafts"(public.bookings) IS 'Copies the contact of a booking that was transferred to another customer to the estimates of its repair, so that no estimate is sent to the former customer. These estimates are always drafts: a booking with a sent estimate cannot be transferred.';

COMMENT ON FUNCTION "internal"."has_ten_customers"(text) IS 'Whether completed bookings contain at least ten different mailboxes of one email host.';

COMMENT ON FUNCTION "internal"."increment_booking_version"() IS 'Increments the version of a booking, unless only internal_note, notified_starts_at or notified_cancelled change. Also maintains calendar_sequence and state_changed_at. Runs before the trigger release_hold, because triggers run in the order of their names.';

COMMENT ON FUNCTION "internal"."increment_version"() IS 'Increments the version of a changed row. A request to save the row contains the version that the user saw, and changes nothing if the stored version is another one.';

COMMENT ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) IS 'The paid amount of an invoice: the sum of its ledger lines. If Stripe reports the invoice as paid and the ledger contains no payment, the paid amount is the total of the invoice minus its credit notes.';

COMMENT ON FUNCTION "internal"."is_active_booking"(public.bookings) IS 'Whether a booking is active: it is not held, and its status is not cancelled, no_show or not_confirmed.';

COMMENT ON FUNCTION "internal"."is_at_open_limit"(text, text, uuid, bigint) IS 'Whether one mailbox or phone number already has five other open upcoming bookings. If since_event (the id of an event in booking_events) is given, the result is true only if the customer opened one of the five bookings after that event.';

COMMENT ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) IS 'Whether the given kind, source, name and reason of a booking event are valid. Without a reason, the result for a valid event is null, which a check constraint accepts.';

COMMENT ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) IS 'Whether the columns of a booking''s state are consistent: the completion has a person and a time or neither, and so has the accepted schedule conflict; only a confirmed booking that is not completed is held. If an argument is null and all others are valid, the result can be null, which a check constraint accepts.';

COMMENT ON FUNCTION "internal"."is_whole_payment"(public.payments) IS 'Whether a ledger line is a payment, or an applied deposit, of which no part was returned to the customer.';

COMMENT ON FUNCTION "internal"."link_estimate"() IS 'Links an estimate to the customer of its booking or quote request. An estimate without a booking and a quote request stays linked to the customer for whom it was created, until its name or contacts change. It is then linked to the customer with the new name and contacts. After the estimate was sent, a correction of its texts changes neither customer nor vehicle, unless the estimate then names another customer or describes another vehicle.';

COMMENT ON FUNCTION "internal"."list_job_decisions"(uuid, integer) IS 'The decisions on the jobs of a revision: {job_key: decision}. A decision on another revision counts only if it approved the same work at the same or a higher price.';

COMMENT ON FUNCTION "internal"."list_ledger_differences"() IS 'The invoices whose balance differs from the unpaid amount at Stripe although every change was reported to Stripe, and the invoices with a report that Stripe refused. The start page counts the differences every minute. For speed, the function therefore compares only invoices with a refused report, a report of the last 7 days or a reversal of the last 90 days.';

COMMENT ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) IS 'A page of ledger lines up to and including a business date: the payments if wants_payments is true, otherwise the other lines except applied deposits. The page begins after the last line of the previous page. The cash rounding of a payment is stated in the row of the payment; a later rounding, for example of its refund, is a separate row.';

COMMENT ON FUNCTION "internal"."list_open_customer_invoices"(uuid) IS 'The invoices of a customer that were open or drafts at Stripe when the server last read their status.';

COMMENT ON FUNCTION "internal"."list_taken_times"(uuid, date, time without time zone[]) IS 'Of the times that the visit page of a booking shows (the argument shown), those that another booking occupies now.';

COMMENT ON FUNCTION "internal"."lock_calendar"() IS 'Locks the calendar exclusively until the transaction ends, so that staff change one booking at a time and no visitor books in the meantime. A transaction always takes this lock first, so that no two transactions deadlock.';

COMMENT ON FUNCTION "internal"."lock_calendar_before_status_change"() IS 'Locks the calendar if the admin writes the column status of a booking directly. The lock is taken before any row is locked, so that two such changes never deadlock.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'Returns the payment at the counter or the applied deposit that staff want to correct. Locks its invoice and the invoice to which the correction moves it. Refuses (TT103) an online payment, a payment of which a part was refunded, a payment of a void invoice, and every other kind of ledger line.';

COMMENT ON FUNCTION "internal"."may_become_open"(public.bookings) IS 'Whether a booking may become open. For a change by a visitor or customer: false if the customer already has five other open bookings. For a change by staff: false only if staff undo a cancellation, no-show or completion, and the customer has five other open bookings and opened one of them after this booking was closed.';

COMMENT ON FUNCTION "internal"."merged_email"(public.customers, public.customers, boolean) IS 'The main email address after a merge: the address of the customer whom staff chose. If this customer has none, the address of the other customer, provided that it is confirmed; otherwise null.';

COMMENT ON FUNCTION "internal"."minutes_of_day"(date, tsmultirange) IS 'Converts time ranges of a day to minutes after midnight, in the format of domain/calendar/opening-hours.ts.';

COMMENT ON FUNCTION "internal"."move_booking_by_customer"(uuid, integer, date, time without time zone) IS 'Moves a booking for its customer, who uses the visit page; the rules for visitors apply. The result contains either done (moved, or unchanged if the booking already has that time) or refused (slot_taken, or a code of customer_change_refusal or booking_refusal).';

COMMENT ON FUNCTION "internal"."move_payment"(public.payments, public.invoices, public.invoices, text, integer, text, text) IS 'Reverses a payment that was recorded on the wrong invoice, and records it on the right invoice.';

COMMENT ON FUNCTION "internal"."move_references_back"(public.merges) IS 'Makes the rows that a merge moved refer to the duplicate again, except rows that no longer refer to the survivor.';

COMMENT ON FUNCTION "internal"."needs_notification"(public.bookings) IS 'Whether the customer of a booking still has to be notified of a changed date or start time, or of a cancellation or reopening (is_notification_outdated); false when the appointment is over.';

COMMENT ON FUNCTION "internal"."normalize_mailbox"(text) IS 'Normalizes an email address, so that all addresses of one mailbox become the same text. Ignores case, full-width forms and +tags, ignores dots in Gmail addresses, and treats all domains of Proton as one.';

COMMENT ON FUNCTION "internal"."place_edited_booking"(public.bookings, public.bookings) IS 'Returns an edited booking with a bay for its time and service. If no bay is free, the edit is refused (23P01); the detail of the error contains the conflicting bookings and the next free times. The history stores as warnings the codes of the rules that the booking breaks.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal, credit or applied deposit in two cases: it exceeds the remaining amount of the ledger line to which it refers, or that ledger line belongs to another invoice.';

COMMENT ON FUNCTION "internal"."prevent_payment_delete"() IS 'Refuses (TT055) to delete a payment, unless it belongs to an invoice of the sample week.';

COMMENT ON FUNCTION "internal"."record_booking_event"() IS 'Records a change of a booking in booking_events. Notifies all processes of the change (channel bookings_changed): the notification contains the id of the booking and, if the change has an event, the id of the event.';

COMMENT ON FUNCTION "internal"."record_booking_of_visitor"() IS 'Adds the first event to the history of a visitor''s booking. If the booking already has its customer, also notifies the open dashboards; otherwise the job that links the booking to its customer notifies them.';

COMMENT ON FUNCTION "internal"."redact_expired_records"() IS 'Deletes the estimates of erased customers, and removes their names from invoices, when three years of retention have passed. Also deletes emails that were sent to erased customers. Returns the number of changed invoices.';

COMMENT ON FUNCTION "internal"."refuse_too_many_held"(internal.client_digests) IS 'Refuses (TT041) another flagged booking while ten bookings are held, or three bookings from the client''s network (IPv6 /48 or IPv4 /24). Held bookings of known customers do not count.';

COMMENT ON FUNCTION "internal"."release_hold"() IS 'Ends the hold of a booking that changes its state or is no longer flagged. Before a booking occupies its time again, ends the expired holds of its day and finds a free bay. Refuses (TT042) to open a booking that its customer may not have open (may_become_open).';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'The amount of a failed refund that can be refunded again: the failed amount, but at most the part of the credit note that the customer has not received yet, and at most the overpayment of the invoice, which a returned check lowers. 0 for a ledger line of another kind.';

COMMENT ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) IS 'Reverses a part or all of a payment or a refund, and returns the id of the reversal. The note identifies the event that causes the reversal, such as a dispute. A repeated call with the same note changes nothing and returns null.';

COMMENT ON FUNCTION "internal"."save_cancellation_reason"(uuid, text) IS 'Records why a customer cancelled, once for each cancellation. The result contains either done (reason_saved, or unchanged if a reason was recorded before) or refused (version_conflict if the booking is not cancelled or staff cancelled it).';

COMMENT ON FUNCTION "internal"."search_bookings"(text, integer) IS 'Finds bookings that contain every word of a search of two or more words, such as the name of a customer and the make of a vehicle. Returns the customers and vehicles of these bookings.';

COMMENT ON FUNCTION "internal"."search_condition"(text) IS 'Returns an SQL condition that is true if the column search_text contains the searched word. A searched word of one or two letters must be at the beginning of a word of search_text.';

COMMENT ON FUNCTION "internal"."set_business_date"() IS 'Sets the business date of a new ledger line.';

COMMENT ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) IS 'The current name of the person who has a username. For an instant before the account was created, the function returns the username itself, because several people shared a username at that time.';

COMMENT ON FUNCTION "internal"."take_service"(public.bookings, uuid) IS 'Returns a booking with another service and the current name, price and duration of that service. Returns the booking unchanged if it already has the service.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'The assignment of a booking as the calling technician sees it. own: one of its tasks is assigned to this technician, or this technician works in its bay. unassigned: none of its tasks is assigned to anybody, and its bay has no technician. other: every other booking.';

COMMENT ON FUNCTION "internal"."undo_cancellation_by_customer"(uuid, integer) IS 'Undoes a cancellation that the customer made, if the time is still free. The result contains either done (restored, or unchanged if the booking is open) or refused (over if the booking is neither open nor cancelled, otherwise a code of undo_cancellation_refusal).';

COMMENT ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) IS 'Confirms that the email address typed online in a booking or quote request belongs to its customer, and returns the email address. Refuses (TT100) a record that is not active and an invalid email address. A repeated call changes nothing.';

COMMENT ON FUNCTION "public"."claim_email"(uuid) IS 'Reserves an email for one delivery attempt and returns the email with current links. Returns no row if the email is already sent or failed, is reserved by another process, is not due, is outdated (its status is then set to failed) or belongs to the sample week. Also returns no row while the emails of a restored shop are paused. The first attempt can be made before next_attempt_at.';

COMMENT ON FUNCTION "public"."count_open_work"() IS 'The numbers in the navigation of the dashboard: today''s active appointments that are not completed, open tasks, pending quote requests that do not look automated, and unpaid invoices. needs_attention is true if there is an arrived customer, a quote request without a reply for 12 hours, a failed email, a customer to notify of a change, a schedule conflict, a day that was not closed, a difference between the ledger and Stripe, or a deposit about which staff must decide.';

COMMENT ON FUNCTION "public"."delete_estimate"(uuid) IS 'Deletes an estimate that was never sent; refuses (TT076) to delete any other estimate.';

COMMENT ON FUNCTION "public"."edit_booking"(uuid, integer, uuid, date, time without time zone, text, text, text, text, text, text, text, text, text) IS 'Changes an open booking and returns it; refused (TT051) if somebody changed the booking since the user read it. A booking that changes its service gets the current name, price and duration of the new service. A time that is not free is refused with the next three free times. A new name, phone number or email address requires the argument contact_change. Its value correction also corrects the record of the customer, the customer''s other open bookings and the draft estimates; its value other_customer assigns the booking and its draft estimates to another customer. vehicle_plate is used only to find the vehicle; the booking stores no plate.';

COMMENT ON FUNCTION "public"."list_special_days"() IS 'The days with special hours in two periods: from today until a week after the last bookable day, and the first 31 days of the next public closure that begins after the first period. Each day has the shop''s hours ([{opensAtMinute, closesAtMinute}]) and the columns of list_open_days.';

COMMENT ON FUNCTION "public"."move_booking"(uuid, integer, date, time without time zone, integer, uuid, boolean, text) IS 'Moves an open booking to a date, time, duration (null: unchanged) and bay (null: its own bay if free, otherwise the first free bay; without_bay: no bay), and returns the booking. Refuses an outdated version (TT051). An undo is a move to the former time. booking_events.warnings records the rules for visitors that the new time breaks.';

COMMENT ON FUNCTION "public"."read_customer"(uuid) IS 'All data of a customer in one call (contracts/customers.ts), at most the latest 200 records of each kind, such as bookings. The id of a merged duplicate returns the surviving customer.';

COMMENT ON FUNCTION "public"."read_today"() IS 'All data of the page Today (contracts/today.ts): the result of read_day for today, the vehicles of other days that are at the shop (also_here), everything that needs attention, today''s payments, and this week''s load (week).';

COMMENT ON FUNCTION "public"."record_odometer"(uuid, integer, date, uuid, boolean) IS 'Records an odometer reading of a day (default today), optionally for a booking. Unless is_certain is true, refuses (TT098) a reading that is lower than an earlier reading or higher than a later reading; the detail of the error contains that other reading.';

COMMENT ON FUNCTION "public"."remove_special_hours"(uuid, integer, boolean) IS 'Deletes a closure or special opening, and returns the schedule conflicts after the deletion. Refuses an outdated version of the settings section ''closures'' (TT051). A preview returns the conflicts without deleting.';

COMMENT ON FUNCTION "public"."save_customer"(uuid, integer, text, text, text, boolean) IS 'Saves the name and contacts of a customer and returns the new version. Refuses an outdated version (TT051). Refuses an email address of another customer (TT096; the detail of the error names that customer) unless may_share_email is true. Earlier contact methods remain.';

COMMENT ON FUNCTION "public"."save_opening_hours"(jsonb, integer, boolean) IS 'Saves the opening hours of the week ([{weekday, opens_minute, closes_minute}]; a missing weekday is closed). Returns the schedule conflicts after the change: bookings outside the hours or without a bay. Refuses an outdated version of the settings section ''hours'' (TT051). A preview returns the conflicts without saving.';

COMMENT ON FUNCTION "public"."save_special_hours"(uuid, timestamp without time zone, timestamp without time zone, boolean, uuid, text, boolean, integer, boolean) IS 'Adds a closure or special opening (special_hours_id null) or changes one, and returns the schedule conflicts after the change. Refuses an outdated version of the settings section ''closures'' (TT051). A preview returns the conflicts without saving.';

COMMENT ON FUNCTION "stripe_sandbox"."forget_invoices"(text[]) IS 'Deletes the invoices with the given numbers from the sandbox, with their items, payments, Checkout Sessions, refunds and events. Also deletes customers who have no other invoice. Returns the ids of the deleted events.';

COMMENT ON TABLE "internal"."address_answers" IS 'The bookings whose email address the customer confirmed as their own, by the link in an email. Each link works once.';

COMMENT ON TABLE "internal"."bay_hours" IS 'The open times of each active bay in shop wall-clock time, computed by internal.open_spans for the dates from yesterday until 31 days after the last bookable date. Triggers and a daily job update the table. For a date without rows, functions compute the times when they need them.';

COMMENT ON TABLE "internal"."onboarding" IS 'The progress of the setup checklist, and the state of the sample week (sample data for a new shop), in one row.';

COMMENT ON TABLE "internal"."secrets" IS 'The keys with which database functions sign: the key of links in emails and the key of form tokens. An external database also stores copies of the site''s other keys here, so that several machines can use the same keys. These copies are encrypted with a key that is derived from the password of the role that owns the tables. Backups contain no row of this table.';

COMMENT ON TABLE "internal"."visitor_booking_limits" IS 'The number of bookings that visitors can make in a period before the next booking is held. The limits are far above ordinary use: a shop with one bay has about twenty bookings a day.';

COMMENT ON TABLE "public"."cash_movements" IS 'The cash that staff put into a drawer, for example change from the bank, or took out of it, for example to buy parts. Payments and refunds of customers are not cash movements. [append-only]';

COMMENT ON TABLE "public"."estimate_invoices" IS 'The invoices of estimates. Before the server creates an invoice at Stripe, it inserts a row, called the claim. The id of the row is the id of the request to Stripe, so that a retry after a crash never creates a second invoice. [append-only]';

COMMENT ON TABLE "public"."settings_versions" IS 'The version of each settings section. Each change in the section increments the version. A request to save the section contains the version that the page displayed.';
