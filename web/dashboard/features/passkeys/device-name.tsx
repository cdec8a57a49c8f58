import { Input } from '#web/ui/field/field.tsx'

type Props = { name: string; error: string | undefined; onChange: (name: string) => void }

/** The input for the name of a passkey. */
export function DeviceName({ name, error, onChange }: Props) {
  return (
    <Input
      label="Name of this device"
      autoComplete="off"
      maxLength={60}
      required
      data-first-focus
      value={name}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
