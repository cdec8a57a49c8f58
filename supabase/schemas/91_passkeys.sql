-- Passkeys of staff (WebAuthn Level 3): the public keys with which the server checks the response of a device, and the
-- challenges that a device signs. Only the server reads and writes these tables.

create table internal.passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.staff_accounts,
  credential_id bytea not null unique constraint passkeys_credential_id_has_a_length check (length(credential_id) between 1 and 1023),
  public_key bytea not null constraint passkeys_public_key_has_a_length check (length(public_key) between 1 and 2000),
  counter bigint not null constraint passkeys_counter_is_unsigned check (counter between 0 and 4294967295),
  is_backup_eligible boolean not null,
  is_backed_up boolean not null,
  transports text[] not null,
  name text not null constraint passkeys_name_is_short check (length(trim(name)) between 1 and 60),
  rp_id text not null constraint passkeys_rp_id_is_a_host check (length(rp_id) between 1 and 253),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  anomaly_count int not null default 0 constraint passkeys_anomalies_are_counted check (anomaly_count >= 0),
  is_active boolean not null default true,
  constraint passkeys_backup_needs_eligibility check (is_backup_eligible or not is_backed_up),
  constraint passkeys_second_anomaly_switches_off check (not is_active or anomaly_count < 2)
);
comment on table internal.passkeys is 'The passkeys with which team members sign in.';
comment on column internal.passkeys.credential_id is
  'The id that the device assigned to the passkey (WebAuthn Level 3, 4).';
comment on column internal.passkeys.public_key is 'The public key in COSE format (RFC 9052).';
comment on column internal.passkeys.counter is
  'The signature counter in the last accepted response of the passkey (WebAuthn Level 3, 6.1.1). Passkeys that are '
  'synced between devices always send 0.';
comment on column internal.passkeys.is_backup_eligible is 'Whether the passkey can be synced between devices; the server then ignores its counter.';
comment on column internal.passkeys.transports is
  'The transports by which a browser can reach the authenticator device, for example internal or usb.';
comment on column internal.passkeys.rp_id is
  'The relying party id: the host of the site when the passkey was registered. Browsers offer the passkey only at '
  'this host.';
comment on column internal.passkeys.anomaly_count is
  'The number of responses with a signature counter that did not increase, which indicates that the passkey was '
  'copied. The second such response switches the passkey off.';
comment on column internal.passkeys.is_active is
  'Whether the server accepts the passkey; false after it was switched off because it may have been copied.';

create index passkeys_user_id_idx on internal.passkeys (user_id);

alter table internal.passkeys enable row level security;
grant select, insert, update, delete on internal.passkeys to shop_server;
create policy "the server reads and writes passkeys" on internal.passkeys to shop_server using (true) with check (true);

create unlogged table internal.passkey_challenges (
  challenge bytea primary key constraint passkey_challenges_have_a_length check (length(challenge) = 32),
  browser_hash bytea not null constraint passkey_challenges_browser_is_a_hash check (length(browser_hash) = 32),
  user_id uuid references public.staff_accounts,
  expires_at timestamptz not null default now() + interval '5 minutes',
  session_id uuid references internal.admin_sessions (id) on delete cascade,
  invitation_id uuid references public.staff_invitations on delete cascade,
  new_user_id uuid,
  constraint passkey_challenges_of_invitations_name_the_new_user check ((invitation_id is null) = (new_user_id is null))
);
comment on table internal.passkey_challenges is
  'The challenges for which the server still expects the response of a passkey. A response deletes its challenge, so '
  'that each challenge can be used only once.';
comment on column internal.passkey_challenges.browser_hash is
  'The SHA-256 hash of the token in the cookie of the browser that requested the challenge.';
comment on column internal.passkey_challenges.user_id is
  'The team member who registers a passkey with the response. Null for a sign-in, where the response contains the id '
  'of the passkey, and for a step-up authentication.';
comment on column internal.passkey_challenges.session_id is
  'The dashboard session whose step-up authentication uses the challenge; null for every other purpose.';

comment on column internal.passkey_challenges.invitation_id is
  'The invitation that is accepted with the response; null for every other purpose.';
comment on column internal.passkey_challenges.new_user_id is
  'The future user id of the invited person. The device stores the passkey under this id.';

create index passkey_challenges_invitation_id_idx on internal.passkey_challenges (invitation_id);
create index passkey_challenges_session_id_idx on internal.passkey_challenges (session_id);
create index passkey_challenges_expires_at_idx on internal.passkey_challenges (expires_at);

alter table internal.passkey_challenges enable row level security;
grant select, insert, delete on internal.passkey_challenges to shop_server;
create policy "the server reads and writes challenges" on internal.passkey_challenges to shop_server using (true) with check (true);

create function internal.has_password(staff_user_id uuid) returns boolean
  -- Runs with the rights of the function's owner, because the server has no right to read auth.users.
  language sql stable security definer set search_path = ''
  return exists (select from auth.users where id = staff_user_id and encrypted_password <> '');
comment on function internal.has_password(uuid) is 'Whether a team member can sign in with a password.';
grant execute on function internal.has_password(uuid) to shop_server;
