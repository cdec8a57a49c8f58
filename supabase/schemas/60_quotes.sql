-- Quote requests of customers, and the replies of staff.

create table public.quote_requests (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 200 and name !~ '[[:cntrl:]]'),
  email text not null check (length(email) between 1 and 254 and position('@' in email) > 0 and email !~ '[[:cntrl:]]'),
  phone text check (length(phone) <= 40 and phone !~ '[[:cntrl:]]'),
  vehicle_year text not null check (length(trim(vehicle_year)) between 1 and 20 and vehicle_year !~ '[[:cntrl:]]'),
  vehicle_make text not null check (length(trim(vehicle_make)) between 1 and 60 and vehicle_make !~ '[[:cntrl:]]'),
  vehicle_model text not null check (length(trim(vehicle_model)) between 1 and 60 and vehicle_model !~ '[[:cntrl:]]'),
  service_type text check (service_type in (
    'oil-change', 'brake-service', 'engine-repair', 'transmission', 'electrical',
    'ac-heating', 'performance', 'diagnostic', 'other'
  )),
  description text not null check (length(trim(description)) between 1 and 5000),
  status text not null default 'pending' check (status in ('pending', 'completed')),
  flagged_reasons text[] not null default '{}',
  created_at timestamptz not null default now(),
  looks_automated boolean generated always as (flagged_reasons <> '{}') stored,
  is_sample boolean not null default false,
  repair_id uuid not null default gen_random_uuid(),
  customer_id uuid references public.customers,
  vehicle_id uuid references public.vehicles,
  constraint quote_requests_have_no_invisible_characters check (
    name || email || coalesce(phone, '') || vehicle_year || vehicle_make || vehicle_model
      !~ '[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]'
  ),
  constraint quote_requests_description_is_plain check (description !~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]')
);
comment on table public.quote_requests is
  'The quote requests of customers. The status is pending until the reply was sent, then completed.';
comment on column public.quote_requests.flagged_reasons is
  'The reasons why the request looks automated; empty for an ordinary request. A flagged request is stored like any '
  'other.';
comment on column public.quote_requests.looks_automated is
  'Whether the request looks automated for any reason; the dashboard lists such requests last.';
comment on column public.quote_requests.repair_id is
  'The id that the quote request, booking, estimate, tasks and invoice of one repair have in common.';
comment on column public.quote_requests.customer_id is
  'The customer of the request; null until the request is linked to a customer.';
comment on column public.quote_requests.vehicle_id is
  'The vehicle of the request; null if the request describes no vehicle.';

create index quote_requests_newest_first on public.quote_requests (created_at desc);
create index quote_requests_as_listed on public.quote_requests (status, looks_automated, created_at desc);
create index quote_requests_by_repair on public.quote_requests (repair_id);
create index quote_requests_of_customer on public.quote_requests (customer_id, created_at desc);
create index quote_requests_of_vehicle on public.quote_requests (vehicle_id);
create index quote_requests_without_customer on public.quote_requests (created_at, id) where customer_id is null;
create index quote_requests_by_email on public.quote_requests (lower(trim(email)));

alter table public.quote_requests enable row level security;
grant select on public.quote_requests to authenticated;
grant delete on public.quote_requests to shop_owner;
grant select on public.quote_requests to service_role, shop_server;
grant insert (name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status)
  on public.quote_requests to anon;
grant insert (name, email, phone, vehicle_year, vehicle_make, vehicle_model, service_type, description, status), update (status,
  flagged_reasons) on public.quote_requests to authenticated;
create policy "anyone asks for a quote" on public.quote_requests for insert to anon, authenticated with check (status = 'pending');
create policy "the admin reads quote requests" on public.quote_requests for select to authenticated using ((select internal.is_admin()));
create policy "the admin changes quote requests" on public.quote_requests
  for update to authenticated using ((select internal.is_admin())) with check ((select internal.is_admin()));
create policy "owners delete quote requests" on public.quote_requests for delete to shop_owner using ((select internal.is_owner()));
create policy "the server reads quote requests" on public.quote_requests for select to shop_server using (true);

create function internal.link_quote_request() returns trigger
  -- Runs with the rights of the function's owner, because the role that fires the trigger has no right to call
  -- find_or_create_customer, quote_request_customer_details and find_or_create_vehicle.
  language plpgsql security definer set search_path = '' as $$
begin
  new.customer_id := internal.find_or_create_customer(internal.quote_request_customer_details(new));
  new.vehicle_id := internal.find_or_create_vehicle(new.customer_id, row(
    new.vehicle_year, new.vehicle_make, new.vehicle_model, null, null, null), new.created_at, new.is_sample);
  return new;
exception when check_violation or not_null_violation then
  new.customer_id := null;
  return new;
end
$$;
create trigger t20_link_to_customer before insert on public.quote_requests
  for each row when (new.customer_id is null) execute function internal.link_quote_request();

create trigger t10_flag_suspicious_form before insert on public.quote_requests
  for each row when (current_user = 'anon') execute function internal.flag_suspicious_form();
create trigger t10_unflag_answered_quote before update of status on public.quote_requests
  for each row when (new.status = 'completed') execute function internal.unflag_answered_quote();
create trigger t10_prevent_retained_record_delete before delete on public.quote_requests
  for each row execute function internal.prevent_retained_record_delete();
create trigger t40_forget_form_origin after delete on public.quote_requests
  for each row execute function internal.forget_form_origin();
create trigger t05_announce_quote after insert or delete on public.quote_requests
  for each row execute function internal.announce_quote('id');
create trigger t05_announce_changed_quote after update on public.quote_requests
  for each row when (old.* is distinct from new.*) execute function internal.announce_quote('id');

create table public.quote_email_logs (
  id uuid primary key default gen_random_uuid(),
  quote_request_id uuid not null references public.quote_requests on delete cascade,
  email_id uuid references public.emails on delete cascade,
  recipient_email text not null,
  recipient_name text not null default '',
  subject text not null,
  original_draft text not null default '',
  polished_draft text,
  final_body text not null,
  vehicle_info text not null default '',
  sent_at timestamptz,
  created_at timestamptz not null default now()
);
comment on table public.quote_email_logs is
  'The log of replies to quote requests, each with the generated draft and the text that was sent.';

create index quote_email_logs_of_request on public.quote_email_logs (quote_request_id, created_at desc);
create unique index quote_email_logs_of_email on public.quote_email_logs (email_id);

alter table public.quote_email_logs enable row level security;
grant select on public.quote_email_logs to authenticated;
create policy "the admin reads quote replies" on public.quote_email_logs for select to authenticated using ((select internal.is_admin()));

create function public.queue_quote_reply(message jsonb, log jsonb) returns uuid
  -- Runs with the rights of the function's owner, because the server has no right to write emails and quote_email_logs.
  language plpgsql security definer set search_path = '' as $$
declare
  queued_id uuid;
begin
  insert into public.emails (
    kind, dedupe_key, recipient_email, recipient_name, subject, html_body, text_body, attachments, quote_request_id
  ) values (
    'quote_reply', message ->> 'dedupe_key', message ->> 'recipient_email', message ->> 'recipient_name',
    message ->> 'subject', message ->> 'html_body', message ->> 'text_body', message -> 'attachments',
    (message ->> 'quote_request_id')::uuid
  )
  -- If the admin presses Send again after a failed delivery, the message is queued again with the same Message-ID.
  on conflict (dedupe_key) do update
    -- The delay prevents the delivery job from claiming the email before the calling server function sends it.
    set status = 'queued', attempts = 0, next_attempt_at = now() + interval '1 minute'
    where emails.status = 'failed'
  returning id into queued_id;
  if not found then
    select id into queued_id from public.emails where dedupe_key = message ->> 'dedupe_key';
  end if;
  insert into public.quote_email_logs (
    quote_request_id, email_id, recipient_email, recipient_name, subject, original_draft, polished_draft, final_body,
    vehicle_info
  ) values (
    (message ->> 'quote_request_id')::uuid, queued_id, message ->> 'recipient_email', log ->> 'recipient_name',
    log ->> 'subject', log ->> 'original_draft', log ->> 'polished_draft', log ->> 'final_body', log ->> 'vehicle_info'
  ) on conflict (email_id) do nothing;
  return queued_id;
end
$$;
comment on function public.queue_quote_reply(jsonb, jsonb) is
  'Adds the admin''s reply to a quote request to the outbox and to the log of replies, only once for each '
  'dedupe_key; returns the id of the email. A failed reply is queued again. The keys of the argument message are '
  'columns of emails, those of the argument log are columns of quote_email_logs.';
grant execute on function public.queue_quote_reply(jsonb, jsonb) to service_role, shop_server;

create function internal.unanswered_quotes() returns setof public.quote_requests
  language sql stable set search_path = '' as $$
  select * from public.quote_requests
  where status = 'pending' and not looks_automated and created_at <= internal.current_instant() - interval '12 hours'
  order by created_at, id limit 50
$$;
comment on function internal.unanswered_quotes() is
  'The quote requests that staff have not answered within 12 hours, at most the oldest 50, without those that look '
  'automated.';

create function public.read_quote_email(quote_request_id uuid) returns text
  -- Runs with the rights of the function's owner, because the admin has no right to call email_for_estimate.
  -- require_admin() checks that the caller is the admin.
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform internal.require_admin();
  return (
    select internal.email_for_estimate(null, quote, null) from public.quote_requests quote where quote.id = read_quote_email.quote_request_id);
end
$$;
comment on function public.read_quote_email(uuid) is
  'The email address for an invoice of a quote request: the address in the request if it is the customer''s, otherwise the customer''s main '
  'address; null when there is neither.';
grant execute on function public.read_quote_email(uuid) to authenticated;
