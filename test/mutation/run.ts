import { Stryker } from '@stryker-mutator/core'

/**
 * `npm run test:mutation -- src/route test/routing`: Stryker changes the code of a folder or file, and runs the tests
 * of another folder against each change. A change that no test notices is printed. Without a folder of tests the
 * whole suite runs.
 */
const [folder, tests] = process.argv.slice(2)
if (!folder)
  throw new Error('Name a folder or a file: npm run test:mutation -- src/route test/routing')

// Processes of Stryker read the tests in `vitest.config.ts` beside this file.
if (tests) process.env['MUTATION_TESTS'] = tests
process.env['ALL_ROWS'] = '1'

const results = await new Stryker({
  mutate: [folder.endsWith('.ts') ? folder : `${folder}/**/*.ts`],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  // Stryker cannot read a file of TypeScript 7, and needs none.
  tsconfigFile: 'no-tsconfig.json',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'progress'],
}).runMutationTest()

const missed = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
console.log(`\n${results.length - missed.length} passed, ${missed.length} failed`)
process.exitCode = missed.length > 0 ? 1 : 0
