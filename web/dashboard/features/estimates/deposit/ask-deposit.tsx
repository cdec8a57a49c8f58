import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Deposit } from '#contracts/payments/deposits.ts'
import { depositCents } from '#domain/estimates/deposit-sum.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Segments } from '#web/dashboard/kit/controls/segments.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import {
  askDeposit,
  type DepositChoice,
  depositKey,
} from '#web/dashboard/kit/deposits/deposit-api.ts'
import {
  type AskKind,
  askOf,
  depositProblem,
  readAsk,
} from '#web/dashboard/kit/deposits/deposit-text.ts'

type Props = { estimateId: string; deposit: Deposit }

const kinds: readonly (readonly [AskKind, string])[] = [
  ['none', 'None'],
  ['sum', 'Amount'],
  ['share', 'Share'],
]

/**
 * Lets staff choose the deposit that the customer pays when approving the estimate: no deposit, a sum, or a percentage
 * of the approved amount.
 */
export function AskDeposit({ estimateId, deposit }: Props) {
  const stored = askOf(deposit)
  const titleId = useId()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<{ kind: AskKind; text: string }>()
  const { kind, text } = typed ?? stored
  const [problem, setProblem] = useState<string>()
  const asking = useMutation({
    mutationFn: (choice: DepositChoice) => askDeposit(estimateId, choice),
    onSuccess(saved) {
      queries.setQueryData(depositKey(estimateId), saved)
      setTyped(undefined)
    },
    onError: (error) => setProblem(depositProblem(error)),
  })
  const isChanged = kind !== stored.kind || text !== stored.text
  const save = (next = { kind, text }) => {
    const read = readAsk(next.kind, next.text, deposit.limitCents)
    setProblem('problem' in read ? read.problem : undefined)
    if ('choice' in read) asking.mutate(read.choice)
  }
  const choose = (next: AskKind) => {
    const changed = { kind: next, text: next === stored.kind ? stored.text : '' }
    setTyped(changed)
    setProblem(undefined)
    if (next === 'none' && stored.kind !== 'none') save(changed)
  }
  return (
    <form
      className="deposit-ask"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save()
      }}
    >
      <p className="visually-hidden" id={titleId}>
        Deposit
      </p>
      <Segments
        name="deposit-kind"
        labelledBy={titleId}
        className="deposit-kinds"
        choices={kinds}
        chosen={kind}
        onChoose={choose}
      />
      {kind !== 'none' && (
        <Input
          label={
            kind === 'sum' ? 'Deposit, in dollars' : 'Share of the approved amount, in percent'
          }
          name="deposit"
          inputMode="decimal"
          autoComplete="off"
          maxLength={16}
          hint={hintOf(kind, text, deposit)}
          error={problem}
          value={text}
          onChange={({ target }) => {
            setTyped({ kind, text: target.value })
            setProblem(undefined)
          }}
        />
      )}
      {kind === 'none' && problem && (
        <p className="field-error">
          <Icon name="alert" />
          {problem}
        </p>
      )}
      {kind !== 'none' && isChanged && (
        <Button compact type="submit" busy={asking.isPending && 'Saving…'}>
          Save deposit
        </Button>
      )}
      {kind !== 'none' && !isChanged && (
        <p className="hint">
          The deposit is requested with the approval and paid by card, online or at the shop. It is
          deducted from the invoice.
        </p>
      )}
    </form>
  )
}

function hintOf(kind: AskKind, text: string, { limitCents, approvedCents }: Deposit): string {
  if (kind === 'sum') return `Enter at most ${formatCents(limitCents)}.`
  const read = readAsk(kind, text, limitCents)
  if ('problem' in read) return 'Enter a whole percentage.'
  const of = approvedCents > 0 ? 'approved' : 'all jobs'
  return `${formatCents(limitCents)} ${of}: ${formatCents(depositCents(read.choice, limitCents))}`
}
