import { type EmployeeForm, employeeOf } from '#domain/shop/employee-form.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** A team member; `version` counts the changes of the database row. */
export type TeamMember = EmployeeForm & {
  readonly id: string
  readonly is_active: boolean
  readonly version: number
}

/** All team members, including inactive ones. */
export async function listTeam(): Promise<TeamMember[]> {
  const { data } = await requestData((service) =>
    service
      .from('employees')
      .select('id, name, email, is_active, version')
      .order('is_active', { ascending: false })
      .order('name'),
  )
  return data
}

export async function addMember(form: EmployeeForm): Promise<void> {
  await requestData((service) => service.from('employees').insert(employeeOf(form)))
}

/**
 * Saves changes of a team member if nobody else has changed the team member since the user read the data. Returns false
 * after a version conflict.
 */
export async function changeMember(
  { id, version }: Pick<TeamMember, 'id' | 'version'>,
  changes: Partial<EmployeeForm & { is_active: boolean }>,
): Promise<boolean> {
  const { data } = await requestData((service) =>
    service.from('employees').update(changes).eq('id', id).eq('version', version).select('id'),
  )
  return data.length > 0
}
