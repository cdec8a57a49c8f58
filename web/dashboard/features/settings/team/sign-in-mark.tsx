import type { SignInWays } from '#contracts/team.ts'
import { KeyIcon } from '#web/dashboard/kit/controls/key-icon.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'

/** Shows how a team member can sign in. A warning marks a password without a second factor. */
export function SignInMark({ ways, isActive }: { ways: SignInWays; isActive: boolean }) {
  const { passkeys, hasPassword, hasCodeApp } = ways
  if (!isActive || (passkeys === 0 && !hasPassword)) {
    return (
      <span>
        <Icon name="lock" />
        No sign-in
      </span>
    )
  }
  const isPasswordOnly = passkeys === 0 && !hasCodeApp
  return (
    <span className={isPasswordOnly ? 'sign-in-warning' : undefined}>
      {passkeys > 0 ? <KeyIcon /> : <Icon name={hasCodeApp ? 'shield' : 'alert'} />}
      {describeWays(ways)}
    </span>
  )
}

function describeWays({ passkeys, hasCodeApp, hasPin }: SignInWays): string {
  const pin = hasPin ? ', PIN' : ''
  if (passkeys === 0) return (hasCodeApp ? 'Password, code' : 'Password only') + pin
  return `${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}${hasCodeApp ? ', code' : ''}${pin}`
}
