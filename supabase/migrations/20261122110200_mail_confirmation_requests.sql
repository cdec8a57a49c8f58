-- The letter that asks whoever reads a held booking's e-mail to confirm it.
alter table public.emails
  drop constraint emails_kind_check,
  add constraint emails_kind_check check (kind in (
    'booking_confirmation', 'confirmation_request', 'quote_confirmation', 'quote_reply', 'invoice',
    'payment_receipt', 'owner_notice'
  ));
