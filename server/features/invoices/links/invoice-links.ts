import { createHash } from 'node:crypto'
import type { LinkedInvoice } from '#contracts/invoices/linked-invoice.ts'
import { formatInvoiceCode, readInvoiceCode } from '#domain/invoices/invoice-code.ts'
import { type Database, rowsAs } from '@local/postgres'
import { asServer } from '#server/platform/database/identities.ts'
import type { InvoiceAddresses } from '../document/invoice-document.ts'

type InvoiceLink = { readonly token: string; readonly code: string }

/**
 * Returns the secret URLs of an invoice, the same URLs each time; undefined for an unknown, void or cancelled invoice.
 */
export async function makeInvoiceUrls(
  database: Database,
  publicUrl: string,
  invoiceId: string,
): Promise<InvoiceAddresses | undefined> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ link: InvoiceLink | null }>(
      await query('select internal.make_invoice_link($1) as link', [invoiceId]),
    ),
  )
  if (!row?.link) return undefined
  const { token, code } = row.link
  return { url: `${publicUrl}/i/${token}`, typedUrl: `${publicUrl}/i/${formatInvoiceCode(code)}` }
}

/**
 * Returns the invoice for a link token or for a short code, which customers can type. Any input is hashed and looked up
 * in the same manner, so that the response time reveals nothing about existing links.
 */
export async function findLinkedInvoice(
  database: Database,
  tokenOrCode: string,
): Promise<string | undefined> {
  const secret = readInvoiceCode(tokenOrCode) ?? tokenOrCode
  const digest = createHash('sha256').update(secret).digest()
  const [row] = await database.transaction(asServer, (query) =>
    query(
      `select invoice_id as "invoiceId" from internal.invoice_links
       where token_digest = $1 or code_digest = $1`,
      [digest],
    ),
  )
  return row?.invoiceId
}

/** Reads the invoice data that the page behind a secret link shows. */
export async function readLinkedInvoice(
  database: Database,
  invoiceId: string,
): Promise<LinkedInvoice | undefined> {
  const [row] = await database.transaction(asServer, async (query) =>
    rowsAs<{ invoice: LinkedInvoice | null }>(
      await query('select internal.read_linked_invoice($1) as invoice', [invoiceId]),
    ),
  )
  return row?.invoice ?? undefined
}
