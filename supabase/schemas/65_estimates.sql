-- Estimates with their jobs, lines, totals and tax. Staff edit the latest revision of an estimate. A sent revision is
-- frozen with a hash of its document, and a later change creates the next revision.

create sequence internal.estimate_count start 101;

create table public.estimates (
  id uuid primary key default gen_random_uuid(),
  number text not null unique default 'E-' || lpad(nextval('internal.estimate_count')::text, 4, '0'),
  repair_id uuid not null default gen_random_uuid(),
  booking_id uuid references public.bookings on delete set null,
  quote_request_id uuid references public.quote_requests on delete set null,
  customer_name text not null default '' constraint estimates_customer_name_is_text check (internal.is_single_line_text(customer_name, 0, 100)),
  customer_email text not null default ''
    constraint estimates_customer_email_is_an_address check (customer_email = '' or internal.is_email_address(customer_email)),
  customer_phone text not null default '' constraint estimates_customer_phone_is_text check (internal.is_single_line_text(customer_phone, 0, 40)),
  vehicle_year text not null default '' constraint estimates_vehicle_year_is_text check (internal.is_single_line_text(vehicle_year, 0, 40)),
  vehicle_make text not null default '' constraint estimates_vehicle_make_is_text check (internal.is_single_line_text(vehicle_make, 0, 100)),
  vehicle_model text not null default '' constraint estimates_vehicle_model_is_text check (internal.is_single_line_text(vehicle_model, 0, 100)),
  vehicle_plate text not null default '' constraint estimates_vehicle_plate_is_text check (internal.is_single_line_text(vehicle_plate, 0, 12)),
  vehicle_vin text not null default '' constraint estimates_vehicle_vin_is_text check (internal.is_single_line_text(vehicle_vin, 0, 17)),
  odometer_miles integer constraint estimates_odometer_in_range check (odometer_miles between 0 and 2000000),
  internal_note text not null default '' constraint estimates_internal_note_is_short check (length(internal_note) <= 2000),
  link_version integer not null default 1,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  created_by text not null default '',
  changed_at timestamptz not null default now(),
  changed_by text not null default '',
  customer_id uuid references public.customers,
  vehicle_id uuid references public.vehicles,
  search_text text not null generated always as (
    internal.normalize_search_text(number || ' ' || customer_name || ' ' || vehicle_plate || ' ' || vehicle_vin)
  ) stored,
  is_sample boolean not null default false,
  payer_name text not null default '' constraint estimates_payer_name_is_text check (internal.is_single_line_text(payer_name, 0, 100)),
  payer_reference text not null default ''
    constraint estimates_payer_reference_is_text check (internal.is_single_line_text(payer_reference, 0, 60)),
  payer_approved_cents integer constraint estimates_payer_approved_in_range check (payer_approved_cents between 0 and 99999999),
  kind text not null default 'repair' constraint estimates_kind_is_known check (kind in ('repair', 'towing'))
);
comment on table public.estimates is
  'The estimates, each with the data that is the same for all its revisions: the customer, the vehicle and internal '
  'data.';
comment on column public.estimates.number is 'The number of the estimate for staff and customers, such as ''E-0101''.';
comment on column public.estimates.repair_id is
  'The id that the quote request, booking, estimate, tasks and invoice of one repair have in common.';
comment on column public.estimates.internal_note is
  'An internal note of staff. Customers do not see it in emails, PDF files or pages.';
comment on column public.estimates.link_version is
  'The version of the link to the page on which the customer approves the estimate; incrementing it makes earlier '
  'links invalid.';
comment on column public.estimates.changed_by is 'The username of the admin who last saved the estimate.';
comment on column public.estimates.customer_id is 'The customer; null while a draft names no customer.';
comment on column public.estimates.vehicle_id is 'The vehicle of the estimate; null if the vehicle is not known yet.';
comment on column public.estimates.payer_name is
  'The person or company that pays in place of the customer, such as an insurer; '''' when the customer pays (16 CCR 3353).';
comment on column public.estimates.payer_reference is
  'The number of the insurance claim at the payer, or of the payer''s own estimate.';
comment on column public.estimates.payer_approved_cents is 'The amount that the payer approved; null while unknown.';
comment on column public.estimates.kind is 'The kind of work: repair, or towing, which has an estimate and an invoice of its own.';
comment on column public.estimates.search_text is
  'The searchable text of the estimate, normalized by internal.normalize_search_text.';

create index estimates_by_booking on public.estimates (booking_id);
create index estimates_by_quote on public.estimates (quote_request_id);
create index estimates_by_repair on public.estimates (repair_id);
create index estimates_latest_first on public.estimates (changed_at desc);
create index estimates_of_customer on public.estimates (customer_id, created_at desc);
create index estimates_of_vehicle on public.estimates (vehicle_id);
create index estimates_by_search_text on public.estimates
  using gin (search_text extensions.gin_trgm_ops) with (gin_pending_list_limit = 256);

alter table public.estimates enable row level security;
grant select on public.estimates to authenticated;
create policy "the admin reads estimates" on public.estimates for select to authenticated using ((select internal.is_admin()));

create function internal.link_estimate() returns trigger
  -- Runs with the rights of the function's owner, because it reads bookings and quote requests regardless of the
  -- policies of the role that saves the estimate.
  language plpgsql security definer set search_path = '' as $$
declare
  is_same_customer constant boolean := tg_op = 'INSERT' or
    (new.customer_name, new.customer_email, new.customer_phone) = (old.customer_name, old.customer_email, old.customer_phone);
  is_same_vehicle constant boolean := tg_op = 'INSERT' or
    (new.vehicle_year, new.vehicle_make, new.vehicle_model, new.vehicle_plate, new.vehicle_vin)
      = (old.vehicle_year, old.vehicle_make, old.vehicle_model, old.vehicle_plate, old.vehicle_vin);
  is_another_vehicle constant boolean := tg_op = 'UPDATE' and internal.describes_another_vehicle(new);
  former_customer_id constant uuid := new.customer_id;
  former_vehicle_id constant uuid := new.vehicle_id;
  source record;
begin
  perform internal.link_waiting_booking(new.booking_id);
  select customer_id, vehicle_id into source from public.bookings where id = new.booking_id and not internal.is_erased(customer_id);
  if source.customer_id is null then
    select customer_id, vehicle_id into source
    from public.quote_requests where id = new.quote_request_id and not internal.is_erased(customer_id);
  end if;
  if tg_op = 'UPDATE' and not is_same_customer and internal.names_another_customer(new) then
    new.customer_id := internal.find_customer(internal.estimate_customer_details(new));
  elsif tg_op = 'UPDATE' and internal.last_frozen_at(new.id) is not null and former_customer_id is not null and not internal.is_erased(former_customer_id)
      and (is_same_customer or new.customer_name = old.customer_name
        and (new.customer_email = old.customer_email or new.customer_phone = old.customer_phone)) then
    -- After a correction of the email address or phone number, the estimate still belongs to the same customer, even if
    -- another customer has the corrected address or number too.
    new.customer_id := former_customer_id;
  else
    new.customer_id := coalesce(
      source.customer_id, case when is_same_customer and not internal.is_erased(former_customer_id) then former_customer_id end,
      internal.find_customer(internal.estimate_customer_details(new)), former_customer_id);
  end if;
  if new.customer_id is null then
    new.vehicle_id := null;
  elsif not coalesce(is_same_vehicle and new.customer_id = former_customer_id and new.vehicle_id is not null, false) then
    new.vehicle_id := coalesce(
      internal.find_vehicle(new.customer_id, internal.estimate_vehicle_details(new)),
      -- After a correction of the plate or the VIN, the estimate still belongs to the same vehicle.
      case when not is_another_vehicle and internal.last_frozen_at(new.id) is not null and new.customer_id = former_customer_id then former_vehicle_id end,
      case when not is_another_vehicle then source.vehicle_id end);
  end if;
  return new;
end
$$;
comment on function internal.link_estimate() is
  'Links an estimate to the customer of its booking or quote request. An estimate without a booking and a quote '
  'request stays linked to the customer for whom it was created, until its name or contacts change. The estimate is '
  'then linked to the customer with the new name and contacts. After the estimate was sent, a correction of its '
  'texts changes neither customer nor vehicle, unless the estimate then names another customer or describes another '
  'vehicle.';
create trigger link_to_customer before insert or update of
  booking_id, quote_request_id, customer_name, customer_email, customer_phone, vehicle_year, vehicle_make, vehicle_model,
  vehicle_plate, vehicle_vin on public.estimates
  for each row execute function internal.link_estimate();

create function internal.prevent_sent_estimate_delete() returns trigger
  language plpgsql set search_path = '' as $$
begin
  perform internal.raise_record_retained(max(frozen_at)) from public.estimate_revisions where estimate_id = old.id;
  return old;
end
$$;
comment on function internal.prevent_sent_estimate_delete() is
  'Prevents every role from deleting a sent estimate for three years.';
create trigger prevent_sent_estimate_delete before delete on public.estimates
  for each row when (not old.is_sample) execute function internal.prevent_sent_estimate_delete();

create function internal.delete_estimate_events() returns trigger
  -- Runs with the rights of the function's owner, because the role that deletes an estimate has no right to delete from
  -- estimate_events.
  language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.estimate_events where estimate_id = old.id) then
    delete from public.estimate_events where estimate_id = old.id;
  end if;
  return null;
end
$$;
create trigger delete_estimate_events after delete on public.estimates for each row execute function internal.delete_estimate_events();

create function internal.log_void_approvals() returns trigger
  language plpgsql set search_path = '' as $$
declare
  void record;
begin
  for void in
    select distinct internal.void_reason(line, new) as reason from public.authorizations line
    where line.estimate_id = new.id and internal.void_reason(line, old) is null
  loop
    continue when void.reason is null;
    perform internal.add_estimate_event(new.id, void.reason || '_changed');
    -- Clears decided_at, because the customer has to decide on the jobs again.
    update public.estimate_revisions revision set decided_at = null
    where revision.estimate_id = new.id and revision.decided_at is not null
      and revision.revision = (internal.latest_sent_revision(new.id)).revision;
    perform internal.mark_revision_decided(new.id, (internal.latest_sent_revision(new.id)).revision);
  end loop;
  return null;
end
$$;
comment on function internal.log_void_approvals() is
  'Records in the history of an estimate that its approvals became void because its customer or vehicle changed. The '
  'customer can then decide again on the latest sent revision.';
create trigger log_void_approvals after update on public.estimates
  for each row when ((old.customer_id, old.vehicle_id) is distinct from (new.customer_id, new.vehicle_id))
  execute function internal.log_void_approvals();

create function internal.end_link_of_old_address() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if exists (select from public.estimate_revisions where estimate_id = new.id and sent_at is not null) then
    new.link_version := old.link_version + 1;
    -- Only the admin's changes are recorded as events. An erasure also empties the address, but does not run as the
    -- admin.
    if internal.is_admin() then
      perform internal.add_estimate_event(new.id, 'address_changed',
        jsonb_build_object('email', old.customer_email), jsonb_build_object('email', new.customer_email));
    end if;
  end if;
  return new;
end
$$;
comment on function internal.end_link_of_old_address() is
  'Makes the link to a sent estimate invalid when the email address of the estimate changes, so that the former '
  'recipient can no longer open the estimate. Records the change in the history.';
create trigger end_link_of_old_address before update of customer_email on public.estimates
  for each row when (lower(trim(old.customer_email)) <> lower(trim(new.customer_email)))
  execute function internal.end_link_of_old_address();

create trigger publish_estimate_change after insert or update or delete on public.estimates
  for each row execute function internal.publish_estimate_change();
create trigger mark_sample_estimate before insert on public.estimates for each row execute function internal.mark_sample_estimate();

create function internal.is_cents_or_missing(amount jsonb) returns boolean
  language sql immutable strict set search_path = ''
  return case jsonb_typeof(amount)
    when 'number' then amount::numeric between 0 and 99999999 and amount::numeric = trunc(amount::numeric)
    else amount = 'null' end;
comment on function internal.is_cents_or_missing(jsonb) is 'Whether a JSON value is an amount in whole cents, or null.';

create table public.estimate_jobs (
  estimate_id uuid not null,
  revision integer not null,
  job_key uuid not null,
  position integer not null constraint estimate_jobs_at_most_forty check (position between 1 and 40),
  title text not null constraint estimate_jobs_title_is_text check (internal.is_single_line_text(title, 0, 120)),
  customer_description text not null constraint estimate_jobs_customer_description_is_short check (length(customer_description) <= 1000),
  is_needed_now boolean not null,
  measurement jsonb constraint estimate_jobs_measurement_is_valid check (measurement is null or coalesce(
    jsonb_typeof(measurement -> 'value') = 'number' and jsonb_typeof(measurement -> 'limit') = 'number'
    and jsonb_typeof(measurement -> 'whenNew') = 'number' and jsonb_typeof(measurement -> 'unit') = 'string'
    and internal.is_single_line_text(measurement ->> 'unit', 0, 12)
    and (measurement ->> 'value')::numeric between 0 and 1000000 and (measurement ->> 'limit')::numeric between 0 and 1000000
    -- `coalesce` is needed, because a missing JSON key makes the comparison null, and a check constraint accepts null.
    and (measurement ->> 'whenNew')::numeric between 0 and 1000000, false)),
  tear_down jsonb constraint estimate_jobs_tear_down_is_valid check (tear_down is null or coalesce(
    internal.is_single_line_text(tear_down ->> 'areas', 0, 300)
    and internal.is_cents_or_missing(tear_down -> 'priceCents') and internal.is_cents_or_missing(tear_down -> 'reassemblyPriceCents')
    and internal.is_single_line_text(tear_down ->> 'destroyedParts', 0, 300)
    and internal.is_single_line_text(tear_down ->> 'reassemblyTime', 0, 60)
    and jsonb_typeof(tear_down -> 'mayPreventReassembly') in ('boolean', 'null'), false)),
  primary key (estimate_id, revision, job_key),
  constraint estimate_jobs_position_is_unique unique (estimate_id, revision, position),
  foreign key (estimate_id, revision) references public.estimate_revisions on delete cascade
);
comment on table public.estimate_jobs is 'The jobs of estimates. The customer approves or declines each job.';
comment on column public.estimate_jobs.job_key is
  'The id of the job, which is the same in all revisions of the estimate.';
comment on column public.estimate_jobs.customer_description is 'The explanation that the customer reads.';
comment on column public.estimate_jobs.is_needed_now is 'Whether the job is needed now; false when it can be done later.';
comment on column public.estimate_jobs.measurement is
  'A measured value of a worn part: {value, limit, whenNew, unit}; null without a measurement.';
comment on column public.estimate_jobs.tear_down is
  'The details that a customer must read before a tear-down, that is, before the shop takes a part apart for an '
  'inspection (16 CCR 3353): {areas, priceCents, reassemblyPriceCents, destroyedParts, reassemblyTime, '
  'mayPreventReassembly}; null for a job of another kind.';

alter table public.estimate_jobs enable row level security;
grant select on public.estimate_jobs to authenticated;
create policy "the admin reads jobs of estimates" on public.estimate_jobs for select to authenticated using ((select internal.is_admin()));

create trigger prevent_frozen_row_change before insert or update or delete on public.estimate_jobs
  for each row execute function internal.prevent_frozen_row_change();

create table public.estimate_lines (
  estimate_id uuid not null,
  revision integer not null,
  job_key uuid not null,
  position integer not null constraint estimate_lines_at_most_three_hundred check (position between 1 and 300),
  kind text not null,
  subtype text not null default '',
  description text not null constraint estimate_lines_description_is_text check (internal.is_single_line_text(description, 0, 200)),
  quantity_thousandths integer not null constraint estimate_lines_quantity_in_range check (quantity_thousandths between 0 and 9999999),
  unit_price_cents integer not null constraint estimate_lines_unit_price_in_range check (unit_price_cents between 0 and 99999999),
  is_taxable boolean not null,
  primary key (estimate_id, revision, job_key, position),
  foreign key (estimate_id, revision, job_key) references public.estimate_jobs on delete cascade,
  constraint estimate_lines_subtype_matches_kind check (subtype in ('', 'new', 'used', 'rebuilt', 'reconditioned', 'oem')
      and (kind = 'part') = (subtype <> '') and kind in ('labor', 'part', 'sublet')
    or kind = 'fee' and subtype in ('other', 'hazardous_waste', 'battery', 'tire')
    or kind = 'discount' and subtype in ('amount', 'percent')),
  constraint estimate_lines_percent_is_a_share check (subtype <> 'percent' or (quantity_thousandths <= 100000 and unit_price_cents = 0 and not is_taxable)),
  constraint estimate_lines_state_fees_are_untaxed check (subtype not in ('battery', 'tire') or not is_taxable)
);
comment on table public.estimate_lines is 'The labor, parts, fees and discounts that make up the price of a job.';
comment on column public.estimate_lines.subtype is
  'For a part its condition (16 CCR 3356): new, used, rebuilt, reconditioned, oem. For a fee its purpose. For a '
  'discount: amount, or percent of the job''s price.';
comment on column public.estimate_lines.quantity_thousandths is 'The number of hours, pieces or percent, times 1,000: 1.2 is 1200.';
comment on column public.estimate_lines.unit_price_cents is
  'The price of one hour or piece in cents; for a discount, the amount of the discount.';

alter table public.estimate_lines enable row level security;
grant select on public.estimate_lines to authenticated;
create policy "the admin reads lines of estimates" on public.estimate_lines
  for select to authenticated using ((select internal.is_admin()));

create trigger prevent_frozen_row_change before insert or update or delete on public.estimate_lines
  for each row execute function internal.prevent_frozen_row_change();

create table public.estimate_revisions (
  estimate_id uuid not null references public.estimates on delete cascade,
  revision integer not null constraint estimate_revisions_count_from_one check (revision >= 1),
  customer_note text not null default '' constraint estimate_revisions_customer_note_is_short check (length(customer_note) <= 2000),
  -- The year is limited to four digits, because pages cannot display a longer year.
  good_until date not null constraint estimate_revisions_good_until_in_range check (good_until between '2000-01-01' and '2199-12-31'),
  tax_rate integer not null constraint estimate_revisions_tax_rate_in_range check (tax_rate between 0 and 300000),
  frozen_at timestamptz,
  sent_at timestamptz,
  seen_at timestamptz,
  decided_at timestamptz,
  document jsonb,
  hash text,
  sent_to text constraint estimate_revisions_sent_to_is_short check (length(sent_to) <= 254),
  primary key (estimate_id, revision),
  constraint estimate_revisions_hash_is_unique unique (estimate_id, revision, hash),
  constraint estimate_revisions_frozen_with_document check ((frozen_at is null) = (document is null)),
  constraint estimate_revisions_hash_is_of_document check (hash is not distinct from encode(sha256(convert_to(document::text, 'UTF8')), 'hex')),
  constraint estimate_revisions_frozen_before_sent check (frozen_at is not null or (sent_at, seen_at, decided_at) is not distinct from (null, null, null))
);
comment on table public.estimate_revisions is
  'The revisions of estimates. A frozen revision never changes; the latest revision can be a draft.';
comment on column public.estimate_revisions.good_until is 'The last day, in shop time, on which the customer can approve the revision.';
comment on column public.estimate_revisions.tax_rate is
  'The sales tax rate on the day on which the estimate was created, in ten-thousandths of a percent.';
comment on column public.estimate_revisions.frozen_at is 'When the revision was first sent, printed or approved; null for a draft.';
comment on column public.estimate_revisions.sent_at is 'When the revision was last emailed to the customer.';
comment on column public.estimate_revisions.seen_at is
  'When the customer first pressed a finger, a mouse button or a key on the page that shows the revision. Opening '
  'the page does not count.';
comment on column public.estimate_revisions.decided_at is
  'When the customer decided on the last undecided job of the revision.';
comment on column public.estimate_revisions.document is
  'The complete content that the customer saw, as JSON with all amounts.';
comment on column public.estimate_revisions.hash is
  'The SHA-256 hash of document in hexadecimal, by which authorizations refer to the revision.';
comment on column public.estimate_revisions.sent_to is 'The email address to which the revision was last sent.';

create unique index estimate_revisions_one_draft on public.estimate_revisions (estimate_id) where frozen_at is null;

alter table public.estimate_revisions enable row level security;
grant select on public.estimate_revisions to authenticated;
create policy "the admin reads revisions" on public.estimate_revisions for select to authenticated using ((select internal.is_admin()));

create function internal.prevent_frozen_revision_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    -- If the estimate no longer exists, it is being deleted with its revisions, and prevent_sent_estimate_delete has
    -- allowed the deletion.
    if exists (select from public.estimates where id = old.estimate_id and not is_sample) then
      perform internal.raise_record_retained(old.frozen_at);
    end if;
    return old;
  end if;
  if (new.estimate_id, new.revision, new.customer_note, new.good_until, new.tax_rate, new.frozen_at, new.document)
     is distinct from (old.estimate_id, old.revision, old.customer_note, old.good_until, old.tax_rate, old.frozen_at, old.document) then
    raise exception 'A sent revision cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  return new;
end
$$;
comment on function internal.prevent_frozen_revision_change() is
  'Refuses (TT076) every change of a frozen revision, except changes of sent_at, seen_at, decided_at and sent_to.';
create trigger prevent_frozen_revision_change before update or delete on public.estimate_revisions
  for each row when (old.frozen_at is not null) execute function internal.prevent_frozen_revision_change();

create function internal.link_sent_estimate() returns trigger
  -- Runs with the rights of the function's owner, because the role that sends an estimate has no right to read
  -- customers and vehicles.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = new.estimate_id;
  estimate.customer_id := coalesce(estimate.customer_id, internal.find_or_create_customer(internal.estimate_customer_details(estimate)));
  -- If the estimate has a booking, its plate and VIN are those of the booking's vehicle.
  estimate.vehicle_id := coalesce(
    internal.fill_missing_plate_and_vin(estimate.vehicle_id, internal.estimate_vehicle_details(estimate)),
    internal.find_or_create_vehicle(estimate.customer_id, internal.estimate_vehicle_details(estimate), estimate.created_at, false));
  update public.estimates set customer_id = estimate.customer_id, vehicle_id = estimate.vehicle_id where id = estimate.id;
  perform internal.add_estimate_odometer_reading(estimate);
  return null;
end
$$;
comment on function internal.link_sent_estimate() is
  'Links a sent estimate to its customer and vehicle, and creates a missing customer or vehicle. Also saves the '
  'odometer reading of the estimate, and its plate and VIN if the vehicle has none.';
create trigger link_sent_estimate after update of frozen_at on public.estimate_revisions
  for each row when (old.frozen_at is null and new.frozen_at is not null) execute function internal.link_sent_estimate();

create function internal.add_estimate_odometer_reading(estimate public.estimates) returns void
  language sql set search_path = '' as $$
  insert into public.odometer_readings (vehicle_id, booking_id, miles, read_on, recorded_by_name)
  select estimate.vehicle_id, estimate.booking_id, estimate.odometer_miles, internal.shop_now()::date, left(estimate.changed_by, 100)
  where estimate.vehicle_id is not null and estimate.odometer_miles is not null and not exists (
    select from public.odometer_readings known
    where known.vehicle_id = estimate.vehicle_id and known.miles = estimate.odometer_miles)
$$;
comment on function internal.add_estimate_odometer_reading(public.estimates) is
  'Adds the odometer reading of an estimate to its vehicle, unless the vehicle already has this reading.';

create function internal.log_changed_details() returns trigger
  language plpgsql set search_path = '' as $$
declare
  former_document constant jsonb := (
    select document from public.estimate_revisions
    where estimate_id = new.estimate_id and revision < new.revision and frozen_at is not null order by revision desc limit 1);
  -- A change of the email address of a sent estimate is omitted here, because it has its own event, address_changed.
  ignored_fields constant text[] := array(select 'email' from public.estimate_events
    where estimate_id = new.estimate_id and kind = 'address_changed' and lower(before ->> 'email') = lower(former_document ->> 'customerEmail'));
  details_then constant jsonb := internal.details_of_document(former_document) - ignored_fields;
  details_now constant jsonb := internal.details_of_document(new.document) - ignored_fields;
begin
  if details_then <> details_now then
    perform internal.add_estimate_event(new.estimate_id, 'details_changed',
      internal.changed_columns(details_then, details_now), internal.changed_columns(details_now, details_then));
  end if;
  return null;
end
$$;
comment on function internal.log_changed_details() is
  'Records in the history of an estimate which details of the customer and the vehicle differ from the revision that '
  'was sent before.';
create trigger log_changed_details after update of frozen_at on public.estimate_revisions
  for each row when (old.frozen_at is null and new.frozen_at is not null and new.revision > 1)
  execute function internal.log_changed_details();

create function internal.set_recipient() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.sent_to := (select customer_email from public.estimates where id = new.estimate_id);
  return new;
end
$$;
comment on function internal.set_recipient() is 'Records the email address to which a revision is sent.';
create trigger set_recipient before update of sent_at on public.estimate_revisions
  for each row when (new.sent_at is not null) execute function internal.set_recipient();

create trigger publish_estimate_change after update on public.estimate_revisions
  for each row execute function internal.publish_estimate_change();

create table public.estimate_events (
  id bigint generated always as identity primary key,
  estimate_id uuid not null,
  kind text not null constraint estimate_events_kind_is_known
    check (kind in ('details_changed', 'customer_changed', 'vehicle_changed', 'address_changed', 'relinked', 'repair_declined',
      'reassembly_declined')),
  before jsonb,
  after jsonb,
  changed_by_name text not null constraint estimate_events_changed_by_name_is_short check (length(changed_by_name) <= 100),
  happened_at timestamptz not null default internal.current_instant()
);
comment on table public.estimate_events is
  'The history of each sent estimate: changes of its customer, vehicle and link. The history is deleted with the estimate. [append-only]';
comment on column public.estimate_events.estimate_id is
  'The id of the estimate. The column has no foreign key, because the trigger that protects the append-only history '
  'would refuse a cascading deletion.';
comment on column public.estimate_events.kind is
  'The kind of change: details_changed (of the same customer and vehicle); customer_changed, vehicle_changed '
  '(approvals become void); address_changed (the email address changed, and the link in earlier emails became '
  'invalid); relinked (staff created a new link); repair_declined, reassembly_declined (the customer declined the '
  'repair or the reassembly after a tear-down).';
comment on column public.estimate_events.before is
  'The changed fields before the change; null if the kind describes the change completely.';
comment on column public.estimate_events.after is
  'The changed fields after the change; null if the kind describes the change completely.';
comment on column public.estimate_events.changed_by_name is
  'The username of the admin who made the change; ''system'' for a change that no signed-in staff account made.';

create index estimate_events_of_estimate on public.estimate_events (estimate_id, id);

alter table public.estimate_events enable row level security;
grant select on public.estimate_events to authenticated;
create policy "the admin reads the history of estimates" on public.estimate_events
  for select to authenticated using ((select internal.is_admin()));

create trigger prevent_history_change before update or delete or truncate on public.estimate_events
  for each statement execute function internal.prevent_history_change('erasure DELETE', 'sample_week_removal DELETE');
create trigger publish_estimate_change after insert on public.estimate_events
  for each row execute function internal.publish_estimate_change();

create table public.estimate_rules (
  id boolean primary key default true constraint estimate_rules_are_one_row check (id),
  labor_rate_cents integer not null default 14500
    constraint estimate_rules_labor_rate_in_range check (labor_rate_cents between 0 and 1000000),
  good_for_days integer not null default 14 constraint estimate_rules_good_for_days_in_range check (good_for_days between 1 and 365),
  registration_number text not null default ''
    constraint estimate_rules_registration_number_is_text check (internal.is_single_line_text(registration_number, 0, 30)),
  epa_number text not null default '' constraint estimate_rules_epa_number_is_text check (internal.is_single_line_text(epa_number, 0, 30)),
  conditions text not null default '' constraint estimate_rules_conditions_are_short check (length(conditions) <= 2000),
  version integer not null default 1,
  payer_sentence text not null
    default 'This estimate is for repairs that meet the standards of the vehicle''s manufacturer and of the industry. You authorize the repairs, so it is up to you to ask the third-party payer to approve their payment.'
    constraint estimate_rules_payer_sentence_is_text check (length(trim(payer_sentence)) between 1 and 1000)
);
comment on table public.estimate_rules is 'Settings for estimates, in one row.';
comment on column public.estimate_rules.labor_rate_cents is 'The price in cents of one hour in a new labor line.';
comment on column public.estimate_rules.good_for_days is 'The number of days for which a new estimate is valid.';
comment on column public.estimate_rules.registration_number is
  'The registration with the Bureau of Automotive Repair, printed on every estimate and invoice (16 CCR 3356).';
comment on column public.estimate_rules.epa_number is
  'The identification number of the Environmental Protection Agency, which an estimate with a fee for hazardous waste '
  'must state (16 CCR 3356.1, 3357).';
comment on column public.estimate_rules.payer_sentence is
  'The sentence that is printed on an estimate whose third-party payer has not approved an amount yet (16 CCR 3353).';
comment on column public.estimate_rules.conditions is 'The conditions that are printed at the end of every estimate and invoice.';

insert into public.estimate_rules default values on conflict do nothing;

alter table public.estimate_rules enable row level security;
grant select on public.estimate_rules to authenticated, shop_server;
grant update (labor_rate_cents, good_for_days, registration_number, epa_number, conditions, payer_sentence) on public.estimate_rules to shop_owner;
create policy "the admin reads how estimates are written" on public.estimate_rules
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads how estimates are written" on public.estimate_rules for select to shop_server using (true);
create policy "owners change how estimates are written" on public.estimate_rules
  for update to shop_owner using ((select internal.is_owner())) with check ((select internal.is_owner()));

create trigger increment_version before update on public.estimate_rules for each row execute function internal.increment_version();
create trigger record_settings_change after insert or update or delete on public.estimate_rules
  for each row execute function internal.record_settings_change('estimates');

create table public.tax_rates (
  effective_from date primary key,
  rate integer not null constraint tax_rates_rate_in_range check (rate between 0 and 300000)
);
comment on table public.tax_rates is
  'The sales tax rates, each with the first day on which it applies. A document contains the rate of the day on which '
  'it was created.';
comment on column public.tax_rates.rate is 'The rate in ten-thousandths of a percent: 9.125 % is 91250.';

insert into public.tax_rates (effective_from, rate) values
  ('2026-01-01', 91250)
on conflict do nothing;

alter table public.tax_rates enable row level security;
grant select on public.tax_rates to authenticated;
grant insert, delete, update (rate) on public.tax_rates to shop_owner;
create policy "the admin reads tax rates" on public.tax_rates for select to authenticated using ((select internal.is_admin()));
create policy "owners add tax rates" on public.tax_rates for insert to shop_owner with check ((select internal.is_owner()));
create policy "owners change tax rates" on public.tax_rates
  for update to shop_owner using ((select internal.is_owner())) with check ((select internal.is_owner()));
create policy "owners remove tax rates" on public.tax_rates for delete to shop_owner using ((select internal.is_owner()));

create trigger record_settings_change after insert or update or delete on public.tax_rates
  for each row execute function internal.record_settings_change('estimates', 'effective_from');

create table public.canned_jobs (
  id uuid primary key default gen_random_uuid(),
  title text not null unique constraint canned_jobs_title_is_text check (internal.is_single_line_text(title, 1, 120)),
  job jsonb not null constraint canned_jobs_job_is_an_object check (jsonb_typeof(job) = 'object' and length(job::text) <= 20000),
  saved_at timestamptz not null default now(),
  is_sample boolean not null default false
);
comment on table public.canned_jobs is
  'The canned jobs: jobs that staff saved for reuse in other estimates, in the format of '
  'contracts/estimates/estimates.ts.';

alter table public.canned_jobs enable row level security;
grant select on public.canned_jobs to authenticated;
create policy "the admin reads canned jobs" on public.canned_jobs for select to authenticated using ((select internal.is_admin()));

-- Changes of the canned jobs of the sample week (sample data) are not recorded as changes of settings.
create trigger record_canned_job_insert after insert on public.canned_jobs
  for each row when (not new.is_sample) execute function internal.record_settings_change('estimates', 'title');
create trigger record_canned_job_delete after delete on public.canned_jobs
  for each row when (not old.is_sample) execute function internal.record_settings_change('estimates', 'title');
create trigger record_canned_job_update after update of title on public.canned_jobs
  for each row execute function internal.record_settings_change('estimates', 'title');

-- This function and domain/estimates/estimate-totals.ts compute totals in the same way: exact arithmetic, half a cent
-- is rounded away from zero, the discount is subtracted before the tax, and the tax is rounded once for each job.
create view internal.priced_lines as
  with priced as (
    select line.*,
      case when subtype = 'percent' then 0 else round(quantity_thousandths * unit_price_cents::numeric / 1000) end as price
    from public.estimate_lines line
  ), summed as (
    select priced.*,
      sum(price) filter (where kind <> 'discount') over of_job as whole,
      sum(price) filter (where kind <> 'discount' and is_taxable) over of_job as taxed
    from priced
    window of_job as (partition by estimate_id, revision, job_key)
  )
  select estimate_id, revision, job_key, position, kind, subtype, description, quantity_thousandths, unit_price_cents, is_taxable,
    (case
      when kind <> 'discount' then price
      when subtype = 'amount' then - price
      else - round(quantity_thousandths * coalesce(whole, 0) / 100000) end)::bigint as cents,
    (case
      when subtype = 'percent' then - round(quantity_thousandths * coalesce(taxed, 0) / 100000)
      when not is_taxable then 0
      when kind = 'discount' then - price
      else price end)::bigint as taxable_cents
  from summed;
comment on view internal.priced_lines is
  'The lines of jobs, each with its amount in cents and the taxable part of the amount; the amount of a discount is '
  'negative.';

create view internal.job_totals as
  select job.estimate_id, job.revision, job.job_key, job.position, job.title, sums.before_tax, sums.taxable,
    round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as tax,
    sums.before_tax + round(sums.taxable * revision.tax_rate::numeric / 1000000)::bigint as total
  from public.estimate_jobs job
  join public.estimate_revisions revision using (estimate_id, revision)
  cross join lateral (
    select coalesce(sum(line.cents), 0)::bigint as before_tax,
      greatest(0, least(coalesce(sum(line.taxable_cents), 0), coalesce(sum(line.cents), 0)))::bigint as taxable
    from internal.priced_lines line
    where line.estimate_id = job.estimate_id and line.revision = job.revision and line.job_key = job.job_key
  ) sums;
comment on view internal.job_totals is 'The totals of each job of each revision, in cents.';

create function internal.tax_rate_on(day date) returns integer
  language sql stable set search_path = ''
  return coalesce((select rate from public.tax_rates where effective_from <= day order by effective_from desc limit 1), 0);
comment on function internal.tax_rate_on(date) is
  'The sales tax rate on a day, in ten-thousandths of a percent; 0 before the first rate.';

create function internal.prevent_frozen_row_change() returns trigger
  language plpgsql set search_path = '' as $$
declare
  changed record;
begin
  if tg_op = 'INSERT' then changed := new; else changed := old; end if;
  if exists (select from public.estimate_revisions revision
             where revision.estimate_id = changed.estimate_id and revision.revision = changed.revision
               and revision.frozen_at is not null) then
    raise exception 'A sent revision cannot be changed.' using errcode = 'TT076', hint = 'frozen';
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;
comment on function internal.prevent_frozen_row_change() is
  'Refuses (TT076) every change of the jobs and lines of a frozen revision.';

create function internal.raise_estimate_version_conflict(estimate public.estimates) returns void
  language plpgsql set search_path = '' as $$
begin
  raise exception 'This estimate was changed meanwhile.' using errcode = 'TT051', hint = 'version_conflict',
    detail = jsonb_build_object('by', estimate.changed_by, 'at', estimate.changed_at, 'version', estimate.version)::text;
end
$$;
comment on function internal.raise_estimate_version_conflict(public.estimates) is
  'Refuses (TT051) an outdated version of an estimate; the detail of the error contains the author and the time of '
  'the last change, and the current version.';

create function internal.lock_estimate(wanted_id uuid, seen_version integer) returns public.estimates
  language plpgsql set search_path = '' as $$
declare
  estimate public.estimates;
begin
  select * into estimate from public.estimates where id = wanted_id for update;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  if seen_version is not null and estimate.version <> seen_version then
    perform internal.raise_estimate_version_conflict(estimate);
  end if;
  return estimate;
end
$$;
comment on function internal.lock_estimate(uuid, integer) is
  'Locks an estimate until the transaction ends; refuses (TT051) an outdated seen_version (the version that the '
  'user saw), if given.';

create function internal.latest_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable set search_path = ''
  return (select latest from public.estimate_revisions latest where latest.estimate_id = wanted_id order by latest.revision desc limit 1);
comment on function internal.latest_revision(uuid) is 'The latest revision of an estimate, draft or frozen.';

create function internal.refuse_invoiced(estimate public.estimates) returns void
  language plpgsql set search_path = '' as $$
begin
  if exists (select from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then
    raise exception 'This estimate has its invoice.' using errcode = 'TT075', hint = 'already_invoiced';
  end if;
end
$$;
comment on function internal.refuse_invoiced(public.estimates) is
  'Refuses (TT075) to change an estimate that already has an invoice.';

create function internal.begin_revision(estimate public.estimates) returns integer
  language plpgsql set search_path = '' as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  if latest.frozen_at is null then
    return latest.revision;
  end if;
  insert into public.estimate_revisions (estimate_id, revision, customer_note, good_until, tax_rate)
  values (estimate.id, latest.revision + 1, latest.customer_note, latest.good_until, latest.tax_rate);
  return latest.revision + 1;
end
$$;
comment on function internal.begin_revision(public.estimates) is
  'Returns the number of the draft revision of an estimate. If the latest revision is frozen, creates a new draft.';

create function internal.save_revision_jobs(wanted_id uuid, wanted_revision integer, jobs jsonb) returns void
  language plpgsql set search_path = '' as $$
begin
  if jsonb_typeof(jobs) is distinct from 'array'
     or exists (select from jsonb_array_elements(jobs) job where jsonb_typeof(job -> 'lines') is distinct from 'array') then
    raise exception 'An estimate has jobs, and each job its lines.' using errcode = 'TT074', hint = 'invalid_document';
  end if;
  -- A dashboard that was opened before an update of the site sends the JSON keys of the earlier version.
  jobs := internal.read_document_jobs(jsonb_build_object('jobs', jobs));
  delete from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision;
  insert into public.estimate_jobs (
    estimate_id, revision, job_key, position, title, customer_description, is_needed_now, measurement, tear_down)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, job ->> 'title', job ->> 'customerDescription',
    (job ->> 'isNeeded')::boolean, nullif(job -> 'measurement', 'null'), nullif(job -> 'tearDown', 'null')
  from jsonb_array_elements(jobs) with ordinality given (job, place);
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, subtype, description, quantity_thousandths, unit_price_cents, is_taxable)
  select wanted_id, wanted_revision, (job ->> 'key')::uuid, place, line ->> 'kind', line ->> 'subtype', line ->> 'description',
    (line ->> 'quantityThousandths')::integer, (line ->> 'unitPriceCents')::integer, (line ->> 'isTaxable')::boolean
  from jsonb_array_elements(jobs) job, jsonb_array_elements(job -> 'lines') with ordinality given (line, place);
  if (select count(*) from public.estimate_lines where estimate_id = wanted_id and revision = wanted_revision) > 300 then
    raise exception 'An estimate has at most 300 lines.' using errcode = 'TT074', hint = 'too_many_lines';
  end if;
end
$$;
comment on function internal.save_revision_jobs(uuid, integer, jsonb) is
  'Replaces the jobs and lines of a draft by the given ones, in the format of contracts/estimates/estimates.ts.';

create function internal.is_generic_supplies(description text) returns boolean
  language sql immutable set search_path = ''
  return lower(trim(description)) ~
    '^((shop|misc\.?|miscellaneous|general|generic|sundry|workshop)( |-)*)*(suppl(y|ies)|materials?|sundries|shop|misc\.?|miscellaneous)( *(fees?|charges?|costs?))?$';
comment on function internal.is_generic_supplies(text) is
  'Whether the description of a line charges for supplies without naming them, such as ''shop supplies'' (16 CCR 3356 '
  '(a)(2)).';

create function internal.lacks_odometer(estimate public.estimates) returns boolean
  language sql stable set search_path = ''
  return estimate.kind = 'repair' and estimate.odometer_miles is null and exists (
    select from public.bookings booking
    where booking.id = estimate.booking_id and (booking.completed_at is not null or booking.status in ('arrived', 'in_work')));
comment on function internal.lacks_odometer(public.estimates) is
  'Whether an estimate has no odometer reading although the vehicle of its booking has arrived (16 CCR 3353).';

create function internal.is_towing(description text) returns boolean
  language sql immutable set search_path = ''
  return (' ' || trim(regexp_replace(lower(description), '[^a-z]+', ' ', 'g')) || ' ') ~
    ' (tow|tows|towed|towing|towage) (?!(hitch|hitches|bar|hook|hooks|eye|ball|strap|package|mirrors?|receiver|wiring|harness|connector|module|mode|kit|cover) )';
comment on function internal.is_towing(text) is
  'Whether the description of a line names towing, and not a part of a vehicle for towing, such as a hitch.';

create function internal.tear_down_problems(totals internal.job_totals) returns setof text
  language sql stable set search_path = '' as $$
  select problem.code
  from public.estimate_jobs job
  cross join lateral (select (job.tear_down ->> 'priceCents')::bigint as price, (job.tear_down ->> 'reassemblyPriceCents')::bigint as reassembly)
    stated
  cross join lateral (values
    ('tear_down_areas_missing', trim(job.tear_down ->> 'areas') = ''),
    ('tear_down_price_missing', stated.price is null),
    ('tear_down_reassembly_price_missing', stated.reassembly is null),
    ('tear_down_destroyed_parts_missing', trim(job.tear_down ->> 'destroyedParts') = ''),
    ('tear_down_time_missing', trim(job.tear_down ->> 'reassemblyTime') = ''),
    ('tear_down_risk_missing', job.tear_down ->> 'mayPreventReassembly' is null),
    ('tear_down_price_differs', totals.before_tax <> stated.price + stated.reassembly)
  ) problem (code, is_so)
  where (job.estimate_id, job.revision, job.job_key) = (totals.estimate_id, totals.revision, totals.job_key)
    and job.tear_down is not null and problem.is_so
$$;
comment on function internal.tear_down_problems(internal.job_totals) is
  'The reasons why a tear-down cannot be sent (16 CCR 3353): a field is missing, or the price of the lines before '
  'tax is not priceCents plus reassemblyPriceCents.';

create function internal.estimate_problems(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('code', code, 'jobKey', job_key, 'line', line)
      order by job_position nulls first, line nulls first), '[]')
    from (
      select problem.code, null::uuid as job_key, null::integer as job_position, null::integer as line
      from public.estimates estimate
      cross join lateral (values
        ('name_missing', trim(estimate.customer_name) = ''),
        ('vehicle_missing', '' in (trim(estimate.vehicle_year), trim(estimate.vehicle_make), trim(estimate.vehicle_model))),
        ('odometer_missing', internal.lacks_odometer(estimate)),
        ('payer_name_missing', trim(estimate.payer_name) = ''
          and (trim(estimate.payer_reference) <> '' or estimate.payer_approved_cents is not null)),
        ('payer_reference_missing', trim(estimate.payer_name) <> '' and trim(estimate.payer_reference) = '')
      ) problem (code, is_so)
      where estimate.id = wanted_id and problem.is_so
      union all
      select 'no_jobs', null, null, null where not exists (
        select from public.estimate_jobs where estimate_id = wanted_id and revision = wanted_revision)
      union all
      select 'total_too_large', null, null, null from internal.job_totals
      where estimate_id = wanted_id and revision = wanted_revision having sum(total) > 99999999
      union all
      select problem.code, totals.job_key, totals.position, null
      from internal.job_totals totals
      cross join lateral (values
        ('title_missing', trim(totals.title) = ''),
        ('discount_above_job', totals.before_tax < 0),
        ('no_lines', not exists (select from public.estimate_lines line where line.estimate_id = wanted_id
          and line.revision = wanted_revision and line.job_key = totals.job_key and line.kind <> 'discount'))
      ) problem (code, is_so)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision and problem.is_so
      union all
      select problem.code, totals.job_key, totals.position, null
      from internal.job_totals totals
      cross join lateral internal.tear_down_problems(totals) problem (code)
      where totals.estimate_id = wanted_id and totals.revision = wanted_revision
      union all
      select problem.code, line.job_key, job.position, line.position
      from public.estimate_lines line
      join public.estimate_jobs job on (job.estimate_id, job.revision, job.job_key) = (line.estimate_id, line.revision, line.job_key)
      cross join lateral (values
        ('description_missing', trim(line.description) = ''),
        ('generic_supplies', internal.is_generic_supplies(line.description)),
        ('towing_needs_own_estimate', internal.is_towing(line.description)
          and (select kind = 'repair' from public.estimates where id = wanted_id)),
        ('hazardous_waste_needs_epa', line.kind = 'fee'
          and (line.subtype = 'hazardous_waste' or internal.is_hazardous_waste_fee(line.description))
          and (select epa_number = '' from public.estimate_rules))
      ) problem (code, is_so)
      where line.estimate_id = wanted_id and line.revision = wanted_revision and problem.is_so
    ) problems
  );
comment on function internal.estimate_problems(uuid, integer) is
  'The reasons why a draft cannot be sent: [{code, jobKey, line}]; line is the position in the job, counted from 1. '
  'Empty if the draft can be sent.';

create function internal.describe_saved_estimate(wanted_id uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'version', estimate.version, 'revision', revision.revision, 'savedAt', estimate.changed_at,
    'totalCents', (select coalesce(sum(total), 0) from internal.job_totals totals
      where totals.estimate_id = wanted_id and totals.revision = revision.revision),
    'problems', case when revision.frozen_at is null
      then internal.estimate_problems(wanted_id, revision.revision) else '[]' end)
  from public.estimates estimate
  cross join lateral (select (internal.latest_revision(wanted_id)).*) revision
  where estimate.id = wanted_id
$$;
comment on function internal.describe_saved_estimate(uuid) is
  'The result of saving an estimate: version, revision, savedAt, totalCents, problems.';

create function public.save_estimate(estimate_id uuid, seen_version integer, document jsonb) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates and
  -- estimate_revisions. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(save_estimate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  update public.estimates set
    customer_name = document #>> '{customer,name}', customer_email = document #>> '{customer,email}',
    customer_phone = document #>> '{customer,phone}',
    vehicle_year = document #>> '{vehicle,year}', vehicle_make = document #>> '{vehicle,make}',
    vehicle_model = document #>> '{vehicle,model}', vehicle_plate = document #>> '{vehicle,plate}',
    vehicle_vin = document #>> '{vehicle,vin}', odometer_miles = (document #>> '{vehicle,odometerMiles}')::integer,
    internal_note = document ->> 'internalNote',
    -- A dashboard that was opened before an update of the site sends no payer, so the stored payer remains.
    payer_name = case when document ? 'payer' then document #>> '{payer,name}' else payer_name end,
    payer_reference = case when document ? 'payer' then document #>> '{payer,reference}' else payer_reference end,
    payer_approved_cents = case when document ? 'payer' then (document #>> '{payer,approvedCents}')::integer else payer_approved_cents end,
    version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  update public.estimate_revisions revision
  set customer_note = save_estimate.document ->> 'customerNote', good_until = (save_estimate.document ->> 'goodUntil')::date
  where revision.estimate_id = estimate.id and revision.revision = draft;
  perform internal.save_revision_jobs(estimate.id, draft, document -> 'jobs');
  return internal.describe_saved_estimate(estimate.id);
end
$$;
comment on function public.save_estimate(uuid, integer, jsonb) is
  'Saves an estimate in the format of contracts/estimates/estimates.ts. If the latest revision is frozen, the '
  'function creates the next revision. Refused (TT051) when seen_version (the version that the user saw) is '
  'outdated. An estimate with problems is saved too, and its problems are returned.';
grant execute on function public.save_estimate(uuid, integer, jsonb) to authenticated;

create function public.record_estimate_odometer(estimate_id uuid, seen_version integer, miles integer) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(record_estimate_odometer.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  if miles is null then
    raise exception 'An odometer reading is a number of miles.' using errcode = '22023', hint = 'invalid_odometer';
  end if;
  if estimate.odometer_miles is distinct from miles then
    perform internal.add_estimate_event(estimate.id, 'details_changed',
      jsonb_build_object('odometerMiles', estimate.odometer_miles), jsonb_build_object('odometerMiles', miles));
  end if;
  update public.estimates known
  set odometer_miles = miles, version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where known.id = estimate.id
  returning * into estimate;
  perform internal.add_estimate_odometer_reading(estimate);
  return internal.describe_saved_estimate(estimate.id);
end
$$;
comment on function public.record_estimate_odometer(uuid, integer, integer) is
  'Records the odometer reading of an estimate without a new revision; approvals remain valid. Refused (TT075) once the estimate is invoiced. '
  'Returns the same as save_estimate.';
grant execute on function public.record_estimate_odometer(uuid, integer, integer) to authenticated;

create function public.note_declined_after_tear_down(estimate_id uuid, job_key uuid, declined text) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write estimate_events.
  -- require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  noted_kind constant text := declined || '_declined';
  torn_down public.estimate_jobs;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(note_declined_after_tear_down.estimate_id, null);
  perform internal.refuse_invoiced(estimate);
  select * into torn_down from public.estimate_jobs job
  where job.estimate_id = estimate.id and job.revision = (internal.latest_sent_revision(estimate.id)).revision
    and job.job_key = note_declined_after_tear_down.job_key and job.tear_down is not null and internal.is_approved(job.job_key, estimate.id);
  if torn_down.job_key is null or declined is null or declined not in ('repair', 'reassembly') then
    raise exception 'Only after an approved tear-down, a repair or reassembly is declined.' using errcode = '22023', hint = 'no_tear_down';
  end if;
  if not exists (
    select from public.estimate_events event
    where event.estimate_id = estimate.id and event.kind = noted_kind and event.after ->> 'jobKey' = torn_down.job_key::text
  ) then
    perform internal.add_estimate_event(estimate.id, noted_kind, null,
      jsonb_build_object('jobKey', torn_down.job_key, 'jobTitle', torn_down.title));
  end if;
end
$$;
comment on function public.note_declined_after_tear_down(uuid, uuid, text) is
  'Records, at most once each, that the customer declined the ''repair'' or the ''reassembly'' after an approved '
  'tear-down. The note is printed on the estimate and on its invoice. Refused (TT075) once the estimate is invoiced.';
grant execute on function public.note_declined_after_tear_down(uuid, uuid, text) to authenticated;

create function internal.list_tear_down_declines(wanted_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('declined', split_part(event.kind, '_', 1), 'jobTitle', event.after ->> 'jobTitle',
      'notedBy', internal.staff_name_at(event.changed_by_name, event.happened_at), 'at', event.happened_at) order by event.id), '[]')
    from public.estimate_events event
    where event.estimate_id = wanted_id and event.kind in ('repair_declined', 'reassembly_declined')
  );
comment on function internal.list_tear_down_declines(uuid) is
  'The work that the customer declined after a tear-down: [{declined, jobTitle, notedBy, at}]; the value of '
  'declined is repair or reassembly.';

create function public.use_todays_tax_rate(estimate_id uuid, seen_version integer) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write estimate_revisions and
  -- estimates. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate public.estimates;
  draft integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(use_todays_tax_rate.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  draft := internal.begin_revision(estimate);
  if draft > 1 and not exists (select from public.estimate_jobs job where job.estimate_id = estimate.id and job.revision = draft) then
    perform internal.save_revision_jobs(estimate.id, draft, internal.describe_revision_jobs(estimate.id, draft - 1));
  end if;
  update public.estimate_revisions revision set tax_rate = internal.tax_rate_on(internal.shop_now()::date)
  where revision.estimate_id = estimate.id and revision.revision = draft;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id);
end
$$;
comment on function public.use_todays_tax_rate(uuid, integer) is
  'Sets the sales tax rate of a draft to the rate of today.';
grant execute on function public.use_todays_tax_rate(uuid, integer) to authenticated;

create function internal.describe_revision_jobs(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'key', job.job_key, 'title', job.title, 'customerDescription', job.customer_description,
      'isNeeded', job.is_needed_now, 'measurement', job.measurement, 'tearDown', job.tear_down,
      'lines', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', line.kind, 'subtype', line.subtype, 'description', line.description, 'quantityThousandths', line.quantity_thousandths,
          'unitPriceCents', line.unit_price_cents, 'isTaxable', line.is_taxable) order by line.position), '[]')
        from public.estimate_lines line
        where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key))
      ) order by job.position), '[]')
    from public.estimate_jobs job where job.estimate_id = wanted_id and job.revision = wanted_revision
  );
comment on function internal.describe_revision_jobs(uuid, integer) is
  'The jobs of a revision with their lines, in the format of contracts/estimates/estimates.ts.';

create function internal.rename_keys(content jsonb, new_names jsonb) returns jsonb
  language sql immutable set search_path = ''
  return (select coalesce(jsonb_object_agg(coalesce(new_names ->> key, key), value), '{}') from jsonb_each(content));
comment on function internal.rename_keys(jsonb, jsonb) is
  'Renames keys of a JSON object; the second argument maps each old name to its new name.';

create function internal.read_document_jobs(document jsonb) returns jsonb
  language sql immutable set search_path = ''
  return (
    select coalesce(jsonb_agg(
      '{"tearDown": null}' || internal.rename_keys(job, '{"plainWords": "customerDescription", "measure": "measurement"}')
      || jsonb_build_object('lines', (
        select coalesce(jsonb_agg(internal.rename_keys(line,
          '{"detail": "subtype", "thousandths": "quantityThousandths", "unitCents": "unitPriceCents"}') order by line_place), '[]')
        from jsonb_array_elements(job -> 'lines') with ordinality stored_line (line, line_place)))
      order by job_place), '[]')
    from jsonb_array_elements(document -> 'jobs') with ordinality stored_job (job, job_place)
  );
comment on function internal.read_document_jobs(jsonb) is
  'The jobs of a document with the current JSON keys. Documents that an earlier release froze have other keys, which cannot be renamed in the '
  'table because the hash covers them.';

create function public.delete_estimate(estimate_id uuid) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  perform internal.lock_estimate(delete_estimate.estimate_id, null);
  delete from public.estimates where id = delete_estimate.estimate_id;
end
$$;
comment on function public.delete_estimate(uuid) is
  'Deletes an estimate that was never sent; refuses (TT076) to delete any other estimate.';
grant execute on function public.delete_estimate(uuid) to authenticated;

create function public.save_canned_job(job jsonb) returns uuid
  -- Runs with the rights of the function's owner, because the admin has no right to write canned_jobs. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  saved_id uuid;
begin
  perform internal.require_admin();
  insert into public.canned_jobs (title, job) values (
    trim(save_canned_job.job ->> 'title'),
    (internal.read_document_jobs(jsonb_build_object('jobs', jsonb_build_array(save_canned_job.job))) -> 0) - 'key')
  on conflict (title) do update set job = excluded.job, saved_at = now()
  returning id into saved_id;
  return saved_id;
end
$$;
comment on function public.save_canned_job(jsonb) is
  'Saves a job for reuse. The saved job replaces an existing canned job with the same title.';
grant execute on function public.save_canned_job(jsonb) to authenticated;

create function public.delete_canned_job(canned_job_id uuid) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write canned_jobs. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  delete from public.canned_jobs where id = canned_job_id;
end
$$;
comment on function public.delete_canned_job(uuid) is 'Deletes a canned job; estimates that use it do not change.';
grant execute on function public.delete_canned_job(uuid) to authenticated;

create function public.find_canned_jobs(term text default '') returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to call normalize_search_text.
  -- require_admin() checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'job', job || jsonb_build_object('key', id)) order by place, title), '[]')
    from (
      select id, title, job, position(internal.normalize_search_text(trim(term)) in internal.normalize_search_text(title)) as place from public.canned_jobs
      where position(internal.normalize_search_text(trim(term)) in internal.normalize_search_text(title)) > 0 or trim(term) = ''
      order by place, title limit 50
    ) found
  );
end
$$;
comment on function public.find_canned_jobs(text) is
  'At most 50 canned jobs whose title contains a term; titles that begin with the term come first: [{id, job}].';
grant execute on function public.find_canned_jobs(text) to authenticated;

create function internal.describe_payer(estimate public.estimates) returns jsonb
  language sql stable set search_path = ''
  return case when trim(estimate.payer_name) <> '' then jsonb_build_object(
    'name', estimate.payer_name, 'reference', estimate.payer_reference, 'approvedCents', estimate.payer_approved_cents,
    'sentence', case when estimate.payer_approved_cents is null then (select payer_sentence from public.estimate_rules) end) end;
comment on function internal.describe_payer(public.estimates) is
  'The third-party payer of an estimate as it is printed: {name, reference, approvedCents, sentence}; null if the '
  'customer pays. The sentence is printed if the approved amount is unknown (16 CCR 3353).';

create function internal.build_revision_document(wanted_id uuid, wanted_revision integer) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_object(
      'number', estimate.number, 'kind', estimate.kind, 'revision', revision.revision, 'customerName', estimate.customer_name,
      'customerEmail', estimate.customer_email, 'customerPhone', estimate.customer_phone,
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'payer', internal.describe_payer(estimate),
      'customerNote', revision.customer_note, 'goodUntil', revision.good_until, 'taxRate', revision.tax_rate,
      'jobs', (
        select jsonb_agg(job || jsonb_build_object('taxCents', totals.tax, 'totalCents', totals.total) order by totals.position)
        from jsonb_array_elements(internal.describe_revision_jobs(estimate.id, revision.revision)) job
        join internal.job_totals totals on (totals.estimate_id, totals.revision, totals.job_key)
          = (estimate.id, revision.revision, (job ->> 'key')::uuid)))
    from public.estimates estimate
    join public.estimate_revisions revision on revision.estimate_id = estimate.id and revision.revision = wanted_revision
    where estimate.id = wanted_id
  );
comment on function internal.build_revision_document(uuid, integer) is
  'Builds the document of a revision: all data that its customer sees, without the internal note.';

create function internal.freeze_revision(estimate public.estimates) returns public.estimate_revisions
  language plpgsql set search_path = '' as $$
declare
  latest public.estimate_revisions := internal.latest_revision(estimate.id);
  problems jsonb;
begin
  if latest.frozen_at is not null then
    return latest;
  end if;
  problems := internal.estimate_problems(estimate.id, latest.revision);
  if problems <> '[]' then
    raise exception 'This estimate is not ready to be handed over.'
      using errcode = 'TT074', hint = problems #>> '{0,code}', detail = problems::text;
  end if;
  latest.document := internal.build_revision_document(estimate.id, latest.revision);
  update public.estimate_revisions revision
  set frozen_at = internal.current_instant(), document = latest.document,
    hash = encode(sha256(convert_to(latest.document::text, 'UTF8')), 'hex')
  where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  perform internal.mark_revision_decided(estimate.id, latest.revision);
  return internal.latest_revision(estimate.id);
end
$$;
comment on function internal.freeze_revision(public.estimates) is
  'Freezes the latest revision of an estimate, so that it can no longer change. Refused (TT074, with the problems) '
  'if the estimate has problems (estimate_problems).';

create function internal.freeze_estimate(estimate_id uuid, seen_version integer, is_sent boolean, changed_by_name text)
  returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to write estimate_revisions and
  -- estimates.
  language plpgsql security definer set search_path = '' as $$
declare
  estimate constant public.estimates := internal.lock_estimate(freeze_estimate.estimate_id, coalesce(seen_version, -1));
  latest constant public.estimate_revisions := internal.freeze_revision(estimate);
begin
  if is_sent and latest.decided_at is null then
    update public.estimate_revisions revision set sent_at = internal.current_instant()
    where revision.estimate_id = estimate.id and revision.revision = latest.revision;
  end if;
  update public.estimates set changed_at = clock_timestamp(), changed_by = changed_by_name where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id);
end
$$;
comment on function internal.freeze_estimate(uuid, integer, boolean, text) is
  'Freezes the latest revision of an estimate for an admin, so that it can no longer change. If is_sent is true, '
  'also records when the revision was sent. Returns the same as save_estimate.';
grant execute on function internal.freeze_estimate(uuid, integer, boolean, text) to shop_server;

-- Returns the title and the lines of a job. An approval covers exactly this work. It does not cover other work at the
-- same price that the customer has not seen (16 CCR 3354).
create function internal.describe_job_scope(wanted_id uuid, wanted_revision integer, wanted_key uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select jsonb_build_array(job.title, job.tear_down, (
      select jsonb_agg(jsonb_build_array(line.kind, line.subtype, line.description, line.quantity_thousandths, line.unit_price_cents, line.is_taxable)
        order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key)))
    from public.estimate_jobs job
    where (job.estimate_id, job.revision, job.job_key) = (wanted_id, wanted_revision, wanted_key)
  );
comment on function internal.describe_job_scope(uuid, integer, uuid) is
  'The scope of a job of a revision: its title, its tear-down terms and its lines, without the explanation for the '
  'customer.';

create function internal.latest_sent_revision(wanted_id uuid) returns public.estimate_revisions
  language sql stable set search_path = ''
  return (select sent from public.estimate_revisions sent
    where sent.estimate_id = wanted_id and sent.frozen_at is not null order by sent.revision desc limit 1);
comment on function internal.latest_sent_revision(uuid) is
  'The latest frozen revision of an estimate; a later draft is not shown to customers.';

create function internal.sent_revision_state(revision public.estimate_revisions) returns text
  language sql stable set search_path = ''
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = revision.estimate_id and claim.state in ('claimed', 'made')) then 'closed'
    when revision.decided_at is not null then 'decided'
    when revision.good_until < internal.shop_now()::date then 'expired'
    else 'open'
  end;
comment on function internal.sent_revision_state(public.estimate_revisions) is 'The state of a sent revision: closed (invoiced), decided, expired, or open.';

create function internal.read_sent_revision(estimate_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read estimates.
  language sql stable security definer set search_path = '' as $$
  select (sent.document - 'customerPhone') || jsonb_build_object(
    'estimateId', estimate.id, 'customerEmail', estimate.customer_email, 'linkVersion', estimate.link_version,
    'bookingId', estimate.booking_id, 'revisionHash', sent.hash,
    'state', internal.sent_revision_state(sent), 'sentAt', sent.sent_at,
    'vehicle', jsonb_build_object('odometerMiles', null) || (sent.document -> 'vehicle') - array['vin', 'plate'],
    -- Documents of earlier releases have neither kind nor payer.
    'kind', estimate.kind, 'payer', sent.document -> 'payer',
    'jobs', (
      select jsonb_agg(job || jsonb_build_object('decision', authorized.decision, 'authorizedCents', coalesce(authorized.cents, 0),
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, (job ->> 'key')::uuid)
          = internal.describe_job_scope(estimate.id, sent.revision, (job ->> 'key')::uuid), false))
        order by place)
      from jsonb_array_elements(internal.read_document_jobs(sent.document)) with ordinality shown (job, place)
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = (job ->> 'key')::uuid),
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_authorizations(estimate.id))
  from public.estimates estimate
  cross join lateral (select internal.latest_sent_revision(estimate.id) as revision) latest
  cross join lateral (select (latest.revision).*) sent
  where estimate.id = read_sent_revision.estimate_id and sent.frozen_at is not null
$$;
comment on function internal.read_sent_revision(uuid) is 'The latest frozen revision of an estimate as its customer sees it; null before a revision was frozen.';
grant execute on function internal.read_sent_revision(uuid) to shop_server;

create function internal.record_sent_revision_viewed(estimate_id uuid, revision_hash text) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to write estimate_revisions.
  language plpgsql security definer set search_path = '' as $$
begin
  update public.estimate_revisions revision set seen_at = internal.current_instant()
  where revision.estimate_id = record_sent_revision_viewed.estimate_id and revision.hash = record_sent_revision_viewed.revision_hash and revision.seen_at is null;
  return found;
end
$$;
comment on function internal.record_sent_revision_viewed(uuid, text) is
  'Records the time at which the customer first used the page of a revision; returns whether this is the first time.';
grant execute on function internal.record_sent_revision_viewed(uuid, text) to shop_server;

create function internal.decide_estimate(
  estimate_id uuid, revision_hash text, approved uuid[], decided_by_name text, statement text, wants_parts_back boolean
) returns text
  -- Runs with the rights of the function's owner, because the server has no right to write authorizations,
  -- estimate_revisions and estimates.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate constant public.estimates := internal.lock_estimate(decide_estimate.estimate_id, null);
  sent constant public.estimate_revisions := internal.latest_sent_revision(estimate.id);
  new_batch_id constant uuid := gen_random_uuid();
begin
  if sent.hash is distinct from decide_estimate.revision_hash then
    return 'version_conflict';
  end if;
  case internal.sent_revision_state(sent)
    when 'closed' then return 'closed';
    when 'decided' then return 'unchanged';
    when 'expired' then return 'expired';
    else null;
  end case;
  -- Ignores a later draft, because the customer decides on the revision that the page shows.
  insert into public.authorizations (
    estimate_id, revision, revision_hash, job_key, batch_id, decision, method, decided_by_name, contact, statement, wants_parts_back, decided_at, recorded_by)
  select estimate.id, sent.revision, sent.hash, totals.job_key, new_batch_id,
    case when totals.job_key = any (approved) then 'approved' else 'declined' end,
    'web', trim(decide_estimate.decided_by_name), estimate.customer_email, decide_estimate.statement, decide_estimate.wants_parts_back,
    internal.current_instant(), 'customer'
  from internal.job_totals totals
  left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
  where totals.estimate_id = estimate.id and totals.revision = sent.revision
    and not coalesce(authorized.revision = sent.revision
      or authorized.decision = 'approved' and authorized.cents = totals.total
        and internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, sent.revision, totals.job_key), false)
  order by totals.position;
  update public.estimate_revisions revision
  set decided_at = internal.current_instant(), seen_at = coalesce(seen_at, internal.current_instant())
  where revision.estimate_id = estimate.id and revision.revision = sent.revision;
  update public.estimates set version = version + 1, changed_at = clock_timestamp(), changed_by = 'customer' where id = estimate.id;
  return case when exists (
    select from public.authorizations line where line.batch_id = new_batch_id and line.decision = 'approved') then 'approved' else 'declined' end;
end
$$;
comment on function internal.decide_estimate(uuid, text, uuid[], text, text, boolean) is
  'Records the decision that the customer made on the web page of the estimate: the given jobs are approved, all other '
  'undecided jobs are declined. Returns approved or declined, or the reason why nothing was recorded: unchanged '
  '(decided before), version_conflict (the page showed another revision), expired, closed (invoiced).';
grant execute on function internal.decide_estimate(uuid, text, uuid[], text, text, boolean) to shop_server;

create function internal.estimate_token(estimate_id uuid) returns text
  -- Runs with the rights of the function's owner, because the server has no right to read estimates.
  language sql stable security definer set search_path = ''
  return (
    select internal.link_token(estimate.id, 'estimate ' || estimate.id || ' ' || estimate.link_version)
    from public.estimates estimate where estimate.id = estimate_token.estimate_id
  );
comment on function internal.estimate_token(uuid) is
  'The token in the URL of the page on which a customer sees an estimate; null if the estimate does not exist.';
grant execute on function internal.estimate_token(uuid) to shop_server;

-- An estimate counts as approved when at least one job of its latest revision is approved, even if other jobs are
-- undecided.
create function internal.estimate_state(estimate public.estimates) returns text
  language plpgsql stable set search_path = '' as $$
declare
  latest constant public.estimate_revisions := internal.latest_revision(estimate.id);
begin
  return case
    when exists (select from public.estimate_invoices claim
      where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')) then 'invoiced'
    when latest.frozen_at is null then 'draft'
    when exists (select from internal.authorized_jobs(estimate.id) job
      where (latest.decided_at is not null or job.revision = latest.revision) and internal.is_approved(job.job_key, estimate.id))
      then 'approved'
    when latest.decided_at is not null then 'declined'
    when latest.good_until < internal.shop_now()::date then 'expired'
    when latest.seen_at is not null then 'seen'
    when latest.sent_at is not null then 'sent'
    else 'draft'
  end;
end
$$;
comment on function internal.estimate_state(public.estimates) is
  'The state of an estimate: draft, sent, seen, approved (at least one job), declined, expired, invoiced.';

create function public.read_estimate(estimate_id uuid) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to read job_totals. require_admin()
  -- checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
declare
  estimate public.estimates;
  latest public.estimate_revisions;
  answer jsonb;
begin
  perform internal.require_admin();
  select * into estimate from public.estimates where id = read_estimate.estimate_id;
  if not found then
    raise exception 'This estimate no longer exists.' using errcode = 'TT071', hint = 'estimate_not_found';
  end if;
  latest := internal.latest_revision(estimate.id);
  select jsonb_build_object(
    'id', estimate.id, 'number', estimate.number, 'kind', estimate.kind, 'version', estimate.version, 'savedAt', estimate.changed_at,
    'savedBy', estimate.changed_by, 'revision', latest.revision, 'isFrozen', latest.frozen_at is not null,
    'revisionHash', latest.hash, 'state', internal.estimate_state(estimate),
    'sentAt', sent.sent_at, 'sentTo', sent.sent_to, 'seenAt', sent.seen_at, 'decidedAt', sent.decided_at,
    'taxRate', latest.tax_rate, 'todaysTaxRate', internal.tax_rate_on(internal.shop_now()::date),
    'document', jsonb_build_object(
      'customer', jsonb_build_object('name', estimate.customer_name, 'email', estimate.customer_email, 'phone', estimate.customer_phone),
      'vehicle', jsonb_build_object('year', estimate.vehicle_year, 'make', estimate.vehicle_make, 'model', estimate.vehicle_model,
        'plate', estimate.vehicle_plate, 'vin', estimate.vehicle_vin, 'odometerMiles', estimate.odometer_miles),
      'payer', jsonb_build_object('name', estimate.payer_name, 'reference', estimate.payer_reference,
        'approvedCents', estimate.payer_approved_cents),
      'customerNote', latest.customer_note, 'internalNote', estimate.internal_note, 'goodUntil', latest.good_until,
      'jobs', internal.describe_revision_jobs(estimate.id, latest.revision)),
    'problems', case when latest.frozen_at is null then internal.estimate_problems(estimate.id, latest.revision) else '[]' end,
    'authorizedCents', (select coalesce(sum(cents), 0) from internal.authorized_jobs(estimate.id)),
    'authorizations', internal.describe_all_authorizations(estimate.id),
    'customerPath', case when sent.revision is not null then '/estimate/' || internal.estimate_token(estimate.id) end,
    'bookingId', estimate.booking_id, 'quoteRequestId', estimate.quote_request_id)
  into answer
  from (select (internal.latest_sent_revision(estimate.id)).*) sent;
  return answer || jsonb_build_object(
    'history', internal.describe_estimate_history(estimate.id),
    'jobs', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', totals.job_key, 'totalCents', totals.total, 'authorizedCents', coalesce(authorized.cents, 0),
        'decision', authorized.decision,
        'isSameWork', coalesce(internal.describe_job_scope(estimate.id, authorized.revision, totals.job_key)
          = internal.describe_job_scope(estimate.id, latest.revision, totals.job_key), false), 'taskId', task.id) order by totals.position), '[]')
      from internal.job_totals totals
      left join internal.authorized_jobs(estimate.id) authorized on authorized.job_key = totals.job_key
      left join public.tasks task on task.estimate_id = estimate.id and task.estimate_job_key = totals.job_key
      where totals.estimate_id = estimate.id and totals.revision = latest.revision),
    'repairRecords', internal.list_repair_records(estimate.repair_id),
    'invoice', (
      select jsonb_build_object('state', claim.state, 'number', claim.number, 'invoiceId', claim.invoice_id, 'totalCents', claim.total_cents)
      from public.estimate_invoices claim where claim.estimate_id = estimate.id and claim.state in ('claimed', 'made')),
    'emails', (
      select coalesce(jsonb_agg(jsonb_build_object('id', email.id, 'label', email.subject, 'state', email.status,
        'at', email.created_at, 'recipient', email.recipient_email) order by email.created_at desc), '[]')
      from public.emails email where email.estimate_id = estimate.id));
end
$$;
comment on function public.read_estimate(uuid) is
  'Returns an estimate with its authorizations and related records (contracts/estimates/estimates.ts).';
grant execute on function public.read_estimate(uuid) to authenticated;

create function public.list_estimates(term text default '', wanted_state text default null) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to read job_totals. require_admin()
  -- checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', found.id, 'number', found.number, 'kind', found.kind, 'customerName', found.customer_name,
      'vehicle', trim(concat_ws(' ', found.vehicle_year, found.vehicle_make, found.vehicle_model)), 'state', found.state,
      'totalCents', totals.total,
      'invoicedCents', (select claim.total_cents from public.estimate_invoices claim
        where claim.estimate_id = found.id and claim.state in ('claimed', 'made')),
      'authorizedCents', authorized.cents, 'jobs', totals.jobs, 'approvedJobs', authorized.jobs,
      'changedAt', found.changed_at, 'bookingId', found.booking_id) order by found.changed_at desc), '[]')
    from (
      select estimate.*, internal.estimate_state(estimate) as state from public.estimates estimate
      where (trim(term) = '' or position(internal.normalize_search_text(trim(term)) in internal.normalize_search_text(
        concat_ws(' ', estimate.number, estimate.customer_name, estimate.vehicle_plate, estimate.vehicle_model))) > 0)
        and (wanted_state is null or internal.estimate_state(estimate) = wanted_state)
      order by estimate.changed_at desc limit 50
    ) found
    cross join lateral (
      select coalesce(sum(total), 0) as total, count(*) as jobs from internal.job_totals
      where estimate_id = found.id and revision = (select max(revision) from public.estimate_revisions where estimate_id = found.id)
    ) totals
    cross join lateral (
      select coalesce(sum(cents), 0) as cents, count(*) filter (where internal.is_approved(job_key, found.id)) as jobs
      from internal.authorized_jobs(found.id)
    ) authorized
  );
end
$$;
comment on function public.list_estimates(text, text) is
  'At most 50 estimates, latest change first. Optional filters: a search term in number, name, plate or model, and '
  'one state. invoicedCents is the total of the invoice; null without an invoice.';
grant execute on function public.list_estimates(text, text) to authenticated;

create function public.create_estimate_tasks(estimate_id uuid, assigned_to uuid default null) returns integer
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  made integer;
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(create_estimate_tasks.estimate_id, null);
  insert into public.tasks (title, description, booking_id, assigned_to, estimate_id, estimate_job_key)
  select job.title,
    (select string_agg(line.description || case line.kind
        when 'labor' then ', ' || trim_scale(line.quantity_thousandths / 1000.0) || ' h'
        when 'part' then ', ' || trim_scale(line.quantity_thousandths / 1000.0) || ' pcs' else '' end, E'\n' order by line.position)
      from public.estimate_lines line
      where (line.estimate_id, line.revision, line.job_key) = (job.estimate_id, job.revision, job.job_key) and line.kind <> 'discount'),
    estimate.booking_id, create_estimate_tasks.assigned_to, estimate.id, job.job_key
  from public.estimate_jobs job
  where job.estimate_id = estimate.id
    and job.revision = (select (internal.latest_sent_revision(estimate.id)).revision)
    and internal.is_approved(job.job_key, estimate.id)
  order by job.position
  on conflict (estimate_id, estimate_job_key) do nothing;
  get diagnostics made = row_count;
  update public.estimates set changed_at = clock_timestamp() where id = estimate.id and made > 0;
  return made;
end
$$;
comment on function public.create_estimate_tasks(uuid, uuid) is
  'Creates a task for each approved job that has no task yet, assigned to the given employee or, without an '
  'employee, to nobody; returns the number of new tasks.';
grant execute on function public.create_estimate_tasks(uuid, uuid) to authenticated;

create function internal.sent_revision_outdated_reason(wanted_id uuid, wanted_revision integer) returns text
  -- Runs with the rights of the function's owner, because the server has no right to read estimates.
  language sql stable security definer set search_path = '' as $$
  select case
    when sent.revision is distinct from wanted_revision then 'Not sent: the estimate was changed.'
    when internal.sent_revision_state(sent) = 'decided' then 'Not sent: the estimate was answered.'
    when internal.sent_revision_state(sent) = 'closed' then 'Not sent: the estimate has its invoice.'
    when internal.sent_revision_state(sent) = 'expired' then 'Not sent in time: the estimate has expired.'
  end
  from internal.latest_sent_revision(wanted_id) sent
$$;
comment on function internal.sent_revision_outdated_reason(uuid, integer) is
  'The reason why an email with a revision must no longer be sent; null as long as the customer can decide on the '
  'revision.';
grant execute on function internal.sent_revision_outdated_reason(uuid, integer) to service_role, shop_server;

create function internal.estimate_link_version(estimate_id uuid) returns integer
  -- Runs with the rights of the function's owner, because the server has no right to read estimates.
  language sql stable security definer set search_path = ''
  return (select link_version from public.estimates where id = estimate_id);
comment on function internal.estimate_link_version(uuid) is
  'The current version of the link to an estimate; null if the estimate does not exist.';
grant execute on function internal.estimate_link_version(uuid) to shop_server;

create function internal.publish_estimate_change() returns trigger
  language plpgsql set search_path = '' as $$
declare
  new_row constant jsonb := to_jsonb(coalesce(new, old));
begin
  perform pg_notify('estimates_changed', coalesce(new_row ->> 'estimate_id', new_row ->> 'id'));
  return null;
end
$$;
comment on function internal.publish_estimate_change() is
  'Notifies all server processes that an estimate was changed, seen or decided (channel estimates_changed, with the '
  'id of the estimate).';

create function public.rename_canned_job(canned_job_id uuid, new_title text) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write canned_jobs. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  update public.canned_jobs
  set title = trim(new_title), job = jsonb_set(job, '{title}', to_jsonb(trim(new_title)))
  where id = canned_job_id;
  if not found then
    raise exception 'This canned job no longer exists.' using errcode = 'TT071', hint = 'canned_job_not_found';
  end if;
end
$$;
comment on function public.rename_canned_job(uuid, text) is
  'Renames a canned job; estimates that use it do not change. The title of another canned job is refused '
  '(canned_jobs_title_key).';
grant execute on function public.rename_canned_job(uuid, text) to authenticated;

create function internal.read_printable_estimate(estimate_id uuid, for_customer boolean) returns jsonb
  -- Runs with the rights of the function's owner, because the server has no right to read estimates and
  -- estimate_revisions.
  language sql stable security definer set search_path = '' as $$
  select stored.document || jsonb_build_object(
    'jobs', internal.read_document_jobs(stored.document),
    'kind', estimate.kind, 'payer', stored.document -> 'payer',
    'date', (coalesce(printed.frozen_at, internal.current_instant()) at time zone (select time_zone from public.shop))::date,
    'isFrozen', printed.frozen_at is not null,
    'decisions', internal.list_job_decisions(estimate.id, printed.revision),
    'authorizations', internal.describe_authorizations(estimate.id),
    'tearDownDeclines', internal.list_tear_down_declines(estimate.id))
  from public.estimates estimate
  cross join lateral (
    select revision.* from public.estimate_revisions revision
    where revision.estimate_id = estimate.id and (revision.frozen_at is not null or not for_customer)
    order by revision.revision desc limit 1
  ) printed
  cross join lateral (
    select coalesce(printed.document, internal.build_revision_document(estimate.id, printed.revision)) as document
  ) stored
  where estimate.id = read_printable_estimate.estimate_id
$$;
comment on function internal.read_printable_estimate(uuid, boolean) is
  'The data of a printed estimate: the latest revision (for the customer the latest frozen one), its date, the '
  'decision on each job, and the authorizations, without the internal note. Null if there is no revision to print.';
grant execute on function internal.read_printable_estimate(uuid, boolean) to shop_server;

create function internal.estimate_vehicle_details(estimate public.estimates) returns internal.vehicle_details
  language sql immutable set search_path = ''
  return row(
    nullif(left(estimate.vehicle_year, 20), ''), nullif(left(estimate.vehicle_make, 60), ''),
    nullif(left(estimate.vehicle_model, 60), ''), null, nullif(trim(estimate.vehicle_plate), ''),
    case when internal.is_vin(upper(estimate.vehicle_vin)) then upper(estimate.vehicle_vin) end
  )::internal.vehicle_details;
comment on function internal.estimate_vehicle_details(public.estimates) is
  'The vehicle of an estimate, without the VIN if it is invalid.';

create function internal.estimate_customer_details(estimate public.estimates) returns internal.customer_details
  language plpgsql stable set search_path = '' as $$
begin
  return row(
    coalesce(nullif(trim(estimate.customer_name), ''), 'Unknown'), nullif(estimate.customer_email, ''),
    nullif(estimate.customer_phone, ''), estimate.created_at, true,
    -- Reads the column from JSON, because a migration calls this function before the column exists.
    coalesce((to_jsonb(estimate) ->> 'is_sample')::boolean, false), false)::internal.customer_details;
end
$$;

create function internal.find_begun_estimate(
  wanted_booking_id uuid, wanted_quote_request_id uuid, wanted_customer_id uuid, wanted_vehicle_id uuid
) returns uuid
  language sql stable set search_path = '' as $$
  select id from public.estimates
  where kind = 'repair' and (booking_id = wanted_booking_id or (quote_request_id = wanted_quote_request_id and wanted_booking_id is null)
    or (customer_id = wanted_customer_id and vehicle_id is not distinct from wanted_vehicle_id and version = 1
        and booking_id is null and quote_request_id is null))
  order by created_at desc limit 1
$$;
comment on function internal.find_begun_estimate(uuid, uuid, uuid, uuid) is
  'The existing estimate that create_estimate returns instead of creating another one, for example after a second '
  'click or in another window. Without a booking or quote request, only an estimate that was never saved is '
  'returned.';

create function internal.add_booked_job(estimate_id uuid, booking_id uuid) returns void
  language sql set search_path = '' as $$
  with job as (
    insert into public.estimate_jobs (estimate_id, revision, job_key, position, title, customer_description, is_needed_now)
    select add_booked_job.estimate_id, 1, gen_random_uuid(), 1, service_name, '', true
    from public.bookings where id = add_booked_job.booking_id
    returning job_key, title
  )
  -- Uses the duration of the service, not of the booking, because the booking can be longer, for example if the vehicle
  -- stays overnight.
  insert into public.estimate_lines (
    estimate_id, revision, job_key, position, kind, description, quantity_thousandths, unit_price_cents, is_taxable)
  select add_booked_job.estimate_id, 1, job.job_key, 1, 'labor', job.title, round(service.duration_minutes / 60.0 * 1000),
    rules.labor_rate_cents, false
  from job, public.estimate_rules rules, public.bookings booking
  join public.services service on service.id = booking.service_id
  where booking.id = add_booked_job.booking_id
$$;
comment on function internal.add_booked_job(uuid, uuid) is
  'Adds the first job of an estimate: the service of its booking. The job has one labor line: the duration of the '
  'service at the labor rate. Without a booking, the function adds no job.';

create function internal.create_towing_estimate() returns jsonb
  language sql set search_path = '' as $$
  with estimate as (
    insert into public.estimates (kind, created_by, changed_by)
    values ('towing', internal.author_name(null), internal.author_name(null)) returning id
  ), revision as (
    insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
    select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
    from estimate, public.estimate_rules
  )
  select jsonb_build_object('id', id, 'isNew', true) from estimate
$$;
comment on function internal.create_towing_estimate() is 'Creates an empty estimate of towing; returns {id, isNew}.';

create function public.create_estimate(source jsonb) returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates and
  -- estimate_revisions. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
declare
  booking public.bookings;
  quote public.quote_requests;
  customer public.customers;
  vehicle public.vehicles;
  estimate public.estimates;
  email text;
begin
  perform internal.require_admin();
  if source ->> 'kind' = 'towing' then
    return internal.create_towing_estimate();
  end if;
  -- Locks the booking, quote request, vehicle or customer of the estimate, so that a concurrent second call finds the
  -- estimate that the first call created.
  perform pg_advisory_xact_lock(hashtextextended('estimate of ' || origin.id, 0))
  from (values (source ->> 'bookingId'), (source ->> 'quoteRequestId'), (source ->> 'vehicleId'), (source ->> 'customerId'))
    as origin (id) where origin.id is not null;
  select * into booking from public.bookings where id = (source ->> 'bookingId')::uuid;
  select * into quote from public.quote_requests where id = (source ->> 'quoteRequestId')::uuid;
  select * into vehicle from public.vehicles where id = internal.resolve_merged_vehicle((source ->> 'vehicleId')::uuid);
  select * into customer from public.customers
  where id = coalesce(vehicle.customer_id, internal.resolve_merged_customer((source ->> 'customerId')::uuid)) and merged_into is null and erased_at is null
  -- The key share lock prevents a merge of the customer until the estimate is saved.
  for key share;
  if (source ? 'bookingId' and booking.id is null) or (source ? 'quoteRequestId' and quote.id is null)
     or (source ? 'vehicleId' and vehicle.id is null) or ((source ? 'customerId' or source ? 'vehicleId') and customer.id is null) then
    raise exception 'The record for which this estimate was written no longer exists.' using errcode = 'TT071', hint = 'source_not_found';
  end if;
  estimate.id := internal.find_begun_estimate(booking.id, quote.id, customer.id, vehicle.id);
  if estimate.id is not null then
    return jsonb_build_object('id', estimate.id, 'isNew', false);
  end if;
  -- Omits an unconfirmed email address until staff confirm it.
  email := coalesce(internal.email_for_estimate(booking, quote, customer.id), source #>> '{customer,email}', '');
  insert into public.estimates (
    repair_id, booking_id, quote_request_id, customer_id, vehicle_id, customer_name, customer_email, customer_phone,
    vehicle_year, vehicle_make, vehicle_model, vehicle_plate, vehicle_vin, odometer_miles, created_by, changed_by)
  select coalesce(booking.repair_id, quote.repair_id, gen_random_uuid()), booking.id, quote.id, customer.id, vehicle.id,
    left(trim(coalesce(booking.customer_name, quote.name, customer.name, source #>> '{customer,name}', '')), 100),
    -- An invalid email address is not copied to an estimate.
    case when internal.is_email_address(email) then email else '' end,
    coalesce(booking.customer_phone, quote.phone, customer.phone, source #>> '{customer,phone}', ''),
    coalesce(booking.vehicle_year, quote.vehicle_year, vehicle.year, source #>> '{vehicle,year}', ''),
    coalesce(booking.vehicle_make, quote.vehicle_make, vehicle.make, source #>> '{vehicle,make}', ''),
    coalesce(booking.vehicle_model, quote.vehicle_model, vehicle.model, source #>> '{vehicle,model}', ''),
    coalesce(left(vehicle.plate, 12), source #>> '{vehicle,plate}', ''), coalesce(vehicle.vin, source #>> '{vehicle,vin}', ''),
    (source #>> '{vehicle,odometerMiles}')::integer, internal.author_name(null), internal.author_name(null)
  returning * into estimate;
  insert into public.estimate_revisions (estimate_id, revision, good_until, tax_rate)
  select estimate.id, 1, internal.shop_now()::date + good_for_days, internal.tax_rate_on(internal.shop_now()::date)
  from public.estimate_rules;
  perform internal.add_booked_job(estimate.id, booking.id);
  perform internal.save_revision_jobs(estimate.id, 1, source -> 'jobs') where source ? 'jobs';
  return jsonb_build_object('id', estimate.id, 'isNew', true);
end
$$;
comment on function public.create_estimate(jsonb) is
  'Creates an estimate of a repair for {bookingId}, {quoteRequestId}, {vehicleId} or {customerId}, or with the '
  'details {customer, vehicle} only; returns {id, isNew}. The estimate of a booking begins with a job for its '
  'service. An existing estimate of the same booking or quote request is returned instead; an existing estimate of '
  'the same vehicle or customer is returned only if it was never saved. {kind: towing} creates an empty estimate of '
  'towing. With {jobs}, the estimate begins with these jobs.';
grant execute on function public.create_estimate(jsonb) to authenticated;

-- An estimate with a fee for hazardous waste must state the EPA number, whatever the type of the fee line (16 CCR
-- 3356.1, 3357). domain/estimates/hazardous-waste-fee.ts has the same rule.
create function internal.is_hazardous_waste_fee(description text) returns boolean
  language sql immutable set search_path = ''
  return replace(' ' || trim(regexp_replace(lower(description), '[^a-z]+', ' ', 'g')) || ' ', ' non toxic ', ' ') ~
    ' (hazardous|haz ?mat|toxic|(waste|used) oils?|(coolant|antifreeze|fluids?)( [a-z]+)? (disposal|dispose)|(disposal|dispose)( of)?( [a-z]+){0,2} (coolant|antifreeze|fluids?)) ';

create function internal.add_estimate_event(
  wanted_id uuid, kind text, before jsonb default null, after jsonb default null
) returns void
  language sql set search_path = '' as $$
  insert into public.estimate_events (estimate_id, kind, before, after, changed_by_name)
  values (wanted_id, kind, before, after, internal.author_name(null))
$$;

create function internal.last_merged_customer(customer_id uuid) returns uuid
  language sql stable set search_path = '' as $$
  with recursive merge_chain as (
    select id, merged_into, 1 as step from public.customers where id = customer_id
    union all
    select next.id, next.merged_into, merge_chain.step + 1 from merge_chain join public.customers next on next.id = merge_chain.merged_into where merge_chain.step < 100
  )
  select id from merge_chain where merged_into is null
$$;
comment on function internal.last_merged_customer(uuid) is
  'The customer into whom the customer with this id was merged; the customer with this id if there was no merge. An '
  'erased customer is also returned.';

create function internal.describe_estimate_history(wanted_id uuid) returns jsonb
  language sql stable set search_path = ''
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', event.id, 'kind', event.kind, 'before', event.before, 'after', event.after,
      'changedBy', event.changed_by_name, 'at', event.happened_at) order by event.id), '[]')
    from public.estimate_events event where event.estimate_id = wanted_id
  );

create function internal.names_another_customer(estimate public.estimates) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce((
    select not internal.names_agree(shown.name, estimate.customer_name) and trim(estimate.customer_name) <> ''
      and (shown.email, shown.phone) is distinct from (lower(estimate.customer_email), internal.normalize_phone(estimate.customer_phone))
      and not coalesce(shown.email = nullif(lower(estimate.customer_email), ''), false)
      and not coalesce(shown.phone = internal.normalize_phone(estimate.customer_phone), false)
    from (
      select document ->> 'customerName' as name, lower(document ->> 'customerEmail') as email,
        internal.normalize_phone(document ->> 'customerPhone') as phone
      from internal.latest_sent_revision(estimate.id)
    ) shown
    where shown.name is not null
  ), false)
$$;
comment on function internal.names_another_customer(public.estimates) is
  'Whether an estimate names a different customer than its latest sent revision: the name, the email address and the '
  'phone number all differ.';

create function internal.texts_differ(one text, other text) returns boolean
  language sql immutable set search_path = ''
  return trim(one) <> '' and trim(other) <> '' and internal.normalize_search_text(trim(one)) <> internal.normalize_search_text(trim(other));
comment on function internal.texts_differ(text, text) is
  'Whether two texts differ; an empty text counts as equal to every text.';

create function internal.describes_another_vehicle(estimate public.estimates) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce((
    select (internal.texts_differ(shown.year, estimate.vehicle_year) or internal.texts_differ(shown.make, estimate.vehicle_make)
        or internal.texts_differ(shown.model, estimate.vehicle_model))
      and not coalesce(internal.plate_key(shown.plate) = internal.plate_key(estimate.vehicle_plate), false)
      and not coalesce(nullif(shown.vin, '') = upper(estimate.vehicle_vin), false)
    from (
      select document #>> '{vehicle,year}' as year, document #>> '{vehicle,make}' as make, document #>> '{vehicle,model}' as model,
        document #>> '{vehicle,plate}' as plate, upper(document #>> '{vehicle,vin}') as vin, document
      from internal.latest_sent_revision(estimate.id)
    ) shown
    where shown.document is not null
  ), false)
$$;
comment on function internal.describes_another_vehicle(public.estimates) is
  'Whether an estimate describes a different vehicle than its latest sent revision: year, make or model differ, and '
  'neither plate nor VIN is the same.';

create function internal.details_of_document(document jsonb) returns jsonb
  language sql immutable set search_path = ''
  return (document -> 'vehicle') || jsonb_build_object(
    'name', document -> 'customerName', 'email', document -> 'customerEmail', 'phone', document -> 'customerPhone');
comment on function internal.details_of_document(jsonb) is
  'The customer and the vehicle in the document of a frozen revision, as one object.';

create function internal.log_corrected_record() returns trigger
  -- Runs with the rights of the function's owner, because the role that corrects a customer or a vehicle has no right
  -- to write estimate_events.
  language plpgsql security definer set search_path = '' as $$
declare
  details constant text[] := '{name,email,phone,year,make,model,color,plate,vin}';
  old_row constant jsonb := internal.details_of_record(to_jsonb(old), details);
  new_row constant jsonb := internal.details_of_record(to_jsonb(new), details);
begin
  if old_row <> new_row then
    perform internal.add_estimate_event(estimate.id, 'details_changed',
      internal.changed_columns(old_row, new_row), internal.changed_columns(new_row, old_row))
    from public.estimates estimate
    where case tg_table_name when 'customers' then estimate.customer_id else estimate.vehicle_id end = new.id
      and exists (select from internal.binding_lines(estimate.id) line where line.decision = 'approved')
      and internal.estimate_state(estimate) <> 'invoiced';
  end if;
  return null;
end
$$;
comment on function internal.log_corrected_record() is
  'Records a correction of a customer or vehicle in the history of each estimate of that customer or vehicle that has '
  'an approval and is not invoiced.';

create function internal.details_of_record(row_values jsonb, details text[]) returns jsonb
  language sql immutable set search_path = ''
  return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(row_values) where key = any (details));

create function internal.email_for_estimate(booking public.bookings, quote public.quote_requests, customer_id uuid)
  returns text
  language sql stable set search_path = ''
  return coalesce(
    internal.own_email(booking),
    case when internal.is_their_email(quote.customer_id, quote.email) then quote.email end,
    internal.main_email(coalesce(booking.customer_id, quote.customer_id, customer_id)));
comment on function internal.email_for_estimate(public.bookings, public.quote_requests, uuid) is
  'The email address for an estimate of a booking, a quote request or a customer: the email address in the booking or '
  'quote request if it is the customer''s, otherwise the customer''s main email address; null when there is neither.';

create function public.change_estimate_email(estimate_id uuid, seen_version integer, email text, reason text)
  returns jsonb
  -- Runs with the rights of the function's owner, because the admin has no right to write estimates. require_admin()
  -- checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  estimate public.estimates;
  new_email constant text := trim(change_estimate_email.email);
begin
  perform internal.require_admin();
  estimate := internal.lock_estimate(change_estimate_email.estimate_id, coalesce(seen_version, -1));
  perform internal.refuse_invoiced(estimate);
  if reason is null or reason not in ('new_address', 'wrong_recipient') then
    raise exception 'An address changes because it is new, or because the old one was wrong.' using errcode = '22023', hint = 'invalid_reason';
  end if;
  if reason = 'wrong_recipient' then
    perform internal.withdraw_answers(estimate);
  end if;
  update public.estimates
  set customer_email = new_email, version = version + 1, changed_at = clock_timestamp(), changed_by = internal.author_name(null)
  where id = estimate.id;
  return internal.describe_saved_estimate(estimate.id);
end
$$;
comment on function public.change_estimate_email(uuid, integer, text, text) is
  'Changes the email address of an estimate without a new revision. The reason is new_address (decisions remain valid) '
  'or wrong_recipient (decisions that were made with an earlier link are withdrawn). Refused (TT075) once the estimate '
  'is invoiced. Returns the same as save_estimate.';
grant execute on function public.change_estimate_email(uuid, integer, text, text) to authenticated;

create function internal.renew_links(wanted_booking uuid, wanted_estimate uuid) returns void
  language plpgsql set search_path = '' as $$
declare
  estimate uuid;
begin
  if wanted_booking is not null then
    perform internal.lock_booking(wanted_booking);
    update public.bookings set link_version = link_version + 1 where id = wanted_booking;
  end if;
  for estimate in
    update public.estimates known set link_version = known.link_version + 1
    where known.id = wanted_estimate or known.booking_id = wanted_booking returning known.id
  loop
    if internal.last_frozen_at(estimate) is not null then
      perform internal.add_estimate_event(estimate, 'relinked');
    end if;
  end loop;
end
$$;
comment on function internal.renew_links(uuid, uuid) is
  'Makes all earlier links to a booking and to its estimates invalid; for an estimate without a booking, the earlier '
  'links to this estimate.';

create function public.read_estimate_link(estimate_id uuid, renew boolean default false) returns text
  -- Runs with the rights of the function's owner, because the admin has no right to call renew_links and
  -- estimate_token. require_admin() checks that the caller is the admin.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  if renew then
    perform internal.renew_links(
      (select booking_id from public.estimates where id = read_estimate_link.estimate_id), read_estimate_link.estimate_id);
  end if;
  return '/estimate/' || internal.estimate_token(read_estimate_link.estimate_id);
end
$$;
comment on function public.read_estimate_link(uuid, boolean) is
  'For the admin: the URL path of the page on which the customer approves an estimate. If renew is true, the function '
  'creates a new path, and the earlier links to the estimate and to its booking stop working.';
grant execute on function public.read_estimate_link(uuid, boolean) to authenticated;

create function internal.sent_revision_misdirected_reason(wanted_id uuid, recipient text) returns text
  -- Runs with the rights of the function's owner, because the server has no right to read estimates.
  language sql stable security definer set search_path = '' as $$
  select 'Not sent: the customer has another address.'
  from public.estimates where id = wanted_id and lower(trim(customer_email)) <> lower(trim(recipient))
$$;
comment on function internal.sent_revision_misdirected_reason(uuid, text) is
  'The reason why an email with an estimate must not be sent to the given email address; null if it is the email '
  'address in the estimate.';
grant execute on function internal.sent_revision_misdirected_reason(uuid, text) to service_role, shop_server;

create function internal.was_taken_from_visitor(estimate public.estimates, wanted_booking uuid) returns boolean
  language sql stable set search_path = '' as $$
  select exists (
    select from public.bookings booking
    join public.estimate_events event on event.estimate_id = estimate.id and event.kind = 'address_changed'
    where booking.id = wanted_booking and lower(booking.customer_email) = lower(event.before ->> 'email')
      and lower(booking.customer_email) <> lower(estimate.customer_email))
$$;
comment on function internal.was_taken_from_visitor(public.estimates, uuid) is
  'Whether an estimate was sent to the email address of its booking, and staff later changed the email address of the '
  'estimate. The visit page, whose link was sent to the email address of the booking, then shows no link to the '
  'estimate.';
