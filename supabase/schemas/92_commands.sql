-- Commands of staff: a change and everything that belongs to it in one transaction (docs/decisions/0032). A row makes a repeated command return its first result. The row is inserted first, so two requests with one id run one after the other.

create table internal.commands (
  id uuid primary key,
  name text not null check (name ~ '^[a-z-]{1,60}$'),
  user_id uuid not null,
  input_hash bytea not null check (length(input_hash) = 32),
  result jsonb,
  created_at timestamptz not null default now()
);
comment on table internal.commands is 'Commands that were committed during the last day, with their results. A refused command leaves no row.';
comment on column internal.commands.id is 'The id that the page creates once for each press of a button.';
comment on column internal.commands.user_id is
  'The staff account; no foreign key, because that schema belongs to the auth service.';
comment on column internal.commands.input_hash is 'SHA-256 of the input.';
comment on column internal.commands.result is
  'The first response, with ids, versions and times but no data of customers; null while the command runs, in its own transaction only.';

create index commands_created_at_idx on internal.commands (created_at);

alter table internal.commands enable row level security;
grant select, insert, delete, update (result) on internal.commands to shop_server;
create policy "the server keeps the results of commands" on internal.commands to shop_server using (true) with check (true);
