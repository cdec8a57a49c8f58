/**
 * The fields in the bodies of `/api` that are not camelCase, because other specifications fixed the names. A test fails
 * for any other such field. Rows and procedure results of the data service have the names of the database.
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
