import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  type AuditGroup,
  auditGroups,
  type AuditPeriod,
  auditPeriods,
} from '#domain/audit/audit-filters.ts'
import { Input, Select } from '#web/ui/field/field.tsx'
import { readStaff } from './audit-api.ts'

const groupNames: Readonly<Record<AuditGroup, string>> = {
  'sign-ins': 'Sign-ins',
  refused: 'Refused',
  team: 'Team and roles',
  passkeys: 'Passkeys and passwords',
  money: 'Refunds and voids',
  settings: 'Settings with secrets',
  exports: 'Exports and erasures',
}

const periodNames: Readonly<Record<AuditPeriod, string>> = {
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  all: 'Everything kept',
}

type Props = {
  what: AuditGroup | undefined
  who: string | undefined
  period: AuditPeriod
  search: string
  onSearch: (search: string) => void
}

/**
 * The filters of the audit log. The URL contains the selected choices, but never the search text, because that text can
 * be a person's name.
 */
export function AuditFilters({ what, who, period, search, onSearch }: Props) {
  const navigate = useNavigate({ from: '/settings/{-$section}' })
  const choose = (choice: {
    what?: AuditGroup | undefined
    who?: string | undefined
    period?: AuditPeriod | undefined
  }) => void navigate({ search: (before) => ({ ...before, ...choice }) })
  return (
    <div className="audit-filters">
      <Input
        label="Search"
        type="search"
        autoComplete="off"
        placeholder="Person, invoice, address"
        maxLength={100}
        value={search}
        onChange={({ target }) => onSearch(target.value)}
      />
      <Select
        id="audit-what"
        label="What"
        value={what ?? ''}
        onChange={({ target }) =>
          choose({ what: auditGroups.find((group) => group === target.value) })
        }
      >
        <option value="">Everything</option>
        {auditGroups.map((group) => (
          <option key={group} value={group}>
            {groupNames[group]}
          </option>
        ))}
      </Select>
      <Who who={who} onChoose={(id) => choose({ who: id })} />
      <Select
        id="audit-when"
        label="When"
        value={period}
        onChange={({ target }) =>
          choose({ period: auditPeriods.find((each) => each === target.value) })
        }
      >
        {auditPeriods.map((each) => (
          <option key={each} value={each}>
            {periodNames[each]}
          </option>
        ))}
      </Select>
    </div>
  )
}

function Who({
  who = '',
  onChoose,
}: {
  who: string | undefined
  onChoose: (id: string | undefined) => void
}) {
  const { data: staff = [] } = useQuery({
    queryKey: ['staff_accounts', 'ids'],
    queryFn: readStaff,
  })
  return (
    <Select
      id="audit-who"
      label="Who"
      value={staff.some((member) => member.user_id === who) ? who : ''}
      onChange={({ target }) => onChoose(target.value || undefined)}
    >
      <option value="">Everybody</option>
      {staff.map(({ user_id: id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  )
}
