import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { type PaymentSetup, stripeSecretKey } from '#contracts/setup.ts'
import { invoicesLink } from '#web/dashboard/kit/navigation/links.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { SecretCard } from '../kit/secret-card.tsx'
import { useStripeAccountChange } from './use-stripe-account-change.ts'

/** The card in which an owner enters the API key of the shop's Stripe account. */
export function StripeAccountCard({ setup }: { setup: PaymentSetup }) {
  const { stripeAccount, isSetByEnvironment, canReceiveEvents, openTestInvoices } = setup
  return (
    <SecretCard
      title="Stripe account"
      what="The Stripe key"
      setting={stripeAccount}
      isSetByEnvironment={isSetByEnvironment}
    >
      {stripeAccount?.fields && <Account {...stripeAccount.fields} />}
      {!canReceiveEvents && <NoEvents />}
      {!stripeAccount && openTestInvoices > 0 && <OpenTestInvoices count={openTestInvoices} />}
      <StripeAccountForm isConnected={stripeAccount !== null} />
    </SecretCard>
  )
}

type AccountFields = NonNullable<NonNullable<PaymentSetup['stripeAccount']>['fields']>

function Account({ name, isTestKey, hasWebhook }: AccountFields) {
  return (
    <dl className="process-settings">
      <div>
        <dt>Account</dt>
        <dd>{name}</dd>
      </div>
      <div>
        <dt>Key</dt>
        <dd>{isTestKey ? 'A test key: no money moves' : 'A live key'}</dd>
      </div>
      <div>
        <dt>Webhook</dt>
        <dd>{hasWebhook ? 'Made by this site' : 'None'}</dd>
      </div>
    </dl>
  )
}

function NoEvents() {
  return (
    <Notice tone="warn" title="Stripe cannot report payments to this site.">
      The webhook needs an address with https that the internet can reach, in PUBLIC_URL. Without
      the webhook, the site finds a payment when the customer returns to the site, or by a check
      every ten minutes. Connect the account again after you have changed PUBLIC_URL.
    </Notice>
  )
}

function OpenTestInvoices({ count }: { count: number }) {
  return (
    <Notice tone="warn" title={`${countOf(count)} still open.`}>
      Customers could no longer pay {count === 1 ? 'it' : 'them'} with a Stripe account. Void each
      one, or record its payment, before you connect the account.
      <p>
        <Link className="touch-link" {...invoicesLink}>
          Open invoices
        </Link>
      </p>
    </Notice>
  )
}

const countOf = (count: number) =>
  count === 1 ? '1 test invoice is' : `${count} test invoices are`

const limits = { secretKey: 255 }

function StripeAccountForm({ isConnected }: { isConnected: boolean }) {
  const element = useRef<HTMLFormElement>(null)
  const [isRemoving, setIsRemoving] = useState(false)
  const [values, onChange] = useState({ secretKey: '' })
  const form = useForm({ element, values, onChange, limits })
  const { save, remove, confirmation } = useStripeAccountChange(() =>
    form.change({ secretKey: '' }),
  )
  const isBusy = save.isPending || remove.isPending
  function submit() {
    if (isBusy) return
    const secretKey = values.secretKey.trim()
    if (!stripeSecretKey.test(secretKey)) return form.refuse(keyInvalid)
    form.accept()
    save.mutate({ secretKey })
  }
  return (
    <>
      <form
        ref={element}
        className="secret-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Input
          {...form.field('secretKey')}
          type="password"
          label="Secret key"
          required
          autoComplete="off"
          hint="In Stripe: Developers, API keys. It begins with sk_live_ or, for a test, sk_test_."
        />
        <p className="hint">
          The site first reads the account with the key and creates its webhook. Nothing is saved if
          Stripe does not accept the key.
        </p>
        <div className="button-group">
          <Button type="submit" compact level="primary" busy={save.isPending && 'Testing…'}>
            Test and connect
          </Button>
          {isConnected && (
            <Button compact level="danger" disabled={isBusy} onClick={() => setIsRemoving(true)}>
              Remove…
            </Button>
          )}
        </div>
        <SaveProblem {...save.data} />
      </form>
      <ConfirmDialog
        open={isRemoving}
        title="Remove the Stripe account?"
        cancelLabel="Keep"
        confirmLabel="Remove"
        onClose={() => setIsRemoving(false)}
        onConfirm={() => {
          setIsRemoving(false)
          remove.mutate()
        }}
      >
        <p>
          Customers can no longer pay online, not even open invoices. Existing payments and invoices
          remain in Stripe. The webhook of this site is disabled.
        </p>
      </ConfirmDialog>
      {/* The step-up dialog is outside the form, which would otherwise receive the submit event of this dialog. */}
      {confirmation && <StepUpDialog {...confirmation} />}
    </>
  )
}

type Problem = {
  readonly outcome?: string
  readonly meaning?: string | null
  readonly openTestInvoices?: number
}

function SaveProblem({ outcome, meaning, openTestInvoices = 0 }: Problem) {
  if (outcome === 'test_invoices_open') return <OpenTestInvoices count={openTestInvoices} />
  if (outcome !== 'failed') return null
  return (
    <Notice tone="bad" title="The Stripe account is not connected.">
      {meaning}
    </Notice>
  )
}

const keyInvalid = {
  title: 'Not saved',
  message: 'Enter a secret key. It begins with sk_ or rk_.',
  fields: ['secretKey'],
} as const
