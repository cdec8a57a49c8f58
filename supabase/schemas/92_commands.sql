-- Commands of staff: a change and everything that belongs to it in one transaction (docs/decisions/0032). Each command
-- has a row in `commands`, so that a repeated command returns the first result. The row is inserted at the start of the
-- command, so that two requests with the same id run one after the other.

create table internal.commands (
  id uuid primary key,
  name text not null check (name ~ '^[a-z-]{1,60}$'),
  user_id uuid not null,
  input_hash bytea not null check (length(input_hash) = 32),
  result jsonb,
  created_at timestamptz not null default now()
);
comment on table internal.commands is
  'The commands of staff (changes that the dashboard requests) that were committed during the last day, each with '
  'its result. A refused command has no row.';
comment on column internal.commands.id is 'The id that the dashboard page creates once for each press of a button.';
comment on column internal.commands.user_id is
  'The id of the staff account''s user in the auth service. The column has no foreign key, because the auth service '
  'owns the table of its users.';
comment on column internal.commands.input_hash is
  'The SHA-256 hash of the input, by which the server recognizes an id that is used again with another input.';
comment on column internal.commands.result is
  'The response to the first request with this command id, with ids, versions and times but no data of customers. '
  'Null only while the command runs: other transactions see the row only after the command has finished.';

create index commands_created_at_idx on internal.commands (created_at);

alter table internal.commands enable row level security;
grant select, insert, delete, update (result) on internal.commands to shop_server;
create policy "the server keeps the results of commands" on internal.commands to shop_server using (true) with check (true);
