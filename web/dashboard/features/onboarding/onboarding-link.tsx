import { Link, useNavigate } from '@tanstack/react-router'
import { useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { useOnboardingActions } from './use-step-actions.ts'
import { useIsOwner } from '#web/dashboard/kit/staff/staff-role.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { formatProgress, listSteps } from './step-text.ts'
import './onboarding.css'

/**
 * The link from the settings to the setup steps. If an owner presses the link, hidden steps are shown again. Renders
 * nothing if all steps of the user's role are done.
 */
export function OnboardingLink() {
  const navigate = useNavigate()
  const progress = useOnboarding()
  const { hide } = useOnboardingActions()
  const isOwner = useIsOwner()
  const steps = progress && listSteps(progress, isOwner)
  if (steps) {
    return (
      <Link className="steps-line" to="/appointments">
        <Icon name="check" />
        {formatProgress(steps)}
      </Link>
    )
  }
  if (!progress?.isHidden || !isOwner) return null
  return (
    <button
      className="steps-line"
      type="button"
      disabled={hide.isPending}
      onClick={() =>
        hide.mutate(false, { onSuccess: () => void navigate({ to: '/appointments' }) })
      }
    >
      <Icon name="check" />
      Set up your shop
    </button>
  )
}
