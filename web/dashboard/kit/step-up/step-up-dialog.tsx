import type { ReactNode } from 'react'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import type { Confirmation } from './step-up-of.ts'

export type StepUp = Confirmation & {
  /** The action that needs the step-up, as the end of a sentence: 'refund $86.20 to Maria Delgado'. */
  readonly action: ReactNode
}

/**
 * Asks the user to confirm their identity before an action that requires step-up authentication. The page behind
 * the dialog preserves its input.
 */
export const StepUpDialog = lazyComponent<StepUp>(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
  null,
)
