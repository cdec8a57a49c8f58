-- Invitations: an owner invites a person by email, and the link in the email creates the staff account. The table
-- stores only a hash of the token in the link. An invitation is open until it is used or revoked, or until 72 hours
-- after its latest link was sent.

create table public.staff_invitations (
  id uuid primary key default gen_random_uuid(),
  name text not null constraint staff_invitations_name_is_text check (internal.is_single_line_text(name, 1, 80)),
  email text not null constraint staff_invitations_email_is_an_address check (internal.is_email_address(email) and email = lower(email)),
  role text not null constraint staff_invitations_role_is_known check (role in ('owner', 'advisor', 'technician')),
  username text not null constraint staff_invitations_username_is_short check (length(username) between 1 and 60),
  account_id uuid references public.staff_accounts,
  token_hash bytea not null constraint staff_invitations_token_hash_key unique
    constraint staff_invitations_token_hash_is_sha256 check (length(token_hash) = 32),
  invited_by uuid not null references public.staff_accounts,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '72 hours',
  used_at timestamptz,
  taken_back_at timestamptz,
  constraint staff_invitations_end_once check (used_at is null or taken_back_at is null)
);
comment on table public.staff_invitations is
  'The invitations of team members. Each invitation creates one staff account, or replaces the password or passkey of '
  'an existing account and ends the sign-in sessions of that account.';
comment on column public.staff_invitations.username is 'The username of the new account: the first name, followed by a number if another account has that username.';
comment on column public.staff_invitations.account_id is
  'The existing account whose sign-in (password or passkey) the invitation replaces; null for a new account.';
comment on column public.staff_invitations.token_hash is
  'The SHA-256 hash of the token in the link. Sending a new link replaces the hash and makes the former link invalid.';
comment on column public.staff_invitations.sent_at is 'When the current link was sent; the link works until expires_at.';

create unique index staff_invitations_one_open_for_an_address on public.staff_invitations (email)
  where used_at is null and taken_back_at is null;

alter table public.staff_invitations enable row level security;
grant select (id, name, email, role, username, account_id, invited_by, created_at, sent_at, expires_at, used_at, taken_back_at)
  on public.staff_invitations to shop_owner;
grant insert (id, name, email, role, account_id, token_hash), update (token_hash, taken_back_at) on public.staff_invitations to shop_owner;
grant select on public.staff_invitations to shop_server;
create policy "owners read invitations" on public.staff_invitations for select to shop_owner using ((select internal.is_owner()));
create policy "owners invite" on public.staff_invitations for insert to shop_owner with check ((select internal.is_owner()));
create policy "owners send again and take back" on public.staff_invitations
  for update to shop_owner using ((select internal.is_owner())) with check ((select internal.is_owner()));
create policy "the server reads invitations" on public.staff_invitations for select to shop_server using (true);

create trigger require_command before insert or update on public.staff_invitations
  for each statement execute function internal.require_command();

create function internal.free_staff_username(full_name text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  first_name text := left(regexp_replace(lower(normalize(split_part(trim(full_name), ' ', 1), nfkd)), '[^a-z0-9]', '', 'g'), 50);
  candidate text;
  suffix integer := 1;
begin
  first_name := coalesce(nullif(first_name, ''), 'team');
  loop
    candidate := first_name || case suffix when 1 then '' else suffix::text end;
    exit when not exists (select from public.staff_accounts where lower(username) = candidate)
      and not exists (
        select from public.staff_invitations where username = candidate and used_at is null and taken_back_at is null);
    suffix := suffix + 1;
  end loop;
  return candidate;
end
$$;
comment on function internal.free_staff_username(text) is
  'Returns an unused username: the first name in lower case, followed by a number if an account or an open invitation '
  'has that username.';

create function internal.prepare_staff_invitation() returns trigger
  -- Runs with the rights of the function's owner, because it reads all staff accounts.
  language plpgsql security definer set search_path = '' as $$
declare
  account public.staff_accounts;
begin
  new.invited_by := auth.uid();
  select * into account from public.staff_accounts where user_id = new.account_id or (new.account_id is null and email = new.email);
  if new.account_id is null then
    if found then
      raise exception 'A staff account has this address.' using errcode = 'TT121', hint = 'address_has_account';
    end if;
    new.username := internal.free_staff_username(new.name);
    return new;
  end if;
  new.username := account.username;
  new.name := account.name;
  new.email := coalesce(account.email, new.email);
  new.role := account.role;
  return new;
end
$$;
comment on function internal.prepare_staff_invitation() is
  'Sets the inviting owner and the username of a new invitation. Refuses an email address that belongs to an account '
  '(TT121).';
create trigger prepare_staff_invitation before insert on public.staff_invitations
  for each row execute function internal.prepare_staff_invitation();

create function internal.change_staff_invitation() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if old.used_at is not null or old.taken_back_at is not null then
    raise exception 'The invitation was used or taken back.' using errcode = 'TT122', hint = 'invitation_ended';
  end if;
  if new.token_hash <> old.token_hash then
    new.sent_at := now();
    new.expires_at := now() + interval '72 hours';
    new.invited_by := auth.uid();
  end if;
  if new.taken_back_at is not null then
    new.taken_back_at := now();
  end if;
  return new;
end
$$;
comment on function internal.change_staff_invitation() is
  'Refuses (TT122) changes of ended invitations, and sets the expiry of a new link to 72 hours later.';
create trigger change_staff_invitation before update on public.staff_invitations
  for each row execute function internal.change_staff_invitation();

create function internal.notify_team_changed() returns trigger
  language plpgsql set search_path = '' as $$
begin
  perform pg_notify('settings_changed', 'team');
  return null;
end
$$;
comment on function internal.notify_team_changed() is
  'Notifies the open dashboards that the team changed, so that they read the team again.';
create trigger notify_team_changed after insert or update on public.staff_invitations
  for each statement execute function internal.notify_team_changed();
create trigger notify_team_changed after insert on public.staff_accounts for each statement execute function internal.notify_team_changed();
create trigger record_settings_change after update on public.staff_accounts
  for each row execute function internal.record_settings_change('team', 'name');

create function internal.find_staff_invitation(searched_hash bytea) returns uuid
  -- Runs with the rights of the function's owner, because the server acts for a person who is not signed in.
  language sql stable security definer set search_path = ''
  return (
    select id from public.staff_invitations
    where token_hash = searched_hash and used_at is null and taken_back_at is null and expires_at > now());
comment on function internal.find_staff_invitation(bytea) is
  'The open invitation to which a link belongs, found by the hash of its token; null for any other link.';
grant execute on function internal.find_staff_invitation(bytea) to shop_server;

create function internal.accept_staff_invitation(
  invitation_id uuid, new_user_id uuid, accepted_username text, with_password boolean
) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to add employees.
  language plpgsql security definer set search_path = '' as $$
declare
  invitation public.staff_invitations;
  known_employee uuid;
begin
  -- If an invitation is accepted twice at the same time, the second transaction waits until the first one ends. The
  -- second update then finds no row, because the invitation has been used.
  update public.staff_invitations set used_at = now()
  where id = invitation_id and used_at is null and taken_back_at is null and expires_at > now() returning * into invitation;
  if not found then
    return false;
  end if;
  if invitation.account_id is not null then
    update public.staff_accounts
    set is_active = true, email = coalesce(email, invitation.email), needs_code_app = with_password
    where user_id = invitation.account_id;
    perform internal.end_code_app(invitation.account_id, null);
    return true;
  end if;
  update public.employees set is_active = true
  where lower(email) = invitation.email and not exists (select from public.staff_accounts where employee_id = employees.id)
  returning id into known_employee;
  if known_employee is null then
    insert into public.employees (name, email) values (invitation.name, invitation.email)
    on conflict (email) do nothing returning id into known_employee;
  end if;
  insert into public.staff_accounts (user_id, username, role, name, email, employee_id, needs_code_app)
  values (new_user_id, accepted_username, invitation.role, invitation.name, invitation.email, known_employee, with_password);
  return true;
end
$$;
comment on function internal.accept_staff_invitation(uuid, uuid, text, boolean) is
  'Creates the staff account of an open invitation, with the name, email address and role of the invitation; returns '
  'false if the invitation is no longer open. An account with a password has no role until the person has set up an '
  'authenticator app.';
grant execute on function internal.accept_staff_invitation(uuid, uuid, text, boolean) to shop_server;

create function public.switch_staff_off(account_id uuid, give_tasks_to uuid) returns integer
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to reassign tasks.
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
  given integer;
begin
  perform internal.require_owner();
  update public.staff_accounts set is_active = false where user_id = account_id returning employee_id into member;
  if not found then
    raise exception 'This person has no account.' using errcode = 'TT122', hint = 'no_account';
  end if;
  update public.tasks set assigned_to = give_tasks_to where assigned_to = member and status not in ('completed', 'cancelled');
  get diagnostics given = row_count;
  update public.employees set is_active = false where id = member;
  return given;
end
$$;
comment on function public.switch_staff_off(uuid, uuid) is
  'Switches a staff account off and assigns its open tasks to another employee, or to nobody; returns the number of these tasks.';
grant execute on function public.switch_staff_off(uuid, uuid) to shop_owner;

create function public.switch_staff_on(account_id uuid) returns void
  -- Runs with the rights of the function's owner, because the role shop_owner has no right to write staff_accounts.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.require_owner();
  update public.staff_accounts set is_active = true where user_id = account_id;
  update public.employees set is_active = true where id = (select employee_id from public.staff_accounts where user_id = account_id);
end
$$;
comment on function public.switch_staff_on(uuid) is 'Switches a staff account on again; the person can sign in as before.';
grant execute on function public.switch_staff_on(uuid) to shop_owner;
