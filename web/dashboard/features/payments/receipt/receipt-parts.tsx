import type { ReactNode } from 'react'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { methodNames } from '#web/dashboard/kit/payments/method-names.ts'
import { useShop } from '#web/lib/shop.ts'
import { BrandMark } from '#web/ui/brand/brand.tsx'

export type PageSize = 'roll' | 'sheet'

/** The name, street address and phone number of the shop at the top of a receipt. */
export function ShopHead() {
  const { name, address, phone } = useShop()
  return (
    <header>
      <b>
        <BrandMark />
        {name}
      </b>
      <span>{address.street}</span>
      <span>
        {address.city}, {address.state} {address.postalCode}
      </span>
      <span>{phone.display}</span>
    </header>
  )
}

/** A label with its value. Renders nothing without a value. */
export function Line(props: { name: string; isStrong?: boolean; children: ReactNode }) {
  const { name, isStrong, children } = props
  if (!children) return null
  return (
    <div className={isStrong ? 'receipt-strong' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The payment method with its reference: 'Check 1042', 'Card, terminal 4417'. */
export function methodLine({
  method,
  reference,
}: Pick<LedgerLine, 'method' | 'reference'>): string {
  if (method === 'other') return reference ?? methodNames.other
  return [methodNames[method], reference].filter(Boolean).join(' ')
}
