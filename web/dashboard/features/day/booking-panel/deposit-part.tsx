import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { readDepositEstimate } from '#web/dashboard/kit/deposits/deposit-api.ts'
import { useDeposit } from '#web/dashboard/kit/deposits/use-deposit.ts'
import { DepositLines } from '#web/dashboard/kit/deposits/deposit-lines.tsx'
import { depositBadges } from '#web/dashboard/kit/deposits/deposit-text.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'

const TakeDeposit = lazyComponent(
  async () => (await import('#web/dashboard/kit/deposits/take-deposit.tsx')).TakeDeposit,
  null,
)

/**
 * Shows whether the deposit for the booking's estimate is requested, paid, or deducted from the invoice. Staff can take
 * the payment of the deposit here.
 */
export function DepositPart({ estimateId }: { estimateId: string }) {
  const [isTaking, setIsTaking] = useState(false)
  const { data, isError, refetch } = useDeposit(estimateId)
  if (!data && isError) {
    return <LoadFailure title="The deposit could not be loaded." onRetry={() => void refetch()} />
  }
  if (!data || data.state === 'none') return null
  const badge = depositBadges[data.state]
  return (
    <section className="panel-part" aria-label="Deposit">
      <h3>
        <Icon name="card" />
        Deposit {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
      </h3>
      {data.state === 'asked' && <p className="hint">Requested with the approval.</p>}
      <DepositLines deposit={data} />
      {data.state === 'open' && <OpenDeposit deposit={data} onTake={() => setIsTaking(true)} />}
      {data.state === 'paid' && (
        <p className="hint">
          Held until the invoice is created, then deducted from the invoice automatically.
        </p>
      )}
      {/*
       * The dialog is not a child of the button that opens the dialog. The payment removes this button, but the dialog
       * must still show the cash that staff give back to the customer.
       */}
      {isTaking && (
        <Taking estimateId={estimateId} deposit={data} onClose={() => setIsTaking(false)} />
      )}
    </section>
  )
}

function OpenDeposit({ deposit, onTake }: { deposit: Deposit; onTake: () => void }) {
  return (
    <>
      <p className="hint">
        Requested with the approval. {formatCents(deposit.approvedCents)} approved. Not paid yet.
      </p>
      <Button compact onClick={onTake}>
        Take {formatCents(deposit.askedCents)} here
      </Button>
    </>
  )
}

type TakingProps = { estimateId: string; deposit: Deposit; onClose: () => void }

function Taking({ estimateId, deposit, onClose }: TakingProps) {
  const { data, isError, refetch } = useQuery({
    queryKey: ['estimates', 'of-deposit', estimateId],
    queryFn: () => readDepositEstimate(estimateId),
  })
  if (data) return <TakeDeposit estimate={data} deposit={deposit} onClose={onClose} />
  if (!isError) return null
  return <LoadFailure title="The estimate could not be loaded." onRetry={() => void refetch()} />
}
