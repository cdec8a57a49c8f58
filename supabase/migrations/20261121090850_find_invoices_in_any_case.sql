-- Who reads an invoice's number off paper types it in any case. The processor's search compares without
-- regard to case; so do our own index of numbers and the sandbox that stands in for the processor.
create index invoice_numbers_in_any_case on internal.invoice_numbers (lower(number));
drop index internal.invoice_numbers_by_number;

create index objects_by_number on stripe_sandbox.objects (lower(data ->> 'number')) where object = 'invoice';
