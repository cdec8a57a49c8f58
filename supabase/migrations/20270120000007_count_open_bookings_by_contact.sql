-- Counts the open bookings of a customer with the indexes of contacts, however many upcoming bookings there are.
set local search_path = pg_catalog;

set local check_function_bodies = off;

create or replace function internal.normalize_mailbox(email text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Only a text with other characters than ASCII is normalized: NFKC does not change ASCII and is the slowest step.
  spelled constant text := lower(case when octet_length(email) = length(email) then email else normalize(email, nfkc) end);
  host constant text := split_part(spelled, '@', -1);
  local_part constant text := left(spelled, -1 - length(host));
  name constant text := coalesce(nullif(split_part(local_part, '+', 1), ''), local_part);
begin
  return case
    when position('@' in spelled) = 0 then null
    when rtrim(host, '.') in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    -- A Proton account receives email at all of these domains (https://proton.me/support/addresses-and-aliases).
    when rtrim(host, '.') in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then name || '@proton.me'
    else name || '@' || rtrim(host, '.')
  end;
end
$$;

create or replace function internal.normalize_phone(phone text) returns text
  -- The high cost makes PostgreSQL use an index of the results instead of normalizing the contacts of many rows.
  language plpgsql immutable strict cost 10000 set search_path = '' as $$
declare
  -- Faster than a regular expression: the inner translate returns all other characters, the outer one removes them.
  digits constant text := translate(phone, translate(phone, '0123456789', ''), '');
begin
  return case
    when length(digits) = 11 and digits like '1%' then right(digits, 10)
    when length(digits) >= 7 then digits
  end;
end
$$;

create or replace function internal.open_bookings_of_mailbox(mailbox text, local_now timestamp) returns setof uuid
  language sql stable
  -- Has no search_path, because PostgreSQL inlines only functions without settings. Names are resolved at creation.
begin atomic
  -- The row comparison limits the dates: with a condition on the date alone, PostgreSQL may choose an index of dates and
  -- normalize the email address of every upcoming booking.
  select id from public.bookings
  where internal.normalize_mailbox(customer_email) = mailbox
    and (internal.normalize_mailbox(customer_email), appointment_date) >= (mailbox, local_now::date) and upper(occupied) > local_now
    and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show';
end;

create or replace function internal.open_bookings_of_phone(phone_key text, local_now timestamp) returns setof uuid
  language sql stable
  -- Has no search_path, because PostgreSQL inlines only functions without settings. Names are resolved at creation.
begin atomic
  -- The row comparison limits the dates, as in open_bookings_of_mailbox.
  select id from public.bookings
  where internal.normalize_phone(customer_phone) = phone_key
    and (internal.normalize_phone(customer_phone), appointment_date) >= (phone_key, local_now::date) and upper(occupied) > local_now
    and completed_at is null and status not in ('cancelled', 'not_confirmed') and status <> 'no_show';
end;
