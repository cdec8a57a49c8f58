-- The authenticator app of a staff account (RFC 6238, called code app in names): the second factor after the password.
-- Its secret is encrypted with a key that is not in the database. Only the server reads and writes these tables.

create table internal.code_apps (
  user_id uuid primary key references public.staff_accounts,
  sealed_secret text not null constraint code_apps_sealed_secret_is_short check (length(sealed_secret) <= 400),
  last_step bigint not null default 0 constraint code_apps_last_step_is_a_time check (last_step >= 0),
  confirmed_at timestamptz
);
comment on table internal.code_apps is
  'The authenticator apps of staff accounts (RFC 6238). A sign-in requires a code only after a first code has '
  'confirmed the app.';
comment on column internal.code_apps.sealed_secret is
  'The secret that the server shares with the app, encrypted with a key that is not in the database.';
comment on column internal.code_apps.last_step is
  'The number of the 30-second step of the last accepted code, counted from 1970. The server then accepts no code of '
  'this step or an earlier one.';
comment on column internal.code_apps.confirmed_at is
  'When a first code proved that the authenticator app was set up correctly; null until then.';

alter table internal.code_apps enable row level security;
grant select, insert, update on internal.code_apps to shop_server;
create policy "the server reads and writes code apps" on internal.code_apps to shop_server using (true) with check (true);

create table internal.recovery_codes (
  user_id uuid references internal.code_apps on delete cascade,
  code_hash bytea constraint recovery_codes_code_hash_is_sha256 check (length(code_hash) = 32),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on table internal.recovery_codes is
  'The recovery codes, each of which can be used once instead of a code of the authenticator app. All of them are '
  'deleted when the app is removed.';
comment on column internal.recovery_codes.code_hash is
  'The HMAC-SHA-256 of the code. Its key is not in the database, so that nobody can guess the codes from a copy of '
  'the database alone.';

alter table internal.recovery_codes enable row level security;
grant select, insert, update (used_at), delete on internal.recovery_codes to shop_server;
create policy "the server reads and writes recovery codes" on internal.recovery_codes to shop_server using (true) with check (true);

create unlogged table internal.pending_sign_ins (
  browser_hash bytea primary key constraint pending_sign_ins_browser_is_a_hash check (length(browser_hash) = 32),
  user_id uuid not null references public.staff_accounts,
  attempts_left int not null default 5 constraint pending_sign_ins_attempts_are_few check (attempts_left between 0 and 5),
  expires_at timestamptz not null default now() + interval '5 minutes'
);
comment on table internal.pending_sign_ins is
  'The sign-ins with a right password that still lack the code of the authenticator app. A row alone grants no '
  'access; entering the right code deletes the row.';
comment on column internal.pending_sign_ins.browser_hash is
  'The SHA-256 hash of the token in the cookie of the browser that sent the password.';

create index pending_sign_ins_user_id_idx on internal.pending_sign_ins (user_id);
create index pending_sign_ins_expires_at_idx on internal.pending_sign_ins (expires_at);

alter table internal.pending_sign_ins enable row level security;
grant select, insert, update (attempts_left), delete on internal.pending_sign_ins to shop_server;
create policy "the server reads and writes pending sign-ins" on internal.pending_sign_ins to shop_server using (true) with check (true);

create function internal.has_code_app(staff_user_id uuid) returns boolean
  -- Runs with the rights of the function's owner, because the auth service has no right to read code_apps.
  language sql stable security definer set search_path = ''
  return exists (select from internal.code_apps where user_id = staff_user_id and confirmed_at is not null);
comment on function internal.has_code_app(uuid) is
  'Whether a staff account has a confirmed authenticator app, so that its sign-in requires a code in addition to the '
  'password.';
grant execute on function internal.has_code_app(uuid) to supabase_auth_admin, shop_server;

create function internal.end_code_app(staff_user_id uuid, ended_by uuid) returns void
  -- Runs with the rights of the function's owner, because the server may delete an authenticator app only by this
  -- function, which also adds a line to the audit log.
  language plpgsql security definer set search_path = '' as $$
declare
  was_confirmed boolean;
begin
  delete from internal.pending_sign_ins where user_id = staff_user_id;
  delete from internal.code_apps where user_id = staff_user_id returning confirmed_at is not null into was_confirmed;
  if was_confirmed then
    perform internal.record_audit_event(internal.audit_event(jsonb_build_object(
      'kind', 'code_app_ended', 'user_id', ended_by, 'subject_user_id', staff_user_id)));
  end if;
end
$$;
comment on function internal.end_code_app(uuid, uuid) is
  'Removes the authenticator app and the recovery codes of an account. ended_by is the person who removes them; null '
  'for the server''s command line and a new invitation.';
grant execute on function internal.end_code_app(uuid, uuid) to shop_server;

create function internal.audit_code_app() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to write the audit log.
  language plpgsql security definer set search_path = '' as $$
begin
  perform internal.record_audit_event(internal.audit_event(jsonb_build_object('kind', tg_argv[0], 'user_id', new.user_id)));
  return null;
end
$$;
create trigger audit_code_app after update of confirmed_at on internal.code_apps
  for each row when (old.confirmed_at is null and new.confirmed_at is not null)
  execute function internal.audit_code_app('code_app_set_up');
create trigger audit_recovery_code after update of used_at on internal.recovery_codes
  for each row when (old.used_at is null) execute function internal.audit_code_app('recovery_code_used');

create function internal.grant_role_after_code_app() returns trigger
  -- Runs with the rights of the function's owner, because no role has the right to update needs_code_app.
  language plpgsql security definer set search_path = '' as $$
begin
  update public.staff_accounts set needs_code_app = false where user_id = new.user_id and needs_code_app;
  return null;
end
$$;
comment on function internal.grant_role_after_code_app() is
  'When a first code confirms the authenticator app of an account, grants the account the role of its invitation, '
  'if the invitation was accepted with a password.';
create trigger grant_role_after_code_app after update of confirmed_at on internal.code_apps
  for each row when (old.confirmed_at is null and new.confirmed_at is not null)
  execute function internal.grant_role_after_code_app();
