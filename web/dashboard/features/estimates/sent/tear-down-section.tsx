import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Estimate, TearDown } from '#contracts/estimates/estimates.ts'
import { tearDownFacts } from '#domain/estimates/tear-down.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { noteDeclined } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'

/** The terms of a tear-down as the customer read them. */
export function TearDownTerms({ tearDown }: { tearDown: TearDown }) {
  return (
    <dl className="tear-down-terms">
      {tearDownFacts(tearDown).map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

type Props = {
  estimate: Estimate
  jobKey: string
  /** Opens the editor, in which staff add the jobs of the repair to the estimate. */
  onItemize: () => void
}

/**
 * The steps after an approved tear-down: an itemized estimate of the repair, or a note that the customer
 * declined the repair.
 */
export function AfterTearDown({ estimate, jobKey, onItemize }: Props) {
  const noting = useNoting(estimate, jobKey)
  const isNoted = (kind: string) =>
    estimate.history.some((event) => event.kind === kind && event.after?.['jobKey'] === jobKey)
  return (
    <div className="after-tear-down">
      <p>
        After the tear-down, itemize the repair. Then ask the customer to approve the repair or the
        reassembly.
      </p>
      <Button compact onClick={onItemize}>
        Itemize the repair
      </Button>
      {(['repair', 'reassembly'] as const).map((declined) =>
        isNoted(`${declined}_declined`) ? (
          <p key={declined}>The customer declined the {declined}.</p>
        ) : (
          <Button
            key={declined}
            compact
            level="quiet"
            disabled={noting.isPending}
            onClick={() => noting.mutate(declined)}
          >
            Customer declines the {declined}
          </Button>
        ),
      )}
    </div>
  )
}

function useNoting({ id }: Estimate, jobKey: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (declined: 'repair' | 'reassembly') => noteDeclined(id, jobKey, declined),
    onSuccess: () => refetchQueries(queries, 'estimates'),
    onError: (error) =>
      toast({
        title: 'Could not record the decision',
        description: estimateErrorMessage(error),
        variant: 'destructive',
      }),
  })
}
