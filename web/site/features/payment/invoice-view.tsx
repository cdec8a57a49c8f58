import type { FoundInvoice } from '#contracts/invoices/invoice-lookup.ts'
import { showsPdfInFrame } from './shows-pdf-in-frame.ts'

/**
 * Shows the invoice as the shop prints it, or as HTML with the same texts in a browser that cannot show a PDF in a
 * frame.
 */
export function InvoiceView({ invoice }: { invoice: FoundInvoice }) {
  const name = invoice.number ? `Invoice ${invoice.number}` : 'Invoice'
  return (
    <section className="invoice-view" aria-label={name}>
      {invoice.pageUrl !== undefined && !showsPdfInFrame(navigator) ? (
        <iframe
          className="invoice-frame"
          src={invoice.pageUrl}
          title={name}
          sandbox="allow-same-origin allow-downloads"
        />
      ) : (
        // The browser's PDF viewer does not run in a sandboxed frame, and the frame shows only the shop's own document.
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
