-- Open dashboards show an invoice as it stands after a payment, and its emails as they are sent.

create function internal.announce_invoice() returns trigger
  language plpgsql
  security definer
  set search_path = ''
as $$
begin
  perform pg_notify('invoices_changed', new.invoice_id);
  return null;
end
$$;
comment on function internal.announce_invoice() is
  'Announces to all processes which invoice was made, paid, voided or emailed about: invoices_changed, with its id.';

create trigger announce_invoice after insert on public.invoice_links
  for each row execute function internal.announce_invoice();
create trigger announce_changed_invoice after update on public.invoice_links
  for each row when (old.* is distinct from new.*) execute function internal.announce_invoice();
create trigger announce_invoice after insert on public.payments
  for each row execute function internal.announce_invoice();
create trigger announce_invoice after insert on public.emails
  for each row when (new.invoice_id is not null) execute function internal.announce_invoice();
create trigger announce_changed_invoice after update of status on public.emails
  for each row when (new.invoice_id is not null and new.status is distinct from old.status)
  execute function internal.announce_invoice();
