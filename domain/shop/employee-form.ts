import { isEmailAddress } from '#domain/customers/email-address.ts'
import { cleanLine } from '#domain/text/text-input.ts'

/** Somebody of the team, as typed (docs/product.md 11.5). */
export type EmployeeForm = { name: string; email: string }

/** Longest values the database takes, in characters. */
export const employeeFieldLimits: Record<keyof EmployeeForm, number> = { name: 100, email: 254 }

/** What each field says when it is refused. */
export const employeeFieldErrors: Record<keyof EmployeeForm, string> = {
  name: 'Please enter a name.',
  email: 'Please enter an email address, like sam@your-shop.example.',
}

/** Every field that the database would refuse, with its words. */
export function checkEmployeeForm(form: EmployeeForm): Partial<Record<keyof EmployeeForm, string>> {
  return {
    ...(cleanLine(form.name) === '' && { name: employeeFieldErrors.name }),
    ...(!isEmailAddress(form.email) && { email: employeeFieldErrors.email }),
  }
}

/** What is stored of it. */
export function employeeOf(form: EmployeeForm): EmployeeForm {
  return { name: cleanLine(form.name), email: cleanLine(form.email) }
}
