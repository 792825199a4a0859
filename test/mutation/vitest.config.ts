import base from '../../vitest.config.ts'

/** The tests that a run of Stryker asks. */
const tests = process.env['MUTATION_TESTS'] ?? 'test'
const include = tests.endsWith('.ts') ? tests : `${tests}/**/*.test.ts`

export default { ...base, test: { ...base.test, include: [include] } }
