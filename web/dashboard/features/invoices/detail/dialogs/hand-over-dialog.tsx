import { useQuery } from '@tanstack/react-query'
import { renderSVG } from 'uqr'
import { handOverInvoiceEndpoint } from '#contracts/invoices/linked-invoice.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import type { DialogProps } from '../invoice-dialog.tsx'
import './hand-over.css'

/** Shows the code that opens the invoice on the customer's phone, and the address that can be typed instead. */
export function HandOverDialog({ invoice, onClose }: DialogProps) {
  const link = useQuery({
    queryKey: ['invoices', 'link', invoice.id],
    queryFn: async () =>
      orThrow(await callAsAdmin(handOverInvoiceEndpoint, { invoiceId: invoice.id })),
    // The link of an invoice is always the same.
    staleTime: Infinity,
  })
  return (
    <Dialog
      open
      title="Hand over the invoice"
      onClose={onClose}
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <p>
        {[invoice.customerName, invoice.number].filter(Boolean).join(', ')},{' '}
        <b>{formatCents(invoice.balanceCents, invoice.currency)}</b> open.
      </p>
      <p>Nothing is sent. Let the customer scan the code, or type the address.</p>
      {link.isError && <p role="alert">The link could not be read. Close this and try again.</p>}
      {link.data && (
        <div className="invoice-hand-over">
          <img
            src={codePicture(link.data.url)}
            alt="QR code of the invoice"
            width={220}
            height={220}
          />
          <p>{withoutScheme(link.data.typedUrl)}</p>
        </div>
      )}
    </Dialog>
  )
}

/** The code with the white margin of four modules that scanners need. */
const codePicture = (url: string) =>
  `data:image/svg+xml,${encodeURIComponent(renderSVG(url, { border: 4 }))}`

const withoutScheme = (url: string) => url.replace(/^https?:\/\//, '')
