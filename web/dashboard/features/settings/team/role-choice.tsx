import { roleNames, type StaffRole } from '#contracts/staff-accounts.ts'

const texts: readonly (readonly [StaffRole, string])[] = [
  ['owner', 'Everything, including team and payment settings.'],
  ['advisor', 'Calendar, estimates, payments. No team, no deleting.'],
  [
    'technician',
    'Their own jobs of the day. No prices or payments, no phone or email of customers.',
  ],
]

type Props = { value: StaffRole; onChange: (role: StaffRole) => void }

/** The radio buttons that choose the role of an invited person. */
export function RoleChoice({ value, onChange }: Props) {
  return (
    <fieldset className="role-choice">
      <legend>Role</legend>
      <div>
        {texts.map(([role, text]) => (
          <label key={role}>
            <input
              type="radio"
              name="role"
              checked={value === role}
              onChange={() => onChange(role)}
            />
            <b>{roleNames[role]}</b>
            <small>{text}</small>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
