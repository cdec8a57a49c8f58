-- Clarifies comments of columns and functions, and comments inside functions. No function behaves differently.
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

create or replace function public.record_email_sent(email_id uuid, outcome text, provider_message_id text) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write emails, quote_email_logs and
  -- quote_requests.
  language plpgsql security definer set search_path = '' as $$
begin
  update public.emails email
  set status = outcome, sent_at = now(), last_error = null, leased_until = null,
      provider_message_id = left(record_email_sent.provider_message_id, 300)
  where email.id = record_email_sent.email_id;
  if outcome = 'sent' then
    perform internal.record_notified_state(record_email_sent.email_id);
  end if;
  update public.quote_email_logs log set sent_at = now() where log.email_id = record_email_sent.email_id;
  -- Completes the quote request when its reply was sent, even if earlier attempts to send failed (docs/product.md 4.1).
  update public.quote_requests request set status = 'completed'
  from public.emails email
  where email.id = record_email_sent.email_id and email.kind = 'quote_reply' and request.id = email.quote_request_id;
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

COMMENT ON COLUMN "internal"."admin_data_sessions"."token_hash" IS 'The dashboard session (admin_sessions.token_hash) to which the data session (the session of the REST API) belongs.';

COMMENT ON COLUMN "internal"."backup_drills"."reason" IS 'The code of the reason why the backup could not be restored or compared; null after a comparison.';

COMMENT ON COLUMN "internal"."code_apps"."sealed_secret" IS 'The secret that the server shares with the app, encrypted with a key that is not in the database.';

COMMENT ON COLUMN "internal"."commands"."id" IS 'The id that the dashboard page creates once for each press of a button.';

COMMENT ON COLUMN "internal"."erasure_rules"."subject" IS 'An SQL expression for a short description by which staff recognize the record; ''null::text'' without a description. Null for a column in which the erasure does not search.';

COMMENT ON COLUMN "internal"."form_origins"."address_digest" IS 'The digest of the client''s IP address; null if the request headers contain no IP address.';

COMMENT ON COLUMN "internal"."form_origins"."is_counted" IS 'Whether the form counts toward the limits on visitors'' bookings (visitor_booking_limits). False if the booking of the form is flagged or belongs to a load test.';

COMMENT ON COLUMN "internal"."form_origins"."is_of_known_customer" IS 'Whether the booking is held without counting toward the maximum number of held bookings, because its customer is known: a customer with this email address and phone number has a completed booking.';

COMMENT ON COLUMN "internal"."form_origins"."quote_request_id" IS 'The quote request that the form created. The column has no foreign key, because the same transaction inserts this row first and the quote request later.';

COMMENT ON COLUMN "internal"."known_browsers"."username" IS 'The username in lower case. A browser that several admins use has one row for each of these admins.';

COMMENT ON COLUMN "internal"."onboarding"."confirmed_steps" IS 'The setup steps whose default settings the owner confirmed without changing them.';

COMMENT ON COLUMN "internal"."onboarding"."done_at" IS 'When all setup steps were done for the first time. Afterwards the checklist is not computed again.';

COMMENT ON COLUMN "internal"."onboarding"."sample_week_id" IS 'The id of the current sample week. The id is kept until all rows of the sample week are deleted; null without a sample week.';

COMMENT ON COLUMN "internal"."recovery_codes"."code_hash" IS 'The HMAC-SHA-256 of the code. Its key is not in the database, so that nobody can guess the codes from a copy of the database alone.';

COMMENT ON COLUMN "internal"."restored_shop"."numbers_checked_at" IS 'When the server read the newest invoice numbers from the payment provider, so that new invoice numbers are higher; null until then.';

COMMENT ON COLUMN "internal"."secrets"."inner_key" IS 'The inner key of HMAC (RFC 2104), computed from the column `value` when the row is written.';

COMMENT ON COLUMN "internal"."secrets"."outer_key" IS 'The outer key of HMAC (RFC 2104), computed from the column `value` when the row is written.';

COMMENT ON COLUMN "internal"."stripe_reports"."state" IS 'The state of the report. due: a job has to report the change. reported: Stripe has accepted the report. refused: Stripe does not accept the report, for the reason in the column problem; the change is valid in the shop''s ledger nevertheless. reversed: the payment was reversed before Stripe was notified. corrected: the report is not sent, because Stripe still counts the wrong payment that the corrected ledger line replaces.';

COMMENT ON COLUMN "internal"."tablets"."revoked_by" IS 'The owner who revoked the tablet; null if the tablet was revoked by another enrollment of the same browser or by a restore from a backup.';

COMMENT ON COLUMN "internal"."visitor_email_limits"."name" IS 'The group whose emails are counted: the emails to one mailbox, to one domain with few customers, from one client, for flagged (suspicious) forms, or of the whole site.';

COMMENT ON COLUMN "public"."audit_events"."detail" IS 'Details of the event, such as the former and the new role, the invited person with the role, the path of the refused request, the days of an exported file, or the name of a setting.';

COMMENT ON COLUMN "public"."authorizations"."decision" IS 'The decision on the job: approved, declined (an earlier approval stays valid at its price), or withdrawn (the row revokes the earlier decision whose id is withdraws_id).';

COMMENT ON COLUMN "public"."authorizations"."running_total_cents" IS 'The total in cents that is authorized for the estimate after this row. A trigger computes the total.';

COMMENT ON COLUMN "public"."authorizations"."vehicle_id" IS 'The vehicle of the estimate at the time of the decision; null without a vehicle. The column has no foreign key, because the row remains when the vehicle is deleted.';

COMMENT ON COLUMN "public"."bays"."is_sample" IS 'Whether the bay is sample data. Such a bay is deleted together with the sample week.';

COMMENT ON COLUMN "public"."bays"."position" IS 'The position of the bay in the order that the owner chose. The position is a part of the rank by which a booking gets its bay (internal.bay_rank).';

COMMENT ON COLUMN "public"."booking_rules"."close_print_format" IS 'The paper on which a day close (the daily count of the cash drawer) is printed: receipt (80 mm) or letter (US Letter).';

COMMENT ON COLUMN "public"."booking_rules"."counts_cash_before_expected" IS 'Whether the page for the day close (the daily count of the cash drawer) shows the expected amount of cash only after staff have counted the cash.';

COMMENT ON COLUMN "public"."bookings"."conflict_accepted_by" IS 'The admin who accepted the schedule conflict (the booking is outside the hours or has no bay).';

COMMENT ON COLUMN "public"."bookings"."flagged_reasons" IS 'The reasons why the booking is held until it is confirmed: signs that an automated program sent the form of the booking, many_open_bookings, or the limit that was reached (45_holds.sql). Empty for an ordinary booking.';

COMMENT ON COLUMN "public"."bookings"."held_until" IS 'When the hold of a flagged (suspicious) booking expires, unless the customer (by the link in an email) or staff confirm the booking before; null for a booking that is not held.';

COMMENT ON COLUMN "public"."bookings"."is_sample" IS 'Whether the booking belongs to the sample week (sample data for a new shop) and is deleted with it.';

COMMENT ON COLUMN "public"."bookings"."link_version" IS 'The version of the link to the visit page, the private page of the booking; incrementing it makes earlier links invalid.';

COMMENT ON COLUMN "public"."customer_contact_methods"."confirmed_at" IS 'When the email address was confirmed as the customer''s: staff entered the address or pressed ''Use this address'', or the customer confirmed the address. Null for an email address that was only typed online.';

COMMENT ON COLUMN "public"."customers"."merged_into" IS 'The customer into whom this duplicate was merged. Functions that receive the duplicate''s id return that customer.';

COMMENT ON COLUMN "public"."estimate_events"."changed_by_name" IS 'The username of the admin who made the change; ''system'' for a change that no signed-in staff account made.';

COMMENT ON COLUMN "public"."estimate_revisions"."seen_at" IS 'When the customer first pressed a finger, a mouse button or a key on the page that shows the revision. Opening the page does not count.';

COMMENT ON COLUMN "public"."merges"."parent_merge_id" IS 'The merge of two customers that also caused this merge of their vehicles; null for every other merge.';

COMMENT ON COLUMN "public"."services"."price_from_cents" IS 'The price in cents that the service card shows as ''from''; null if the card shows no price.';

COMMENT ON COLUMN "public"."settings_history"."changed_by_name" IS 'The username of the owner or advisor who made the change; ''system'' for every other change.';

COMMENT ON COLUMN "public"."special_hours"."span" IS 'The time range of the exception in wall-clock time. The range includes its start and excludes its end.';

COMMENT ON COLUMN "public"."staff_accounts"."username" IS 'The name that the person enters to sign in. The username never changes.';

COMMENT ON COLUMN "public"."tasks"."archived_at" IS 'When staff removed the completed task from the list of tasks. The row is not deleted, because the law requires the shop to keep the task, or because the state of the vehicle depends on the task. Null while the task is listed.';

COMMENT ON COLUMN "public"."vehicles"."vehicle_key" IS 'Normalized year, make and model (internal.vehicle_key). A later booking, quote request or estimate with the same key is linked to this vehicle.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."created" IS 'The time of creation in seconds since 1970, as in Stripe''s API.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."data" IS 'The object in the form of Stripe''s API, with related objects as ids and with URLs relative to the site.';

COMMENT ON COLUMN "stripe_sandbox"."objects"."object" IS 'The type of the object as Stripe''s API names it, for example invoice or checkout.session.';

COMMENT ON DOMAIN "internal"."action_outcome" IS 'The result of a customer''s action. The field done contains the name of the change, or ''unchanged''; the field refused contains the reason of a refusal. One of the two fields is null.';

COMMENT ON FUNCTION "internal"."accept_booking"() IS 'Checks a booking that a visitor or staff insert through the data service (the REST API). Refuses a booking that breaks a rule, and assigns the first free bay. If the trigger has the argument ''visitor'', also flags a form that looks automated, and holds a flagged booking.';

COMMENT ON FUNCTION "internal"."add_credit_note"(public.invoices, text, bigint, text, text[]) IS 'Adds a credit note and divides its amount between the parts of the invoice and their sales tax. Also adds the row from which a job reports the credit note to Stripe. Refuses (TT103) a credit note that exceeds the invoice.';

COMMENT ON FUNCTION "internal"."add_sample_booking"(jsonb) IS 'Adds a booking to the sample week at the free time nearest to the requested time. A past booking is completed. The requested status ''here'' becomes ''arrived'' in the hour before the start of the booking, and ''in_work'' between its start and its end. Returns no row when the date has no free time.';

COMMENT ON FUNCTION "internal"."add_sample_estimate"(jsonb) IS 'Adds an estimate to the sample week and saves its jobs as canned jobs. The estimate is sent, or has the given state: draft, seen, expired or invoiced. If the argument lists approved jobs, the customer''s decision is recorded.';

COMMENT ON FUNCTION "internal"."allow_only_shorter_addresses"() IS 'Lets internal.clean_audit replace an IP address by its network, and refuses, with error TT055, every other change of the audit log.';

COMMENT ON FUNCTION "internal"."allow_removal_after_three_years"() IS 'Refuses, with error TT055, to delete a line of the audit log that is less than three years old.';

COMMENT ON FUNCTION "internal"."announce_cash"() IS 'Notifies all server processes that a cash movement, a day close or a correction was recorded (channel cash_changed, with its id).';

COMMENT ON FUNCTION "internal"."announce_invoice"() IS 'Notifies all server processes that an invoice was created, paid or voided, or that an email about the invoice changed (channel invoices_changed, with the id of the invoice).';

COMMENT ON FUNCTION "internal"."announce_quote"() IS 'Notifies all server processes that a quote request was added, changed or deleted, or that an email about the request changed (channel quotes_changed, with the id of the quote request). The argument of the trigger is the name of the column that contains this id.';

COMMENT ON FUNCTION "internal"."announce_replacement"() IS 'Notifies all server processes that an invoice was replaced.';

COMMENT ON FUNCTION "internal"."announce_task"() IS 'Notifies all server processes that a task was added, changed or deleted, or that a note was added to a task (channel tasks_changed, with the id of the task). The argument of the trigger is the name of the column that contains this id.';

COMMENT ON FUNCTION "internal"."answer_address_question"(uuid) IS 'Records, at most once, that the customer confirmed the email address of a booking. Returns ''confirmed'', or otherwise the state of the question (address_question_state).';

COMMENT ON FUNCTION "internal"."approves_unseen_refusal"(uuid, jsonb) IS 'Whether one of the given decisions approves a job whose latest decision is a refusal, while the declinedId of the decision is not the id of this refusal. In this case the user''s page did not show the refusal.';

COMMENT ON FUNCTION "internal"."are_booking_texts_valid"(text, text, text, text, text, text, text, text, text) IS 'Whether the texts of a booking have permitted lengths and contain only permitted characters. Notes may contain line ends and tabs. If a text is null and all others are valid, the result is null, which a check constraint accepts.';

COMMENT ON FUNCTION "internal"."bay_rank"(uuid, integer) IS 'The rank of a bay: a booking gets the free bay with the lowest rank. Bays that can do only a few services have a lower rank, so that bays that can do every service stay free. Between bays with the same number of services, the order that the owner chose decides.';

COMMENT ON FUNCTION "internal"."bays_of_day"(date) IS 'All bays in the order of their positions, each with its services (null means all services) and its open times on a date, in minutes after midnight.';

COMMENT ON FUNCTION "internal"."booking_range"(date, time without time zone, integer) IS 'The time range that a booking would occupy (the value of bookings.occupied). Refuses an invalid date, time or duration (SQLSTATE 22023).';

COMMENT ON FUNCTION "internal"."booking_snapshot"(public.bookings, text) IS 'The fields of a booking that its history stores. The caller passes the name of the bay, so that the function need not read the table bays.';

COMMENT ON FUNCTION "internal"."bookings_to_remind"(integer) IS 'The bookings of tomorrow whose customers have to get a reminder now. Reminders are sent from the time in booking_rules.reminder_time until 9 PM, only one for each start time of a booking.';

COMMENT ON FUNCTION "internal"."business_date"(timestamp with time zone) IS 'The shop''s day to which a payment at this time counts: the date of the payment, or the first later date that is not closed. Days are closed in order, so every day up to the last day close is closed.';

COMMENT ON FUNCTION "internal"."cancel_booking_by_customer"(uuid, integer) IS 'Cancels a booking for its customer, who uses the visit page. The time becomes free, booking_events records the customer as the source, and the customer counts as notified (reset_notification). The result contains either done (cancelled, or unchanged if the booking was already cancelled) or refused (a code of customer_change_refusal, such as too_close).';

COMMENT ON FUNCTION "internal"."cancel_invoice"(text, text) IS 'Credits the whole rest of an invoice and returns each payment by the method of that payment. Returns {refundCents, creditNoteId, customer}. The estimate of the invoice can be invoiced again.';

COMMENT ON FUNCTION "internal"."check_no_show"() IS 'Refuses to mark a booking as a no-show too early (refuse_early_no_show), also if the admin writes the column status directly.';

COMMENT ON FUNCTION "internal"."claim_link_request"() IS 'Processes the requests for booking links, oldest first, up to the first request whose mailbox has upcoming bookings. Returns these bookings: at most 20, earliest first. Returns no row if no request is left.';

COMMENT ON FUNCTION "internal"."claim_replacement_invoices"() IS 'The replacement invoices that the server must create now, at most 20: [{requestId, originalNumber, amountCents, cause, name, email, phone}]. The function returns a request again, after pauses of increasing length, until its invoice exists.';

COMMENT ON FUNCTION "internal"."clear_attendance_confirmation"() IS 'When a booking is moved, clears the customer''s confirmation that they will come, because the customer confirmed the earlier time. Also clears the confirmation when the status becomes cancelled, no_show or not_confirmed.';

COMMENT ON FUNCTION "internal"."client_digests"(jsonb) IS 'The digests of the client''s IP address and networks, computed from the request headers.';

COMMENT ON FUNCTION "internal"."confirm_attendance"(uuid, integer) IS 'Records that the customer confirmed that they will come. The result contains either done (attendance_confirmed, or unchanged if the customer confirmed before) or refused (a code of customer_change_refusal, but never too_close, because no cut-off time applies to a confirmation).';

COMMENT ON FUNCTION "internal"."correct_customer"(public.bookings, public.bookings) IS 'Copies each edited field of a booking''s contact (name, email, phone) to the record of its customer. Also copies it to the customer''s other open bookings and unsent estimates in which the field has the value from before the edit.';

COMMENT ON FUNCTION "internal"."correct_drafts"(public.bookings, public.bookings) IS 'Copies each edited field of a booking''s contact (name, email, phone) to the unsent estimates of its customer in which the field has the value from before the edit.';

COMMENT ON FUNCTION "internal"."customer_change_refusal"(public.bookings, integer, integer) IS 'The reason why a customer may not change a booking: gone (deleted), cancelled, over (the vehicle has arrived or the start is past), not_confirmed (held), version_conflict (the booking no longer has the calendar_sequence that the customer''s page showed), too_close (after the cut-off time for changes). Null if the customer may change the booking.';

COMMENT ON FUNCTION "internal"."database_role_of"(uuid, uuid) IS 'The PostgreSQL role with which the REST API runs the requests of a data session (a session for this API): shop_technician at a shared tablet; null for a user without an active staff account, and for a user who must first set up an authenticator app.';

COMMENT ON FUNCTION "internal"."delete_split_contact_methods"(uuid, uuid) IS 'After a booking or vehicle was split off from a customer into a new customer, deletes the contact methods of the original customer that the new customer also has. Keeps a contact method that appears in the row of the original customer, or in a booking, quote request or estimate that remains with this customer.';

COMMENT ON FUNCTION "internal"."deposit_state"(uuid) IS 'The state of a deposit: none (not requested, or the estimate was invoiced without it); asked (no job is approved yet); open (to be paid); paid (held by the shop); applied (to the invoice); refunded.';

COMMENT ON FUNCTION "internal"."describe_deposit_recipient"(public.estimates) IS 'The data for an email about a deposit: the id and number of the estimate, the currency, and the name and email address of the customer.';

COMMENT ON FUNCTION "internal"."describe_recipient"(public.invoices) IS 'The data for an email about an invoice: the id, number and currency of the invoice, and the name and email address of the customer.';

COMMENT ON FUNCTION "internal"."describe_schedule_conflicts"() IS 'The bookings with a schedule conflict (outside the hours or without a bay), at most the earliest 500.';

COMMENT ON FUNCTION "internal"."describe_week_load"(date) IS 'The result of read_daily_loads for seven dates as JSON, each date with the number of its completed bookings.';

COMMENT ON FUNCTION "internal"."drawer_expects_cents"(date) IS 'The cash that should be in the drawer now. Null in four cases: no day was closed yet, an earlier day is not closed, today is closed, or the settings of the shop show the expected cash only after the count.';

COMMENT ON FUNCTION "internal"."end_data_session"() IS 'Ends a data session (a session of the REST API) when its row in admin_data_sessions is deleted, for example together with the dashboard session.';

COMMENT ON FUNCTION "internal"."end_expired_holds"(date) IS 'Ends the expired holds of the bookings of one day or of all days, which frees the times of these bookings; returns the number of ended holds.';

COMMENT ON FUNCTION "internal"."end_tablet_data_session"() IS 'When a data session (a session of the REST API) of a shared tablet ends, revokes the rights of its access tokens.';

COMMENT ON FUNCTION "internal"."erase_customer"(uuid, integer, text, text[]) IS 'Erases the data of a customer, except the texts in other records whose keys (text_key of internal.find_texts) left_out contains. Refuses an outdated version (TT051), and a customer with an open booking, estimate or invoice (TT099; the detail of the error lists these records). Returns {emails: ids of the deleted emails, retained, counts}.';

COMMENT ON FUNCTION "internal"."estimate_problems"(uuid, integer) IS 'The reasons why a draft cannot be sent: [{code, jobKey, line}]; line is the position in the job, counted from 1. Empty if the draft can be sent.';

COMMENT ON FUNCTION "internal"."export_audit"(text, text[], uuid, timestamp with time zone) IS 'Returns the lines of the audit log for an exported file, oldest first, with times in UTC. Records the export in the same transaction, so that the audit log has a line about every exported file.';

COMMENT ON FUNCTION "internal"."find_bay_or_refuse"(public.bookings, text) IS 'Returns the bay of a new booking: the bay in the booking or, if it has none, the first free bay. Raises the error of the code in refusal (the result of start_time_refusal), or of another rule that the booking breaks. Also finds a bay for a date without rows in bay_hours.';

COMMENT ON FUNCTION "internal"."find_begun_estimate"(uuid, uuid, uuid, uuid) IS 'The existing estimate that create_estimate returns instead of creating another one, for example after a second click or in another window. Without a booking or quote request, only an estimate that was never saved is returned.';

COMMENT ON FUNCTION "internal"."find_customer_by_phone"(text, text, boolean) IS 'The customer who has a phone number and a matching name. A booking, quote request or estimate without an email address also matches the only customer with the number, under any name. If the booking, request or estimate has an email address that belongs to no customer, a customer with another email address matches only if no other customer with the number has a matching name.';

COMMENT ON FUNCTION "internal"."fits_hours"(tsrange, tsmultirange, uuid) IS 'Whether a booking fits the hours of a bay. The argument open contains the open ranges of the booking''s first date. A booking fits if the bay is open for its whole time. A booking that ends on a later date also fits if it starts while the bay is open and is longer than every open range of its first date: the vehicle then stays overnight.';

COMMENT ON FUNCTION "internal"."free_spans"(date, uuid, uuid) IS 'The times of a date at which a bay is open and no booking, other than the one with ignored_booking_id, occupies the bay.';

COMMENT ON FUNCTION "internal"."freeze_estimate"(uuid, integer, boolean, text) IS 'Freezes the latest revision of an estimate for an admin, so that it can no longer change. If is_sent is true, also records when the revision was sent. Returns the same as save_estimate.';

COMMENT ON FUNCTION "internal"."freeze_revision"(public.estimates) IS 'Freezes the latest revision of an estimate, so that it can no longer change. Refused (TT074, with the problems) if the estimate has problems (estimate_problems).';

COMMENT ON FUNCTION "internal"."grant_role_after_code_app"() IS 'When a first code confirms the authenticator app of an account, grants the account the role of its invitation, if the invitation was accepted with a password.';

COMMENT ON FUNCTION "internal"."hand_over_booking"(public.bookings) IS 'Links a booking whose contact was edited, and its draft estimates, to the customer with the new contact. Makes the links invalid that the previous customer of the booking received. Refused (TT076) once an estimate of the booking was sent or decided.';

COMMENT ON FUNCTION "internal"."hand_over_drafts"(public.bookings) IS 'Copies the contact of a booking that was transferred to another customer to the estimates of its repair, so that no estimate is sent to the former customer. These estimates are always drafts: a booking with a sent estimate cannot be transferred.';

COMMENT ON FUNCTION "internal"."has_ten_customers"(text) IS 'Whether completed bookings contain at least ten different mailboxes of one email domain.';

COMMENT ON FUNCTION "internal"."increment_booking_version"() IS 'Increments the version of a booking, unless only internal_note, notified_starts_at or notified_cancelled change. Also maintains calendar_sequence and state_changed_at. Runs before the trigger release_hold, because triggers run in the order of their names.';

COMMENT ON FUNCTION "internal"."increment_version"() IS 'Increments the version of a changed row. A request to save the row contains the version that the user saw. The request changes nothing if the stored version differs.';

COMMENT ON FUNCTION "internal"."invoice_paid_cents"(public.invoices) IS 'The paid amount of an invoice: the sum of its entries in the payment ledger (public.payments). If Stripe reports the invoice as paid and the ledger contains no payment, the paid amount is the total of the invoice minus its credit notes.';

COMMENT ON FUNCTION "internal"."is_active_booking"(public.bookings) IS 'Whether a booking is active: it is not held, and its status is not cancelled, no_show or not_confirmed.';

COMMENT ON FUNCTION "internal"."is_at_open_limit"(text, text, uuid, bigint) IS 'Whether one mailbox or phone number already has five other open upcoming bookings. If since_event (the id of an event in booking_events) is given, the result is true only if the customer opened one of the five bookings after that event.';

COMMENT ON FUNCTION "internal"."is_automated_only"(uuid[], text) IS 'Whether an email address or phone number of a customer occurs only in bookings and quote requests that are flagged as suspicious (flagged_reasons).';

COMMENT ON FUNCTION "internal"."is_booking_event_valid"(text, text, text, text) IS 'Whether the given kind, source, name and reason of a booking event are valid. Without a reason, the result for a valid event is null, which a check constraint accepts.';

COMMENT ON FUNCTION "internal"."is_booking_state_valid"(text, integer, timestamp with time zone, text, timestamp with time zone, timestamp with time zone, text, integer) IS 'Whether the columns of a booking''s state are consistent. A completion has a person and a time or neither. The same applies to an accepted schedule conflict. Only a confirmed booking that is not completed can be held. If an argument is null and all others are valid, the result can be null, which a check constraint accepts.';

COMMENT ON FUNCTION "internal"."is_hold_of_known_customer"(public.bookings) IS 'Whether the maximum number of held bookings does not apply to a flagged (suspicious) booking: a customer with its email address and phone number has a completed booking, and has fewer than five other open bookings.';

COMMENT ON FUNCTION "internal"."is_respelled"(text, text) IS 'Whether the former and the corrected text are two spellings of the same make or model. A word that only one of the texts contains is not compared. If the former text is empty, every text counts as a correction.';

COMMENT ON FUNCTION "internal"."is_sample_email"(public.emails) IS 'Whether an email is about the sample week (sample data for a new shop); such emails stay in the outbox.';

COMMENT ON FUNCTION "internal"."is_their_email"(uuid, text) IS 'Whether an email address belongs to a customer: the address is confirmed, or it is the customer''s main email address and was entered in an active booking or in a quote request that is not flagged.';

COMMENT ON FUNCTION "internal"."is_void"(public.invoices) IS 'Whether the invoice was voided, at Stripe or by staff.';

COMMENT ON FUNCTION "internal"."is_whole_payment"(public.payments) IS 'Whether a ledger line is a payment, or an applied deposit, of which no part was returned to the customer.';

COMMENT ON FUNCTION "internal"."keep_invoice_lines"(text, jsonb) IS 'Stores the lines of an invoice, in the format [{description, cents, tax_cents}], only once. Stores no lines if their sum is not the total of the invoice.';

COMMENT ON FUNCTION "internal"."last_frozen_at"(uuid) IS 'When the latest frozen revision of an estimate was first sent, printed or approved; null if no revision was.';

COMMENT ON FUNCTION "internal"."latest_cash"(date) IS 'The latest payment, refund, reversal or movement of cash on a day; null if there is none. The page of the day close shows this record if the expected cash changes while staff count.';

COMMENT ON FUNCTION "internal"."limit_data_sessions"() IS 'Makes the sessions of the data service (the REST API) that belong to a dashboard session, with their refresh tokens, expire when the dashboard session ends.';

COMMENT ON FUNCTION "internal"."link_booking_now"(public.bookings) IS 'Links a booking to its customer and vehicle, and notifies the open dashboards. The caller must have locked the booking.';

COMMENT ON FUNCTION "internal"."link_customer_estimates"(uuid) IS 'Links estimates without a customer to the given customer if they contain the customer''s contacts. Such estimates were written before the customer''s row existed.';

COMMENT ON FUNCTION "internal"."link_estimate"() IS 'Links an estimate to the customer of its booking or quote request. An estimate without a booking and a quote request stays linked to the customer for whom it was created, until its name or contacts change. The estimate is then linked to the customer with the new name and contacts. After the estimate was sent, a correction of its texts changes neither customer nor vehicle, unless the estimate then names another customer or describes another vehicle.';

COMMENT ON FUNCTION "internal"."link_invoice"(jsonb) IS 'Creates or updates the local record of a Stripe invoice. The argument is {id, number, name, email, phone, total_cents, tax_cents, remaining_cents, currency, status, created_at, due_at (seconds since 1970), lines (in the format of internal.keep_invoice_lines; null if not all lines are known)}. The customer is that of the estimate or of the replaced invoice; otherwise the customer with this email address or phone number.';

COMMENT ON FUNCTION "internal"."link_sent_estimate"() IS 'Links a sent estimate to its customer and vehicle, and creates a missing customer or vehicle. Also saves the odometer reading of the estimate, and its plate and VIN if the vehicle has none.';

COMMENT ON FUNCTION "internal"."link_waiting_booking"(uuid) IS 'Links a booking that has no customer yet to its customer. Functions that need the customer call this function before the job link-new-records has linked the booking.';

COMMENT ON FUNCTION "internal"."list_arrived_bookings"(timestamp without time zone) IS 'The bookings whose customer has arrived and whose vehicle is not in work yet. Omits bookings that ended more than 14 days ago.';

COMMENT ON FUNCTION "internal"."list_job_decisions"(uuid, integer) IS 'The decisions on the jobs of a revision: {job_key: decision}. A decision on another revision counts only if it approved the same work at the same or a higher price.';

COMMENT ON FUNCTION "internal"."list_ledger_differences"() IS 'The invoices whose balance differs from the unpaid amount at Stripe although every change was reported to Stripe, and the invoices with a report that Stripe refused. The dashboard asks every minute whether there is a difference. For speed, the function therefore compares only invoices with a refused report, a report of the last 7 days or a reversal of the last 90 days.';

COMMENT ON FUNCTION "internal"."list_ledger_records"(boolean, date, timestamp with time zone, uuid, date, integer) IS 'A page of ledger lines up to and including a business date: the payments if wants_payments is true, otherwise the other lines except applied deposits. The page begins after the last line of the previous page. The cash rounding of a payment is stated in the row of the payment; a later rounding, for example of its refund, is a separate row.';

COMMENT ON FUNCTION "internal"."list_open_customer_invoices"(uuid) IS 'The invoices of a customer that were open or drafts at Stripe when the server last read their status.';

COMMENT ON FUNCTION "internal"."list_searchable_identifiers"(uuid[]) IS 'The identifiers of customers for which an erasure searches in the records of other customers. The list contains no name, no identifier that also belongs to somebody else, and no contact that occurs only in flagged (suspicious) bookings and quote requests.';

COMMENT ON FUNCTION "internal"."list_taken_times"(uuid, date, time without time zone[]) IS 'Of the times that the visit page of a booking shows (the argument shown), those that another booking occupies now.';

COMMENT ON FUNCTION "internal"."list_tear_down_declines"(uuid) IS 'The work that the customer declined after a tear-down: [{declined, jobTitle, notedBy, at}]; the value of declined is repair or reassembly.';

COMMENT ON FUNCTION "internal"."list_unconfirmed_emails"(uuid) IS 'Email addresses that were typed online under a customer''s name and are not confirmed: [{email, bookingId, quoteRequestId, enteredAt}], the latest three. Addresses in bookings that were cancelled, missed or not confirmed by the customer are not listed.';

COMMENT ON FUNCTION "internal"."list_undecided_deposits"() IS 'The deposits that the shop holds although no job is approved any more, or although the appointment was cancelled or missed. Staff must decide whether to return these deposits.';

COMMENT ON FUNCTION "internal"."lock_booking_network"(internal.client_digests) IS 'Locks the numbers of bookings of a client and of its networks, to which limits apply, until the transaction ends. A transaction that also locks a day or a contact locks the day and the contact first.';

COMMENT ON FUNCTION "internal"."lock_calendar"() IS 'Locks the calendar exclusively until the transaction ends, so that staff change one booking at a time and no visitor books in the meantime. A transaction always takes this lock first, so that no two transactions deadlock.';

COMMENT ON FUNCTION "internal"."lock_calendar_before_status_change"() IS 'Locks the calendar if the admin writes the column status of a booking directly. The lock is taken before any row is locked, so that two such changes never deadlock.';

COMMENT ON FUNCTION "internal"."lock_correctable"(uuid, text) IS 'Returns the payment at the counter or the applied deposit that staff want to correct. Locks the invoice of the payment, and the invoice to which the correction moves the payment. Refuses (TT103) an online payment, a payment of which a part was refunded, a payment of a void invoice, and every other kind of ledger line.';

COMMENT ON FUNCTION "internal"."lock_estimate"(uuid, integer) IS 'Locks an estimate until the transaction ends; refuses (TT051) an outdated seen_version (the version that the user saw), if given.';

COMMENT ON FUNCTION "internal"."mailbox_owner_domain"(text) IS 'The domain, without subdomains, whose mailboxes may belong to one person, so that a limit counts the emails to these mailboxes together. Null for Gmail and Proton, where each mailbox has a different owner.';

COMMENT ON FUNCTION "internal"."mark_tablet_data_sessions"() IS 'Restricts the data sessions (sessions of the REST API) of a person at a shared tablet to the rights of a technician, until the dashboard session at the tablet ends.';

COMMENT ON FUNCTION "internal"."may_become_open"(public.bookings) IS 'Whether a booking may become open. For a change by a visitor or customer: false if the customer already has five other open bookings. For a change by staff: false only if staff undo a cancellation, no-show or completion, and the customer has five other open bookings and opened one of them after this booking was closed.';

COMMENT ON FUNCTION "internal"."merged_email"(public.customers, public.customers, boolean) IS 'The main email address after a merge: the address of the duplicate if staff chose its email address, otherwise that of the survivor. If the chosen customer has none, the confirmed address of the other customer, or null.';

COMMENT ON FUNCTION "internal"."methods_of_day"(date) IS 'The amounts that each payment method received on a business date, with the numbers of payments and refunds: {cash: {cents (less refunds), payments, refunds}, card_terminal, …}.';

COMMENT ON FUNCTION "internal"."minutes_of_day"(date, tsmultirange) IS 'Converts time ranges of a day to minutes after midnight, in the format of domain/calendar/opening-hours.ts.';

COMMENT ON FUNCTION "internal"."move_booking_by_customer"(uuid, integer, date, time without time zone) IS 'Moves a booking for its customer, who uses the visit page; the rules for visitors apply. The result contains either done (moved, or unchanged if the booking already has that time) or refused (slot_taken, or a code of customer_change_refusal or booking_refusal).';

COMMENT ON FUNCTION "internal"."move_payment"(public.payments, public.invoices, public.invoices, text, integer, text, text) IS 'Reverses a payment that was recorded on the wrong invoice, and records it on the right invoice.';

COMMENT ON FUNCTION "internal"."move_references_back"(public.merges) IS 'Makes the rows that a merge moved refer to the duplicate again, except rows that no longer refer to the survivor.';

COMMENT ON FUNCTION "internal"."needs_notification"(public.bookings) IS 'Whether the customer of a booking still has to be notified of a changed date or start time, or of a cancellation or reopening (is_notification_outdated); false when the appointment is over.';

COMMENT ON FUNCTION "internal"."normalize_mailbox"(text) IS 'Normalizes an email address, so that all addresses of one mailbox become the same text. Ignores case, full-width forms and +tags, ignores dots in Gmail addresses, and treats all domains of Proton as one.';

COMMENT ON FUNCTION "internal"."open_deposit_page"(uuid, integer) IS 'Records that a payment page for a deposit is about to open. Returns {pageId, amountCents, number (of the estimate), openSessions (the ids of its open Stripe Checkout Sessions), customer}, or null when no deposit has to be paid.';

COMMENT ON FUNCTION "internal"."open_payment_page"(text, integer) IS 'Records that a payment page for an invoice is about to open. Returns {pageId, balanceCents}, or {refused: paused, void or paid}. paused means that staff are recording a payment for the invoice.';

COMMENT ON FUNCTION "internal"."payments_of_day"(date) IS 'The payments in the currency USD on a business date: {receivedCents (payments minus returned amounts), payments and refunds (their numbers), methods [{method, cents}]}.';

COMMENT ON FUNCTION "internal"."place_edited_booking"(public.bookings, public.bookings) IS 'Returns an edited booking with a bay for its time and service. If no bay is free, the edit is refused (23P01); the detail of the error contains the conflicting bookings and the next free times. The history stores as warnings the codes of the rules that the booking breaks.';

COMMENT ON FUNCTION "internal"."prevent_excess_return"() IS 'Refuses (TT101) a refund, reversal, credit or applied deposit in two cases: its amount exceeds the remaining amount of the ledger line to which it refers, or that ledger line belongs to another invoice.';

COMMENT ON FUNCTION "internal"."prevent_payment_delete"() IS 'Refuses (TT055) to delete a payment, unless it belongs to an invoice of the sample week (sample data for a new shop).';

COMMENT ON FUNCTION "internal"."publish_customer_change"() IS 'Notifies all server processes that the data on the dashboard page of a customer changed (channel customers_changed, with the customer''s id). If a change affects two customers, the notification contains both ids.';

COMMENT ON FUNCTION "internal"."publish_estimate_change"() IS 'Notifies all server processes that an estimate was changed, seen or decided (channel estimates_changed, with the id of the estimate).';

COMMENT ON FUNCTION "internal"."read_customer_export"(uuid) IS 'All stored data of a customer, by kind of record: the table rows, and the emails with their attachments.';

COMMENT ON FUNCTION "internal"."record_booking_event"() IS 'Records a change of a booking in booking_events. Notifies all server processes of the change (channel bookings_changed): the notification contains the id of the booking and, if the change has an event, the id of the event.';

COMMENT ON FUNCTION "internal"."record_booking_of_visitor"() IS 'Adds the first event to the history of a visitor''s booking. If the booking already has its customer, also notifies the open dashboards; otherwise the job that links the booking to its customer notifies them.';

COMMENT ON FUNCTION "internal"."record_estimate_invoice_state"(uuid, text, text, text) IS 'Records the result of a claim (a row of estimate_invoices): made (with the id and number of the invoice), failed, or later voided. Returns whether the claim changed.';

COMMENT ON FUNCTION "internal"."record_export"(text, text, uuid, text) IS 'Records the export of a customer (customer_exported) or of a file for the accountant (files_exported, detail: the name of the file and the days that the file covers).';

COMMENT ON FUNCTION "internal"."record_file_cleanup"(text, integer) IS 'Records that the data files of a table were rewritten, and how many of its requests (file_cleanups.requests) the rewrite covers.';

COMMENT ON FUNCTION "internal"."record_form"(jsonb, internal.client_digests, uuid, uuid, boolean) IS 'Records the origin of a visitor''s form before its booking or quote request is inserted, and marks its form token as used. Returns the reasons why the form looks automated; empty for an ordinary form. A form that looks automated does not count toward visitor_booking_limits. A form token has the format ''milliseconds.nonce.signature'' and is signed by server/features/form-guard.';

COMMENT ON FUNCTION "internal"."record_online_deposit"(jsonb) IS 'Records a deposit that Stripe reported. The argument is {estimateId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970)}. Returns held; returned (the payment goes back to the customer, because the deposit was paid before, is no longer requested, or exceeds the approved amount); known (this payment was recorded before).';

COMMENT ON FUNCTION "internal"."record_online_payment"(jsonb) IS 'Records a payment that Stripe reported, with a further ledger line for its overpaid part or its refund. The argument is {invoiceId, amountCents, currency, paymentIntentId, checkoutSessionId, paidAt (seconds since 1970), overpaidCents, refundId}. Returns false if the payment is already recorded.';

COMMENT ON FUNCTION "internal"."record_sealed_setting_change"() IS 'Adds a line to the history of an encrypted setting and to the audit log, and notifies all processes of the server (channel settings_changed).';

COMMENT ON FUNCTION "internal"."redact_expired_records"() IS 'Deletes each estimate of an erased customer, and removes the name of the customer from each invoice, when its three years of retention have passed. Also deletes emails that were sent to erased customers. Returns the number of changed invoices.';

COMMENT ON FUNCTION "internal"."refund_deposit"(uuid, text, text, text) IS 'Refunds the whole deposit that the shop holds to the customer, before an invoice exists. Returns {refundCents, way (the method; null if there are several), customer}.';

COMMENT ON FUNCTION "internal"."refund_payment"(uuid, integer, text[], text, text, text) IS 'Returns a part or all of a payment of a paid invoice, or the price of the given jobs or lines, with a credit note of the same sum. Returns {refundCents, taxCents, creditNoteId, customer}.';

COMMENT ON FUNCTION "internal"."refuse_close"(date) IS 'Refuses (TT110) to close a day in the future, a closed day, a day before a closed day, a day after another day that must be closed first, or a day without ledger lines and cash movements.';

COMMENT ON FUNCTION "internal"."refuse_stripe_beside_open_tests"() IS 'Refuses, with error TT123, to connect a Stripe account while invoices of the Stripe sandbox are open, because customers could no longer pay these invoices.';

COMMENT ON FUNCTION "internal"."refuse_too_many_held"(internal.client_digests) IS 'Refuses (TT041) another flagged (suspicious) booking while ten bookings are held until confirmation, or three bookings from the client''s network (IPv6 /48 or IPv4 /24). Held bookings of known customers do not count.';

COMMENT ON FUNCTION "internal"."release_hold"() IS 'Ends the hold of a booking that changes its state or is no longer flagged. Before a booking occupies its time again, ends the expired holds of its day and finds a free bay. Refuses (TT042) to open a booking that its customer may not have open (may_become_open).';

COMMENT ON FUNCTION "internal"."replace_invoice"(public.invoices, uuid, bigint) IS 'Adds a row from which the server creates a replacement invoice for the amount of a reversed payment, but at most for the balance of the original invoice.';

COMMENT ON FUNCTION "internal"."request_visit_links"(text) IS 'Records a request to email the links to the bookings of an email address to this address, at most once an hour for a mailbox.';

COMMENT ON FUNCTION "internal"."require_command"() IS 'Refuses a change by a signed-in person unless a command (an endpoint of the site''s server) makes the change, because only a command can require step-up authentication (docs/product.md 6.8). The server sets shop.command; a request to the REST API cannot set it.';

COMMENT ON FUNCTION "internal"."require_customer"(uuid) IS 'Returns the customer with this id, or the customer into whom that customer was merged. Refuses an unknown or erased customer (TT090) and a caller who is neither an owner nor an advisor.';

COMMENT ON FUNCTION "internal"."retriable_cents"(public.payments) IS 'The amount of a failed refund that can be refunded again; 0 for a ledger line of another kind. The amount is the smallest of three: the failed amount, the part of the credit note that the customer has not received yet, and the overpayment of the invoice (a returned check lowers the overpayment).';

COMMENT ON FUNCTION "internal"."retry_refund"(uuid, text, text) IS 'Repeats a failed refund by the method of the payment or by another method, without another credit note. Returns {refundCents}, the refunded amount.';

COMMENT ON FUNCTION "internal"."reverse_line"(uuid, bigint, text, text) IS 'Reverses a part or all of a payment or a refund, and returns the id of the reversal. The note identifies the event that causes the reversal, such as a dispute. A repeated call with the same note changes nothing and returns null.';

COMMENT ON FUNCTION "internal"."save_cancellation_reason"(uuid, text) IS 'Records why a customer cancelled, once for each cancellation. The result contains either done (reason_saved, or unchanged if a reason was recorded before) or refused (version_conflict if the booking is not cancelled or staff cancelled it).';

COMMENT ON FUNCTION "internal"."search_bookings"(text, integer) IS 'Finds bookings that contain every word of a search of two or more words, such as the name of a customer and the make of a vehicle. Returns the customers and vehicles of these bookings.';

COMMENT ON FUNCTION "internal"."search_condition"(text) IS 'Returns an SQL condition that is true if the column search_text contains the searched word. A searched word of one or two letters must be at the beginning of a word of search_text.';

COMMENT ON FUNCTION "internal"."set_business_date"() IS 'Sets the business date of a new ledger line.';

COMMENT ON FUNCTION "internal"."set_state_by_task"(uuid, text) IS 'Sets the status of an open booking after one of its tasks has changed.';

COMMENT ON FUNCTION "internal"."split_at_matches"(text, text) IS 'Splits a text at the matches of a pattern: the second, fourth and each further even piece is a match.';

COMMENT ON FUNCTION "internal"."staff_name_at"(text, timestamp with time zone) IS 'The current name of the person who has a username. For an instant before the account was created, the function returns the username itself, because several people shared a username at that time.';

COMMENT ON FUNCTION "internal"."take_service"(public.bookings, uuid) IS 'Returns a booking with another service and the current name, price and duration of that service. Returns the booking unchanged if it already has the service.';

COMMENT ON FUNCTION "internal"."tear_down_problems"(internal.job_totals) IS 'The reasons why a tear-down cannot be sent (16 CCR 3353): a field is missing, or the price of the lines before tax is not priceCents plus reassemblyPriceCents.';

COMMENT ON FUNCTION "internal"."technician_assignment"(uuid, text) IS 'The assignment of a booking as the calling technician sees it. own: one of its tasks is assigned to this technician, or this technician works in its bay. unassigned: none of its tasks is assigned to anybody, and its bay has no technician. other: every other booking.';

COMMENT ON FUNCTION "internal"."undo_cancellation_by_customer"(uuid, integer) IS 'Undoes a cancellation that the customer made, if the time is still free. The result contains either done (restored, or unchanged if the booking is open) or refused (over if the booking is neither open nor cancelled, otherwise a code of undo_cancellation_refusal).';

COMMENT ON FUNCTION "internal"."undo_cancellation_refusal"(public.bookings, integer) IS 'The reason why a customer may not undo a cancellation: not_yours (staff cancelled it), version_conflict (the booking changed since), over (the start is past), too_close (after the cut-off time for changes), outside_hours, slot_taken, too_many (five other open bookings); null if the customer may undo it.';

COMMENT ON FUNCTION "public"."accept_schedule_conflicts"(uuid[]) IS 'Records that staff accept the schedule conflicts of bookings (outside the hours or without a bay); returns the bookings whose conflict was not accepted before.';

COMMENT ON FUNCTION "public"."accept_unconfirmed_email"(uuid, uuid) IS 'Confirms that the email address typed online in a booking or quote request belongs to its customer, and returns the email address. Refuses (TT100) an inactive booking or quote request, and an invalid email address. A repeated call changes nothing.';

COMMENT ON FUNCTION "public"."change_booking_state"(uuid, text, integer, text, boolean) IS 'Changes the state of a booking to confirmed, pending, arrived, in_work, completed, cancelled or no_show, and returns the booking; refuses an outdated version (TT051). An undo is a change to the former state. A booking that becomes active again gets its former bay if that bay is free, otherwise another free bay. Without a free bay the change is refused (23P01), unless allow_without_bay is true.';

COMMENT ON FUNCTION "public"."claim_email"(uuid) IS 'Reserves an email for one delivery attempt and returns the email with current links. Returns no row if the email is already sent or failed, is reserved by another process, is not due or belongs to the sample week. Sets the status of an outdated email to failed and returns no row. Also returns no row while emails are paused after a restore from a backup. The first attempt can be made before next_attempt_at.';

COMMENT ON FUNCTION "public"."clean_up_tasks"(uuid[]) IS 'Removes completed tasks from the list of tasks: archives a task that belongs to an estimate or whose vehicle was not picked up yet, and deletes every other task. Returns the number of removed tasks.';

COMMENT ON FUNCTION "public"."close_day"(jsonb) IS 'Closes a day permanently and returns the id of the close. The argument is {date, startCents (for the first day close only), counted, seenExpectedCents, terminalCents, checkCents, reason, note, remainsCents}. Refused (TT110) when the expected cash differs from seenExpectedCents, the expected cash that staff saw.';

COMMENT ON FUNCTION "public"."correct_deposit"(uuid, text, integer, text, text) IS 'Reverses a deposit that was paid at the counter and recorded with a wrong method or amount, and records it correctly. Returns {heldCents}, the deposit that the shop then holds. Only a deposit that was neither applied to an invoice nor returned can be corrected.';

COMMENT ON FUNCTION "public"."correct_invoice_price"(text, integer, text) IS 'Lowers the balance of an open invoice with a credit note, at most to zero. Returns {balanceCents}, the new balance.';

COMMENT ON FUNCTION "public"."count_open_work"() IS 'The numbers in the navigation of the dashboard: today''s active appointments that are not completed, open tasks, pending quote requests that do not look automated, and unpaid invoices. needs_attention is true if any of these exists: an arrived customer, a quote request without a reply for 12 hours, a failed email, a customer to notify of a change, a schedule conflict, a day that was not closed, a difference between the ledger and Stripe, or a deposit about which staff must decide.';

COMMENT ON FUNCTION "public"."create_estimate_tasks"(uuid, uuid) IS 'Creates a task for each approved job that has no task yet, assigned to the given employee or, without an employee, to nobody; returns the number of new tasks.';

COMMENT ON FUNCTION "public"."delete_estimate"(uuid) IS 'Deletes an estimate that was never sent; refuses (TT076) to delete any other estimate.';

COMMENT ON FUNCTION "public"."edit_booking"(uuid, integer, uuid, date, time without time zone, text, text, text, text, text, text, text, text, text) IS 'Changes an open booking and returns it; refused (TT051) if somebody changed the booking since the user read it. A booking that changes its service gets the current name, price and duration of the new service. A time that is not free is refused with the next three free times. A new name, phone number or email address requires the argument contact_change. Its value correction also corrects the record of the customer, the customer''s other open bookings and the draft estimates; its value other_customer assigns the booking and its draft estimates to another customer. vehicle_plate is used only to find the vehicle; the booking stores no plate.';

COMMENT ON FUNCTION "public"."is_time_slot_available"(integer, date, time without time zone, uuid) IS 'Whether a visitor could book an appointment of service_duration minutes at this date and time. If a service is given, a bay that can do it must be free.';

COMMENT ON FUNCTION "public"."list_repair_records"(text, text) IS 'All records of one repair (quote requests, bookings, estimates, tasks and invoices), oldest first. The arguments are the kind and the id of any of these records.';

COMMENT ON FUNCTION "public"."list_special_days"() IS 'The days with special hours in two periods: from today until a week after the last bookable day, and the first 31 days of the next public closure that begins after the first period. Each day has the shop''s hours ([{opensAtMinute, closesAtMinute}]) and the columns of list_open_days.';

COMMENT ON FUNCTION "public"."merge_customers"(uuid, uuid, integer, integer, text[]) IS 'Merges two customers and returns the id of the merge; refuses outdated versions of the customers (TT051). All records of the duplicate move to the survivor, and vehicles with the same description are merged. A read with the duplicate''s id then returns the survivor. fields_from_duplicate (name, email, phone) lists the fields that the survivor takes from the duplicate. The email addresses and phone numbers of both customers remain contact methods.';

COMMENT ON FUNCTION "public"."move_booking"(uuid, integer, date, time without time zone, integer, uuid, boolean, text) IS 'Moves an open booking to a date, time, duration (null: unchanged) and bay (null: its own bay if free, otherwise the first free bay; without_bay: no bay), and returns the booking. Refuses an outdated version (TT051). An undo is a move to the former time. booking_events.warnings records the rules for visitors that the new time breaks.';

COMMENT ON FUNCTION "public"."queue_quote_reply"(jsonb, jsonb) IS 'Adds the admin''s reply to a quote request to the outbox and to the log of replies, only once for each dedupe_key; returns the id of the email. A failed reply is queued again. The keys of the argument message are columns of emails, those of the argument log are columns of quote_email_logs.';

COMMENT ON FUNCTION "public"."read_customer"(uuid) IS 'All data of a customer in one call (contracts/customers.ts), at most the latest 200 records of each kind, such as bookings. The id of a merged duplicate returns the surviving customer.';

COMMENT ON FUNCTION "public"."read_today"() IS 'All data of the page Today (contracts/today.ts): the result of read_day for today, the vehicles of other days that are at the shop (also_here), everything that needs attention, today''s payments, and this week''s load (week).';

COMMENT ON FUNCTION "public"."record_authorization"(uuid, integer, jsonb, text, text, text, text, text, timestamp with time zone, boolean) IS 'Records decisions that a customer made in another way than on the web page of the estimate, for example by phone. The decisions have the format [{jobKey, decision, declinedId}]. They apply to the latest revision; a draft is frozen first. declinedId is the id of the refusal that an approval replaces. Returns the same as save_estimate, with batchId (authorizations.batch_id).';

COMMENT ON FUNCTION "public"."record_email_failure"(uuid, text, boolean) IS 'Records that an email, reserved by claim_email, was not accepted, and returns the status of the email: failed when is_final, when its kind is not retried, or after the last attempt; otherwise retrying. If the email was the only reply to a quote request, the request is pending again.';

COMMENT ON FUNCTION "public"."record_email_sent"(uuid, text, text) IS 'Records that the mail server accepted an email that claim_email reserved (sent), or that it is in the outbox folder (in_outbox).';

COMMENT ON FUNCTION "public"."record_odometer"(uuid, integer, date, uuid, boolean) IS 'Records an odometer reading of a day (default today), optionally for a booking. Unless is_certain is true, refuses (TT098) a reading that is lower than an earlier reading or higher than a later reading; the detail of the error contains that other reading.';

COMMENT ON FUNCTION "public"."remove_special_hours"(uuid, integer, boolean) IS 'Deletes a closure or special opening, and returns the schedule conflicts (bookings outside the hours or without a bay) after the deletion. Refuses an outdated version of the settings section ''closures'' (TT051). A preview returns the conflicts without deleting.';

COMMENT ON FUNCTION "public"."rename_canned_job"(uuid, text) IS 'Renames a canned job; estimates that use it do not change. The title of another canned job is refused (canned_jobs_title_key).';

COMMENT ON FUNCTION "public"."reopen_bookings"(uuid[], text) IS 'Reopens bookings whose status is cancelled, no_show or not_confirmed, confirms held bookings, and returns their ids. Skips a booking whose time is no longer free, or whose customer already has five other open bookings, the maximum.';

COMMENT ON FUNCTION "public"."return_check"(uuid, text) IS 'Reverses a payment by a check that the bank returned unpaid. Returns {balanceCents}, the new balance of the invoice. The amount that Stripe counts as paid is due on a replacement invoice.';

COMMENT ON FUNCTION "public"."return_deposit_check"(uuid, text) IS 'Reverses a deposit that was paid by a check which the bank returned unpaid. Returns {heldCents}, the deposit that the shop then holds. The customer has to pay the deposit again.';

COMMENT ON FUNCTION "public"."save_booking_note"(uuid, text, text) IS 'Replaces the internal note of a booking if the stored note is seen_note, the note that the user saw; refuses to overwrite any other note (TT051; the detail of the error contains the stored note). An empty note deletes the stored note.';

COMMENT ON FUNCTION "public"."save_canned_job"(jsonb) IS 'Saves a job for reuse. The saved job replaces an existing canned job with the same title.';

COMMENT ON FUNCTION "public"."save_customer"(uuid, integer, text, text, text, boolean) IS 'Saves the name and contacts of a customer and returns the new version. Refuses an outdated version (TT051). Refuses an email address of another customer (TT096; the detail of the error names that customer) unless may_share_email is true. Earlier contact methods remain.';

COMMENT ON FUNCTION "public"."save_estimate"(uuid, integer, jsonb) IS 'Saves an estimate in the format of contracts/estimates/estimates.ts. If the latest revision is frozen, the function creates the next revision. Refused (TT051) when seen_version (the version that the user saw) is outdated. An estimate with problems is saved too, and its problems are returned.';

COMMENT ON FUNCTION "public"."save_opening_hours"(jsonb, integer, boolean) IS 'Saves the opening hours of the week ([{weekday, opens_minute, closes_minute}]; a missing weekday is closed). Returns the schedule conflicts after the change: bookings outside the hours or without a bay. Refuses an outdated version of the settings section ''hours'' (TT051). A preview returns the conflicts without saving.';

COMMENT ON FUNCTION "public"."save_special_hours"(uuid, timestamp without time zone, timestamp without time zone, boolean, uuid, text, boolean, integer, boolean) IS 'Adds a closure or special opening (special_hours_id null) or changes one, and returns the schedule conflicts (bookings outside the hours or without a bay) after the change. Refuses an outdated version of the settings section ''closures'' (TT051). A preview returns the conflicts without saving.';

COMMENT ON FUNCTION "public"."split_booking"(uuid) IS 'Creates a separate customer, with a vehicle, from the data of a booking. Moves the booking and its estimates and invoices to this customer; returns the customer''s id. Merging the two customers undoes the split.';

COMMENT ON FUNCTION "public"."split_vehicle"(uuid, integer) IS 'Creates a customer with the contact in the latest booking of a vehicle, moves the vehicle and all its records to this customer, and returns the customer''s id. Merging the two customers undoes the split.';

COMMENT ON FUNCTION "public"."take_deposit"(uuid, text, integer, integer, text, text) IS 'Records that the customer paid the deposit of an estimate at the counter, only once and at most the requested amount. Returns {paymentId, amountCents, changeCents, approvedCents, paidAt, receipt (the data of the email with the receipt)}.';

COMMENT ON FUNCTION "public"."take_payment"(text, text, integer, integer, text, text) IS 'Records a payment at the counter, at most the balance of the invoice, and the cash that the customer handed over (docs/product.md 17.3). Returns {paymentId, amountCents, roundingCents, changeCents, balanceCents, paidAt, receipt (the data of the email with the receipt)}.';

COMMENT ON FUNCTION "public"."vehicle_facts"(public.bookings) IS 'A computed column of bookings for the data service (the REST API): the data from which the state of the vehicle is computed.';

COMMENT ON FUNCTION "public"."wants_parts_back"(public.tasks) IS 'A computed column of tasks for the data service (the REST API): whether the customer asked for the replaced parts (16 CCR 3355) of the task''s job. For a task without a job, whether the customer asked for the replaced parts of any approved job of its booking.';

COMMENT ON FUNCTION "public"."write_off_invoice"(text, text) IS 'Writes an invoice off, so that it is no longer outstanding; the customer can still pay it. Returns {balanceCents}, the unpaid balance.';

COMMENT ON FUNCTION "stripe_sandbox"."forget_invoices"(text[]) IS 'Deletes the invoices with the given numbers from the sandbox, with their items, payments, Checkout Sessions, refunds and events. Also deletes customers who have no other invoice. Returns the ids of the deleted events.';

COMMENT ON SCHEMA "internal" IS 'Objects for the server only; the REST API does not expose them.';

COMMENT ON TABLE "internal"."address_answers" IS 'The bookings whose email address the customer confirmed as their own, by the link in an email. Each link works once.';

COMMENT ON TABLE "internal"."admin_data_sessions" IS 'The sessions of the data service (the REST API), called data sessions, that belong to dashboard sessions. Deleting a row ends the data session.';

COMMENT ON TABLE "internal"."bay_hours" IS 'The open times of each active bay in shop wall-clock time, computed by internal.open_spans for the dates from yesterday until 31 days after the last bookable date. Triggers and a daily job update the table. For a date without rows, functions compute the times when they need them.';

COMMENT ON TABLE "internal"."commands" IS 'The commands of staff (changes that the dashboard requests) that were committed during the last day, each with its result. A refused command has no row.';

COMMENT ON TABLE "internal"."known_browsers" IS 'The browsers from which an admin has signed in before. Wrong passwords are counted separately for each of these browsers. The row alone lets nobody sign in.';

COMMENT ON TABLE "internal"."onboarding" IS 'The progress of the setup checklist, and the state of the sample week (sample data for a new shop), in one row.';

COMMENT ON TABLE "internal"."restored_shop" IS 'The last restore from a backup; no row for a shop that was never restored. The restore writes the row. A restored shop sends no email until an admin allows it, because the original shop may still run, and the restored data may lack the latest cancellations.';

COMMENT ON TABLE "internal"."secrets" IS 'The keys with which database functions sign: the key of links in emails and the key of form tokens. An external database also stores copies of the site''s other keys here, so that several machines can use the same keys. These copies are encrypted with a key that is derived from the password of the role that owns the tables. Backups contain no row of this table.';

COMMENT ON TABLE "internal"."stripe_events" IS 'The Stripe events that the server has processed completely. The transaction that processes an event inserts the row of the event, so that the server recognizes an event that Stripe sends again.';

COMMENT ON TABLE "internal"."tablet_data_sessions" IS 'The sessions for the REST API (data sessions) that people started at a shared tablet. A row is deleted a day after its session has ended. Until then the row prevents an access token that an owner received at a tablet from granting the rights of an owner.';

COMMENT ON TABLE "internal"."visitor_booking_limits" IS 'The number of bookings that visitors can make in a period before the next booking is held. The limits are far above ordinary use: a shop with one bay has about twenty bookings a day.';

COMMENT ON TABLE "public"."cash_movements" IS 'The cash that staff put into a drawer, for example change from the bank, or took out of it, for example to buy parts. Payments and refunds of customers are not cash movements. [append-only]';

COMMENT ON TABLE "public"."estimate_invoices" IS 'The invoices of estimates. Before the server creates an invoice at Stripe, it inserts a row, called the claim. The id of the row is the id of the request to Stripe, so that a retry after a crash never creates a second invoice. [append-only]';

COMMENT ON TABLE "public"."services" IS 'The services that customers can book. Only owners and advisors can change services.';

COMMENT ON TABLE "public"."settings_versions" IS 'The version of each settings section. Each change in the section increments the version. A request to save the section contains the version that the page displayed.';

COMMENT ON TABLE "stripe_sandbox"."idempotency_keys" IS 'The response to the first request with an idempotency key; a repeated request gets the same response. A row is deleted after a day.';

COMMENT ON TABLE "stripe_sandbox"."objects" IS 'Every object of the Stripe sandbox, such as an invoice.';

COMMENT ON TYPE "internal"."client_digests" IS 'The digests of the IP address of a client (an IPv4 address or an IPv6 /64) and of the networks to which it belongs (IPv6 /56 and /48, IPv4 /24). The digests identify the client without storing its IP address; all are null if the IP address is unknown. is_limited is false in the shop''s own load tests, to which the limits do not apply.';
