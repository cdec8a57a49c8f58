import { useQuery } from '@tanstack/react-query'
import type { Employee } from '#contracts/tasks.ts'
import { requestData } from '#web/lib/data/request-data.ts'

const maxAgeMs = 60_000

/** The names of the employees to whom staff can assign a task. */
export function useEmployees() {
  return useQuery({ queryKey: ['employees'], queryFn: listEmployees, staleTime: maxAgeMs })
}

async function listEmployees(): Promise<Employee[]> {
  const { data } = await requestData((service) =>
    service.from('employees').select('id, name, email').eq('is_active', true).order('name'),
  )
  return data
}

/** The options of a `<Select>` that assigns a task to an employee; the value '' means nobody. */
export function EmployeeOptions() {
  const employees = useEmployees()
  return (
    <>
      <option value="">Unassigned</option>
      {employees.data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </>
  )
}
