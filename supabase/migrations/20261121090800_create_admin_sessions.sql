-- Who is signed in to the dashboard. The browser holds an opaque token in a cookie, we hold its hash:
-- what this table says is worth nothing to who reads it.

create table internal.admin_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null,
  username text not null check (length(username) between 1 and 60),
  data_sessions uuid[] not null default '{}' check (cardinality(data_sessions) <= 20),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table internal.admin_sessions is
  'One row for each browser that is signed in to the dashboard; deleting it signs the browser out.';
comment on column internal.admin_sessions.token_hash is 'SHA-256 of the token in the cookie.';
comment on column internal.admin_sessions.user_id is
  'The user of the auth service; no foreign key, because that schema belongs to the auth service.';
comment on column internal.admin_sessions.data_sessions is
  'The sessions of the data service handed to this browser, newest first; signing out ends them too.';

create index admin_sessions_user_id_idx on internal.admin_sessions (user_id);
create index admin_sessions_expires_at_idx on internal.admin_sessions (expires_at);

alter table internal.admin_sessions enable row level security;
grant select, insert, update, delete on internal.admin_sessions to shop_server;
create policy "the server keeps the sessions of the dashboard" on internal.admin_sessions
  to shop_server using (true) with check (true);
