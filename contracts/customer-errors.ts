/**
 * The SQLSTATEs with which the database refuses requests about customers, vehicles and merges (see
 * `contracts/database-errors.ts`).
 */
export const customerErrors = {
  TT090: {
    meaning: 'The customer, the vehicle or the merge does not exist.',
    message: 'This record no longer exists.',
    hints: [
      'customer_not_found',
      'merge_not_found',
      'vehicle_not_found',
      'vehicle_without_booking',
    ],
  },
  TT091: {
    meaning: 'A record would be merged with itself.',
    message: 'A record cannot be merged with itself.',
    hints: ['self_merge'],
  },
  TT092: {
    meaning:
      'The record was merged into another one. The error detail is the id of the other record.',
    message: 'This record was already merged with another one.',
    hints: ['already_merged'],
  },
  TT094: {
    meaning: 'The merge is more than 30 days old.',
    message: 'The merge is more than 30 days old and can no longer be undone.',
    hints: ['unmerge_expired'],
  },
  TT095: {
    meaning: 'A later merge of the same record has to be undone first.',
    message: 'A later merge of this record exists. Undo that merge first.',
    hints: ['later_merge_exists'],
  },
  TT096: {
    meaning: 'Another customer has this email address. The error detail names that customer.',
    message: 'Another customer has this email address.',
    hints: ['email_in_use'],
  },
  TT097: {
    meaning: 'The check digit of the VIN is wrong.',
    message: 'This VIN is not valid.',
    hints: ['invalid_vin'],
  },
  TT098: {
    meaning: 'The odometer reading is below an earlier one or above a later one.',
    message: 'This odometer reading is below an earlier reading or above a later one.',
    hints: ['odometer_decreased'],
  },
  TT099: {
    meaning:
      'The customer has open records, so the erasure is refused. The error detail lists these records.',
    message: 'This customer has an open appointment, estimate or invoice.',
    hints: ['open_records'],
  },
  TT100: {
    meaning: 'No record of the customer contains the email address.',
    message: 'No record of the customer has this email address.',
    hints: ['email_not_offered'],
  },
} as const
