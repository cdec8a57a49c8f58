import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { formatStamp } from '#domain/calendar/shop-time.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { type NameOf } from '#web/dashboard/kit/staff/staff-name.tsx'
import { methodNames } from './method-names.ts'

/** One line of the ledger in words: '$407.00 received Tue, Nov 24, 2:10 PM (Check 1042), by sam'. */
export function ledgerLineText(line: LedgerLine, nameOf: NameOf): string {
  const amount = formatCents(Math.abs(line.amount_cents), line.currency)
  const at = formatStamp(line.paid_at)
  const username = line.recorded_by_name
  const by = username === null ? '' : `, by ${nameOf(username, line.recorded_at)}`
  switch (line.kind) {
    case 'payment':
      return `${amount} received ${at} (${methodText(line)})${by}`
    case 'refund':
      return `${amount} refunded ${at} (${methodText(line)})${by}`
    case 'reversal':
      return `${amount} reversed ${at} (${methodText(line)})${by}`
    case 'applied_deposit':
      return line.amount_cents < 0
        ? `${amount} of the deposit removed ${at}`
        : `${amount} deposit (${methodText(line)}), applied ${at}`
    case 'customer_credit':
      return `${amount} too much: the customer has it as credit.`
    case 'cash_rounding':
      return `${line.amount_cents < 0 ? '−' : ''}${amount} cash rounding`
  }
}

/** The payment method with its reference: 'Check 1042', 'Card, terminal, 4242', 'Bank transfer'. */
function methodText({ method, reference }: Pick<LedgerLine, 'method' | 'reference'>): string {
  if (reference === null) return methodNames[method]
  if (method === 'other') return reference
  return method === 'check' ? `Check ${reference}` : `${methodNames[method]}, ${reference}`
}
