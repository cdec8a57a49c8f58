-- A browser in which an admin has signed in before may try that admin's password whatever strangers do
-- meanwhile (OWASP, "device cookies"): nobody can lock the owner out by trying wrong ones.

create table internal.known_browsers (
  token_hash bytea check (length(token_hash) = 32),
  username text check (username = lower(username) and length(username) between 1 and 60),
  tries_left int not null check (tries_left between 0 and 10),
  trusted_at timestamptz not null,
  trusted_until timestamptz not null,
  primary key (token_hash, username)
);
comment on table internal.known_browsers is
  'Which admin has signed in from which browser. It opens nothing: it only lets a password be tried.';
comment on column internal.known_browsers.token_hash is 'SHA-256 of the token in the browser''s cookie.';
comment on column internal.known_browsers.username is 'In lower case. A shared tablet may know several.';
comment on column internal.known_browsers.tries_left is
  'Wrong passwords until the browser is a stranger again; a right one fills it up.';

create index known_browsers_username_idx on internal.known_browsers (username, trusted_at);
create index known_browsers_trusted_until_idx on internal.known_browsers (trusted_until);

alter table internal.known_browsers enable row level security;
grant select, insert, update, delete on internal.known_browsers to shop_server;
create policy "the server knows browsers again" on internal.known_browsers
  to shop_server using (true) with check (true);
