import { useState } from 'react'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'

/** The newest payment among the lines that were not there when the panel was opened. */
export function useLaterPayment(lines: readonly LedgerLine[] | undefined): LedgerLine | undefined {
  const [known, setKnown] = useState<ReadonlySet<string>>()
  if (!known && lines) setKnown(new Set(lines.map(({ id }) => id)))
  return lines?.findLast(({ id, kind }) => kind === 'payment' && known && !known.has(id))
}
