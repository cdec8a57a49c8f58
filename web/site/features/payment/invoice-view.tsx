import { useEffect, useRef } from 'react'
import type { FoundInvoice } from '#contracts/invoices/invoice-lookup.ts'
import { showsPdfInFrame } from './shows-pdf-in-frame.ts'

/** The invoice as the shop prints it; as a page of the same words where a frame cannot show a PDF. */
export function InvoiceView({ invoice }: { invoice: FoundInvoice }) {
  const name = invoice.number ? `Invoice ${invoice.number}` : 'Invoice'
  const section = useRef<HTMLElement>(null)
  // The result comes into sight, also on a phone where it is below the form.
  useEffect(() => section.current?.focus(), [])
  return (
    <section className="invoice-view" ref={section} tabIndex={-1} aria-label={name}>
      {invoice.pageUrl !== undefined && !showsPdfInFrame(navigator) ? (
        <iframe
          className="invoice-frame"
          src={invoice.pageUrl}
          title={name}
          sandbox="allow-same-origin allow-downloads"
        />
      ) : (
        // The browser's PDF viewer does not run in a sandboxed frame; what it shows is our own document.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe
          className="invoice-frame"
          src={`${invoice.pdfUrl}#navpanes=0&view=FitH`}
          title={`${name} (PDF)`}
        />
      )}
      <p className="invoice-frame-below">
        <a href={invoice.pdfUrl} target="_blank" rel="noopener">
          Open the PDF in a new tab
        </a>
      </p>
    </section>
  )
}
