-- Customers and their contact methods. A booking, a quote request or an estimate is linked to the customer who has its
-- email address, or its phone number and usually an agreeing name. If there is no such customer, a new one is created.
-- An email address that a visitor typed into a form becomes a customer's own email address only when staff or the
-- customer confirm it.

create type internal.customer_details as (
  name text, email text, phone text, seen_at timestamptz, is_trusted boolean, is_sample boolean, entered_online boolean
);
comment on type internal.customer_details is
  'The name and contacts in a booking, quote request or estimate, by which the database finds the customer. '
  'is_trusted: the booking, quote request or estimate does not look automated, and a booking is active '
  '(is_active_booking). entered_online: a visitor entered the details, possibly with the email address of another '
  'person.';

create table public.customers (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint customers_name_is_text check (length(name) <= 200 and length(trim(name)) >= 1 and name !~ '[[:cntrl:]]'),
  email text constraint customers_email_is_text check (length(email) between 1 and 254 and email !~ '[[:cntrl:]]'),
  phone text constraint customers_phone_is_text check (length(phone) <= 40 and length(trim(phone)) >= 1 and phone !~ '[[:cntrl:]]'),
  phone_key text generated always as (internal.normalize_phone(phone)) stored,
  search_text text not null generated always as (
    internal.normalize_search_text(name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' '
      || coalesce(regexp_replace(phone, '[^0-9]', '', 'g'), ''))
  ) stored,
  merged_into uuid constraint customers_merge_into_another check (merged_into <> id),
  is_sample boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  gets_reminders boolean not null default true,
  foreign key (merged_into) references public.customers
);
comment on table public.customers is
  'The customers, one row per person. A row is created with the customer''s first booking, quote request or estimate '
  '(docs/product.md 16.1).';
comment on column public.customers.name is
  'The name from the customer''s first booking, quote request or estimate; staff can change the name.';
comment on column public.customers.email is
  'The main email address; earlier email addresses are in customer_contact_methods.';
comment on column public.customers.phone is
  'The main phone number as it was typed; earlier numbers are in customer_contact_methods.';
comment on column public.customers.phone_key is
  'The normalized phone number (internal.normalize_phone); null for an invalid number.';
comment on column public.customers.search_text is
  'The searchable text of the customer, normalized by internal.normalize_search_text.';
comment on column public.customers.merged_into is
  'The customer into whom this duplicate was merged. Functions that receive the duplicate''s id return that customer.';
comment on column public.customers.created_at is
  'The time of the customer''s earliest booking, quote request or estimate.';
comment on column public.customers.erased_at is 'When the customer''s data was erased; null if it was not erased.';
comment on column public.customers.gets_reminders is
  'Whether the customer gets reminders the day before an appointment. If a merged duplicate opted out, the customer gets no reminders either.';

create index customers_by_search_text on public.customers
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);
create index customers_by_name on public.customers (search_text text_pattern_ops) where merged_into is null;
create index customers_newest_first on public.customers (created_at desc);
create index customers_merged on public.customers (merged_into) where merged_into is not null;

alter table public.customers enable row level security;
grant select on public.customers to authenticated;
create policy "the admin reads customers" on public.customers for select to authenticated using ((select internal.is_admin()));

create trigger increment_version before update on public.customers for each row execute function internal.increment_version();
-- No trigger publishes a new customer, because the live event of the new booking already updates the dashboards.
create trigger publish_customer_change after update on public.customers for each row execute function internal.publish_customer_change();
-- Only changes by owners and advisors are recorded as corrections. An erasure also changes customers, but it runs with
-- the role of the server and is therefore not recorded.
create trigger log_corrected_record after update on public.customers
  for each row when (internal.is_admin()) execute function internal.log_corrected_record();

create table public.customer_contact_methods (
  id bigint generated always as identity primary key,
  customer_id uuid not null references public.customers on delete cascade,
  kind text not null constraint customer_contact_methods_kind_is_known check (kind in ('email', 'phone')),
  match_key text not null constraint customer_contact_methods_match_key_is_text check (length(match_key) between 1 and 254),
  value text not null constraint customer_contact_methods_value_is_text check (length(value) between 1 and 254),
  created_at timestamptz not null default now(),
  confirmed_at timestamptz,
  confirmed_by_name text constraint customer_contact_methods_confirmed_by_is_text check (length(confirmed_by_name) <= 100),
  constraint customer_contact_methods_phones_are_confirmed check (kind = 'email' or confirmed_at is not null)
);
comment on table public.customer_contact_methods is
  'Every email address and phone number of a customer, past and present. A new booking, quote request or estimate is linked to its customer '
  'by these values.';
comment on column public.customer_contact_methods.match_key is
  'The value that is compared: an email address in lower case, or a normalized phone number.';
comment on column public.customer_contact_methods.value is 'The email address or phone number as it was typed.';
comment on column public.customer_contact_methods.confirmed_at is
  'When the email address was confirmed as the customer''s: staff entered the address or pressed ''Use this address'', '
  'or the customer confirmed the address. Null for an email address that was only typed online.';
comment on column public.customer_contact_methods.confirmed_by_name is
  'The person who confirmed the email address: a staff username, or ''customer''; null if staff entered the email '
  'address themselves.';

create index customer_contact_methods_by_match_key on public.customer_contact_methods (kind, match_key, id);
create index customer_contact_methods_of_customer on public.customer_contact_methods (customer_id);
create index customer_contact_methods_by_part on public.customer_contact_methods
  using gin (match_key extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

alter table public.customer_contact_methods enable row level security;
grant select on public.customer_contact_methods to authenticated;
create policy "the admin reads contact methods" on public.customer_contact_methods
  for select to authenticated using ((select internal.is_admin()));

create table public.customer_notes (
  id uuid primary key default gen_random_uuid(),
  customer_id uuid not null references public.customers on delete cascade,
  note text not null constraint customer_notes_note_is_plain check (
    length(trim(note)) between 1 and 1000
    and note !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]'),
  written_by_name text not null check (length(written_by_name) <= 100),
  created_at timestamptz not null default now()
);
comment on table public.customer_notes is
  'Internal notes of staff about a customer; no email and no page shows them to customers.';

create index customer_notes_of_customer on public.customer_notes (customer_id, created_at desc);

alter table public.customer_notes enable row level security;
grant select on public.customer_notes to authenticated;
create policy "the admin reads customer notes" on public.customer_notes for select to authenticated using ((select internal.is_admin()));

create trigger publish_customer_change after insert or delete on public.customer_notes
  for each row execute function internal.publish_customer_change();

create table public.non_duplicates (
  customer_id uuid not null references public.customers on delete cascade,
  other_customer_id uuid not null references public.customers on delete cascade,
  primary key (customer_id, other_customer_id),
  constraint non_duplicates_are_in_order check (customer_id < other_customer_id)
);
comment on table public.non_duplicates is 'Pairs of customers that staff marked as different. The dashboard never offers such a pair as duplicates again.';

create index non_duplicates_of_other on public.non_duplicates (other_customer_id);

alter table public.non_duplicates enable row level security;
grant select on public.non_duplicates to authenticated;
create policy "the admin reads non-duplicates" on public.non_duplicates for select to authenticated using ((select internal.is_admin()));

create table internal.address_answers (
  booking_id uuid primary key references public.bookings on delete cascade,
  answered_at timestamptz not null default now()
);
comment on table internal.address_answers is
  'The bookings whose email address the customer confirmed as their own, by the link in an email. Each link works '
  'once.';

alter table internal.address_answers enable row level security;

create function internal.name_words(name text) returns text[]
  language sql immutable set search_path = ''
  return array_remove(regexp_split_to_array(internal.normalize_search_text(name), '[[:space:].,]+'), '');

create function internal.names_agree(one text, other text) returns boolean
  language sql immutable set search_path = ''
  return internal.name_words(one) <> '{}' and internal.name_words(other) <> '{}'
    and (internal.name_words(one) <@ internal.name_words(other) or internal.name_words(other) <@ internal.name_words(one));
comment on function internal.names_agree(text, text) is
  'Whether two names can belong to one person: every word of the shorter name is also in the other name (Maria, Maria '
  'Delgado).';

create function internal.lock_contact_keys(keys text[]) returns void
  language plpgsql set search_path = '' as $$
begin
  -- Locks are taken in ascending order, so that no two transactions deadlock. There are only 512 locks, so that even a
  -- transaction with 100,000 rows does not fill PostgreSQL's lock table. Two concurrent bookings seldom need the same
  -- lock.
  perform pg_advisory_xact_lock(hashtext('people'), sorted.bucket)
  from (select distinct abs(hashtext(key) % 512) as bucket from unnest(keys) key where key is not null order by 1) sorted;
end
$$;
comment on function internal.lock_contact_keys(text[]) is
  'Locks email addresses (lower case) and phone numbers (normalized) until the transaction ends, so that no other '
  'transaction can create or find a customer with these contacts. A transaction takes this lock before it locks rows '
  'of customers.';

-- Written in plpgsql, which plans each statement only once for each connection, because visitors wait for the result of
-- this function.
create function internal.find_customer_by_email(email_key text, name text) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    select customer.id
    from public.customer_contact_methods contact join public.customers customer on customer.id = contact.customer_id
    where contact.kind = 'email' and contact.match_key = email_key and customer.merged_into is null
    -- Several customers can have the same email address, for example after a booking was split from its customer. In
    -- this case the customer with the best-matching name is chosen.
    order by lower(customer.name) = lower(find_customer_by_email.name) desc, internal.names_agree(customer.name, find_customer_by_email.name) desc,
             customer.created_at, customer.id
    limit 1
  );
end
$$;
comment on function internal.find_customer_by_email(text, text) is
  'The customer who has an email address; among several, the one with the best-matching name. Null when there is none.';

create function internal.find_customer_by_phone(phone_key text, name text, has_email boolean) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  return (
    with latest as materialized (
      -- Hundreds of customers can have typed the same number, for example a fake one; reading at most 50 rows limits
      -- the cost.
      select customer_id from public.customer_contact_methods where kind = 'phone' and match_key = phone_key order by id desc limit 50
    ),
    known as (
      select distinct customer.id, customer.created_at,
             lower(customer.name) = lower(find_customer_by_phone.name) as is_name,
             internal.names_agree(customer.name, find_customer_by_phone.name) as agrees,
             has_email and exists (
               select from public.customer_contact_methods address where address.customer_id = customer.id and address.kind = 'email') as has_another
      from latest join public.customers customer on customer.id = latest.customer_id
      where customer.merged_into is null
    )
    select id from known
    where case
      -- The customer has another email address than the record, so the record may be of a relative with the same phone
      -- number. Such a customer matches only if no other customer with the number has a matching name.
      when has_another then
        is_name and (select count(*) from known where is_name) = 1 or agrees and (select count(*) from known where agrees) = 1
      else agrees or (not has_email and (select count(*) from known) = 1)
    end
    order by is_name desc, agrees desc, created_at, id limit 1
  );
end
$$;
comment on function internal.find_customer_by_phone(text, text, boolean) is
  'The customer who has a phone number and a matching name. A booking, quote request or estimate without an email '
  'address also matches the only customer with the number, under any name. If the booking, request or estimate has an '
  'email address that belongs to no customer, a customer with another email address matches only if no other customer '
  'with the number has a matching name.';

create function internal.add_contact_methods(
  wanted_customer_id uuid, email text, phone text, is_confirmed boolean default true
) returns void
  language plpgsql set search_path = '' as $$
begin
  insert into public.customer_contact_methods (customer_id, kind, match_key, value, confirmed_at)
  select wanted_customer_id, given.kind, given.key, given.value,
         case when is_confirmed or given.kind = 'phone' then internal.current_instant() end
  from (values ('email', lower(trim(email)), trim(email)), ('phone', internal.normalize_phone(phone), trim(phone))) as given (kind, key, value)
  where given.key <> '' and not exists (
    select from public.customer_contact_methods known
    where known.customer_id = wanted_customer_id and known.kind = given.kind and known.match_key = given.key);
  update public.customer_contact_methods known set confirmed_at = internal.current_instant()
  where is_confirmed and known.customer_id = wanted_customer_id and known.kind = 'email' and known.match_key = lower(trim(email)) and known.confirmed_at is null;
end
$$;
comment on function internal.add_contact_methods(uuid, text, text, boolean) is
  'Adds an email address and a phone number to a customer''s contact methods. is_confirmed is false for an email '
  'address that a visitor typed online and nobody confirmed.';

create function internal.find_customer(customer internal.customer_details) returns uuid
  language plpgsql set search_path = '' as $$
declare
  email_key constant text := nullif(lower(trim(customer.email)), '');
  phone_key constant text := internal.normalize_phone(customer.phone);
  found_id uuid;
  locked_id uuid;
begin
  loop
    found_id := coalesce(
      case when email_key is not null then internal.find_customer_by_email(email_key, customer.name) end,
      case when phone_key is not null then internal.find_customer_by_phone(phone_key, customer.name, email_key is not null) end);
    exit when found_id is null;
    -- Waits for a concurrent merge or erasure of the customer. The next pass of the loop then finds the surviving
    -- customer, or none.
    select id into locked_id from public.customers where id = found_id and merged_into is null and erased_at is null for key share;
    exit when locked_id is not null;
  end loop;
  return found_id;
end
$$;

create function internal.find_or_create_customer(customer internal.customer_details) returns uuid
  language plpgsql set search_path = '' as $$
declare
  found_id uuid;
  -- An address typed by a visitor is saved for a new customer only, never for an existing one.
  own_email constant text := case when not customer.entered_online then nullif(trim(customer.email), '') end;
begin
  perform internal.lock_contact_keys(array[lower(trim(customer.email)), internal.normalize_phone(customer.phone)]);
  found_id := internal.find_customer(customer);
  if found_id is null then
    insert into public.customers (name, email, phone, created_at, is_sample)
    values (trim(customer.name), nullif(trim(customer.email), ''), nullif(trim(customer.phone), ''), customer.seen_at, customer.is_sample)
    returning id into found_id;
    perform internal.add_contact_methods(found_id, customer.email, customer.phone, not customer.entered_online);
    return found_id;
  end if;
  update public.customers set created_at = customer.seen_at where id = found_id and created_at > customer.seen_at;
  -- A record that looks automated adds no contact methods to an existing customer.
  if customer.is_trusted and internal.names_agree((select name from public.customers where id = found_id), customer.name) then
    perform internal.add_contact_methods(found_id, own_email, customer.phone, true);
    update public.customers
    set email = coalesce(email, own_email), phone = coalesce(phone, nullif(trim(customer.phone), ''))
    where id = found_id and (email is null and own_email is not null or phone is null and trim(customer.phone) <> '');
  end if;
  return found_id;
end
$$;
comment on function internal.find_or_create_customer(internal.customer_details) is
  'Returns the customer to whom a booking, quote request or estimate with these details belongs, and creates the '
  'customer if none matches.';

create function internal.backfill_quote_request_customers(max_rows integer) returns integer
  language plpgsql set search_path = '' as $$
declare
  batch constant public.quote_requests[] := array(
    select quote from public.quote_requests quote where customer_id is null order by created_at, id limit max_rows for update skip locked);
  quote public.quote_requests;
  found_id uuid;
begin
  perform internal.lock_contact_keys(array(select unnest(array[lower(trim(email)), internal.normalize_phone(phone)]) from unnest(batch)));
  foreach quote in array batch loop
    found_id := internal.find_or_create_customer(internal.quote_request_customer_details(quote));
    update public.quote_requests
    set customer_id = found_id, vehicle_id = internal.find_or_create_vehicle(found_id, row(
          quote.vehicle_year, quote.vehicle_make, quote.vehicle_model, null, null, null), quote.created_at, quote.is_sample)
    where id = quote.id;
  end loop;
  return coalesce(cardinality(batch), 0);
end
$$;
comment on function internal.backfill_quote_request_customers(integer) is
  'Links the oldest quote requests without a customer to their customers; returns the number of linked requests.';

create function internal.backfill_customers(max_rows integer default 100) returns integer
  -- Runs with the rights of the function's owner, because the server has no right to call
  -- backfill_quote_request_customers.
  language sql security definer set search_path = ''
  return (select count(*)::integer from internal.link_new_bookings(max_rows, '{}') where problem is null)
    + internal.backfill_quote_request_customers(max_rows);
comment on function internal.backfill_customers(integer) is
  'Links up to max_rows bookings and as many quote requests without a customer to their customers, oldest first; '
  'returns the number of linked records, which is 0 when all records are linked. The function can be interrupted and '
  'called again.';
grant execute on function internal.backfill_customers(integer) to shop_server;

create function internal.analyze_customers() returns void
  -- Runs with the rights of the function's owner, because the server has no right to read customers,
  -- customer_contact_methods and vehicles.
  language plpgsql security definer set search_path = '' as $$
begin
  analyze public.customers, public.customer_contact_methods, public.vehicles;
end
$$;
comment on function internal.analyze_customers() is
  'Updates the planner''s statistics of customers and vehicles. Without current statistics, each search after a large import would read the whole tables.';
grant execute on function internal.analyze_customers() to shop_server;

create function internal.customer_came(booking public.bookings, today date) returns boolean
  language sql immutable set search_path = ''
  return booking.completed_at is not null or booking.status in ('arrived', 'in_work')
    or booking.appointment_date < today and booking.status not in ('cancelled', 'no_show', 'not_confirmed');
comment on function internal.customer_came(public.bookings, date) is
  'Whether the customer came to the shop: the booking is past and was neither cancelled nor missed (docs/product.md 12.6).';

create function internal.describe_customer_booking(booking public.bookings) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', booking.id, 'startsAt', lower(booking.occupied), 'state', internal.booking_state(booking), 'service', booking.service_name,
    'vehicleFacts', internal.vehicle_facts(booking),
    'vehicleId', booking.vehicle_id, 'vehicle', internal.vehicle_line(booking.vehicle_year, booking.vehicle_make, booking.vehicle_model),
    'bay', (select name from public.bays where id = booking.bay_id), 'willCome', booking.attendance_confirmed_at is not null);
comment on function internal.describe_customer_booking(public.bookings) is
  'A booking for the list on the dashboard page of its customer; startsAt is wall-clock time at the shop.';

create function internal.list_declined_jobs(estimate uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('title', latest.job_title, 'cents', latest.amount_cents, 'decidedAt', latest.decided_at) order by latest.id), '[]')
  from internal.authorized_jobs(estimate) job
  join lateral (
    select * from internal.binding_lines(estimate) line where line.job_key = job.job_key order by line.id desc limit 1
  ) latest on true
  where job.decision = 'declined' and job.cents = 0
$$;
comment on function internal.list_declined_jobs(uuid) is
  'The jobs of an estimate that the customer declined in the latest decision: [{title, cents, decidedAt}].';

create function internal.describe_customer_estimate(estimate public.estimates) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'id', estimate.id, 'number', estimate.number, 'vehicleId', estimate.vehicle_id,
      'vehicle', internal.vehicle_line(estimate.vehicle_year, estimate.vehicle_make, estimate.vehicle_model),
      'title', totals.title, 'jobs', totals.jobs, 'totalCents', totals.total,
      'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
      'state', internal.estimate_state(estimate), 'createdAt', estimate.created_at, 'declined', internal.list_declined_jobs(estimate.id))
    from (
      select coalesce((array_agg(title order by position))[1], '') as title, count(*) as jobs, coalesce(sum(total), 0) as total
      from internal.job_totals
      where estimate_id = estimate.id
        and revision = (select max(revision) from public.estimate_revisions where estimate_id = estimate.id)
    ) totals
  );
comment on function internal.describe_customer_estimate(public.estimates) is
  'An estimate for the list on the dashboard page of its customer: the first job, the number of jobs, the total, and '
  'the declined jobs.';

create function internal.invoice_paid_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return coalesce(
    (select case when bool_or(method <> 'card_online' or credit_note_id is not null or kind in ('reversal', 'applied_deposit')) then sum(amount_cents) else nullif(sum(amount_cents), 0) end
     from public.payments where invoice_id = invoice.invoice_id),
    -- A payment that was recorded only at Stripe is not in public.payments. If Stripe reports an invoice as paid, and
    -- public.payments contains no payment for it or only duplicate payments that were refunded, the paid amount is the
    -- total of the invoice minus its credit notes.
    case when invoice.status = 'paid' then invoice.total_cents - internal.credited_cents(invoice) else 0 end);
comment on function internal.invoice_paid_cents(public.invoices) is
  'The paid amount of an invoice: the sum of its entries in the payment ledger (public.payments). If Stripe reports '
  'the invoice as paid and the ledger contains no payment, the paid amount is the total of the invoice minus its '
  'credit notes.';

create function internal.invoice_balance_cents(invoice public.invoices) returns bigint
  language sql stable set search_path = ''
  return case when internal.is_void(invoice) then 0
    else greatest(invoice.total_cents - internal.credited_cents(invoice) - internal.invoice_paid_cents(invoice)
      - internal.replaced_cents(invoice.invoice_id), 0) end;
comment on function internal.invoice_balance_cents(public.invoices) is
  'The amount that is still due: the total minus the credit notes, minus the paid amount, and minus the amounts that '
  'are due on replacement invoices; 0 for a voided invoice.';

create function internal.is_void(invoice public.invoices) returns boolean
  language sql immutable set search_path = ''
  return invoice.status = 'void' or invoice.voided_at is not null;
comment on function internal.is_void(public.invoices) is
  'Whether the invoice was voided, at Stripe or by staff.';

create function internal.describe_customer_invoice(invoice public.invoices) returns jsonb
  language sql stable set search_path = ''
  return jsonb_build_object(
    'id', invoice.invoice_id, 'number', invoice.number, 'madeAt', invoice.created_at, 'totalCents', invoice.total_cents,
    'currency', invoice.currency, 'status', invoice.status, 'vehicleId', invoice.vehicle_id, 'bookingId', invoice.booking_id,
    'paidCents', internal.invoice_paid_cents(invoice));

create function internal.describe_customer_task(task public.tasks) returns jsonb
  language sql immutable set search_path = ''
  return jsonb_build_object(
    'id', task.id, 'title', task.title, 'status', task.status, 'createdAt', task.created_at, 'bookingId', task.booking_id);

create function internal.find_duplicate_candidates(customer public.customers) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', other.id, 'version', other.version, 'name', other.name, 'email', other.email, 'phone', other.phone,
      'since', other.created_at, 'why', found.why) order by found.why, other.created_at), '[]')
    from (
      select their.customer_id, min(their.kind) as why
      from public.customer_contact_methods own
      join lateral (
        select customer_id, kind from public.customer_contact_methods near
        where near.kind = own.kind and near.match_key = own.match_key and near.customer_id <> customer.id order by near.id desc limit 5
      ) their on true
      where own.customer_id = customer.id
      group by their.customer_id limit 5
    ) found
    join public.customers other on other.id = found.customer_id and other.merged_into is null
    where not exists (
      select from public.non_duplicates
      where customer_id = least(customer.id, other.id) and other_customer_id = greatest(customer.id, other.id))
  );
comment on function internal.find_duplicate_candidates(public.customers) is
  'Up to five customers who share an email address or phone number with the given customer and whom staff have not '
  'marked as different customers. The field why names the shared contact: email or phone.';

create function internal.require_customer(wanted uuid) returns public.customers
  language plpgsql stable set search_path = '' as $$
declare
  customer public.customers;
begin
  perform internal.require_admin();
  select * into customer from public.customers where id = internal.resolve_merged_customer(wanted) and erased_at is null;
  if customer.id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  return customer;
end
$$;
comment on function internal.require_customer(uuid) is
  'Returns the customer with this id, or the customer into whom that customer was merged. Refuses an unknown or erased '
  'customer (TT090) and a caller who is neither an owner nor an advisor.';

create function public.read_customer(customer_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call require_customer,
  -- gets_reminders and other functions.
  language plpgsql stable security definer set search_path = '' as $$
declare
  customer constant public.customers := internal.require_customer(read_customer.customer_id);
  today constant date := internal.shop_now()::date;
  max_rows constant integer := 200;
begin
  return jsonb_build_object(
    'id', customer.id, 'version', customer.version, 'name', customer.name, 'email', customer.email, 'phone', customer.phone,
    'since', customer.created_at, 'getsReminders', internal.gets_reminders(customer.id),
    'contacts', (
      select coalesce(jsonb_agg(jsonb_build_object('id', contact.id, 'kind', contact.kind, 'value', contact.value,
        'isConfirmed', contact.confirmed_at is not null) order by contact.id), '[]')
      from public.customer_contact_methods contact where contact.customer_id = customer.id),
    'unconfirmedEmails', internal.list_unconfirmed_emails(customer.id),
    'vehicles', (
      select coalesce(jsonb_agg(internal.describe_vehicle(vehicle) order by vehicle.created_at), '[]')
      from public.vehicles vehicle where vehicle.customer_id = customer.id and vehicle.merged_into is null),
    'bookings', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(booking) order by booking.occupied desc), '[]')
      from (select * from public.bookings known where known.customer_id = customer.id
            order by appointment_date desc, appointment_time desc limit max_rows) booking),
    'quotes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', quote.id, 'createdAt', quote.created_at, 'vehicleId', quote.vehicle_id, 'service', quote.service_type, 'status', quote.status,
        'vehicle', internal.vehicle_line(quote.vehicle_year, quote.vehicle_make, quote.vehicle_model)) order by quote.created_at desc), '[]')
      from (select * from public.quote_requests known where known.customer_id = customer.id order by created_at desc limit max_rows) quote),
    'estimates', (
      select coalesce(jsonb_agg(internal.describe_customer_estimate(estimate) order by estimate.created_at desc), '[]')
      from (select * from public.estimates known where known.customer_id = customer.id order by created_at desc limit max_rows) estimate),
    'invoices', (
      select coalesce(jsonb_agg(internal.describe_customer_invoice(invoice) order by invoice.created_at desc), '[]')
      from (select * from public.invoices known where known.customer_id = customer.id order by created_at desc limit max_rows) invoice),
    'tasks', (
      select coalesce(jsonb_agg(internal.describe_customer_task(task) order by task.created_at desc), '[]')
      from public.tasks task
      where task.booking_id in (select id from public.bookings known where known.customer_id = customer.id)
         or task.estimate_id in (select id from public.estimates known where known.customer_id = customer.id)),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', note.id, 'note', note.note, 'writtenBy', note.written_by_name, 'createdAt', note.created_at)
        order by note.created_at desc), '[]')
      from public.customer_notes note where note.customer_id = customer.id),
    'totals', internal.customer_totals(customer.id, today),
    'maybeSame', internal.find_duplicate_candidates(customer),
    'merges', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', merge.id, 'name', duplicate.name, 'mergedAt', merge.merged_at, 'mergedBy', merge.merged_by_name,
        'undoUntil', merge.merged_at + interval '30 days') order by merge.merged_at desc), '[]')
      from public.merges merge join public.customers duplicate on duplicate.id = merge.duplicate_id
      where merge.survivor_id = customer.id and merge.kind = 'customer' and merge.undone_at is null
        and merge.merged_at >= internal.current_instant() - interval '30 days'));
end
$$;
comment on function public.read_customer(uuid) is
  'All data of a customer in one call (contracts/customers.ts), at most the latest 200 records of each kind, such as '
  'bookings. The id of a merged duplicate returns the surviving customer.';
grant execute on function public.read_customer(uuid) to authenticated;

create function internal.is_upcoming(booking public.bookings) returns boolean
  language sql stable set search_path = ''
  return booking.completed_at is null and booking.status not in ('cancelled', 'no_show', 'not_confirmed')
    and (upper(booking.occupied) > internal.shop_now() or booking.status in ('arrived', 'in_work'));
comment on function internal.is_upcoming(public.bookings) is 'Whether a booking is active and has not ended.';

create function internal.list_customer_emails(wanted_customer_id uuid) returns setof public.emails
  language plpgsql stable set search_path = '' as $$
begin
  return query
    select * from public.emails where booking_id in (select id from public.bookings where customer_id = wanted_customer_id)
    union
    select * from public.emails where quote_request_id in (select id from public.quote_requests where customer_id = wanted_customer_id)
    union
    select * from public.emails where estimate_id in (select id from public.estimates where customer_id = wanted_customer_id)
    union
    select * from public.emails where invoice_id in (select invoice_id from public.invoices where customer_id = wanted_customer_id)
    union
    select email.* from public.emails email
    join public.customer_contact_methods contact on contact.kind = 'email' and contact.match_key = lower(email.recipient_email)
    where contact.customer_id = wanted_customer_id
      -- Omits emails about the records of another customer, such as a relative, with the same address.
      and email.booking_id is null and email.quote_request_id is null and email.estimate_id is null and email.invoice_id is null;
end
$$;
comment on function internal.list_customer_emails(uuid) is
  'All emails about the bookings, quote requests, estimates and invoices of a customer, and all other emails to the '
  'customer''s email addresses that are about none of these.';

create function internal.customer_totals(wanted_customer_id uuid, today date) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'bookings', count(*) filter (where internal.customer_came(booking, today)),
    'noShows', count(*) filter (where booking.status = 'no_show'),
    'ahead', count(*) filter (where internal.is_upcoming(booking)),
    'lastBookingDate', max(booking.appointment_date) filter (where internal.customer_came(booking, today)),
    'emails', (select count(*) from internal.list_customer_emails(wanted_customer_id)),
    'paidCents', (select coalesce(sum(internal.invoice_paid_cents(invoice)), 0) from public.invoices invoice where invoice.customer_id = wanted_customer_id),
    'openCents', (select coalesce(sum(internal.invoice_balance_cents(invoice)), 0) from public.invoices invoice
                  where invoice.customer_id = wanted_customer_id and invoice.status = 'open'),
    'openEstimates', (select count(*) from public.estimates estimate where estimate.customer_id = wanted_customer_id
                      and internal.estimate_state(estimate) in ('sent', 'seen', 'approved')))
  from public.bookings booking where booking.customer_id = wanted_customer_id
$$;
comment on function internal.customer_totals(uuid, date) is
  'The totals on the dashboard page of a customer: the numbers of bookings, no-shows, emails and open estimates, and '
  'the paid and open amounts of the invoices.';

-- Declined jobs of the current repair are omitted, because the shop and the customer are still discussing them.
create function public.read_customer_highlights(booking_id uuid default null, customer_id uuid default null)
  returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call require_customer,
  -- list_unconfirmed_emails and other functions.
  language plpgsql stable security definer set search_path = '' as $$
declare
  booking public.bookings;
  customer public.customers;
  today constant date := internal.shop_now()::date;
begin
  select * into booking from public.bookings known where known.id = read_customer_highlights.booking_id;
  customer := internal.require_customer(coalesce(booking.customer_id, read_customer_highlights.customer_id));
  return jsonb_build_object(
    'customerId', customer.id, 'vehicleId', booking.vehicle_id, 'unconfirmedEmails', internal.list_unconfirmed_emails(customer.id),
    'noShows', (select count(*) from public.bookings missed where missed.customer_id = customer.id and missed.status = 'no_show'),
    'lastHere', (
      select internal.describe_customer_booking(known) from public.bookings known
      where known.customer_id = customer.id and known.id is distinct from booking.id and internal.customer_came(known, today)
        and (booking.id is null or known.occupied < booking.occupied)
      order by known.appointment_date desc, known.appointment_time desc limit 1),
    'ahead', (
      select coalesce(jsonb_agg(internal.describe_customer_booking(known) order by known.occupied), '[]')
      from public.bookings known
      where known.customer_id = customer.id and known.id is distinct from booking.id and known.appointment_date >= today - 14
        and internal.is_upcoming(known)),
    'declined', (
      select coalesce(jsonb_agg(declined || jsonb_build_object('estimateId', estimate.id, 'number', estimate.number, 'vehicleId', estimate.vehicle_id)), '[]')
      from (
        select distinct on (known.vehicle_id) known.* from public.estimates known
        where known.customer_id = customer.id and (booking.vehicle_id is null or known.vehicle_id = booking.vehicle_id)
          and known.repair_id is distinct from booking.repair_id
          and exists (select from public.authorizations line where line.estimate_id = known.id)
        order by known.vehicle_id, known.created_at desc
      ) estimate, jsonb_array_elements(internal.list_declined_jobs(estimate.id)) declined),
    'openEstimates', (
      select coalesce(jsonb_agg(jsonb_build_object('id', estimate.id, 'number', estimate.number, 'state', internal.estimate_state(estimate),
        'vehicleId', estimate.vehicle_id)), '[]')
      from public.estimates estimate
      where estimate.customer_id = customer.id and internal.estimate_state(estimate) in ('draft', 'sent', 'seen', 'approved')));
end
$$;
comment on function public.read_customer_highlights(uuid, uuid) is
  'Hints for staff beside a booking or during a phone booking: the number of missed appointments, the previous appointment, other upcoming '
  'appointments, the jobs that were declined last, and open estimates (docs/product.md 16.25).';
grant execute on function public.read_customer_highlights(uuid, uuid) to authenticated;

create function public.save_customer(
  customer_id uuid, seen_version integer, name text, email text, phone text, may_share_email boolean default false
) returns integer
  -- Runs with the rights of the function's owner, because the admin has no right to write customers. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  customer public.customers;
  other public.customers;
  new_email constant text := nullif(trim(save_customer.email), '');
  saved integer;
begin
  perform internal.require_admin();
  perform internal.lock_contact_keys(array[lower(new_email), internal.normalize_phone(save_customer.phone)]);
  customer := internal.lock_customer(save_customer.customer_id, seen_version);
  if new_email is not null and not internal.is_email_address(new_email) then
    raise exception 'This is not an email address.' using errcode = '22023', hint = 'invalid_email';
  end if;
  if not (internal.is_single_line_text(save_customer.name, 1, 200) and internal.is_single_line_text(coalesce(save_customer.phone, ''), 0, 40)) then
    raise exception 'Name and phone number are lines of visible text.' using errcode = '23514', hint = 'invalid_contact';
  end if;
  select known.* into other
  from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
  where contact.kind = 'email' and contact.match_key = lower(new_email) and known.id <> customer.id limit 1;
  if other.id is not null and lower(new_email) is distinct from lower(customer.email) and not may_share_email then
    -- The other customer's name is only in the detail of the error, because PostgreSQL writes the messages of errors
    -- to its log, but not their details.
    raise exception 'This address is another customer''s.'
      using errcode = 'TT096', hint = 'email_in_use', detail = jsonb_build_object('id', other.id, 'name', other.name);
  end if;
  update public.customers known
  set name = trim(save_customer.name), email = new_email, phone = nullif(trim(save_customer.phone), '')
  where known.id = customer.id returning version into saved;
  perform internal.add_contact_methods(customer.id, new_email, save_customer.phone);
  return saved;
end
$$;
comment on function public.save_customer(uuid, integer, text, text, text, boolean) is
  'Saves the name and contacts of a customer and returns the new version. Refuses an outdated version (TT051). '
  'Refuses an email address of another customer (TT096; the detail of the error names that customer) unless '
  'may_share_email is true. Earlier contact methods remain.';
grant execute on function public.save_customer(uuid, integer, text, text, text, boolean) to authenticated;

create function public.add_customer_note(customer_id uuid, note text) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write customer_notes.
  language plpgsql security definer set search_path = '' as $$
declare
  customer constant public.customers := internal.require_customer(add_customer_note.customer_id);
  note_id uuid;
begin
  insert into public.customer_notes (customer_id, note, written_by_name)
  values (customer.id, trim(add_customer_note.note), internal.author_name(null)) returning id into note_id;
  return note_id;
end
$$;
grant execute on function public.add_customer_note(uuid, text) to authenticated;

create function public.delete_customer_note(note_id uuid) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write customer_notes.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  delete from public.customer_notes where id = note_id;
end
$$;
grant execute on function public.delete_customer_note(uuid) to authenticated;

create function internal.list_contact_keys(customer_ids uuid[]) returns text[]
  language sql stable set search_path = ''
  return array(select match_key from public.customer_contact_methods where customer_id = any (customer_ids));
comment on function internal.list_contact_keys(uuid[]) is
  'The email addresses and phone numbers of customers, in the format of lock_contact_keys.';

create function internal.gets_reminders(customer_id uuid) returns boolean
  language sql stable set search_path = ''
  return not exists (
    select from public.customers known where known.id = any (internal.list_merged_customers(customer_id)) and not known.gets_reminders);
comment on function internal.gets_reminders(uuid) is
  'Whether a customer gets reminders: true unless the customer, or a duplicate merged into them, opted out; also true for an unknown '
  'customer.';

create function public.set_customer_reminders(customer_id uuid, gets_reminders boolean) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write customers. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  survivor_id uuid;
begin
  perform internal.require_admin();
  survivor_id := internal.lock_merged_customer(set_customer_reminders.customer_id);
  if survivor_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  update public.customers known
  set gets_reminders = set_customer_reminders.gets_reminders
  where known.id = any (internal.list_merged_customers(survivor_id)) and known.gets_reminders <> set_customer_reminders.gets_reminders
    -- Switching reminders off changes only the surviving customer, so that an unmerge restores the setting of the
    -- duplicate. Switching them on also changes the merged duplicates.
    and (known.id = survivor_id or set_customer_reminders.gets_reminders);
end
$$;
comment on function public.set_customer_reminders(uuid, boolean) is
  'Saves whether a customer gets reminders. Switching reminders on also changes the duplicates that were merged into '
  'the customer; switching them off does not.';
grant execute on function public.set_customer_reminders(uuid, boolean) to authenticated;

create function internal.is_known_customer(email text, phone text) returns boolean
  -- Runs with the rights of the function's owner, because the roles that call it have no right to read
  -- customer_contact_methods, customers and bookings.
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.customer_contact_methods address
    join public.customer_contact_methods number
      on number.customer_id = address.customer_id and number.kind = 'phone' and number.match_key = internal.normalize_phone(is_known_customer.phone)
    join public.customers customer on customer.id = address.customer_id and customer.merged_into is null and customer.erased_at is null
    where address.kind = 'email' and address.match_key = lower(trim(is_known_customer.email))
      and exists (
        select from public.bookings done
        -- A booking of the sample week does not count. The contacts of the sample customers are public, so any visitor
        -- can enter them.
        where done.customer_id = customer.id and done.completed_at is not null and not done.is_sample)
  );
end
$$;
comment on function internal.is_known_customer(text, text) is
  'Whether an email address and a phone number both belong to one customer who has a completed booking.';

create function internal.is_their_email(wanted_customer_id uuid, email text) returns boolean
  language plpgsql stable set search_path = '' as $$
declare
  email_key constant text := lower(trim(email));
begin
  return exists (
    select from public.customer_contact_methods contact join public.customers known on known.id = contact.customer_id
    where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = email_key
      and (contact.confirmed_at is not null
        -- An address that nobody confirmed also belongs to the customer if it is the customer's main email address and
        -- was entered in an active booking or in a quote request that is not flagged.
        or lower(trim(known.email)) = email_key and (
          exists (select from public.bookings booking where booking.customer_id = wanted_customer_id
                  and lower(trim(booking.customer_email)) = email_key and internal.is_active_booking(booking))
          or exists (select from public.quote_requests quote where quote.customer_id = wanted_customer_id
                     and lower(trim(quote.email)) = email_key and quote.flagged_reasons = '{}'))));
end
$$;
comment on function internal.is_their_email(uuid, text) is
  'Whether an email address belongs to a customer: the address is confirmed, or it is the customer''s main email '
  'address and was entered in an active booking or in a quote request that is not flagged.';

create function internal.was_entered_online(booking_id uuid) returns boolean
  language sql stable set search_path = ''
  return exists (
    select from public.booking_events event
    where event.booking_id = was_entered_online.booking_id and event.kind = 'booked' and event.source = 'visitor');
comment on function internal.was_entered_online(uuid) is
  'Whether a visitor made the booking on the website; false for a booking that staff made.';

create function internal.unconfirmed_email(booking public.bookings) returns text
  language plpgsql stable set search_path = '' as $$
begin
  return case when booking.customer_email is not null and internal.was_entered_online(booking.id)
    and not internal.is_their_email(booking.customer_id, booking.customer_email) then booking.customer_email end;
end
$$;
comment on function internal.unconfirmed_email(public.bookings) is
  'The email address of a booking if a visitor typed the address online and the address does not belong to the customer '
  '(internal.is_their_email); null otherwise.';

create function internal.own_email(booking public.bookings) returns text
  language sql stable set search_path = ''
  return case when internal.unconfirmed_email(booking) is null then booking.customer_email end;
comment on function internal.own_email(public.bookings) is
  'The email address of a booking; null if the booking has none, or if its email address is unconfirmed '
  '(internal.unconfirmed_email).';

create function internal.booking_customer_details(booking public.bookings, entered_online boolean)
  returns internal.customer_details
  language sql immutable set search_path = ''
  return row(booking.customer_name, booking.customer_email, booking.customer_phone, booking.created_at,
    booking.flagged_reasons = '{}' and internal.is_active_booking(booking), booking.is_sample, entered_online)::internal.customer_details;

create function internal.quote_request_customer_details(quote public.quote_requests) returns internal.customer_details
  language sql immutable set search_path = ''
  return row(quote.name, quote.email, quote.phone, quote.created_at, quote.flagged_reasons = '{}', quote.is_sample, true)::internal.customer_details;

create function internal.main_email(customer_id uuid) returns text
  language sql stable set search_path = ''
  return (select email from public.customers where id = customer_id and internal.is_their_email(id, email));
comment on function internal.main_email(uuid) is
  'A customer''s main email address; null when the customer has none, or if a visitor typed the address online and '
  'nobody confirmed it.';

create function internal.list_unconfirmed_emails(wanted_customer_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'email', unconfirmed.email, 'bookingId', unconfirmed.booking_id, 'quoteRequestId', unconfirmed.quote_request_id, 'enteredAt', unconfirmed.entered_at)
      order by unconfirmed.entered_at desc), '[]')
    from (
      select * from (
        select distinct on (lower(trim(record.email))) record.*
        from (
          select customer_email as email, id as booking_id, null::uuid as quote_request_id, created_at as entered_at
          from public.bookings booking
          where booking.customer_id = wanted_customer_id and customer_email is not null and internal.is_active_booking(booking) and internal.was_entered_online(id)
          union all
          select email, null, id, created_at from public.quote_requests quote
          where quote.customer_id = wanted_customer_id and quote.flagged_reasons = '{}'
        ) record
        order by lower(trim(record.email)), record.entered_at desc
      ) latest
      where not internal.is_their_email(wanted_customer_id, latest.email)
      order by latest.entered_at desc limit 3
    ) unconfirmed
  );
comment on function internal.list_unconfirmed_emails(uuid) is
  'Email addresses that were typed online under a customer''s name and are not confirmed: [{email, bookingId, '
  'quoteRequestId, enteredAt}], the latest three. Addresses in bookings that were cancelled, missed or not confirmed '
  'by the customer are not listed.';

create function internal.confirm_email(wanted_customer_id uuid, email text, changed_by_name text) returns void
  language plpgsql set search_path = '' as $$
begin
  perform internal.add_contact_methods(wanted_customer_id, confirm_email.email, null, true);
  update public.customer_contact_methods contact set confirmed_by_name = left(changed_by_name, 100)
  where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = lower(trim(confirm_email.email));
  -- Updates the customer even if no value changes, so that a trigger of the table notifies the open dashboards.
  update public.customers known set email = coalesce(known.email, trim(confirm_email.email)) where known.id = wanted_customer_id;
end
$$;
comment on function internal.confirm_email(uuid, text, text) is
  'Confirms an email address of a customer. If the customer has no main email address, the confirmed one becomes the '
  'main one. The caller must have locked the email address and the customer.';

create function public.accept_unconfirmed_email(booking_id uuid default null, quote_request_id uuid default null) returns text
  -- Runs with the rights of the function's owner, because the admin has no right to call link_waiting_booking,
  -- lock_contact_keys and other functions. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  record record;
  owner_id uuid;
  offered_email text;
begin
  perform internal.require_admin();
  perform internal.link_waiting_booking(accept_unconfirmed_email.booking_id);
  select booking.customer_id, booking.customer_email as email into record
  from public.bookings booking where booking.id = accept_unconfirmed_email.booking_id for key share;
  if record.customer_id is null then
    select quote.customer_id, quote.email into record
    from public.quote_requests quote where quote.id = accept_unconfirmed_email.quote_request_id for key share;
  end if;
  perform internal.lock_contact_keys(array[lower(trim(record.email))]);
  owner_id := internal.lock_merged_customer(record.customer_id);
  if owner_id is null then
    raise exception 'There is no such customer.' using errcode = 'TT090', hint = 'customer_not_found';
  end if;
  if internal.is_their_email(owner_id, record.email) then
    return trim(record.email);
  end if;
  select unconfirmed ->> 'email' into offered_email from jsonb_array_elements(internal.list_unconfirmed_emails(owner_id)) unconfirmed
  where lower(trim(unconfirmed ->> 'email')) = lower(trim(record.email));
  if offered_email is null or not internal.is_email_address(trim(offered_email)) then
    raise exception 'This address is not offered.' using errcode = 'TT100', hint = 'email_not_offered';
  end if;
  perform internal.confirm_email(owner_id, offered_email, internal.author_name(null));
  return trim(offered_email);
end
$$;
comment on function public.accept_unconfirmed_email(uuid, uuid) is
  'Confirms that the email address typed online in a booking or quote request belongs to its customer, and returns the '
  'email address. Refuses (TT100) an inactive booking or quote request, and an invalid email address. A repeated call '
  'changes nothing.';
grant execute on function public.accept_unconfirmed_email(uuid, uuid) to authenticated;

create function internal.is_confirmed_email(wanted_customer_id uuid, email text) returns boolean
  language sql stable set search_path = ''
  return exists (
    select from public.customer_contact_methods contact
    where contact.customer_id = wanted_customer_id and contact.kind = 'email' and contact.match_key = lower(trim(is_confirmed_email.email))
      and contact.confirmed_at is not null);
comment on function internal.is_confirmed_email(uuid, text) is 'Whether staff or the customer confirmed an email address of a customer.';

create function internal.email_of_bookings(booking_ids uuid[]) returns text
  language sql stable set search_path = '' as $$
  select (
    select coalesce(
      (select latest.customer_email from (
         select distinct on (lower(trim(booking.customer_email))) booking.* from public.bookings booking
         where booking.id = any (booking_ids) and booking.customer_email is not null and internal.is_active_booking(booking)
         order by lower(trim(booking.customer_email)), booking.appointment_date desc
       ) latest
       where internal.is_their_email(latest.customer_id, latest.customer_email)
       order by latest.appointment_date desc limit 1),
      (select internal.main_email(booking.customer_id) from public.bookings booking
       where booking.id = any (booking_ids) order by booking.appointment_date desc limit 1)))
$$;
comment on function internal.email_of_bookings(uuid[]) is
  'The email address for a group of bookings: the address in the latest active booking, if it is the customer''s own, '
  'otherwise the customer''s main email address; null when there is neither.';

create function internal.addresses_to_ask(max_rows integer) returns table (booking_id uuid, recipient_email text)
  -- Runs with the rights of the function's owner, because the server has no right to read customers.
  language sql stable security definer set search_path = '' as $$
  select booking.id, customer.email
  from public.bookings booking join public.customers customer on customer.id = booking.customer_id
  where booking.appointment_date >= internal.shop_now()::date and internal.is_upcoming(booking) and internal.is_active_booking(booking)
    and booking.flagged_reasons = '{}' and booking.created_at > now() - interval '1 day'
    and not internal.is_quiet_hours()
    and internal.unconfirmed_email(booking) is not null and internal.is_email_address(trim(booking.customer_email))
    and internal.main_email(customer.id) is not null
    -- The customer is asked once about each address, even if several bookings have it.
    and not exists (
      select from public.bookings earlier join public.emails email on email.booking_id = earlier.id
      where earlier.customer_id = booking.customer_id and lower(trim(earlier.customer_email)) = lower(trim(booking.customer_email))
        and email.kind = 'address_question')
  order by booking.created_at, booking.id
  limit max_rows
$$;
comment on function internal.addresses_to_ask(integer) is
  'The bookings in which an unconfirmed email address was typed under the name of a customer who has another email '
  'address. Each booking is returned with that other address. The site sends an email to the other address and asks '
  'whether the unconfirmed address also belongs to the customer.';
grant execute on function internal.addresses_to_ask(integer) to shop_server;

create function internal.address_token(booking_id uuid) returns text
  -- Runs with the rights of the function's owner, because the server has no right to call hmac_sha256.
  language sql stable security definer set search_path = ''
  return (
    select internal.link_token(booking.id, 'address ' || booking.id || ' ' || booking.link_version)
    from public.bookings booking where booking.id = address_token.booking_id
  );
comment on function internal.address_token(uuid) is
  'The token in the link by which a customer confirms the email address of a booking; null if the booking does not '
  'exist.';
grant execute on function internal.address_token(uuid) to shop_server;

create function internal.address_question_state(booking public.bookings) returns text
  language sql stable set search_path = ''
  return case
    when exists (select from internal.address_answers answer where answer.booking_id = booking.id) then 'answered'
    when internal.is_active_booking(booking) and internal.unconfirmed_email(booking) is not null
      and booking.created_at > now() - interval '30 days'
      -- The question is open only while the address that received the email still belongs to the customer. Otherwise
      -- the link in that email does not work.
      and exists (
        select from public.emails email
        where email.booking_id = booking.id and email.kind = 'address_question'
          and internal.is_their_email(booking.customer_id, email.recipient_email))
    then 'open' else 'closed' end;
comment on function internal.address_question_state(public.bookings) is
  'The state of the email in which the site asks a customer whether the email address typed in a booking is theirs. '
  'open: the customer can answer; answered: the customer has answered; closed: the booking is not active, the address '
  'is confirmed, or 30 days have passed.';

create function internal.read_address_question(booking_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to call address_question_state and
  -- is_erased.
  language sql stable security definer set search_path = ''
  return (
    select jsonb_build_object(
      'state', internal.address_question_state(booking), 'email', booking.customer_email, 'date', booking.appointment_date,
      'time', to_char(booking.appointment_time, 'HH24:MI:SS'))
    from public.bookings booking
    where booking.id = read_address_question.booking_id and booking.customer_email is not null
      and not internal.is_erased(booking.customer_id)
  );
comment on function internal.read_address_question(uuid) is
  'The data of the page on which a customer confirms the email address of a booking: {state, email, date, time}; null '
  'if the booking does not exist.';
grant execute on function internal.read_address_question(uuid) to shop_server;

create function internal.answer_address_question(booking_id uuid) returns text
  -- Runs with the rights of the function's owner, because the server has no right to write address_answers.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
  owner_id uuid;
begin
  -- A merge first locks the customers and then updates their bookings. A key share lock on the booking does not wait
  -- for these updates, so the two transactions cannot deadlock.
  select * into booking from public.bookings where id = answer_address_question.booking_id for key share;
  perform internal.lock_contact_keys(array[lower(trim(booking.customer_email))]);
  owner_id := internal.lock_merged_customer(booking.customer_id);
  if owner_id is null then
    return 'closed';
  end if;
  if internal.address_question_state(booking) <> 'open' then
    return internal.address_question_state(booking);
  end if;
  insert into internal.address_answers (booking_id) values (booking.id);
  perform internal.confirm_email(owner_id, booking.customer_email, 'customer');
  return 'confirmed';
end
$$;
comment on function internal.answer_address_question(uuid) is
  'Records, at most once, that the customer confirmed the email address of a booking. Returns ''confirmed'', or '
  'otherwise the state of the question (address_question_state).';
grant execute on function internal.answer_address_question(uuid) to shop_server;
