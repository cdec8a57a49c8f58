-- Adds the kind of email that asks a customer for a payment.

insert into internal.email_kinds (kind, is_retried, is_visitor_triggered, must_match, is_sent_at_night)
values ('payment_request', true, false, 'nothing', true);
