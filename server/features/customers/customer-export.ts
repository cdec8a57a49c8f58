import { strToU8, type Zippable, zipSync } from 'fflate'
import { toCsv } from '#domain/text/csv.ts'
import type { StoredAttachment } from '#emails/delivery/mail-transport.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

/**
 * All data about a customer, grouped by kind of record, as the database function `internal.read_customer_export`
 * returns it.
 */
export type CustomerExport = {
  readonly customer: Readonly<Record<string, unknown>>
  readonly emails: readonly ExportedEmail[]
  readonly invoices: readonly { readonly invoice_id: string }[]
  readonly [kind: string]: unknown
}

type ExportedEmail = {
  readonly id: string
  readonly kind: string
  readonly subject: string
  readonly text_body: string
  readonly html_body: string
  readonly attachments: readonly StoredAttachment[]
  readonly created_at: string
}

const readMe = `All data that the shop stores about one customer.

all.json        all data in one file, for programs
tables/         the same data by kind, for spreadsheets (UTF-8; times as stored, amounts in cents)
letters/        each email as the shop wrote it, with its attachments
invoices/       each invoice as a PDF
`

/**
 * Packs the export as a ZIP archive: all data as JSON, each kind of record as a CSV file, emails with their
 * attachments, and invoices as PDF files named by their numbers.
 */
export function packExport(
  data: CustomerExport,
  invoices: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const { emails, customer, ...tables } = data
  const files: Zippable = {
    'README.txt': strToU8(readMe),
    'all.json': strToU8(JSON.stringify(data, null, 2)),
    'tables/person.csv': strToU8(toCsv([customer])),
    'tables/letters.csv': strToU8(toCsv(emails.map(withoutBodies))),
  }
  for (const [kind, rows] of Object.entries(tables)) {
    files[`tables/${kind}.csv`] = strToU8(toCsv(rows as Rows))
  }
  for (const email of emails) Object.assign(files, filesOf(email))
  for (const [name, pdf] of invoices) files[`invoices/${name}`] = [pdf, { level: 0 }]
  return zipSync(files)
}

function withoutBodies({
  text_body: _text,
  html_body: _html,
  attachments,
  ...email
}: ExportedEmail): Record<string, unknown> {
  return { ...email, files: attachments.map(({ filename }) => filename) }
}

function filesOf(email: ExportedEmail): Zippable {
  const folder = `letters/${email.created_at.slice(0, 10)}-${email.kind}-${email.id.slice(0, 8)}`
  const files: Zippable = {
    [`${folder}/letter.txt`]: strToU8(`${email.subject}\n\n${email.text_body}`),
    [`${folder}/letter.html`]: strToU8(email.html_body),
  }
  for (const [index, { filename, contentBase64 }] of email.attachments.entries()) {
    // An attachment's name may be untrusted text, so path separators are replaced; a number makes each name unique.
    const name = filename.replaceAll(/[^\w. -]+/g, '_').replace(/^\.+/, '_')
    files[`${folder}/${index + 1}-${name}`] = Buffer.from(contentBase64, 'base64')
  }
  return files
}
