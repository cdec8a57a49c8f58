import { type ReactNode, useEffect } from 'react'
import { SearchLink } from '#web/dashboard/kit/navigation/search-link.tsx'
import { useShop } from '#web/lib/shop.ts'
import { navigateSearch, useSearchParams } from '#web/dashboard/kit/navigation/use-search-params.ts'
import { Select } from '#web/ui/field/field.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { UnsavedChangesDialog } from './kit/unsaved-changes-dialog.tsx'
import { SectionTitle } from './kit/section-body.tsx'
import { findSection, type Section, searchOfSection, sections } from './sections.tsx'
import './settings.css'

/**
 * The settings, one section at a time; each section has its own URL. `listEnd` is rendered below the list of sections.
 */
export function SettingsView({ listEnd }: { listEnd?: ReactNode }) {
  const [params] = useSearchParams()
  const section = findSection(params.get('section'))
  useDocumentTitle(`Settings, ${section.title}`)
  return (
    <div className="settings">
      <SectionList chosen={section} end={listEnd} />
      <SectionTitle value={section.title}>
        <section.Component key={section.id} />
      </SectionTitle>
      <UnsavedChangesDialog />
    </div>
  )
}

function SectionList({ chosen, end }: { chosen: Section; end: ReactNode }) {
  return (
    <nav className="settings-sections" aria-label="Settings">
      <h2>Settings</h2>
      <Select
        label="Section"
        className="settings-pick"
        value={chosen.id}
        onChange={({ target }) => navigateSearch(searchOfSection(target.value))}
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
            <SearchLink
              search={searchOfSection(id)}
              aria-current={id === chosen.id ? 'page' : undefined}
            >
              <Icon name={icon} />
              {title}
            </SearchLink>
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
