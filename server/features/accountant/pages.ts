/** How many rows are read at once: little enough to be written without anybody noticing. */
export const pageRows = 500

/** Before every id: where a list begins. */
export const firstId = '00000000-0000-0000-0000-000000000000'
