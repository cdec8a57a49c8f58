import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { settingsLink } from '#web/dashboard/kit/navigation/links.ts'
import { useShop } from '#web/lib/shop.ts'
import { Select } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { SectionTitle } from './kit/section-body.tsx'
import { useIsOwner, useStaffAccount } from '#web/dashboard/kit/staff/staff-role.tsx'
import { findSection, listSections, type Section } from './sections.tsx'
import './settings.css'
import { roleNames } from '#contracts/staff-accounts.ts'
import { Notice } from '#web/ui/notice/notice.tsx'

/**
 * The settings page. The page shows one section at a time; each section has its own URL. `listEnd` is rendered below
 * the list of sections.
 */
export function SettingsView({ listEnd }: { listEnd?: ReactNode }) {
  const { section: id } = useParams({ from: '/settings/{-$section}' })
  const section = findSection(id)
  const isOwner = useIsOwner()
  useDocumentTitle(`Settings, ${section.title}`)
  return (
    <div className="settings">
      <SectionList chosen={section} end={listEnd} />
      <SectionTitle value={section.title}>
        {isOwner || section.isForOwners !== true ? (
          <section.Component key={section.id} />
        ) : (
          <NotForRole page={section.title} />
        )}
      </SectionTitle>
    </div>
  )
}

function SectionList({ chosen, end }: { chosen: Section; end: ReactNode }) {
  const navigate = useNavigate()
  const sections = listSections(useIsOwner())
  return (
    <nav className="settings-sections" aria-label="Settings">
      <h2>Settings</h2>
      <Select
        label="Section"
        className="settings-pick"
        value={chosen.id}
        onChange={({ target }) => void navigate(settingsLink(findSection(target.value).id))}
      >
        {sections.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </Select>
      <ul>
        {sections.map(({ id, title, icon }) => (
          <li key={id}>
            <Link {...settingsLink(id)} aria-current={id === chosen.id ? 'page' : undefined}>
              <Icon name={icon} />
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {end}
    </nav>
  )
}

function useDocumentTitle(title: string) {
  const { name } = useShop()
  useEffect(() => {
    const before = document.title
    document.title = `${title} | ${name}`
    return () => {
      document.title = before
    }
  }, [title, name])
}

/** The notice that the user sees instead of a page if their role is not allowed to open the page. */
function NotForRole({ page }: { page: string }) {
  const { username, role } = useStaffAccount()
  return (
    <Notice title={`${page} is for the owner`}>
      You are signed in as {username}, {roleNames[role]}.{' '}
      <Link to="/appointments">Back to Appointments</Link>
    </Notice>
  )
}
