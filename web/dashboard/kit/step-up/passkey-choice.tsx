import { KeyIcon } from '#web/dashboard/kit/controls/key-icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import '#web/dashboard/kit/passkeys/or-line.css'
import { StepUpRefusal } from './step-up-refusal.tsx'
import './step-up.css'

/**
 * The passkey part of the step-up dialog: the error of the last attempt, and the function that starts
 * the next attempt.
 */
export type PasskeyChoice = { readonly error: string | undefined; readonly onUse: () => void }

/**
 * The button with which the user confirms their identity by a passkey. If the account has a password, the password
 * field is below the button.
 */
export function PasskeyButton({
  choice: { error, onUse },
  hasPassword,
}: {
  choice: PasskeyChoice
  hasPassword: boolean
}) {
  return (
    <>
      <div>
        <div role="status" className="step-up-status">
          {error && <StepUpRefusal message={error} />}
        </div>
        <Button wide level="primary" data-first-focus onClick={onUse}>
          <KeyIcon />
          Use a passkey
        </Button>
      </div>
      {hasPassword && <p className="or-line">or</p>}
    </>
  )
}
