import { isEmailAddress } from '#domain/customers/email-address.ts'
import { cleanLine } from '#domain/text/text-input.ts'

/** The form of an employee, before trimming (docs/product.md 11.5). */
export type EmployeeForm = { name: string; email: string }

/** Longest values the database takes, in characters. */
export const employeeFieldLimits: Record<keyof EmployeeForm, number> = { name: 100, email: 254 }

/** The error message of each field. */
export const employeeFieldErrors: Record<keyof EmployeeForm, string> = {
  name: 'Please enter a name.',
  email: 'Please enter an email address, like sam@your-shop.example.',
}

/** The error message of every field that the database would refuse. */
export function checkEmployeeForm(form: EmployeeForm): Partial<Record<keyof EmployeeForm, string>> {
  return {
    ...(cleanLine(form.name) === '' && { name: employeeFieldErrors.name }),
    ...(!isEmailAddress(form.email) && { email: employeeFieldErrors.email }),
  }
}

/** The values to store. */
export function employeeOf(form: EmployeeForm): EmployeeForm {
  return { name: cleanLine(form.name), email: cleanLine(form.email) }
}
