-- Failed letters by the index of their time, and what was written since by the index of what it is about.

create or replace function internal.undelivered_letters() returns setof public.emails
  -- Hardly ever many: who joins them looks each up by index.
  language sql stable rows 10
  set search_path = ''
as $$
  select letter.*
  from public.emails letter
  left join public.bookings booking on booking.id = letter.booking_id
  left join public.quote_requests quote on quote.id = letter.quote_request_id
  where letter.status = 'failed' and letter.kind not in ('owner_notice', 'test_message')
    and letter.created_at > internal.current_instant() - interval '60 days'
    and (letter.booking_id is not null or letter.created_at > internal.current_instant() - interval '14 days')
    and coalesce(upper(booking.occupied) > internal.shop_now(), true)
    and internal.outdated_because(letter) is null
    and not (letter.kind = 'quote_confirmation' and quote.status = 'completed')
    -- One for each index: together they would read all that was written since.
    and not exists (select from public.emails later where later.booking_id = letter.booking_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.quote_request_id = letter.quote_request_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
    and not exists (select from public.emails later where later.invoice_id = letter.invoice_id
                    and later.kind = letter.kind and later.created_at > letter.created_at and later.status <> 'failed')
  order by letter.created_at, letter.id limit 50
$$;
comment on function internal.undelivered_letters() is
  'Letters to customers that were given up and still matter, the oldest 50: true as they were written, not written again '
  'since, of an appointment that is not over (60 days at most), or of the last 14 days.';
