import { type FormEvent, type ReactNode, type RefObject, useId } from 'react'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import type { Confirmation } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { type CommandName, commandProblem } from './command-problem.ts'
import './command-dialog.css'

type CommandState = {
  readonly isBusy: boolean
  readonly error: Error | null
  readonly confirmation: Confirmation | undefined
}

type Props = {
  title: string
  command: CommandState
  name: CommandName
  /** The labels of the buttons. The button `keep` closes the dialog without a change. */
  labels: { readonly keep: string; readonly submit: string; readonly busy: string }
  /**
   * The color of the submit button: 'strong' is dark, for a correction; 'danger' is red, for a command that cancels,
   * voids or writes off the invoice.
   */
  level?: 'strong' | 'danger'
  /** The action for which the step-up dialog asks the user to confirm their identity: 'cancel this invoice'. */
  action: ReactNode
  /** The form element, in which the first field with an error gets the focus. */
  element: RefObject<HTMLFormElement | null>
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog with a form that runs a command, such as a refund. If the command fails, the typed values remain in the
 * form.
 */
export function CommandDialog(props: Props) {
  const { title, command, name, labels, level = 'danger', action, element, children } = props
  const { onSubmit, onClose } = props
  const formId = useId()
  // The red button has no compact size, so the button beside it is large, too.
  const isCompact = level === 'strong'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!command.isBusy) onSubmit()
  }
  return (
    <>
      <Dialog
        open
        size="small"
        title={title}
        busy={command.isBusy}
        onClose={onClose}
        footer={
          <>
            <Button compact={isCompact} disabled={command.isBusy} onClick={onClose}>
              {labels.keep}
            </Button>
            <Button
              compact={isCompact}
              level={level}
              type="submit"
              form={formId}
              busy={command.isBusy && labels.busy}
            >
              {labels.submit}
            </Button>
          </>
        }
      >
        <form id={formId} ref={element} className="command-form" noValidate onSubmit={submit}>
          {children}
        </form>
        <CommandFailure error={command.error} name={name} />
      </Dialog>
      {command.confirmation && <StepUpDialog action={action} {...command.confirmation} />}
    </>
  )
}

/** Explains why a command failed, whether money moved, and what staff can do next. */
export function CommandFailure({ error, name }: { error: Error | null; name: CommandName }) {
  if (!error) return null
  const { title, text } = commandProblem(error, name)
  return (
    <Notice tone="bad" title={title}>
      {text}
    </Notice>
  )
}
