-- The details and settings of the shop: name and address, booking rules, opening hours, special hours, bays and the
-- services that each bay can do. Every change of a setting is recorded with its values before and after. The procedures
-- that save opening hours, special hours and bays refuse a request with an outdated version of the settings section.

create table public.shop (
  id boolean primary key default true constraint shop_is_one_row check (id),
  name text not null constraint shop_name_is_text check (internal.is_single_line_text(name, 1, 60)),
  legal_name text not null constraint shop_legal_name_is_text check (internal.is_single_line_text(legal_name, 1, 100)),
  business_type text not null constraint shop_business_type_is_text check (internal.is_single_line_text(business_type, 1, 60)),
  tagline text not null constraint shop_tagline_is_text check (internal.is_single_line_text(tagline, 0, 100)),
  description text not null constraint shop_description_is_text check (internal.is_single_line_text(description, 0, 300)),
  street text not null constraint shop_street_is_text check (internal.is_single_line_text(street, 1, 100)),
  city text not null constraint shop_city_is_text check (internal.is_single_line_text(city, 1, 60)),
  state text not null constraint shop_state_is_text check (internal.is_single_line_text(state, 0, 30)),
  postal_code text not null constraint shop_postal_code_is_text check (internal.is_single_line_text(postal_code, 1, 12)),
  country text not null constraint shop_country_is_a_code check (country ~ '^[A-Z]{2}$'),
  latitude double precision constraint shop_latitude_in_range check (latitude between -90 and 90),
  longitude double precision constraint shop_longitude_in_range check (longitude between -180 and 180),
  time_zone text not null constraint shop_time_zone_is_text check (internal.is_single_line_text(time_zone, 1, 60)),
  phone text not null constraint shop_phone_is_a_number check (phone ~ '^\+[1-9][0-9]{7,14}$'),
  billing_phone text not null constraint shop_billing_phone_is_a_number check (billing_phone ~ '^\+[1-9][0-9]{7,14}$'),
  support_email text not null constraint shop_support_email_is_an_address check (internal.is_email_address(support_email)),
  billing_email text not null constraint shop_billing_email_is_an_address check (internal.is_email_address(billing_email)),
  booking_email text not null constraint shop_booking_email_is_an_address check (internal.is_email_address(booking_email)),
  links text[] not null default '{}' constraint shop_links_are_https_urls check (internal.are_https_urls(links)),
  appointment_minutes integer not null
    constraint shop_appointment_minutes_in_range check (appointment_minutes between 5 and 720),
  quote_reply_hours integer not null constraint shop_quote_reply_hours_in_range check (quote_reply_hours between 1 and 336),
  version integer not null default 1,
  experts_text text not null constraint shop_experts_text_is_text check (internal.is_single_line_text(experts_text, 1, 200)),
  turnaround_text text not null constraint shop_turnaround_text_is_text check (internal.is_single_line_text(turnaround_text, 1, 200)),
  warranty_text text not null constraint shop_warranty_text_is_text check (internal.is_single_line_text(warranty_text, 1, 200)),
  constraint shop_position_is_whole check ((latitude is null) = (longitude is null))
);
comment on table public.shop is
  'Name, street address, phone numbers, email addresses and texts of the shop, in one row; shown on pages and in '
  'emails, invoices and calendar files.';
comment on column public.shop.name is 'The name under which customers know the shop.';
comment on column public.shop.legal_name is
  'The registered name of the business, which invoices and the structured data (schema.org) contain.';
comment on column public.shop.business_type is
  'The kind of business, which is shown above the name, such as ''Auto Repair & Performance''.';
comment on column public.shop.tagline is 'The slogan, which is shown below the name.';
comment on column public.shop.description is 'One or two sentences about the work of the shop.';
comment on column public.shop.street is
  'The street of the registered address; its other parts are the columns city, state, postal_code and country (ISO '
  '3166-1 alpha-2).';
comment on column public.shop.latitude is
  'The latitude of the shop in degrees (WGS 84). The map is centered on latitude and longitude. Null if the position '
  'of the street address is unknown.';
comment on column public.shop.time_zone is
  'The IANA name of the shop''s time zone. Every date and time of a booking is wall-clock time in this zone.';
comment on column public.shop.phone is
  'The shop''s main phone number in E.164 format; domain/customers/phone-number.ts formats it for display.';
comment on column public.shop.billing_phone is 'The phone number for questions about invoices, in E.164 format.';
comment on column public.shop.links is
  'Web pages about the shop on other sites, for the structured data of the site (schema.org).';
comment on column public.shop.appointment_minutes is
  'The usual length of an appointment in minutes, which the website states. The length of a booking depends on its '
  'service.';
comment on column public.shop.quote_reply_hours is 'The number of hours within which the website promises a reply to a quote request.';
comment on column public.shop.experts_text is 'The text about the technicians, shown on the home page.';
comment on column public.shop.turnaround_text is 'The text about how long repairs take, shown on the home page.';
comment on column public.shop.warranty_text is 'The text about the warranty, shown on the home page.';

insert into public.shop (
  name, legal_name, business_type, tagline, description, street, city, state, postal_code, country, latitude, longitude, time_zone,
  phone, billing_phone, support_email, billing_email, booking_email, appointment_minutes, quote_reply_hours, experts_text,
  turnaround_text, warranty_text
) values (
  'Torque & Timing', 'Torque & Timing Auto Repair', 'Auto Repair & Performance', 'Fixed right. Ready on time.',
  'Brakes, engines, transmissions and the small things in between. You see the price before we start.',
  '2130 Example Way', 'Mountain View', 'CA', '94043', 'US', 37.4189, -122.0864, 'America/Los_Angeles',
  '+16505550142', '+16505550188', 'support@torqueandtiming.example', 'billing@torqueandtiming.example',
  'hello@torqueandtiming.example', 75, 24,
  'One technician looks after your car from start to finish, and can tell you exactly what was done.',
  'Most repairs are same-day or next-day. If something will take longer, you hear it first.',
  'Every repair carries a warranty. Checked, marked, and written on your invoice.'
)
on conflict do nothing;

alter table public.shop enable row level security;
grant select on public.shop to authenticated, service_role, shop_server;
grant select (name, legal_name, business_type, tagline, description, street, city, state, postal_code, country, latitude, longitude,
  time_zone, phone, billing_phone, support_email, billing_email, booking_email, links, appointment_minutes, quote_reply_hours,
  experts_text, turnaround_text, warranty_text)
  on public.shop to anon;
grant update (name, legal_name, business_type, tagline, description, street, city, state, postal_code, country, latitude, longitude,
  time_zone, phone, billing_phone, support_email, billing_email, booking_email, links, appointment_minutes, quote_reply_hours,
  experts_text, turnaround_text, warranty_text)
  on public.shop to authenticated;
create policy "anyone reads the shop's facts" on public.shop for select to anon, authenticated, shop_server using (true);
create policy "the admin changes the shop's facts" on public.shop
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

create function internal.check_time_zone() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- PostgreSQL's `at time zone` also accepts abbreviations (EST) and UTC offsets (+02). Neither has daylight saving
  -- time, and browsers reject both, so this trigger accepts only full names and UTC.
  if new.time_zone !~ '^[A-Z][A-Za-z]+/[A-Za-z/_+0-9-]+$' and new.time_zone <> 'UTC'
     or not exists (select from pg_timezone_names where name = new.time_zone) then
    raise exception 'There is no time zone of this name.' using errcode = 'TT052', hint = 'time_zone_unknown';
  end if;
  return new;
end
$$;
comment on function internal.check_time_zone() is 'Refuses a time zone that PostgreSQL does not know by its full name.';
grant execute on function internal.check_time_zone() to authenticated;
create trigger check_time_zone before insert or update of time_zone on public.shop for each row execute function internal.check_time_zone();

create function internal.clear_old_position() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.latitude := null;
  new.longitude := null;
  return new;
end
$$;
comment on function internal.clear_old_position() is
  'Clears latitude and longitude if the street address changes without a new latitude and longitude, because the '
  'stored ones belong to the old address.';
grant execute on function internal.clear_old_position() to authenticated;
create trigger clear_old_position before update on public.shop
  for each row when (
    (new.street, new.city, new.state, new.postal_code, new.country)
      is distinct from (old.street, old.city, old.state, old.postal_code, old.country)
    and (new.latitude, new.longitude) is not distinct from (old.latitude, old.longitude))
  execute function internal.clear_old_position();

create trigger increment_version before update on public.shop for each row execute function internal.increment_version();
create trigger record_settings_change after insert or update or delete on public.shop
  for each row execute function internal.record_settings_change('shop');
create trigger keep_bay_hours after update of time_zone on public.shop
  for each statement execute function internal.keep_bay_hours_after_change();

create table public.booking_rules (
  id boolean primary key default true constraint booking_rules_are_one_row check (id),
  notice_minutes integer not null default 120
    constraint booking_rules_notice_minutes_in_range check (notice_minutes between 0 and 20160),
  booking_window_days integer not null default 30 constraint booking_rules_booking_window_days_in_range check (booking_window_days between 1 and 365),
  slot_interval_minutes integer not null default 30
    constraint booking_rules_slot_interval_minutes_in_range check (slot_interval_minutes between 5 and 240 and slot_interval_minutes % 5 = 0),
  change_cutoff_minutes integer not null default 120
    constraint booking_rules_change_cutoff_minutes_in_range check (change_cutoff_minutes between 0 and 20160),
  cancel_cutoff_minutes integer not null default 120
    constraint booking_rules_cancel_cutoff_minutes_in_range check (cancel_cutoff_minutes between 0 and 20160),
  reminder_time time(0) not null default '17:00',
  online_booking_paused boolean not null default false,
  pause_message text not null default '' constraint booking_rules_pause_message_is_text check (internal.is_single_line_text(pause_message, 0, 300)),
  invoice_lookup_requires_email boolean not null default false,
  version integer not null default 1,
  notify_shop_of_changes boolean not null default false,
  counts_cash_before_expected boolean not null default false,
  close_print_format text not null default 'receipt' constraint booking_rules_close_print_format_is_known check (close_print_format in ('receipt', 'letter')),
  rounds_cash boolean not null default false,
  constraint booking_rules_notice_within_booking_window check (notice_minutes < booking_window_days * 1440),
  constraint booking_rules_pause_has_message check (not online_booking_paused or length(trim(pause_message)) > 0),
  constraint booking_rules_reminder_time_by_day check (reminder_time between '08:00' and '20:30')
);
comment on table public.booking_rules is 'The rules of online booking, in one row. docs/product.md 9.3 lists the defaults.';
comment on column public.booking_rules.notice_minutes is 'The minimum number of minutes between a visitor''s booking and its start.';
comment on column public.booking_rules.booking_window_days is
  'The number of days after today on which visitors can still book.';
comment on column public.booking_rules.slot_interval_minutes is 'The number of minutes between possible start times of online bookings, counted from the opening time.';
comment on column public.booking_rules.change_cutoff_minutes is 'Customers can move a booking until this many minutes before its start.';
comment on column public.booking_rules.cancel_cutoff_minutes is 'Customers can cancel a booking until this many minutes before its start.';
comment on column public.booking_rules.reminder_time is
  'The time of day at which reminders are sent on the day before an appointment, in shop time.';
comment on column public.booking_rules.pause_message is 'The text that visitors read while online booking is paused.';
comment on column public.booking_rules.invoice_lookup_requires_email is
  'Whether a customer who looks up an invoice must enter the customer''s email address in addition to the invoice '
  'number.';
comment on column public.booking_rules.notify_shop_of_changes is
  'Whether the shop gets an email when a customer moves or cancels a booking; the dashboard shows the change anyway.';
comment on column public.booking_rules.counts_cash_before_expected is
  'Whether the page for the day close (the daily count of the cash drawer) shows the expected amount of cash only '
  'after staff have counted the cash.';
comment on column public.booking_rules.rounds_cash is
  'Whether an amount due in cash is rounded to five cents, because one-cent coins are no longer minted '
  '(docs/product.md 17.3).';
comment on column public.booking_rules.close_print_format is
  'The paper on which a day close (the daily count of the cash drawer) is printed: receipt (80 mm) or letter (US '
  'Letter).';

insert into public.booking_rules default values on conflict do nothing;

alter table public.booking_rules enable row level security;
grant select on public.booking_rules to authenticated, service_role, shop_server;
grant select (notice_minutes, booking_window_days, slot_interval_minutes, change_cutoff_minutes, cancel_cutoff_minutes,
  online_booking_paused, pause_message, invoice_lookup_requires_email) on public.booking_rules to anon;
grant update (notice_minutes, booking_window_days, slot_interval_minutes, change_cutoff_minutes, cancel_cutoff_minutes, reminder_time,
  online_booking_paused, pause_message, notify_shop_of_changes) on public.booking_rules to authenticated;
-- Only owners can change the settings of the section 'Payments'.
grant update (counts_cash_before_expected, rounds_cash, close_print_format, invoice_lookup_requires_email)
  on public.booking_rules to shop_owner;
create policy "visitors and the server read the booking rules" on public.booking_rules for select to anon, shop_server using (true);
create policy "the admin reads the booking rules" on public.booking_rules for select to authenticated using ((select internal.is_admin()));
create policy "the admin changes the booking rules" on public.booking_rules
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));

create trigger refuse_change_by_others
  before update of counts_cash_before_expected, rounds_cash, close_print_format, invoice_lookup_requires_email on public.booking_rules
  for each row when (current_user = 'shop_owner'::text) execute function internal.refuse_change_by_others();
create trigger increment_version before update on public.booking_rules for each row execute function internal.increment_version();
create trigger record_settings_change after insert or update or delete on public.booking_rules
  for each row execute function internal.record_settings_change('rules');
create trigger keep_bay_hours after update of booking_window_days on public.booking_rules
  for each statement execute function internal.keep_bay_hours_after_change();

create table public.opening_hours (
  weekday smallint primary key check (weekday between 0 and 6),
  opens_minute smallint not null constraint opening_hours_opens_minute_in_range check (opens_minute between 0 and 1439),
  closes_minute smallint not null constraint opening_hours_closes_minute_in_range check (closes_minute between 1 and 1440),
  constraint opening_hours_close_after_opening check (opens_minute < closes_minute)
);
comment on table public.opening_hours is
  'The opening hours by weekday (0 is Sunday), in minutes after midnight, shop time. The shop is closed on a weekday '
  'without a row.';

insert into public.opening_hours (weekday, opens_minute, closes_minute) values
  (0, 510, 1260), (1, 660, 1140), (2, 660, 1140), (3, 660, 1140),
  (4, 510, 1260), (5, 510, 1260), (6, 510, 1260)
on conflict do nothing;

alter table public.opening_hours enable row level security;
grant select on public.opening_hours to anon, authenticated, shop_server;
create policy "anyone reads the opening hours" on public.opening_hours for select to anon, authenticated, shop_server using (true);

create trigger record_settings_change after insert or update or delete on public.opening_hours
  for each row execute function internal.record_settings_change('hours', 'weekday');
create trigger keep_bay_hours after insert or update or delete or truncate on public.opening_hours
  for each statement execute function internal.keep_bay_hours_after_change();

create table public.special_hours (
  id uuid primary key default gen_random_uuid(),
  starts_at timestamp not null,
  ends_at timestamp not null,
  is_open boolean not null default false,
  bay_id uuid references public.bays on delete cascade,
  reason text not null default '' constraint special_hours_reason_is_text check (internal.is_single_line_text(reason, 0, 100)),
  is_public boolean not null default true,
  version integer not null default 1,
  span tsrange not null generated always as (
    case when starts_at < ends_at then tsrange(starts_at, ends_at, '[)') else 'empty' end
  ) stored,
  constraint special_hours_end_after_start check (starts_at < ends_at),
  constraint special_hours_are_of_this_century check (
    starts_at between '2000-01-01' and '2100-01-01' and ends_at <= '2100-01-01' and ends_at - starts_at <= interval '400 days'
  ),
  constraint special_hours_are_whole_minutes check (
    starts_at = date_trunc('minute', starts_at) and ends_at = date_trunc('minute', ends_at)
  ),
  -- A special opening of several days would also open the shop during the nights.
  constraint special_openings_last_one_day check (not is_open or ends_at <= starts_at::date + 1)
);
comment on table public.special_hours is
  'Exceptions from the weekly hours: closures and special openings. Where a closure and a special opening overlap, '
  'the shop is closed. Times are wall-clock times at the shop; a range of several days is one row.';
comment on column public.special_hours.is_open is 'Whether the row is a special opening; false for a closure.';
comment on column public.special_hours.bay_id is 'The bay to which the exception applies; null for the whole shop.';
comment on column public.special_hours.is_public is
  'Whether visitors can read the reason. Visitors always know the times, because they see that no appointments are '
  'offered then.';
comment on column public.special_hours.span is
  'The time range of the exception in wall-clock time. The range includes its start and excludes its end.';

create index special_hours_by_span on public.special_hours using gist (span);
create index special_hours_of_bay on public.special_hours (bay_id);

alter table public.special_hours enable row level security;
grant select on public.special_hours to authenticated, service_role, shop_server;
grant select (starts_at, ends_at, is_open, reason) on public.special_hours to anon;
create policy "visitors read public special hours of the shop" on public.special_hours
  for select to anon using (is_public and bay_id is null);
create policy "the admin reads special hours" on public.special_hours for select to authenticated using ((select internal.is_admin()));
create policy "the server reads special hours" on public.special_hours for select to shop_server using (true);

create trigger record_settings_change after insert or update or delete on public.special_hours
  for each row execute function internal.record_settings_change('closures', 'reason');
create trigger increment_version before update on public.special_hours for each row execute function internal.increment_version();
create trigger keep_bay_hours after insert or update or delete or truncate on public.special_hours
  for each statement execute function internal.keep_bay_hours_after_change();

create table public.bays (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint bays_name_is_unique unique
    constraint bays_name_is_text check (internal.is_single_line_text(name, 1, 40)),
  position integer not null constraint bays_position_is_unique unique deferrable
    constraint bays_position_in_range check (position between 1 and 50),
  is_active boolean not null default true,
  version integer not null default 1,
  technician text constraint bays_technician_is_text check (internal.is_single_line_text(technician, 1, 40)),
  is_sample boolean not null default false
);
comment on table public.bays is 'The places of the shop in each of which one vehicle at a time is repaired.';
comment on column public.bays.position is
  'The position of the bay in the order that the owner chose. The position is a part of the rank by which a booking '
  'gets its bay (internal.bay_rank).';
comment on column public.bays.is_active is 'Whether the bay is in use: only active bays get bookings.';
comment on column public.bays.technician is 'The technician who works in the bay, or null. Only staff can read the name.';
comment on column public.bays.is_sample is
  'Whether the bay is sample data. Such a bay is deleted together with the sample week.';

insert into public.bays (name, position)
select 'Bay 1', 1 where not exists (select from public.bays);

alter table public.bays enable row level security;
grant select on public.bays to authenticated, service_role, shop_server;
create policy "the admin reads bays" on public.bays for select to authenticated using ((select internal.is_admin()));
create policy "the server reads bays" on public.bays for select to shop_server using (true);

-- Adding and removing the bays of the sample week (sample data for a new shop) is not recorded as a change of settings.
create trigger record_bay_insert after insert on public.bays
  for each row when (not new.is_sample) execute function internal.record_settings_change('bays', 'name');
create trigger record_bay_update after update on public.bays
  for each row when (not new.is_sample or new.is_active) execute function internal.record_settings_change('bays', 'name');
create trigger record_bay_delete after delete on public.bays
  for each row when (not old.is_sample) execute function internal.record_settings_change('bays', 'name');
create trigger increment_version before update on public.bays for each row execute function internal.increment_version();
create trigger keep_bay_hours after insert or update of is_active or delete on public.bays
  for each statement execute function internal.keep_bay_hours_after_change();
create trigger keep_bay_ranks after update of position on public.bays
  for each statement execute function internal.keep_bay_ranks();

create table public.bay_services (
  bay_id uuid not null references public.bays on delete cascade,
  service_id uuid not null references public.services on delete cascade,
  primary key (bay_id, service_id)
);
comment on table public.bay_services is 'The services that a bay can do. A bay without a row can do all services.';

create index bay_services_by_service on public.bay_services (service_id);

alter table public.bay_services enable row level security;
grant select on public.bay_services to authenticated, service_role, shop_server;
create policy "the admin reads what bays can do" on public.bay_services for select to authenticated using ((select internal.is_admin()));
create policy "the server reads what bays can do" on public.bay_services for select to shop_server using (true);

create trigger record_settings_change after insert or update or delete on public.bay_services
  for each row execute function internal.record_settings_change('bays');
create trigger keep_bay_ranks after insert or update or delete or truncate on public.bay_services
  for each statement execute function internal.keep_bay_ranks();

create table public.settings_versions (
  section text primary key,
  version integer not null default 1
);
comment on table public.settings_versions is
  'The version of each settings section. Each change in the section increments the version. A request to save the '
  'section contains the version that the page displayed.';

insert into public.settings_versions (section)
values ('shop'), ('rules'), ('hours'), ('closures'), ('bays'), ('services'), ('team')
on conflict do nothing;

insert into public.settings_versions (section) values ('estimates')
on conflict do nothing;

alter table public.settings_versions enable row level security;
grant select on public.settings_versions to authenticated;
create policy "the admin reads the versions of settings" on public.settings_versions
  for select to authenticated using ((select internal.is_admin()));

create table public.settings_history (
  id bigint generated always as identity primary key,
  section text not null,
  subject text not null,
  action text not null check (action in ('added', 'changed', 'removed')),
  before jsonb,
  after jsonb,
  changed_by_name text not null check (length(changed_by_name) <= 100),
  changed_at timestamptz not null default clock_timestamp(),
  constraint settings_history_section_check check (section in ('shop', 'rules', 'hours', 'closures', 'bays', 'services', 'team', 'estimates'))
);
comment on table public.settings_history is 'The changes of settings with their authors, written in the transaction of each change. [append-only]';
comment on column public.settings_history.section is 'The section of the settings page to which the setting belongs.';
comment on column public.settings_history.subject is
  'The changed row: the name of a bay, service or employee, the reason of special hours, the weekday (0 is Sunday), '
  'or '''' for a table with a single row.';
comment on column public.settings_history.before is 'The changed columns before the change; null for an added row.';
comment on column public.settings_history.after is 'The changed columns after the change; null for a removed row.';
comment on column public.settings_history.changed_by_name is
  'The username of the owner or advisor who made the change; ''system'' for every other change.';

create index settings_history_of_section on public.settings_history (section, id desc);

alter table public.settings_history enable row level security;
-- The server uses the settings history to determine which setup steps the owner has completed.
grant select on public.settings_history to authenticated, shop_server;
create policy "the admin reads the history of settings" on public.settings_history
  for select to authenticated using ((select internal.is_admin()));
create policy "the server reads the history of settings" on public.settings_history for select to shop_server using (true);

create function internal.allow_only_value_redaction() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - '{subject,before,after}'::text[] <> to_jsonb(old) - '{subject,before,after}'::text[] then
    raise exception 'History lines can be added, but not changed or deleted.' using errcode = 'TT055', hint = 'append_only';
  end if;
  return new;
end
$$;
comment on function internal.allow_only_value_redaction() is
  'Lets an erasure redact a customer''s name in the history of settings and refuses every other change (TT055).';
create trigger allow_only_value_redaction before update on public.settings_history
  for each row execute function internal.allow_only_value_redaction();

create trigger prevent_history_change before update or delete or truncate on public.settings_history
  for each statement execute function internal.prevent_history_change('erasure UPDATE');

create table internal.onboarding (
  id boolean primary key default true constraint onboarding_is_one_row check (id),
  has_first_password boolean not null default false,
  confirmed_steps text[] not null default '{}'
    constraint onboarding_confirmed_steps_are_known check (confirmed_steps <@ array['hours', 'bays', 'services', 'labor', 'tax']),
  hidden_at timestamptz,
  done_at timestamptz,
  sample_week_id uuid,
  sample_filled_at timestamptz,
  constraint onboarding_sample_week_was_started check (sample_filled_at is null or sample_week_id is not null)
);
comment on table internal.onboarding is
  'The progress of the setup checklist, and the state of the sample week (sample data for a new shop), in one row.';
comment on column internal.onboarding.has_first_password is
  'Whether an admin still uses the initial password, which the first start of the site generated and printed.';
comment on column internal.onboarding.confirmed_steps is
  'The setup steps whose default settings the owner confirmed without changing them.';
comment on column internal.onboarding.hidden_at is
  'When the owner hid the checklist; null while the checklist is visible.';
comment on column internal.onboarding.done_at is
  'When all setup steps were done for the first time. Afterwards the checklist is not computed again.';
comment on column internal.onboarding.sample_week_id is
  'The id of the current sample week. The id is kept until all rows of the sample week are deleted; null without a '
  'sample week.';
comment on column internal.onboarding.sample_filled_at is
  'When the sample week was created completely; null until then.';

insert into internal.onboarding default values on conflict do nothing;

alter table internal.onboarding enable row level security;
grant select on internal.onboarding to shop_server;
grant update (has_first_password, confirmed_steps, hidden_at, done_at) on internal.onboarding to shop_server;
create policy "the server reads onboarding" on internal.onboarding for select to shop_server using (true);
create policy "the server changes onboarding" on internal.onboarding for update to shop_server using (true) with check (true);

create function internal.bay_can_do_service(bay uuid, service uuid) returns boolean
  language plpgsql stable set search_path = ''
  -- With `force_generic_plan`, each connection plans the statements once instead of for every call.
  set plan_cache_mode = force_generic_plan as $$
begin
  -- The subquery returns null if the bay has no row in bay_services or the argument service is null.
  return coalesce((select bool_or(service_id = service) from public.bay_services where bay_id = bay), true);
end
$$;
comment on function internal.bay_can_do_service(uuid, uuid) is
  'Whether a bay can do a service; true if the argument service is null.';

create function internal.services_of_bay(bay uuid) returns uuid[]
  language sql stable set search_path = ''
  return (select array_agg(service_id order by service_id) from public.bay_services where bay_id = bay);
comment on function internal.services_of_bay(uuid) is
  'The services that a bay can do; null if the bay can do all services.';

create function internal.default_bay() returns uuid
  -- Runs with the rights of the function's owner, because visitors have no right to read bays.
  language sql stable security definer set search_path = ''
  return (select id from public.bays where is_active order by position limit 1);
comment on function internal.default_bay() is
  'The bay of a booking that is inserted without a bay_id, for example by a script: the first active bay.';
grant execute on function internal.default_bay() to anon, authenticated;

create function internal.record_settings_change() returns trigger
  -- Runs with the rights of the function's owner, because the role that writes the row has no right to write
  -- settings_versions and settings_history.
  language plpgsql security definer set search_path = '' as $$
declare
  changed_section constant text := tg_argv[0];
  counted constant text[] := array['id', 'version', 'span', 'needs_code_app'];
  row_before constant jsonb := case when tg_op <> 'INSERT' then internal.with_service_name(to_jsonb(old) - counted) end;
  row_after constant jsonb := case when tg_op <> 'DELETE' then internal.with_service_name(to_jsonb(new) - counted) end;
  changed_row constant jsonb := coalesce(row_after, row_before);
begin
  if row_before = row_after then
    return null;
  end if;
  update public.settings_versions set version = version + 1 where section = changed_section;
  perform pg_notify('settings_changed', changed_section);
  -- The initial settings of a new shop are not recorded as changes.
  if tg_op = 'INSERT' and not internal.is_admin() then
    return null;
  end if;
  insert into public.settings_history (section, subject, action, before, after, changed_by_name)
  values (
    changed_section,
    coalesce(changed_row ->> tg_argv[1], (select name from public.bays where id = (changed_row ->> 'bay_id')::uuid), ''),
    case
      -- Adding a service to a bay, or removing one, is recorded as a change of the bay.
      when tg_op = 'UPDATE' or tg_table_name = 'bay_services' then 'changed'
      when tg_op = 'INSERT' then 'added'
      else 'removed'
    end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_before, row_after) else row_before end,
    case tg_op when 'UPDATE' then internal.changed_columns(row_after, row_before) else row_after end,
    case when internal.is_admin() then internal.author_name(null) else 'system' end
  );
  return null;
end
$$;
comment on function internal.record_settings_change() is
  'Records a change of a setting in settings_history, increments the version of its section and notifies all processes '
  '(channel settings_changed). Arguments of the trigger: the section, and the column that identifies the row.';

create function public.save_opening_hours(hours jsonb, seen_version integer, is_preview boolean default false)
  returns setof public.schedule_conflicts
  -- Runs with the rights of the function's owner, because the admin has no right to write opening_hours.
  language plpgsql security definer set search_path = '' as $$
declare
  conflicts public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('hours', seen_version);
  begin
    delete from public.opening_hours
    where weekday not in (select given.weekday from jsonb_to_recordset(hours) as given(weekday smallint));
    insert into public.opening_hours as known (weekday, opens_minute, closes_minute)
    select weekday, opens_minute, closes_minute
    from jsonb_to_recordset(hours) as given(weekday smallint, opens_minute smallint, closes_minute smallint)
    on conflict (weekday) do update set opens_minute = excluded.opens_minute, closes_minute = excluded.closes_minute
    where (known.opens_minute, known.closes_minute) <> (excluded.opens_minute, excluded.closes_minute);
    conflicts := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(conflicts);
end
$$;
comment on function public.save_opening_hours(jsonb, integer, boolean) is
  'Saves the opening hours of the week ([{weekday, opens_minute, closes_minute}]; a missing weekday is closed). '
  'Returns the schedule conflicts after the change: bookings outside the hours or without a bay. Refuses an outdated '
  'version of the settings section ''hours'' (TT051). A preview returns the conflicts without saving.';
grant execute on function public.save_opening_hours(jsonb, integer, boolean) to authenticated;

create function public.save_special_hours(
  special_hours_id uuid, starts_at timestamp, ends_at timestamp, is_open boolean, bay_id uuid, reason text,
  is_public boolean, seen_version integer, is_preview boolean default false
) returns setof public.schedule_conflicts
  -- Runs with the rights of the function's owner, because the admin has no right to write special_hours.
  language plpgsql security definer set search_path = '' as $$
declare
  conflicts public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('closures', seen_version);
  begin
    if special_hours_id is null then
      insert into public.special_hours (starts_at, ends_at, is_open, bay_id, reason, is_public)
      values (save_special_hours.starts_at, save_special_hours.ends_at, save_special_hours.is_open, save_special_hours.bay_id,
              trim(save_special_hours.reason), save_special_hours.is_public);
    else
      update public.special_hours
      set starts_at = save_special_hours.starts_at, ends_at = save_special_hours.ends_at, is_open = save_special_hours.is_open,
          bay_id = save_special_hours.bay_id, reason = trim(save_special_hours.reason), is_public = save_special_hours.is_public
      where id = special_hours_id;
    end if;
    conflicts := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(conflicts);
end
$$;
comment on function public.save_special_hours(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean) is
  'Adds a closure or special opening (special_hours_id null) or changes one, and returns the schedule conflicts '
  '(bookings outside the hours or without a bay) after the change. Refuses an outdated version of the settings section '
  '''closures'' (TT051). A preview returns the conflicts without saving.';
grant execute on function public.save_special_hours(uuid, timestamp, timestamp, boolean, uuid, text, boolean, integer, boolean) to
  authenticated;

create function public.remove_special_hours(
  special_hours_id uuid, seen_version integer, is_preview boolean default false
) returns setof public.schedule_conflicts
  -- Runs with the rights of the function's owner, because the admin has no right to write special_hours.
  language plpgsql security definer set search_path = '' as $$
declare
  conflicts public.schedule_conflicts[];
begin
  perform internal.begin_settings_change('closures', seen_version);
  begin
    delete from public.special_hours where id = special_hours_id;
    conflicts := array(select schedule_conflicts from public.schedule_conflicts);
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query select * from unnest(conflicts);
end
$$;
comment on function public.remove_special_hours(uuid, integer, boolean) is
  'Deletes a closure or special opening, and returns the schedule conflicts (bookings outside the hours or without a '
  'bay) after the deletion. Refuses an outdated version of the settings section ''closures'' (TT051). A preview '
  'returns the conflicts without deleting.';
grant execute on function public.remove_special_hours(uuid, integer, boolean) to authenticated;

create function internal.save_bay_services(bay uuid, service_ids uuid[]) returns void
  language sql set search_path = '' as $$
  delete from public.bay_services where bay_id = bay and service_id <> all (service_ids);
  insert into public.bay_services (bay_id, service_id) select bay, wanted from unnest(service_ids) wanted
  on conflict do nothing;
$$;
comment on function internal.save_bay_services(uuid, uuid[]) is
  'Sets the services that a bay can do; an empty list means all services.';

create function internal.save_bay_row(
  wanted_id uuid, wanted_name text, wanted_is_active boolean, wanted_technician text
) returns uuid
  language plpgsql set search_path = '' as $$
declare
  saved_id uuid := wanted_id;
begin
  if saved_id is null then
    insert into public.bays (name, position, is_active, technician)
    select trim(wanted_name), coalesce(max(position), 0) + 1, wanted_is_active, nullif(trim(wanted_technician), '')
    from public.bays returning id into saved_id;
  else
    update public.bays
    set name = trim(wanted_name), is_active = wanted_is_active,
        technician = case when wanted_technician is null then technician else nullif(trim(wanted_technician), '') end
    where id = saved_id;
  end if;
  if not exists (select from public.bays where is_active) then
    raise exception 'At least one bay stays active.' using errcode = 'TT054', hint = 'last_active_bay';
  end if;
  return saved_id;
end
$$;
comment on function internal.save_bay_row(uuid, text, boolean, text) is
  'Adds or changes a bay; refuses to deactivate the last active bay (TT054). If technician is null, the stored '
  'technician remains.';

create function public.save_bay(
  bay_id uuid, name text, is_active boolean, service_ids uuid[], seen_version integer, is_preview boolean default false,
  technician text default null
)
  returns table (
    booking_id uuid, appointment_date date, appointment_time time, customer_name text, service_name text,
    new_bay_name text
  )
  -- Runs with the rights of the function's owner, because the admin has no right to call begin_settings_change,
  -- save_bay_row and other functions.
  language plpgsql security definer set search_path = '' as $$
declare
  saved uuid;
  moved jsonb := '[]';
begin
  perform internal.begin_settings_change('bays', seen_version);
  begin
    saved := internal.save_bay_row(save_bay.bay_id, save_bay.name, save_bay.is_active, save_bay.technician);
    perform internal.save_bay_services(saved, coalesce(service_ids, '{}'));
    if not save_bay.is_active then
      select coalesce(jsonb_object_agg(moves.booking_id, moves.new_bay_id), '{}') into moved
      from internal.reassign_bay_bookings(saved) moves;
    end if;
    if is_preview then
      perform internal.roll_back_preview();
    end if;
  exception when sqlstate 'TT050' then null;
  end;
  return query
    select booking.id, booking.appointment_date, booking.appointment_time, booking.customer_name, booking.service_name, bay.name
    from jsonb_each_text(case when save_bay.is_active then '{}' else moved end) as moves(booking, bay)
    join public.bookings booking on booking.id = moves.booking::uuid
    left join public.bays bay on bay.id = moves.bay::uuid
    order by booking.occupied;
end
$$;
comment on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) is
  'Adds (bay_id null) or changes a bay; refuses an outdated version of the settings section ''bays'' (TT051). A bay '
  'with empty service_ids can do all services. Deactivating a bay moves its upcoming bookings; the function returns '
  'each with its new bay, or with null where no bay is free. A preview returns these bookings without saving. An empty '
  'technician removes the stored technician; null keeps the stored technician.';
grant execute on function public.save_bay(uuid, text, boolean, uuid[], integer, boolean, text) to authenticated;

create function public.order_bays(bay_ids uuid[], seen_version integer) returns void
  -- Runs with the rights of the function's owner, because the admin has no right to write bays.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.begin_settings_change('bays', seen_version);
  if array(select id from public.bays order by id) <> array(select unnest(bay_ids) order by 1) then
    raise exception 'bay_ids must contain every bay once.' using errcode = '22023', hint = 'invalid_order';
  end if;
  update public.bays set position = array_position(bay_ids, id) where position <> array_position(bay_ids, id);
end
$$;
comment on function public.order_bays(uuid[], integer) is
  'Saves the order of all bays; refuses an outdated version of the settings section ''bays'' (TT051).';
grant execute on function public.order_bays(uuid[], integer) to authenticated;

create function public.list_special_days() returns table (day date, hours jsonb, bays jsonb, closed_because text)
  -- Runs with the rights of the function's owner, because the server has no right to call minutes_of_day. Visitors may
  -- read all values that the function returns.
  language plpgsql stable security definer set search_path = '' as $$
declare
  first_date constant date := internal.shop_now()::date;
  -- A visitor can leave a page open for up to a week. The result therefore includes every day that can be booked at
  -- the end of that week.
  last_date constant date := first_date + 7 + (select booking_window_days from public.booking_rules);
begin
  return query
    with changed as (
      select span * tsrange(first_date, last_date + 1) as span from public.special_hours
      where span && tsrange(first_date, last_date + 1)
      union all
      (select span * tsrange(starts_at, starts_at + interval '31 days') from public.special_hours
       where starts_at >= last_date + 1 and not is_open and is_public and bay_id is null
       order by starts_at, id limit 1)
    ),
    touched as (
      select distinct each_day::date as date
      from changed, generate_series(
        date_trunc('day', lower(span)), upper(span) - interval '1 minute', interval '1 day') each_day
    )
    select open.day, internal.minutes_of_day(open.day, internal.open_spans(open.day)), open.bays, open.closed_because
    from touched, public.list_open_days(touched.date, touched.date) open
    order by open.day;
end
$$;
comment on function public.list_special_days() is
  'The days with special hours in two periods: from today until a week after the last bookable day, and the first 31 '
  'days of the next public closure that begins after the first period. Each day has the shop''s hours '
  '([{opensAtMinute, closesAtMinute}]) and the columns of list_open_days.';
grant execute on function public.list_special_days() to shop_server;
