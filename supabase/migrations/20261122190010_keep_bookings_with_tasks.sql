-- Work that the shop has planned is not taken off its calendar because an e-mail was not answered.

create function internal.keep_booking_of_task() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  update public.bookings set held_until = null, hold_confirmed_at = internal.current_instant()
  where id = new.booking_id and held_until is not null;
  return new;
end
$$;
comment on function internal.keep_booking_of_task() is
  'Whoever makes a task of a held appointment has confirmed it.';
create trigger keep_booking_of_task after insert on public.tasks
  for each row when (new.booking_id is not null) execute function internal.keep_booking_of_task();
