/** Signs the forms of every database that tests copy, so that a story can open a form at any time it likes. */
export const testFormKey = 'the-key-of-forms-in-tests-is-known-to-all-of-them'
