/** The key that signs form tokens. Every test database has this key, so that a test can sign a token of any age. */
export const testFormKey = 'the-key-of-forms-in-tests-is-known-to-all-of-them'
