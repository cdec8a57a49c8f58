import { type FormEvent, useId, useRef } from 'react'
import type { InvoiceDetail } from '#contracts/invoices/invoice-detail.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { refundSentence } from '#domain/payments/correction-text.ts'
import { discardThen } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { useShop } from '#web/lib/shop.ts'
import { Button } from '#web/ui/button/button.tsx'
import { SidePanel } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import type { LedgerLine } from '../detail-text.ts'
import type { DialogProps } from '../invoice-dialog.tsx'
import { CommandFailure } from '#web/dashboard/kit/corrections/command-dialog.tsx'
import { refundWay, refundWays } from './refund-form.ts'
import { RefundReceiptChoice } from './refund-receipt.tsx'
import { RefundedPanel } from './refunded-panel.tsx'
import { HowMuch, RefundPayments } from './refund-sum.tsx'
import { RefundScale } from './refund-scale.tsx'
import { RefundWay } from './refund-way.tsx'
import { type Refund, useRefund } from './use-refund.ts'
import './refund.css'

/** The panel that refunds a part or all of one payment of a paid invoice (docs/product.md 17.5). */
export function RefundPanel({
  invoice,
  paymentId,
  onClose,
}: DialogProps & { paymentId?: string | undefined }) {
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const refund = useRefund(invoice, paymentId, element, onClose)
  const { payment, command, cents } = refund
  const submit = (event: FormEvent) => {
    event.preventDefault()
    refund.submit()
  }
  const sum = cents === undefined ? '' : formatCents(cents, invoice.currency)
  if (refund.printed) {
    return <RefundedPanel invoice={invoice} refund={refund.printed} onClose={onClose} />
  }
  return (
    <>
      <SidePanel
        open
        title={
          <>
            Refund{' '}
            <small>{[invoice.customerName, invoice.number].filter(Boolean).join(', ')}</small>
          </>
        }
        busy={command.isBusy}
        onClose={() => discardThen(onClose)}
        footer={payment && <RefundFooter refund={refund} formId={formId} sum={sum} />}
      >
        {payment ? (
          <form id={formId} ref={element} className="command-form" noValidate onSubmit={submit}>
            <RefundFields invoice={invoice} refund={refund} payment={payment} />
          </form>
        ) : (
          <p>Every payment of this invoice is already refunded.</p>
        )}
        <CommandFailure
          error={command.error}
          name={{ subject: 'The refund', notDone: 'Nothing was refunded.' }}
        />
      </SidePanel>
      {command.confirmation && (
        <StepUpDialog
          action={
            <>
              refund <b>{sum}</b> to {invoice.customerName || 'the customer'}
            </>
          }
          {...command.confirmation}
        />
      )}
    </>
  )
}

function RefundFields(props: { invoice: InvoiceDetail; refund: Refund; payment: LedgerLine }) {
  const { invoice, refund, payment } = props
  const { form, values, cents } = refund
  const shop = useShop()
  return (
    <>
      <RefundScale invoice={invoice} cents={cents ?? 0} />
      <RefundPayments refund={refund} payment={payment} currency={invoice.currency} />
      <HowMuch refund={refund} payment={payment} invoice={invoice} />
      <RefundWay refund={refund} payment={payment} />
      <Input {...form.field('reason')} label="Reason, the customer reads it" required />
      <RefundReceiptChoice
        email={invoice.customerEmail}
        chosen={values.receipt}
        onChoose={(receipt) => form.change({ receipt })}
      >
        {refundSentence(shop.name, cents ?? 0, invoice.currency, refundWay(values, payment))}
        {values.reason.trim() && ` Reason: ${values.reason.trim()}`}
      </RefundReceiptChoice>
    </>
  )
}

function RefundFooter(props: { refund: Refund; formId: string; sum: string }) {
  const { refund, formId, sum } = props
  const { payment, values, command } = refund
  const way = refundWays[values.method || (payment?.method ?? 'other')]
  return (
    <div className="refund-foot">
      <Button
        compact
        large
        level="strong"
        wide
        type="submit"
        form={formId}
        busy={command.isBusy && 'Refunding…'}
      >
        {sum ? `Refund ${sum} ${way}`.trim() : 'Refund'}
      </Button>
      <p>
        <Icon name="lock" /> Needs your passkey or password
      </p>
    </div>
  )
}
