-- Who takes the marks off a booking says that a person made it: it would not do to end it half an hour later.
create or replace function internal.settle_hold() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  if new.status <> 'confirmed' or new.completed_at is not null or new.flagged_reasons = '{}' then
    new.held_until := null;
  end if;
  if old.status in ('cancelled', 'not_confirmed') and new.status not in ('cancelled', 'not_confirmed') then
    perform internal.lock_booking_day(new.appointment_date);
    perform internal.end_expired_holds(new.appointment_date);
  end if;
  return new;
end
$$;
comment on function internal.settle_hold() is
  'A booking that changes its state or loses its marks is held no more; one that takes its slot again finds expired holds '
  'out of the way.';
create or replace trigger settle_hold before update of status, completed_at, flagged_reasons on public.bookings
  for each row execute function internal.settle_hold();
