import type { Database } from '#contracts/database.ts'

type Tables = Database['public']['Tables']

/** The type of a text column of the schema `public`: the values that a check constraint or a foreign key allows. */
export type Column<
  Table extends keyof Tables,
  Name extends keyof Tables[Table]['Row'],
> = Tables[Table]['Row'][Name]
