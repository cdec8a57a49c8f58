import type { FormEvent } from 'react'
import type { ListedInvoice } from '#contracts/invoices/invoice-list.ts'
import type { LedgerLine } from '#contracts/payments/ledger-line.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Balance } from './balance.tsx'
import { Cash } from './cash.tsx'
import { LinkWay } from './link-way.tsx'
import { MoneyField } from './money-field.tsx'
import { PaymentNotices } from './payment-notices.tsx'
import { amountText } from './payment-text.ts'
import { PaymentsSoFar } from './payments-so-far.tsx'
import { ReceiptChoice } from './receipt-choice.tsx'
import { errorOf, NoteField, ReferenceField } from './reference-field.tsx'
import type { PaymentPanelState } from './use-payment-panel.ts'
import type { LinkSending } from './use-send-link.ts'
import { Ways } from './ways.tsx'

type Props = {
  formId: string
  invoice: ListedInvoice
  lines: readonly LedgerLine[]
  later: LedgerLine | undefined
  panel: PaymentPanelState
  sending: LinkSending
}

/**
 * The form of the panel 'Take payment': the balance, the payment method, the fields of this method, and the choice of
 * the receipt.
 */
export function PaymentFields({ formId, invoice, lines, later, panel, sending }: Props) {
  const { input, isBusy } = panel
  const { way } = input
  const sendLink = (event: FormEvent) => {
    event.preventDefault()
    if (!panel.isOffline) sending.send()
  }
  return (
    <form
      className="pay-form"
      id={formId}
      onSubmit={way === 'link' ? sendLink : panel.submit}
      aria-label="Payment"
      noValidate
    >
      <PaymentNotices
        invoice={invoice}
        later={later}
        isWhole={input.values.amount === amountText(invoice.balanceCents)}
        isBusy={isBusy}
        problem={panel.problem}
      />
      <Balance
        invoice={invoice}
        nowCents={way === 'link' ? invoice.balanceCents : panel.amountCents}
      />
      <PaymentsSoFar lines={lines} />
      <fieldset disabled={isBusy}>
        <Ways chosen={way} onChoose={panel.choose} />
        {way === 'link' ? (
          <LinkWay invoice={invoice} sending={sending} />
        ) : (
          <Details {...{ invoice, panel }} />
        )}
      </fieldset>
    </form>
  )
}

function Details({ invoice, panel }: Pick<Props, 'invoice' | 'panel'>) {
  const { input } = panel
  const isCash = input.way === 'cash' && errorOf(input, 'amount') === undefined
  return (
    <>
      <div className={isCash ? 'pay-sums' : undefined}>
        <Amount invoice={invoice} panel={panel} />
        {isCash && (
          <MoneyField
            name="given"
            label="Given"
            value={input.values.given}
            error={errorOf(input, 'given')}
            onChange={(text) => input.change({ given: text.replace(/[^\d.]/g, '') })}
          />
        )}
      </div>
      <Excess invoice={invoice} panel={panel} />
      {isCash && (
        <Cash
          dueCents={panel.dueCents}
          amountCents={panel.amountCents}
          given={input.values.given}
          onGiven={(given) => input.change({ given })}
          onTakeGiven={panel.takeGiven}
        />
      )}
      <ReferenceField key={input.way} input={input} />
      <ReceiptChoice
        email={invoice.customerEmail}
        chosen={input.receipt}
        onChoose={(receipt) => input.change({ receipt })}
      />
      <NoteField input={input} />
    </>
  )
}

function Amount({ invoice, panel }: Pick<Props, 'invoice' | 'panel'>) {
  const { input } = panel
  const balance = formatCents(invoice.balanceCents, invoice.currency)
  const isWhole = panel.typedCents === invoice.balanceCents
  return (
    <MoneyField
      name="amount"
      label="Amount"
      value={input.values.amount}
      hint={isWhole ? input.way !== 'cash' && 'Whole balance' : `Balance ${balance}`}
      error={errorOf(input, 'amount')}
      onChange={input.setAmount}
    />
  )
}

/**
 * The button that appears when staff typed a cash amount above the balance. Such an amount usually is the cash that the
 * customer gave, so the button moves the amount to the field for given cash.
 */
function Excess({ invoice, panel }: Pick<Props, 'invoice' | 'panel'>) {
  const { input, typedCents } = panel
  if (input.way !== 'cash' || typedCents <= invoice.balanceCents) return null
  const give = () => input.change({ amount: undefined, given: amountText(typedCents) })
  return (
    <Button compact onClick={give}>
      Use {formatCents(invoice.balanceCents)}, given {formatCents(typedCents)}
    </Button>
  )
}
