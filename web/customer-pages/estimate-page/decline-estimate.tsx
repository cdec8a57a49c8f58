import type { DeclinePage } from '#contracts/api/customer-pages.ts'
import type { SentRevision } from '#contracts/estimates/estimates.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import type { PageContent } from '../page-content.ts'
import { ActionButton, PageHeading, ShortPage } from '../page-parts.tsx'
import { buttonClass } from '#web/ui/button/button.tsx'

type Declined = Pick<DeclinePage, 'sentRevision' | 'path'>

const declineQuestion = 'Decline this estimate?'

/**
 * The dialog that confirms a decline. A script opens this dialog; without JavaScript, the page /decline
 * replaces the dialog.
 */
export function DeclineDialog({ sentRevision, path }: Declined) {
  return (
    <dialog className="visit-dialog" id="decline-estimate" aria-labelledby="decline-title">
      <h2 id="decline-title">{declineQuestion}</h2>
      <p>{whatDeclineDoes(sentRevision)}</p>
      <div className="visit-buttons">
        <form method="dialog">
          <button className={buttonClass('quiet')} autoFocus>
            Go back
          </button>
        </form>
        <DeclineButton sentRevision={sentRevision} path={path} />
      </div>
    </dialog>
  )
}

/** The page /decline, on which a customer without JavaScript confirms the decline. */
export function declinePage({ sentRevision, path }: DeclinePage): PageContent {
  const main = (
    <ShortPage>
      <PageHeading>{declineQuestion}</PageHeading>
      <p className="visit-lead">{whatDeclineDoes(sentRevision)}</p>
      <div className="visit-actions">
        <div className="visit-buttons">
          <a className={buttonClass('quiet')} href={path}>
            Go back
          </a>
          <DeclineButton sentRevision={sentRevision} path={path} />
        </div>
      </div>
    </ShortPage>
  )
  return { title: declineQuestion, main, frame: 'estimate' }
}

function whatDeclineDoes({ authorizedCents }: SentRevision): string {
  return authorizedCents > 0
    ? `We won't do any of these jobs. Jobs you already approved stay approved: ${formatCents(authorizedCents)}.`
    : "We won't do any of these jobs, and the shop is notified right away. You can still call us."
}

function DeclineButton({ sentRevision, path }: Declined) {
  return (
    <ActionButton
      action={`${path}/decline`}
      fields={{ revision: sentRevision.revisionHash }}
      busy="Declining…"
      variant="secondary"
    >
      Decline
    </ActionButton>
  )
}
