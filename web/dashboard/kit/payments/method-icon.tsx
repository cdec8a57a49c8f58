import type { ReactNode } from 'react'
import type { PaymentMethod } from '#contracts/payments/ledger-line.ts'

// These icons are separate from the common icons, which every page of the dashboard loads before its content.
const drawings: Readonly<Record<PaymentMethod | 'link', ReactNode>> = {
  card_terminal: (
    <path d="M6 2.5h12v19H6zM9 6h6v4H9zM9 13.5h1.5M13.5 13.5H15M9 17h1.5M13.5 17H15" />
  ),
  cash: (
    <>
      <path d="M2.5 6.5h19v11h-19z" />
      <circle cx="12" cy="12" r="2.8" />
      <path d="M5.5 9.5v5M18.5 9.5v5" />
    </>
  ),
  check: <path d="M2.5 6h19v12h-19zM5.5 10h7M5.5 14h4M13 14.5c1.5-2 2.5-2 3 0s1.5 1 2.5-.5" />,
  other: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3.5" strokeLinecap="square" />,
  card_online: <path d="M2.5 5.5h19v13h-19zM2.5 10h19M6 14.5h4" />,
  link: (
    <path d="M10 14.5 14.5 10M8.5 10.5l-2.9 2.9a3.6 3.6 0 0 0 5 5l2.9-2.9M15.5 13.5l2.9-2.9a3.6 3.6 0 0 0-5-5l-2.9 2.9" />
  ),
}

/** The icon of a payment method or of the payment link. Decorative. */
export function MethodIcon({ method }: { method: PaymentMethod | 'link' }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      {drawings[method]}
    </svg>
  )
}
