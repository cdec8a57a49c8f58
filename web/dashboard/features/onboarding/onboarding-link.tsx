import { useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { useOnboardingActions } from './use-step-actions.ts'
import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { formatProgress } from './step-text.ts'
import './onboarding.css'

/**
 * The link from the settings to the onboarding steps, which also shows hidden steps again. Renders nothing
 * once all steps are done.
 */
export function OnboardingLink({ search, onShow }: { search: string; onShow: () => void }) {
  const progress = useOnboarding()
  const { hide } = useOnboardingActions()
  if (progress?.steps) {
    return (
      <SearchLink className="steps-line" search={search}>
        <Icon name="check" />
        {formatProgress(progress.steps)}
      </SearchLink>
    )
  }
  if (!progress?.isHidden) return null
  return (
    <button
      className="steps-line"
      type="button"
      disabled={hide.isPending}
      onClick={() => hide.mutate(false, { onSuccess: onShow })}
    >
      <Icon name="check" />
      Set up your shop
    </button>
  )
}
