-- Whom the shop had to do with in a range, for the table of the owner's accountant.

create function internal.list_person_records(from_date date, until date, after_since timestamptz, after_id uuid, at_most integer)
  returns table (
    id uuid, since timestamptz, first_seen date, name text, email text, phone text, visits integer, missed integer,
    invoices integer, invoiced_cents bigint, paid_cents bigint)
  language plpgsql stable
  security definer
  set search_path = ''
as $$
#variable_conflict use_column
declare
  zone constant text := (select time_zone from public.shop);
  today constant date := internal.shop_now()::date;
  -- The shop's midnights.
  starts_at constant timestamptz := from_date::timestamp at time zone zone;
  ends_at constant timestamptz := (until + 1)::timestamp at time zone zone;
begin
  return query
    select person.id, person.created_at, (person.created_at at time zone zone)::date, person.name, person.email, person.phone,
      came.visits, came.missed, billed.invoices, billed.cents, billed.paid
    from public.people person
    cross join lateral (
      select count(*) as booked, (count(*) filter (where internal.has_come(booking, today)))::integer as visits,
        (count(*) filter (where booking.status = 'no_show'))::integer as missed
      from public.bookings booking
      where booking.person_id = person.id and booking.appointment_date between from_date and until
    ) came
    cross join lateral (
      select count(*)::integer as invoices, coalesce(sum(links.total_cents) filter (where links.currency = 'usd'), 0)::bigint as cents,
        coalesce(sum(internal.paid_of(links)) filter (where links.currency = 'usd'), 0)::bigint as paid
      from public.invoice_links links
      where links.person_id = person.id and links.made_at >= starts_at and links.made_at < ends_at and links.status <> 'void'
    ) billed
    where (person.created_at, person.id) > (after_since, after_id) and person.merged_into is null
      and (came.booked > 0 or billed.invoices > 0
        or exists (select from public.bookings made
                   where made.person_id = person.id and made.created_at >= starts_at and made.created_at < ends_at)
        or exists (select from public.quote_requests quote
                   where quote.person_id = person.id and quote.created_at >= starts_at and quote.created_at < ends_at)
        or exists (select from public.estimates estimate
                   where estimate.person_id = person.id and estimate.created_at >= starts_at and estimate.created_at < ends_at)
        or exists (select from public.invoice_links links
                   join public.payments payment on payment.invoice_id = links.invoice_id
                   where links.person_id = person.id and payment.paid_at >= starts_at and payment.paid_at < ends_at)
        or exists (select from public.person_contacts contact
                   join public.emails letter on lower(letter.recipient_email) = contact.key
                   where contact.person_id = person.id and contact.kind = 'email'
                     and letter.created_at >= starts_at and letter.created_at < ends_at))
    order by person.created_at, person.id
    limit at_most;
end
$$;
comment on function internal.list_person_records(date, date, timestamptz, uuid, integer) is
  'A page of the people who booked, came, asked, were billed, paid or were written to from one date until another, both among them, '
  'after the one that was read last, longest known first: with their visits and invoices of those days, in cents.';
grant execute on function internal.list_person_records(date, date, timestamptz, uuid, integer) to shop_server;
