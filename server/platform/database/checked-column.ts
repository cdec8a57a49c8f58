import type { Database } from '#contracts/database.ts'

type Tables = Database['public']['Tables']

/** Returns the values that a check constraint or a foreign key allows in a text column of the schema `public`. */
export type Column<
  Table extends keyof Tables,
  Name extends keyof Tables[Table]['Row'],
> = Tables[Table]['Row'][Name]
