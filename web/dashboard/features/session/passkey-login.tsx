import { Button } from '#web/ui/button/button.tsx'
import { KeyIcon } from '#web/dashboard/kit/controls/key-icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { madeAt } from './announce-log-in.ts'
import type { PasskeyFailure } from './passkey-sign-in.ts'
import { usePasskeyLogin } from './use-passkey-login.ts'

/**
 * Shows a button below 'Login' that signs in with a passkey. If the browser cannot use passkeys on this page, shows the
 * reason instead.
 */
export function PasskeyLogin() {
  const { against, formerHosts, isBusy, failure, start } = usePasskeyLogin()
  if (against !== undefined) return against ? <p className="muted">{against}</p> : null
  return (
    <>
      <p className="or-line">or</p>
      <Button wide busy={isBusy && 'Waiting for your device…'} onClick={() => void start()}>
        <KeyIcon />
        Use a passkey
      </Button>
      <div role="status">{failure && <Failure failure={failure} />}</div>
      {formerHosts.length > 0 && (
        <Notice title={`${madeAt(formerHosts)} do not work here`}>
          This site is at {location.hostname} now. Sign in with your password, or ask the owner for
          a new invitation. Then add a passkey in your profile.
        </Notice>
      )}
    </>
  )
}

function Failure({ failure }: { failure: PasskeyFailure }) {
  return failure.kind === 'cancelled' ? (
    <Notice title="No passkey was used">Try again, or sign in with your password.</Notice>
  ) : (
    <Notice tone="bad" title="Login Error">
      {failure.message}
    </Notice>
  )
}
