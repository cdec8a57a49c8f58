import { useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { AskDeposit } from './ask-deposit.tsx'
import { useDeposit } from '#web/dashboard/kit/deposits/use-deposit.ts'
import { DepositLines } from '#web/dashboard/kit/deposits/deposit-lines.tsx'
import { depositBadges } from '#web/dashboard/kit/deposits/deposit-text.ts'
import { DepositDialog, type OpenDepositDialog } from './deposit-dialog.tsx'
import { GoOnWithout } from './go-on-without.tsx'
import { HeldDeposit } from './held-deposit.tsx'
import { RemindOfDeposit } from './remind-of-deposit.tsx'
import '#web/dashboard/kit/deposits/deposit.css'

/**
 * The card that shows the deposit of an estimate and its state: requested, open, paid, refunded or deducted from the
 * invoice (docs/product.md 17.12).
 */
export function DepositCard({ estimate }: { estimate: Estimate }) {
  const read = useDeposit(estimate.id)
  const [opened, open] = useState<OpenDepositDialog>()
  const { data } = read
  // An invoiced estimate that never had a deposit has no deposit card.
  if (!data || (data.state === 'none' && estimate.invoice && data.lines.length === 0)) {
    return read.isError ? (
      <LoadFailure title="The deposit could not be loaded." onRetry={() => void read.refetch()} />
    ) : null
  }
  const badge = depositBadges[data.state]
  return (
    <section className="card rail-card" aria-label="Deposit">
      <h3>Deposit {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}</h3>
      {!estimate.invoice && (data.state === 'none' || data.state === 'asked') && (
        <AskDeposit estimateId={estimate.id} deposit={data} />
      )}
      {data.state === 'open' && (
        <OpenDeposit estimate={estimate} deposit={data} onTake={() => open({ name: 'take' })} />
      )}
      <DepositLines deposit={data} />
      {data.state === 'paid' && (
        <HeldDeposit deposit={data} canChange={!estimate.invoice} onOpen={open} />
      )}
      {opened && (
        <DepositDialog
          dialog={opened}
          estimate={estimate}
          deposit={data}
          onClose={() => open(undefined)}
        />
      )}
    </section>
  )
}

function OpenDeposit(props: { estimate: Estimate; deposit: Deposit; onTake: () => void }) {
  const { estimate, deposit, onTake } = props
  const amount = formatCents(deposit.askedCents)
  return (
    <>
      <p className="deposit-row">
        <span>Requested with the approval</span>
        <b>{amount}</b>
      </p>
      <p className="hint">{formatCents(deposit.approvedCents)} approved. Not paid yet.</p>
      <div className="deposit-actions">
        <Button compact large level="strong" onClick={onTake}>
          Take {amount} here
        </Button>
        <RemindOfDeposit estimate={estimate} />
        <GoOnWithout estimateId={estimate.id} />
      </div>
    </>
  )
}
