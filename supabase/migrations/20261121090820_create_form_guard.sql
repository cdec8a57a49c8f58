-- Quiet spam defence on the two public forms: what looks automated is marked for the admin, never refused.

create function internal.hmac_sha256(message text, secret text) returns bytea
  language plpgsql immutable strict
  set search_path = ''
as $$
declare
  key bytea := convert_to(secret, 'UTF8');
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
  if length(key) > 64 then
    key := sha256(key);
  end if;
  for place in 0 .. length(key) - 1 loop
    inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # get_byte(key, place));
    outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # get_byte(key, place));
  end loop;
  return sha256(outer_pad || sha256(inner_pad || convert_to(message, 'UTF8')));
end
$$;
comment on function internal.hmac_sha256(text, text) is 'HMAC (RFC 2104) with the built-in SHA-256: pgcrypto is not everywhere.';

create table internal.form_token_uses (
  token_digest bytea primary key,
  used_at timestamptz not null default now()
);
comment on table internal.form_token_uses is 'Form tokens that came with a request; each is good for one. Kept for the day that a token is valid.';
create index form_token_uses_oldest_first on internal.form_token_uses (used_at);
alter table internal.form_token_uses enable row level security;
grant select, delete on internal.form_token_uses to shop_server;
create policy "the server reads used tokens" on internal.form_token_uses for select to shop_server using (true);
create policy "the server removes old tokens" on internal.form_token_uses for delete to shop_server using (true);

create function internal.why_token_is_suspicious(token text) returns text
  language plpgsql
  -- Reads the key, which no visitor may.
  security definer
  set search_path = ''
as $$
declare
  signed constant text := substring(token from '^\d{13}\.[0-9a-f]{16}(?=\.[0-9a-f]{64}$)');
  form_key text;
  age interval;
begin
  if coalesce(token, '') = '' then
    return 'form_token_missing';
  end if;
  select value into form_key from internal.secrets where name = 'form_key';
  if signed is null or form_key is null
     or encode(internal.hmac_sha256(signed, form_key), 'hex') <> right(token, 64) then
    return 'form_token_invalid';
  end if;
  age := clock_timestamp() - to_timestamp(left(token, 13)::numeric / 1000);
  if age not between interval '0' and interval '24 hours' then
    return 'form_token_invalid';
  end if;
  insert into internal.form_token_uses (token_digest) values (sha256(convert_to(token, 'UTF8')))
    on conflict do nothing;
  if not found then
    return 'form_token_reused';
  end if;
  return case when age < interval '3 seconds' then 'sent_too_fast' end;
end
$$;
comment on function internal.why_token_is_suspicious(text) is
  'What is wrong with a form token, ''milliseconds.nonce.signature'' as server/features/form-guard signs it; null for an ordinary one.';

create function internal.flag_suspicious_form() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
begin
  -- The hidden field: people do not see it, robots fill in whatever has a name.
  new.flagged_reasons := array_remove(
    array[
      case when coalesce(headers ->> 'x-form-website', '') <> '' then 'hidden_field_filled' end,
      internal.why_token_is_suspicious(headers ->> 'x-form-token')
    ],
    null
  );
  return new;
end
$$;
comment on function internal.flag_suspicious_form() is 'Marks a visitor''s form that looks automated, from two request headers. It never refuses.';

create trigger flag_suspicious_form before insert on public.bookings
  for each row when (current_user = 'anon') execute function internal.flag_suspicious_form();
create trigger flag_suspicious_form before insert on public.quote_requests
  for each row when (current_user = 'anon') execute function internal.flag_suspicious_form();
