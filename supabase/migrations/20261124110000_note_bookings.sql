-- What staff note of an appointment is written while somebody else takes its steps: neither is in the way of the other.

create or replace function internal.count_booking_change() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  -- Generated columns are not computed yet.
  apart constant text[] := array['shop_note', 'occupied', 'search_text', 'looks_automated'];
begin
  if new.shop_note is not distinct from old.shop_note or to_jsonb(new) - apart <> to_jsonb(old) - apart then
    new.version := old.version + 1;
  end if;
  if internal.booking_state(new) <> internal.booking_state(old) then
    new.state_since := internal.current_instant();
  end if;
  if (new.appointment_date, new.appointment_time, new.duration_minutes, new.status = 'cancelled')
     <> (old.appointment_date, old.appointment_time, old.duration_minutes, old.status = 'cancelled') then
    new.calendar_sequence := old.calendar_sequence + 1;
  end if;
  return new;
end
$$;
comment on function internal.count_booking_change() is
  'Counts the changes of an appointment, but for its note, and of its calendar file, and notes since when it is in its state. '
  'Runs before settle_hold: triggers go by name.';

create function public.note_booking(booking_id uuid, note text, seen text default null) returns void
  language plpgsql
  security definer
  set search_path = ''
as $$
declare
  wanted constant text := coalesce(trim(note), '');
  standing text;
begin
  perform internal.require_admin();
  select coalesce(shop_note, '') into standing from public.bookings where id = note_booking.booking_id for update;
  if not found then
    raise exception 'This appointment no longer exists.' using errcode = 'TT060', hint = 'booking_not_found';
  end if;
  -- The second of two clicks finds what the first one wrote.
  if standing not in (wanted, coalesce(seen, '')) then
    raise exception 'This note was changed meanwhile.' using errcode = 'TT068', hint = 'note_changed', detail = standing;
  end if;
  update public.bookings set shop_note = nullif(wanted, '')
  where id = note_booking.booking_id and standing <> wanted;
end
$$;
comment on function public.note_booking(uuid, text, text) is
  'Writes what staff note of an appointment over the note that they saw; refuses to replace another one (TT068, which the '
  'detail says). An empty one takes it away.';
grant execute on function public.note_booking(uuid, text, text) to authenticated;
