import { shop } from '#domain/shop.ts'

type Rendered = { readonly subject: string; readonly html: string; readonly text: string }

export function renderReceiptEmail(receipt: {
  customerName: string
  invoiceNumber: string
  amountPaid: string
  paidAt: string
  description: string
  isTestMode: boolean
}): Rendered {
  const lines = [
    `Thank you. We received ${receipt.amountPaid} for invoice ${receipt.invoiceNumber} on ${receipt.paidAt}.`,
    ...(receipt.description ? [receipt.description] : []),
    'The paid invoice is attached as a PDF.',
    ...(receipt.isTestMode ? ['Test mode: no card was charged.'] : []),
    `${shop.name}, ${shop.billingPhone.display}, ${shop.billingEmail}`,
  ]
  return plain(`Receipt for invoice ${receipt.invoiceNumber}`, lines)
}

export function renderOwnerNotice(subject: string, sentences: readonly string[]): Rendered {
  return plain(subject, sentences)
}

function plain(subject: string, lines: readonly string[]): Rendered {
  const html = lines.map((line) => `<p>${escape(line)}</p>`).join('\n')
  return { subject, html, text: lines.join('\n\n') }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
