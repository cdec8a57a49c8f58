import { type ComponentProps, type ReactNode, type RefObject, useId } from 'react'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { FormActions } from './form-actions.tsx'

type Props = Pick<
  ComponentProps<typeof FormActions>,
  'label' | 'busyLabel' | 'isBusy' | 'disabled' | 'tone'
> & {
  title: string
  wide?: boolean
  /** The content above the form. */
  intro?: ReactNode
  /** The form element, in which the first invalid field gets the focus. */
  element?: RefObject<HTMLFormElement | null>
  className?: string
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog with one form. The button Cancel closes the dialog; the other button submits the form. */
export function FormDialog({
  title,
  wide = false,
  intro,
  element,
  className,
  onSubmit,
  onClose,
  children,
  ...actions
}: Props) {
  const formId = useId()
  return (
    <Dialog
      open
      {...(!wide && { size: 'small' })}
      title={title}
      busy={actions.isBusy}
      onClose={onClose}
      footer={<FormActions {...actions} onCancel={onClose} form={formId} />}
    >
      {intro}
      <form
        id={formId}
        ref={element}
        className={className}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!actions.isBusy) onSubmit()
        }}
      >
        {children}
      </form>
    </Dialog>
  )
}
