import { CodePicture } from '#web/dashboard/kit/payments/code-picture.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'

/**
 * Two URLs of the page on which the customer sees an invoice: `url` for the QR code, and the short `typedUrl`, which
 * the customer types.
 */
export type InvoiceUrls = { readonly url: string; readonly typedUrl: string }

type Props = { link: InvoiceUrls; sum: string }

/** Shows the QR code that opens the invoice on the customer's phone, with the balance and the short URL to type. */
export function InvoiceCode({ link, sum }: Props) {
  return (
    <div className="hand-over-code">
      <CodePicture url={link.url} name="QR code of the invoice" size={232} />
      <b>{sum}</b>
      <TypedAddress url={link.typedUrl} />
    </div>
  )
}

/** Shows the QR code on a white full-screen dialog. Staff turn the screen to the customer, who scans the code. */
export function FullScreenCode({ link, sum, onClose }: Props & { onClose: () => void }) {
  return (
    <Dialog open size="screen" title="Scan to pay" onClose={onClose}>
      <div className="hand-over-screen">
        <InvoiceCode link={link} sum={sum} />
      </div>
    </Dialog>
  )
}

/** The short URL without 'https://'. The invoice's code at the end of the URL is bold. */
function TypedAddress({ url }: { url: string }) {
  const address = url.replace(/^https?:\/\//, '')
  const code = address.slice(address.lastIndexOf('/') + 1)
  return (
    <p>
      {address.slice(0, -code.length)}
      <b>{code}</b>
    </p>
  )
}
