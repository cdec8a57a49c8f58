import { useEffect, useRef } from 'react'
import type { FoundInvoice } from '#contracts/invoice-lookup.ts'

/** The invoice as the shop prints it. Many phones show no PDF in a frame: the link opens it there. */
export function InvoiceView({ invoice }: { invoice: FoundInvoice }) {
  const name = invoice.number ? `Invoice ${invoice.number}` : 'Invoice'
  const section = useRef<HTMLElement>(null)
  // The result comes into sight, also on a phone where it is below the form.
  useEffect(() => section.current?.focus(), [])
  return (
    <section className="view" ref={section} tabIndex={-1} aria-label={name}>
      {/* The browser's PDF viewer does not run in a sandboxed frame; what it shows is our own document. */}
      {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
      <iframe
        className="pdf"
        src={`${invoice.pdfUrl}#navpanes=0&view=FitH`}
        title={`${name} (PDF)`}
      />
      <p className="under-pdf">
        <a href={invoice.pdfUrl} target="_blank" rel="noopener">
          Open the PDF in a new tab
        </a>
      </p>
    </section>
  )
}
