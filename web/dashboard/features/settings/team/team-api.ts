import { type EmployeeForm, employeeOf } from '#domain/shop/employee-form.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** Somebody of the team; `version` counts the changes of the row. */
export type TeamMember = EmployeeForm & {
  readonly id: string
  readonly is_active: boolean
  readonly version: number
}

/** All of the team, also who is inactive by now. */
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

/** Changes a row that is still the one that was seen; false when it is not. */
export async function changeMember(
  { id, version }: Pick<TeamMember, 'id' | 'version'>,
  changes: Partial<EmployeeForm & { is_active: boolean }>,
): Promise<boolean> {
  const { data } = await requestData((service) =>
    service.from('employees').update(changes).eq('id', id).eq('version', version).select('id'),
  )
  return data.length > 0
}
