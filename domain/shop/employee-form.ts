import { isEmailAddress } from '#domain/customers/email-address.ts'
import { cleanLine } from '#domain/text/text-input.ts'

/** The input in the form of an employee before trimming (docs/product.md 11.5). */
export type EmployeeForm = { name: string; email: string }

/** The maximum length of each field in characters, as in the database. */
export const employeeFieldLimits: Record<keyof EmployeeForm, number> = { name: 100, email: 254 }

/** The error message of each field of the employee form. */
export const employeeFieldErrors: Record<keyof EmployeeForm, string> = {
  name: 'Please enter a name.',
  email: 'Please enter an email address, like sam@your-shop.example.',
}

/** Returns the error message of every field that the database would refuse. */
export function checkEmployeeForm(form: EmployeeForm): Partial<Record<keyof EmployeeForm, string>> {
  return {
    ...(cleanLine(form.name) === '' && { name: employeeFieldErrors.name }),
    ...(!isEmailAddress(form.email) && { email: employeeFieldErrors.email }),
  }
}

/** The values of the form as they are stored. */
export function employeeOf(form: EmployeeForm): EmployeeForm {
  return { name: cleanLine(form.name), email: cleanLine(form.email) }
}
