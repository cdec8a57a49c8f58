-- What returns money needs a step-up, which only a command asks for: the data service does not offer these functions.

alter function public.refund_payment(uuid, integer, text[], text, text, text) set schema internal;
alter function public.retry_refund(uuid, text, text) set schema internal;
alter function public.cancel_invoice(text, text) set schema internal;
alter function public.refund_deposit(uuid, text, text, text) set schema internal;
