-- The owner's own calendar shows the appointments to come, by an address that nobody guesses and that can be renewed.

create table internal.calendar_feed (
  only_one boolean primary key default true check (only_one),
  token text not null check (length(token) >= 43),
  renewed_at timestamptz not null default now()
);
comment on table internal.calendar_feed is 'The address of the owner''s calendar; no row while there is none.';
comment on column internal.calendar_feed.token is
  'What the address ends in: 256 random bits as base64url. Kept as it is, because the owner reads it again for the next device.';
comment on column internal.calendar_feed.renewed_at is 'Since when this one is good; those before open nothing.';
alter table internal.calendar_feed enable row level security;
grant select, insert, update, delete on internal.calendar_feed to shop_server;
create policy "the server keeps the address of the owner's calendar" on internal.calendar_feed
  to shop_server using (true) with check (true);

create function internal.last_change_of(booking public.bookings) returns timestamptz
  language sql stable
  -- Reads the stories of appointments, which are nobody's but the admin's.
  security definer
  set search_path = ''
  return coalesce((select max(happened_at) from public.booking_events where booking_id = booking.id), booking.created_at);
comment on function internal.last_change_of(public.bookings) is 'When an appointment was booked, or changed last.';
grant execute on function internal.last_change_of(public.bookings) to shop_server;
