import { useState } from 'react'
import { formatInstantDate } from '#domain/calendar/shop-time.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Badge } from '#web/ui/badge/badge.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { SetUpForm } from './set-up-form.tsx'
import { useCodeApp } from './use-code-app.ts'
import './code-app.css'

/**
 * The profile section in which the signed-in team member sets up or removes an authenticator app (docs/product.md
 * 6.13).
 */
export function CodeAppSection() {
  const app = useCodeApp()
  const { data, isError, refetch } = app.query
  const isOn = typeof data?.since === 'string'
  return (
    <section className="card profile-card" aria-labelledby="code-app-title">
      <header>
        <div>
          <h3 id="code-app-title">Authenticator app</h3>
          <p>After the password, you enter a code from your phone.</p>
        </div>
        {data && <Badge tone={isOn ? 'ok' : 'neutral'}>{isOn ? 'on' : 'off'}</Badge>}
      </header>
      {!data && isError && (
        <LoadFailure
          title="The authenticator app could not be loaded."
          onRetry={() => void refetch()}
        />
      )}
      {!data && !isError && <Skeleton />}
      {app.setUp && <SetUpForm {...app.setUp} onConfirm={app.confirm} onCancel={app.cancel} />}
      {app.recoveryCodes && <RecoveryCodes codes={app.recoveryCodes} onDone={app.forgetCodes} />}
      {data && !app.setUp && !app.recoveryCodes && (
        <CodeAppState since={data.since} codesLeft={data.recoveryCodesLeft} app={app} />
      )}
      {app.dialog}
    </section>
  )
}

type StateProps = {
  since: string | null
  codesLeft: number
  app: ReturnType<typeof useCodeApp>
}

function CodeAppState({ since, codesLeft, app }: StateProps) {
  const [isAsking, setAsking] = useState(false)
  if (since === null) {
    return (
      <div className="profile-form">
        <Button compact onClick={() => void app.start()}>
          Set up authenticator app
        </Button>
      </div>
    )
  }
  const switchOff = () => {
    setAsking(false)
    void app.switchOff()
  }
  return (
    <div className="profile-form">
      <p className="muted">
        On since {formatInstantDate(since)}. {codesLeft} of 10 recovery codes left.
      </p>
      <div className="code-app-buttons">
        <Button compact onClick={() => void app.renew()}>
          New recovery codes
        </Button>
        <Button compact onClick={() => setAsking(true)}>
          Switch off authenticator app…
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Switch off the authenticator app?"
        cancelLabel="Keep"
        confirmLabel="Switch off"
        onConfirm={switchOff}
        onClose={() => setAsking(false)}
      >
        <p>Your password alone then signs you in. The recovery codes no longer work.</p>
      </ConfirmDialog>
    </div>
  )
}
