import { type ComponentProps, useRef, useState } from 'react'
import { useForm } from '#web/lib/forms/use-form.ts'
import { Input } from '#web/ui/field/field.tsx'
import { textProblem } from './check-fields.ts'
import { CommandDialog } from './command-dialog.tsx'

type Props = Omit<ComponentProps<typeof CommandDialog>, 'element' | 'onSubmit'> & {
  /** Runs the command with the typed reason. */
  onSubmit: (reason: string) => void
}

/** A dialog that runs a command and whose only field is the reason for the command. */
export function ReasonDialog({ onSubmit, children, ...dialog }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState({ reason: '' })
  const form = useForm({ element, values, onChange, limits: { reason: 200 } })
  const submit = () => {
    const problem = textProblem(values.reason, 'Enter the reason.')
    if (problem) form.complain({ reason: problem })
    else onSubmit(values.reason.trim())
  }
  return (
    <CommandDialog {...dialog} element={element} onSubmit={submit}>
      {children}
      <Input {...form.field('reason')} label="Reason" required />
    </CommandDialog>
  )
}
