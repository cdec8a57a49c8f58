-- What a browser of the dashboard was handed of the data service ends with its cookie: the database sees
-- to it, whoever deletes the row and for whatever reason. A list beside the cookie forgot all but twenty.

create table internal.admin_data_sessions (
  data_session_id uuid primary key,
  token_hash bytea not null references internal.admin_sessions on delete cascade,
  created_at timestamptz not null default now()
);
comment on table internal.admin_data_sessions is
  'The sessions of the data service that belong to a cookie. Deleting a row ends the session.';
comment on column internal.admin_data_sessions.token_hash is 'The cookie''s session in admin_sessions.';

create index admin_data_sessions_token_hash_idx
  on internal.admin_data_sessions (token_hash, created_at);

alter table internal.admin_data_sessions enable row level security;
grant select, insert, delete on internal.admin_data_sessions to shop_server;
create policy "the server ties data sessions to cookies" on internal.admin_data_sessions
  to shop_server using (true) with check (true);

create function internal.end_data_session() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  delete from auth.sessions where id = old.data_session_id;
  return null;
exception when insufficient_privilege then
  -- A hosted project that keeps its sessions to itself: there its own interface ends them.
  return null;
end
$$;
comment on function internal.end_data_session() is 'Ends the data session whose cookie is gone.';

create trigger end_data_session after delete on internal.admin_data_sessions
  for each row execute function internal.end_data_session();

insert into internal.admin_data_sessions (data_session_id, token_hash)
  select handed.id, token_hash from internal.admin_sessions, unnest(data_sessions) as handed (id)
  on conflict do nothing;
alter table internal.admin_sessions drop column data_sessions;

-- Where the auth service is ours, the tie holds at both ends: a session that has just been ended cannot be
-- tied to a cookie any more. What is tied to none was forgotten by the list, and ends here.
do $$
begin
  if (select pg_has_role(relowner, 'usage') from pg_class where oid = 'auth.sessions'::regclass) then
    delete from auth.sessions s where not exists (
      select from internal.admin_data_sessions where data_session_id = s.id
    );
    delete from internal.admin_data_sessions d where not exists (
      select from auth.sessions where id = d.data_session_id
    );
    alter table internal.admin_data_sessions
      add foreign key (data_session_id) references auth.sessions on delete cascade;
  end if;
end
$$;
