-- The owner is told when the processor's last event came; those of its test mode say nothing about real payments.

alter table internal.stripe_events add column is_live boolean not null default false;
comment on column internal.stripe_events.is_live is
  'Whether real money was meant; false for the processor''s test mode and the sandbox, and for what came before we noted it.';
