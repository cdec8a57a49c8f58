import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { renewSession } from './session-store.ts'
import './session.css'

/**
 * The notice above the page if the login is valid but the data service (the database's REST API) rejects the requests
 * of the page.
 */
export function DataUnavailableNotice({ onRenewed }: { onRenewed: () => void }) {
  const retry = async () => {
    if (await renewSession()) onRenewed()
  }
  return (
    <div className="without-data">
      <Notice tone="bad" title="You are signed in, but the shop's data cannot be loaded.">
        <p>
          The data service did not accept this login, so appointments, tasks and quote requests
          cannot be viewed or changed. Nothing is lost. If this continues, log out and log in again.{' '}
          <Button compact onClick={() => void retry()}>
            Try again
          </Button>
        </p>
      </Notice>
    </div>
  )
}
