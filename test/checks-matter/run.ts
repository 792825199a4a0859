import { parseArgs } from 'node:util'

import type { Mutation } from './mutation.ts'
import { mutations } from './mutations.ts'
import { tryMutation, type Verdict } from './try-mutation.ts'
import { runTests } from './vitest.ts'
import { createWorkshop, type Workshop } from './workshop.ts'

/**
 * Disables one check after another in a copy of the source, and requires a test to fail each time.
 * `npm run test:checks -- secret` tries only checks with this word in their names; a word that
 * none has is an error.
 */
const { positionals } = parseArgs({ allowPositionals: true })
const chosen = chooseMutations(positionals)
const width = Math.max(...chosen.map(({ name }) => name.length))

await using first = await createWorkshop()
await using second = await createWorkshop()
const failing = await failingTests(first)
const queue = [...chosen]
const verdicts = (await Promise.all([first, second].map(tryAll))).flat()

const survived = verdicts.filter(({ killedBy }) => !killedBy)
if (survived.length > 0) console.log('\nChecks that no test is known to need:')
for (const verdict of survived) console.log(describe(verdict))
const bad = survived.length + failing.size
console.log(`\n${verdicts.length - survived.length} passed, ${bad} failed`)
process.exitCode = bad > 0 ? 1 : 0

/** Tests that fail while every check is in place: no proof that a check matters. */
async function failingTests({ folder }: Workshop): Promise<ReadonlySet<string>> {
  const tests = new Set(chosen.flatMap((mutation) => mutation.tests))
  const failed = new Set<string>()
  let count = 0
  for await (const { name, state, trouble } of runTests(folder, [...tests])) {
    count++
    if (state === 'failed') failed.add(name)
    if (state === 'failed' || trouble) console.log(`With every check in place: ${name} fails`)
  }
  if (count === 0) throw new Error('No test ran, even with every check in place.')
  console.log(`${chosen.length} checks, ${count} tests\n`)
  return failed
}

async function tryAll(workshop: Workshop): Promise<Verdict[]> {
  const tried: Verdict[] = []
  for (let next = queue.shift(); next; next = queue.shift()) {
    const verdict = await tryMutation(workshop, next, failing)
    tried.push(verdict)
    console.log(describe(verdict))
  }
  return tried
}

function describe({ mutation, killedBy, problem }: Verdict): string {
  const { subject, name } = mutation
  const told = (killedBy ?? `SURVIVED: ${problem}`).replaceAll(/\s+/g, ' ')
  return `${subject.padEnd(11)}  ${name.padEnd(width)}  ${told}`
}

/** The mutations whose subject and name have all of these words. Throws with the words if none has. */
function chooseMutations(words: readonly string[]): readonly Mutation[] {
  const chosen = mutations.filter(({ subject, name }) =>
    words.every((word) => `${subject}: ${name}`.includes(word)),
  )
  if (chosen.length > 0) return chosen
  const filter = words.map((word) => JSON.stringify(word)).join(' and ')
  throw new Error(`No check has ${filter} in its subject and name.`)
}
