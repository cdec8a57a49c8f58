/** The form key of every database that tests copy, so that a test can sign a form token of any age. */
export const testFormKey = 'the-key-of-forms-in-tests-is-known-to-all-of-them'
