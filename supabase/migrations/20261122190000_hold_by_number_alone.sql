-- A client without a form's token meets the limit of forms (ten in ten minutes) before that of holds, also when all
-- its appointments are on one day. Three a day kept nobody out: whoever opens the form is not held at all.

create or replace function internal.hold_flagged_booking() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  headers constant jsonb := coalesce(nullif(current_setting('request.headers', true), ''), '{}')::jsonb;
  -- A family or a small fleet has fewer cars; who brings more confirms each by e-mail.
  most_open constant integer := 5;
  hold constant interval := interval '30 minutes';
  -- So that people find the calendar as good as empty however many machines try at once.
  most_held constant integer := 10;
begin
  perform internal.end_expired_holds(new.appointment_date);
  if internal.is_admin() then
    return new;
  end if;
  perform internal.lock_booking_person(new.customer_email, new.customer_phone);
  perform internal.lock_booking_client(headers);
  if internal.count_open_bookings(new.customer_email, new.customer_phone) >= most_open then
    new.flagged_reasons := new.flagged_reasons || 'many_open_bookings'::text;
  end if;
  if new.flagged_reasons = '{}' then
    new.flagged_reasons := array_remove(array[internal.reached_booking_cap(headers)], null);
  end if;
  if new.flagged_reasons = '{}' then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('held bookings', 0));
  if (select count(*) from public.bookings where held_until > internal.current_instant()) >= most_held then
    raise exception 'This appointment cannot be taken online right now. Please call us.'
      using errcode = 'TT041', hint = 'too_many_held';
  end if;
  new.held_until := internal.current_instant() + hold;
  return new;
end
$$;
