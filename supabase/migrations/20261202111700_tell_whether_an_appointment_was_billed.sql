-- Who has only a typed address reads nothing of an invoice, but is not told either that there is no charge.

create function internal.has_invoice(booking_id uuid) returns boolean
  language sql stable
  security definer
  set search_path = ''
  return exists (select from internal.booking_invoice(has_invoice.booking_id));
comment on function internal.has_invoice(uuid) is
  'Whether an invoice was made for an appointment: neither its page nor an email then says that there is no charge.';
grant execute on function internal.has_invoice(uuid) to shop_server;
