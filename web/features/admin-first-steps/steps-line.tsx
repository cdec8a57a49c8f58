import { useOnboarding } from '#web/lib/use-first-steps.ts'
import { useOnboardingActions } from './use-step-actions.ts'
import { SearchLink } from '#web/lib/search-link.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { formatProgress } from './step-words.ts'
import './first-steps.css'

/** The way to the steps from the list of settings, also when they were hidden; nothing once all are done. */
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
