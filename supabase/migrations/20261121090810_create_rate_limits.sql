-- How often a client has tried lately, for all processes of the shop. Unlogged: it may be lost in a
-- crash, and it is written too often to be worth the disk.

create unlogged table internal.rate_limits (
  key bytea primary key check (length(key) = 32),
  taken int not null check (taken >= 0),
  resets_at timestamptz not null
);
comment on table internal.rate_limits is
  'Counters of the strict limits. A key is a keyed hash of the limit''s name and of whom it limits: no address is kept.';
comment on column internal.rate_limits.resets_at is 'When the counter starts again from zero.';

create index rate_limits_resets_at_idx on internal.rate_limits (resets_at);

alter table internal.rate_limits enable row level security;
grant select, insert, update, delete on internal.rate_limits to shop_server;
create policy "the server counts attempts" on internal.rate_limits
  to shop_server using (true) with check (true);
