/**
 * The fields of requests and responses of `/api` whose names are not camelCase, because a specification prescribes
 * them. A test fails for any other name that is not camelCase. Rows and function results of the REST API use the names
 * of the database and are not listed here.
 */
export const specifiedFields: Readonly<Record<string, string>> = {
  hosted_invoice_url: 'the specification of an invoice (docs/product.md 7.1)',
  invoice_pdf: 'the specification of an invoice (docs/product.md 7.1)',
  customer_name: 'the specification of an invoice (docs/product.md 7.1)',
  customer_email: 'the specification of an invoice (docs/product.md 7.1)',
  access_token: 'the argument of supabase.auth.setSession, from RFC 6749, 5.1',
  refresh_token: 'the argument of supabase.auth.setSession, from RFC 6749, 5.1',
  expires_in: 'the session of the auth service, from RFC 6749, 5.1',
  expires_at: 'the session of the auth service',
}
