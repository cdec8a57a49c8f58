import type { ComponentType } from 'react'
import type { SettingsSection } from '#contracts/dashboard-paths.ts'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import type { IconName } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'

export type Section = {
  /** The id of the section in the URL. */
  readonly id: SettingsSection
  readonly title: string
  readonly icon: IconName
  /** Whether only owners can open the section. */
  readonly isForOwners?: boolean
  /** Renders the section as a `<SectionBody>`. The browser loads its code when the user opens the section. */
  readonly Component: ComponentType
}

const later = (load: () => Promise<ComponentType>) =>
  lazyComponent(load, <Skeleton className="settings-skeleton" />)

/** The sections in the order of the menu. */
const sections = [
  {
    id: 'shop',
    title: 'Shop',
    icon: 'pin',
    Component: later(async () => (await import('./shop/shop-section.tsx')).ShopSection),
  },
  {
    id: 'hours',
    title: 'Hours and closures',
    icon: 'clock',
    Component: later(async () => (await import('./hours/hours-section.tsx')).HoursSection),
  },
  {
    id: 'bays',
    title: 'Bays',
    icon: 'bays',
    Component: later(async () => (await import('./bays/bays-section.tsx')).BaysSection),
  },
  {
    id: 'services',
    title: 'Services',
    icon: 'wrench',
    Component: later(async () => (await import('./services/services-section.tsx')).ServicesSection),
  },
  {
    id: 'rules',
    title: 'Booking rules',
    icon: 'rules',
    Component: later(async () => (await import('./rules/rules-section.tsx')).RulesSection),
  },
  {
    id: 'estimates',
    isForOwners: true,
    title: 'Estimates and tax',
    icon: 'receipt',
    Component: later(
      async () => (await import('./estimates/estimates-section.tsx')).EstimatesSection,
    ),
  },
  {
    id: 'email',
    isForOwners: true,
    title: 'Email',
    icon: 'mail',
    Component: later(async () => (await import('./email/email-section.tsx')).EmailSection),
  },
  {
    id: 'payments',
    isForOwners: true,
    title: 'Payments',
    icon: 'card',
    Component: later(async () => (await import('./payments/payments-section.tsx')).PaymentsSection),
  },
  {
    id: 'team',
    isForOwners: true,
    title: 'Team',
    icon: 'team',
    Component: later(async () => (await import('./team/team-section.tsx')).TeamSection),
  },
  {
    id: 'audit',
    isForOwners: true,
    title: 'Audit',
    icon: 'shield',
    Component: later(async () => (await import('./audit/audit-section.tsx')).AuditSection),
  },
  {
    id: 'backup',
    isForOwners: true,
    title: 'Backup',
    icon: 'database',
    Component: later(async () => (await import('./backup/backup-section.tsx')).BackupSection),
  },
  {
    id: 'accountant',
    title: 'For your accountant',
    icon: 'download',
    Component: later(
      async () => (await import('./accountant/accountant-section.tsx')).AccountantSection,
    ),
  },
] as const satisfies readonly [Section, ...Section[]]

/** The sections that a role can open. */
export function listSections(isOwner: boolean): readonly Section[] {
  const all: readonly Section[] = sections
  return all.filter(({ isForOwners = false }) => isOwner || !isForOwners)
}

/** Returns the section with this id; the first section if the id is unknown. */
export function findSection(id: string | undefined): Section {
  return sections.find((section) => section.id === id) ?? sections[0]
}
