-- Who sent a form, for as long as its confirmation may be asked for: nobody else may ask, or the answer would
-- tell a stranger who has an appointment and when.

create table internal.form_origins (
  booking_id uuid unique references public.bookings on delete cascade,
  quote_request_id uuid unique references public.quote_requests on delete cascade,
  token_digest bytea,
  address_digest bytea,
  created_at timestamptz not null default now(),
  check (num_nonnulls(booking_id, quote_request_id) = 1)
);
comment on table internal.form_origins is
  'Where a visitor''s form came from: digests of its form token and of the client''s address, kept for a day.';
comment on column internal.form_origins.token_digest is 'Of the header x-form-token as it came, whatever the form guard thought of it; null without one.';
comment on column internal.form_origins.address_digest is 'Null when the data service does not say where a request comes from.';
create index form_origins_oldest_first on internal.form_origins (created_at);
create index form_origins_by_token on internal.form_origins (token_digest) where token_digest is not null;
create index form_origins_by_address on internal.form_origins (address_digest) where token_digest is null;

alter table internal.form_origins enable row level security;
grant select, delete on internal.form_origins to shop_server;
create policy "the server reads where forms came from" on internal.form_origins for select to shop_server using (true);
create policy "the server forgets where forms came from" on internal.form_origins for delete to shop_server using (true);

create function internal.token_digest(headers jsonb) returns bytea
  language sql immutable
  set search_path = ''
  return sha256(convert_to(nullif(headers ->> 'x-form-token', ''), 'UTF8'));
comment on function internal.token_digest(jsonb) is 'What names the form token in request headers; null without one.';

create function internal.address_digest(headers jsonb) returns bytea
  language sql stable
  security definer
  set search_path = ''
  -- The shop's own data service names the client itself and passes no other header on; a hosted project's
  -- gateway writes cf-connecting-ip over whatever the client sent.
  return internal.hmac_sha256(
    coalesce(headers ->> 'cf-connecting-ip', headers ->> 'x-client-address-hash'),
    (select value from internal.secrets where name = 'form_key')
  );
comment on function internal.address_digest(jsonb) is
  'What names the client''s address in request headers, without telling it; null when they do not say.';

create function internal.remember_form_origin() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
begin
  insert into internal.form_origins (booking_id, quote_request_id, token_digest, address_digest)
  values (
    case when tg_table_name = 'bookings' then new.id end,
    case when tg_table_name = 'quote_requests' then new.id end,
    internal.token_digest(headers),
    internal.address_digest(headers)
  );
  return null;
end
$$;
comment on function internal.remember_form_origin() is 'Notes where a visitor''s form came from.';
create trigger remember_form_origin after insert on public.bookings
  for each row when (current_user = 'anon') execute function internal.remember_form_origin();
create trigger remember_form_origin after insert on public.quote_requests
  for each row when (current_user = 'anon') execute function internal.remember_form_origin();

create function public.forms_sent_by(headers jsonb)
  returns table (booking_id uuid, quote_request_id uuid)
  language sql stable
  -- Reads the key that digests are made with.
  security definer
  set search_path = ''
as $$
  select origin.booking_id, origin.quote_request_id
  from internal.form_origins origin
  where origin.created_at > now() - interval '15 minutes'
    and (
      origin.token_digest = internal.token_digest(headers)
      or origin.token_digest is null and origin.address_digest = internal.address_digest(headers)
    )
$$;
comment on function public.forms_sent_by(jsonb) is
  'The forms of the last 15 minutes that came from the sender of a request, told by its headers: with the same form '
  'token, or both without one from the same address. The server functions ask; they confirm nothing else.';
grant execute on function public.forms_sent_by(jsonb) to shop_server, service_role;
