import { KeyIcon } from '#web/dashboard/kit/controls/key-icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { StepUpRefusal } from './step-up-refusal.tsx'
import './step-up.css'

/** The passkey of a step-up: why the last attempt failed, and what starts the next one. */
export type PasskeyChoice = { readonly error: string | undefined; readonly onUse: () => void }

/** The button that confirms with a passkey, above the password if the account has one. */
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
      {hasPassword && <p className="step-up-or">or</p>}
    </>
  )
}
