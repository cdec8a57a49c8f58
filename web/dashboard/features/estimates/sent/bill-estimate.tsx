import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { estimateInvoiceEndpoints } from '#contracts/estimates/estimate-invoices.ts'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { ApiError } from '#web/lib/data/call-api.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { messageInOutbox } from '#web/dashboard/kit/records/use-onboarding.ts'
import { invoicePageLink } from '#web/dashboard/kit/navigation/links.ts'
import { BusyLabel, Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { RecordApproval } from '../approval/record-approval.tsx'
import { estimateErrorMessage } from '../estimate-errors.ts'
import { OdometerForm } from './odometer-form.tsx'

/**
 * Lets staff create the invoice of the approved jobs. An estimate has at most one invoice, whose total never exceeds
 * the approved amount.
 */
export function BillEstimate({ estimate }: { estimate: Estimate }) {
  const [isMailed, setIsMailed] = useState(false)
  const [isRecording, setIsRecording] = useState(false)
  const billing = useBilling(estimate)
  const { invoice, document } = estimate
  if (invoice?.state === 'made') {
    return (
      <p>
        <Link {...invoicePageLink(invoice.invoiceId ?? '')}>Invoice {invoice.number}</Link>,{' '}
        {formatCents(invoice.totalCents)}
      </p>
    )
  }
  const needsOdometer = estimate.kind === 'repair' && document.vehicle.odometerMiles === null
  if (!invoice && needsOdometer) {
    return <OdometerForm estimate={estimate} />
  }
  const { email } = document.customer
  return (
    <div className="bill-estimate">
      <Button compact disabled={billing.isPending} onClick={() => billing.mutate(isMailed)}>
        <Icon name="receipt" />
        <BusyLabel busy={billing.isPending && 'Creating…'}>
          {invoice
            ? 'Try creating the invoice again'
            : `Create invoice, ${formatCents(toBill(estimate))}`}
        </BusyLabel>
      </Button>
      <p className="hint">
        {email
          ? 'The invoice contains only the approved jobs.'
          : 'The payment provider needs an email address for an invoice. Select “Add email” at the top. The approvals stay valid.'}
      </p>
      {email && (
        <label className="checkbox">
          <input
            type="checkbox"
            checked={isMailed}
            onChange={({ target }) => setIsMailed(target.checked)}
          />
          Email it to {email}
        </label>
      )}
      {billing.error && (
        <Notice tone="bad" title="Could not create the invoice.">
          <p>{estimateErrorMessage(billing.error)}</p>
          {isAboveAuthorized(billing.error) && (
            <Button compact onClick={() => setIsRecording(true)}>
              Record an approval
            </Button>
          )}
        </Notice>
      )}
      {isRecording && (
        <RecordApproval
          estimate={estimate}
          version={estimate.version}
          onClose={() => {
            setIsRecording(false)
            billing.reset()
          }}
        />
      )}
    </div>
  )
}

function useBilling({ id, version }: Estimate) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (sendEmail: boolean) =>
      orThrow(
        await callAsAdmin(estimateInvoiceEndpoints.bill, {
          estimateId: id,
          seenVersion: version,
          sendEmail,
        }),
      ),
    onSuccess: ({ message, emailError, isEmailInOutbox }) =>
      toast({
        title: message,
        ...(isEmailInOutbox && { description: messageInOutbox }),
        ...(emailError && { description: emailError, variant: 'destructive' as const }),
      }),
    onSettled: () =>
      Promise.all(['estimates', 'invoices'].map((key) => refetchQueries(queries, key))),
  })
}

const isAboveAuthorized = (error: Error) =>
  error instanceof ApiError && error.code === 'ABOVE_AUTHORIZED'

/** The sum of the current prices of the approved jobs. */
function toBill({ jobs }: Estimate): number {
  const approved = jobs.filter(({ authorizedCents }) => authorizedCents > 0)
  return approved.reduce((sum, { totalCents }) => sum + totalCents, 0)
}
