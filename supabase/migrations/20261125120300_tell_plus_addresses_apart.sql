-- '+16505550142@gateway.example' is the address of a phone, not of everybody with one: a name that begins with a plus has no
-- tag to leave out.

create or replace function internal.mailbox_of(email text) returns text
  language sql immutable strict
  set search_path = ''
as $$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
              else name || '@' || domain end
  from (
    select coalesce(nullif(split_part(whole, '+', 1), ''), whole) as name, domain
    from (
      select regexp_replace(spelled, '@[^@]*$', '') as whole, rtrim(substring(spelled from '@([^@]*)$'), '.') as domain
      from lower(normalize(email, nfkc)) as spelled
    ) as halves
  ) as parts
$$;
reindex index public.bookings_open_by_mailbox;

create or replace function internal.take_link_request() returns setof public.bookings
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  asked record;
begin
  delete from internal.link_requests where asked_at < now() - interval '1 day';
  for asked in
    select mailbox_digest, mailbox from internal.link_requests
    where mailbox is not null order by asked_at for update skip locked
  loop
    update internal.link_requests set mailbox = null where mailbox_digest = asked.mailbox_digest;
    return query
      select booking.* from public.bookings booking
      where internal.mailbox_of(booking.customer_email) = asked.mailbox
        and booking.completed_at is null and booking.status not in ('cancelled', 'not_confirmed', 'no_show')
        and upper(booking.occupied) > internal.shop_now()
        -- Made-up people get no mail.
        and not booking.is_sample
      order by booking.appointment_date, booking.appointment_time limit 20;
    -- One letter a transaction; who has no appointment is answered by nothing.
    exit when found;
  end loop;
end
$$;
