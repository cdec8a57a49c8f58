import { useIsOwner } from '#web/dashboard/kit/staff/staff-role.tsx'
import type { QuoteRequest } from '#contracts/quote-requests.ts'
import { Button, type ButtonLevel } from '#web/ui/button/button.tsx'
import { Icon, type IconName } from '#web/ui/icon/icon.tsx'

export type QuoteHandlers = {
  readonly onReply: (quote: QuoteRequest) => void
  readonly onRelease: (quote: QuoteRequest) => void
  readonly onDelete: (quote: QuoteRequest) => void
  readonly onBook: (quote: QuoteRequest) => void
  readonly onCreateTask: (quote: QuoteRequest) => void
  readonly onEstimate: (quote: QuoteRequest) => void
  readonly onCreateInvoice: (quote: QuoteRequest) => void
  readonly busyId: string | undefined
}

type Action = {
  readonly label: string
  readonly level: ButtonLevel
  readonly icon: IconName
  readonly run: (quote: QuoteRequest) => void
}

/**
 * The buttons for the actions that the state of a quote request allows. Each button names the customer for screen
 * readers.
 */
export function QuoteButtons({ quote, ...handlers }: QuoteHandlers & { quote: QuoteRequest }) {
  const isOwner = useIsOwner()
  const actions = actionsFor(quote, handlers).filter(({ label }) => isOwner || label !== 'Delete')
  return actions.map(({ label, level, icon, run }) => (
    <Button
      key={label}
      compact
      level={level}
      disabled={handlers.busyId === quote.id}
      onClick={() => run(quote)}
    >
      <Icon name={icon} />
      {label}
      <span className="visually-hidden">: {quote.name}</span>
    </Button>
  ))
}

function actionsFor(quote: QuoteRequest, handlers: QuoteHandlers): Action[] {
  const reply: Action = {
    label: 'Reply',
    level: 'strong',
    icon: 'mail',
    run: handlers.onReply,
  }
  const remove: Action = {
    label: 'Delete',
    level: 'danger',
    icon: 'trash',
    run: handlers.onDelete,
  }
  if (quote.flagged_reasons.length > 0) {
    return [
      reply,
      { label: 'Not spam', level: 'secondary', icon: 'check', run: handlers.onRelease },
      remove,
    ]
  }
  const work: Action[] = [
    { label: 'Book', level: 'quiet', icon: 'calendar', run: handlers.onBook },
    {
      label: quote.estimates[0] ? `Estimate ${quote.estimates[0].number}` : 'Create estimate',
      level: 'quiet',
      icon: 'receipt',
      run: handlers.onEstimate,
    },
    {
      label: 'Create Task',
      level: 'quiet',
      icon: 'clipboard',
      run: handlers.onCreateTask,
    },
    {
      label: 'Create Invoice',
      level: 'quiet',
      icon: 'receipt',
      run: handlers.onCreateInvoice,
    },
    remove,
  ]
  return quote.status === 'pending' ? [reply, ...work] : work
}
