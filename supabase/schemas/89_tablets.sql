-- The shared tablets of the shop, at which a team member signs in by choosing a name and typing a PIN. Only the server
-- reads and writes these tables.

create table internal.tablets (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null unique constraint tablets_token_is_a_hash check (length(token_hash) = 32),
  name text not null constraint tablets_name_is_text check (internal.is_single_line_text(name, 1, 40)),
  enrolled_by uuid not null references public.staff_accounts,
  enrolled_at timestamptz not null default now(),
  revoked_at timestamptz,
  locked_at timestamptz,
  last_used_at timestamptz,
  last_used_by uuid references public.staff_accounts,
  revoked_by uuid references public.staff_accounts
);
comment on table internal.tablets is
  'The browsers that an owner enrolled as shared tablets. A revoked tablet must be enrolled again, which creates a '
  'new row.';
comment on column internal.tablets.token_hash is 'The SHA-256 hash of the token in the cookie of the tablet.';
comment on column internal.tablets.revoked_by is
  'The owner who revoked the tablet; null if the tablet was revoked by another enrollment of the same browser or by '
  'a restore from a backup.';
comment on column internal.tablets.locked_at is
  'When the tablet was locked because of too many wrong PINs; null if it is not locked. The sign-in of an advisor or '
  'owner at the tablet unlocks it.';

alter table internal.tablets enable row level security;
grant select, insert, update on internal.tablets to shop_server;
create policy "the server reads and writes tablets" on internal.tablets to shop_server using (true) with check (true);

create table internal.tablet_pins (
  user_id uuid primary key references public.staff_accounts,
  pin_hash text not null,
  wrong_count int not null default 0 constraint tablet_pins_wrong_count_ends_at_10 check (wrong_count between 0 and 10),
  waits_until timestamptz,
  set_at timestamptz not null default now()
);
comment on table internal.tablet_pins is 'The PINs with which team members sign in at a shared tablet.';
comment on column internal.tablet_pins.pin_hash is
  'The Argon2id hash of the PIN, in the same format as password hashes.';
comment on column internal.tablet_pins.wrong_count is
  'The number of attempts since the last right PIN. An attempt is counted before its PIN is checked. After 10 wrong '
  'attempts, the PIN works at no tablet until a new PIN is set.';
comment on column internal.tablet_pins.waits_until is
  'The time until which the server accepts no PIN of this person, because five wrong PINs were entered.';

alter table internal.tablet_pins enable row level security;
grant select, insert, update, delete on internal.tablet_pins to shop_server;
create policy "the server reads and writes PINs" on internal.tablet_pins to shop_server using (true) with check (true);

create function internal.clear_pin(staff_user_id uuid, cleared_by uuid) returns void
  -- Runs with the rights of the function's owner, because the server has no right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  delete from internal.tablet_pins where user_id = staff_user_id;
  if found then
    perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
      'kind', 'pin_cleared', 'user_id', cleared_by, 'subject_user_id', staff_user_id)));
  end if;
end
$$;
comment on function internal.clear_pin(uuid, uuid) is
  'Removes the PIN of a team member, who then cannot sign in at a shared tablet until a new PIN is set.';
grant execute on function internal.clear_pin(uuid, uuid) to shop_server;

create table internal.tablet_attempts (
  id uuid primary key default gen_random_uuid(),
  tablet_id uuid not null references internal.tablets,
  attempted_at timestamptz not null default now()
);
comment on table internal.tablet_attempts is
  'One row for each attempt to enter a PIN at a tablet in the last hour; the row does not contain the PIN. If the PIN '
  'is right, its row is deleted. Fifteen rows lock the tablet.';

create index tablet_attempts_tablet_id_idx on internal.tablet_attempts (tablet_id, attempted_at);

alter table internal.tablet_attempts enable row level security;
grant select, insert, delete on internal.tablet_attempts to shop_server;
create policy "the server counts PINs of a tablet" on internal.tablet_attempts to shop_server using (true) with check (true);

create function internal.list_tablet_members() returns table (id uuid, name text, has_pin boolean, jobs int)
  -- Runs with the rights of the function's owner, because the server has no right to read all the tables that the
  -- function reads.
  language sql stable security definer set search_path = ''
begin atomic
  select account.user_id, account.name, pin.user_id is not null,
         (select count(*)::int
          from public.bookings booking left join public.bays bay on bay.id = booking.bay_id
          where booking.appointment_date = internal.shop_now()::date and booking.status not in ('cancelled', 'not_confirmed')
            and (lower(trim(bay.technician)) = lower(trim(employee.name)) or exists (
              select from public.tasks task
              where task.booking_id = booking.id and task.status <> 'cancelled' and task.assigned_to = employee.id)))
  from public.staff_accounts account
  left join public.employees employee on employee.id = account.employee_id
  left join internal.tablet_pins pin on pin.user_id = account.user_id
  where account.is_active
  order by account.name, account.user_id;
end;
comment on function internal.list_tablet_members() is
  'The active team members, whom a shared tablet lists for the sign-in: whether each has a PIN, and the number of '
  'their appointments today.';
grant execute on function internal.list_tablet_members() to shop_server;
