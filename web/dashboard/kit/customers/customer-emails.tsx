import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TypedEmail } from '#contracts/customers.ts'
import { requestData, DataError } from '#web/lib/data/request-data.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import './customer-emails.css'

/**
 * The keys of the queries that return email addresses of customers. These queries are refetched after staff have
 * decided about an address.
 */
const readAfterwards = ['highlights', 'customers', 'bookings']

type Props = {
  emails: readonly TypedEmail[]
  /** Called with an email address after staff have added it to the customer. */
  onUse?: ((email: string) => void) | undefined
}

/**
 * Lists the email addresses that visitors typed online under a customer's name. Nobody has verified that these
 * addresses belong to the customer, so staff decide about them (docs/product.md 16.11). No form uses such an address
 * before staff add it to the customer.
 */
export function TypedEmails({ emails, onUse }: Props) {
  const queries = useQueryClient()
  const isOffline = useOfflineSince() !== undefined
  const using = useMutation({
    mutationFn: confirmTypedEmail,
    onSuccess: async (email) => {
      onUse?.(email)
      toast({
        title: 'Address added',
        description: `${email} is one of this customer’s addresses.`,
      })
      await Promise.all(readAfterwards.map((key) => refetchQueries(queries, key)))
    },
    onError: (error) =>
      toast({
        title: 'Could not add the address',
        description:
          error instanceof DataError && error.status > 0
            ? 'The appointment or quote request has changed. Reload the page and try again.'
            : 'The server did not respond. Please try again.',
        variant: 'destructive',
      }),
  })
  return emails.map((one) => {
    const isBusy = using.isPending && using.variables === one
    return (
      <p className="entered-email" key={one.email}>
        <span>
          <b>{one.email}</b>{' '}
          <span className="entered-email-state">typed online, not confirmed</span>
        </span>
        <Button
          compact
          busy={isBusy && 'Adding…'}
          aria-label={`Use this address: ${one.email}`}
          disabled={using.isPending || isOffline}
          onClick={() => using.mutate(one)}
        >
          Use this address
        </Button>
      </p>
    )
  })
}

async function confirmTypedEmail({ bookingId, quoteRequestId }: TypedEmail): Promise<string> {
  const { data } = await requestData((service) =>
    service.rpc('accept_unconfirmed_email', {
      booking_id: bookingId,
      quote_request_id: quoteRequestId,
    }),
  )
  return data
}
