-- A way in for the owner whose browser is a stranger while strangers use up its tries: the machine's own
-- command makes a code that signs in once. It is too long to be guessed, so that no limit has to stop it.

create table internal.sign_in_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  user_id uuid not null,
  username text not null check (length(username) between 1 and 60),
  expires_at timestamptz not null
);
comment on table internal.sign_in_codes is
  'Codes of "npm run admin -- code": each signs its admin in once, instead of the password.';
comment on column internal.sign_in_codes.code_hash is 'SHA-256 of 100 random bits.';
comment on column internal.sign_in_codes.user_id is
  'The user of the auth service; no foreign key, because that schema belongs to the auth service.';

create index sign_in_codes_user_id_idx on internal.sign_in_codes (user_id);

alter table internal.sign_in_codes enable row level security;
grant select, insert, delete on internal.sign_in_codes to shop_server;
create policy "the server keeps codes for one sign-in" on internal.sign_in_codes
  to shop_server using (true) with check (true);
