import { type ComponentProps, type FormEvent, type ReactNode, useState } from 'react'
import type { Confirmation } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'

type FieldProps = 'label' | 'type' | 'autoComplete' | 'hint' | 'inputMode' | 'maxLength'

type Props = {
  field: Pick<ComponentProps<typeof Input>, FieldProps>
  initial: string
  /** The error message for an empty field. */
  missing: string
  submit: string
  /**
   * The end of the step-up dialog's sentence, such as 'change your password'. Required for a change that needs step-up
   * authentication.
   */
  action?: ReactNode
  change: {
    readonly isBusy: boolean
    readonly problem: string | undefined
    readonly confirmation: Confirmation | undefined
  }
  onSubmit: (value: string) => void
}

/**
 * A form with one field of the signed-in person’s staff account. The form keeps the typed value during step-up
 * authentication, and when the server refuses the change.
 */
export function ProfileForm({ field, initial, missing, submit, action, change, onSubmit }: Props) {
  const [value, setValue] = useState(initial)
  const [isMissing, setIsMissing] = useState(false)
  const [sent, setSent] = useState<string>()
  const onFormSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (change.isBusy) return
    setIsMissing(value.trim() === '')
    if (value.trim() === '') return
    setSent(value)
    onSubmit(value)
  }
  const problem = sent === value ? change.problem : undefined
  return (
    <>
      <form className="profile-form" noValidate onSubmit={onFormSubmit}>
        <Input
          {...field}
          required
          value={value}
          error={isMissing ? missing : problem}
          onChange={({ target }) => {
            setValue(target.value)
            setIsMissing(false)
          }}
        />
        <Button compact type="submit" busy={change.isBusy && 'Saving…'}>
          {submit}
        </Button>
      </form>
      {/* The step-up dialog is outside the form, because the dialog contains a form of its own. */}
      {change.confirmation && <StepUpDialog action={action} {...change.confirmation} />}
    </>
  )
}
